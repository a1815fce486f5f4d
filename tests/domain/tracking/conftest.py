"""The app with an account of Acme's, for emails that are tracked."""

import pytest
from quart import Quart
from quart.testing import QuartClient

from tests.apps import app_of
from webapp.config import Settings


@pytest.fixture
async def app(settings: Settings, database: str) -> Quart:
    return app_of(settings)


@pytest.fixture
def client(app: Quart) -> QuartClient:
    return QuartClient(app)
