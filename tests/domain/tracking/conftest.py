"""The app with an account of Acme's, for emails that are tracked."""

import pytest
from quart import Quart
from quart.testing import QuartClient

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from webapp.config import Settings
from webapp.models import Account, Organization


@pytest.fixture
async def app(settings: Settings, database: str) -> Quart:
    return app_of(settings)


@pytest.fixture
async def api(app: Quart, acme: Organization) -> Api:
    return await make_api(app, acme)


@pytest.fixture
async def account(acme: Organization, smtp_server: SmtpServer) -> Account:
    return await account_on(smtp_server, acme, from_name="Acme")


@pytest.fixture
def client(app: Quart) -> QuartClient:
    return QuartClient(app)
