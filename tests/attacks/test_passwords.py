"""Stolen hashes, floods of sign-ins, and passwords without end (S23)."""

import asyncio

import pytest
from argon2 import PasswordHasher
from quart import Quart

from tests.api.conftest import Api
from tests.pages.auth.conftest import sign_in
from tests.pages.conftest import PASSWORD, Page, Visitor, make_person
from webapp.models import Organization, User

ADA = "ada@acme.example"
TODAY = "$argon2id$v=19$m=19456,t=2,p=1$"
AT_ONCE = 60


@pytest.fixture
async def ada(acme: Organization) -> User:
    """A person whose hash was made when machines were slower."""
    person = await make_person(acme, ADA)
    weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    await User.filter(id=person.id).update(password_hash=weak)
    return person


async def test_a_hash_of_earlier_days_is_renewed_by_who_knows_the_password(app: Quart, ada: User) -> None:
    refused = await sign_in(Visitor(app), "wrong")
    assert refused.status == 422
    assert not (await User.get(id=ada.id)).password_hash.startswith(TODAY)
    assert (await sign_in(Visitor(app), PASSWORD)).path == "/home"
    renewed = (await User.get(id=ada.id)).password_hash
    assert renewed.startswith(TODAY)
    assert (await sign_in(Visitor(app), PASSWORD)).path == "/home"
    assert (await User.get(id=ada.id)).password_hash == renewed


async def test_a_password_without_end_is_wrong_like_any_other(app: Quart, ada: User) -> None:
    pages = [await sign_in(Visitor(app), password) for password in ("x" * 4_097, "ä" * 50_000, "wrong")]
    assert [page.status for page in pages] == [422] * 3
    assert len({str(page.soup.select_one("[role=alert]")) for page in pages}) == 1


async def test_a_flood_of_sign_ins_keeps_no_program_waiting(app: Quart, api: Api, ada: User) -> None:
    """Two passwords are hashed at once, beside the loop: a request is answered long before the last of a flood."""
    browser = Visitor(app)
    token = (await browser.get("/sign-in")).token

    async def try_one(number: int) -> Page:
        form = {"csrf_token": token, "email": f"p{number}@acme.example", "password": "wrong"}
        scope = {"client": (f"203.0.113.{number}", 50_000)}
        return await browser.post("/sign-in", follow=False, form=form, scope_base=scope)

    assert (await api.get("/v1/accounts"))[0] == 200
    flood = [asyncio.create_task(try_one(number)) for number in range(AT_ONCE)]
    await asyncio.wait(flood, return_when=asyncio.FIRST_COMPLETED)
    for _ in range(5):
        assert (await api.get("/v1/accounts"))[0] == 200
    assert sum(not task.done() for task in flood) > AT_ONCE // 10
    assert {page.status for page in await asyncio.gather(*flood)} == {422}
