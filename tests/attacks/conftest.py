"""Those who attack and those who are attacked: our program and people, and the stranger's."""

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from webapp.config import Settings
from webapp.models import Organization


@pytest.fixture
def app(settings: Settings, database: str) -> Quart:
    return app_of(settings)


@pytest.fixture
async def api(app: Quart, acme: Organization) -> Api:
    """Our program: an admin's key of acme."""
    return await make_api(app, acme)


@pytest.fixture
async def owner(app: Quart, acme: Organization) -> Visitor:
    """The owner of our organization."""
    return await visitor_for(app, acme, await make_person(acme, "ada@acme.example"))


async def sign_in_by_form(browser: Visitor, email: str, password: str) -> Page:
    """Try to sign in as people do."""
    return await browser.submit(await browser.get("/sign-in"), email=email, password=password)
