"""What mail that is asked for by the API and sent by a worker needs."""

import pytest

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from webapp.config import Settings
from webapp.models import Account, Organization


@pytest.fixture
async def api(settings: Settings, acme: Organization) -> Api:
    """Our program: an admin's key of acme."""
    return await make_api(app_of(settings), acme)


@pytest.fixture
async def account(acme: Organization, smtp_server: SmtpServer) -> Account:
    """Our account, which `smtp_server` serves."""
    return await account_on(smtp_server, acme)
