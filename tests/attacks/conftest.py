"""Those who attack and those who are attacked: our program and people, and the stranger's."""

from dataclasses import replace

import pytest

from tests.api.conftest import api
from tests.fakes.attacker import Target
from tests.fakes.redis_server import RedisServer
from tests.faults.support.web import new_key
from tests.pages.conftest import PASSWORD, app, make_person, owner
from webapp import config, crypto
from webapp.config import Settings
from webapp.domain.auth.sessions import Browser, open_session
from webapp.models import Account, Organization, User

__all__ = ["api", "app", "owner"]


@pytest.fixture
def on_redis(settings: Settings, redis_server: RedisServer) -> Settings:
    """The settings of this process, with an empty Redis."""
    redis_server.wipe()
    found = replace(settings, redis_url=redis_server.url)
    config.configure(found)
    return found


async def target_of(settings: Settings, org: Organization, account: Account) -> Target:
    """A running service, and who attacks it: this organization's program, and its owner with a browser."""
    opened = await open_session(await make_person(org, f"{org.name}@x.example"), org, Browser("127.0.0.1", "tests"))
    key = await new_key(org)
    return Target(settings.base_url, key, account.account_key, opened.token, opened.session.csrf_token)


async def make_ada(org: Organization) -> User:
    """An owner who signs in with PASSWORD."""
    ada = await make_person(org, "ada@acme.example")
    await User.filter(id=ada.id).update(password_hash=await crypto.hash_password(PASSWORD))
    return ada
