"""Somebody who signs in with a password."""

import asyncio

import pytest
from quart import Quart

from tests.pages.conftest import PASSWORD, Page, Visitor, make_person, visitor_for
from webapp import crypto
from webapp.domain.roles import Role
from webapp.models import Organization, User


@pytest.fixture(scope="session")
def password_hash() -> str:
    """The hash of PASSWORD, made once: argon2 takes its time."""
    return asyncio.run(crypto.hash_password(PASSWORD))


@pytest.fixture
async def ada(acme: Organization, password_hash: str) -> User:
    """A viewer in our organization who signs in with PASSWORD."""
    user = await make_person(acme, "ada@acme.example", Role.VIEWER)
    await User.filter(id=user.id).update(password_hash=password_hash)
    return await User.get(id=user.id)


@pytest.fixture
async def browser(app: Quart, acme: Organization, ada: User) -> Visitor:
    """The browser that ada is signed in with."""
    return await visitor_for(app, acme, ada)


async def sign_in(
    visitor: Visitor, password: str = PASSWORD, email: str = "ada@acme.example", path: str = "/sign-in"
) -> Page:
    return await visitor.submit(await visitor.get(path), email=email, password=password)
