"""Guessing passwords and keys over several processes, and from the many addresses of one guesser (S24, S52)."""

import re
from collections.abc import AsyncIterator

import pytest
import redis
from quart import Quart

from tests.api.conftest import Api, make_api, serving
from tests.attacks.conftest import make_ada
from tests.factories import make_account
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import PASSWORD, Page, Visitor, make_person, visitor_for
from webapp import crypto
from webapp.config import Settings
from webapp.models import Organization

ADA = "ada@acme.example"


@pytest.fixture
async def apps(on_redis: Settings, acme: Organization) -> AsyncIterator[list[Quart]]:
    """Two processes of one service, in which Ada has a password."""
    await make_ada(acme)
    async with serving(on_redis) as one, serving(on_redis) as other:
        yield [one, other]


async def sign_in(app: Quart, password: str, email: str = ADA, address: str = "203.0.113.7") -> Page:
    """A try by a browser that was never here before."""
    browser, scope = Visitor(app), {"client": (address, 50_000)}
    token = (await browser.get("/sign-in")).token
    form = {"csrf_token": token, "email": email, "password": password}
    return await browser.post("/sign-in", follow=False, form=form, scope_base=scope)


async def test_tries_for_a_person_count_over_all_processes(apps: list[Quart]) -> None:
    for email in (ADA, "nobody@acme.example"):
        pages = [await sign_in(apps[number % 2], "wrong", email, f"203.0.113.{number}") for number in range(6)]
        assert [page.status for page in pages] == [422] * 5 + [429]
        assert 1 <= int(pages[-1].response.headers["Retry-After"]) <= 900
    assert (await sign_in(apps[0], PASSWORD)).status == 429


async def test_tries_from_an_address_count_over_all_processes(apps: list[Quart]) -> None:
    statuses = [(await sign_in(apps[number % 2], "wrong", f"p{number}@acme.example")).status for number in range(21)]
    assert statuses == [422] * 20 + [429]
    assert (await sign_in(apps[1], PASSWORD, address="203.0.113.8")).status == 303


async def test_a_good_try_is_forgotten_in_all_processes(apps: list[Quart]) -> None:
    assert [(await sign_in(apps[1], "wrong")).status for _ in range(4)] == [422] * 4
    assert (await sign_in(apps[0], PASSWORD)).status == 303
    assert [(await sign_in(apps[1], "wrong")).status for _ in range(6)] == [422] * 5 + [429]


async def test_the_addresses_of_an_ipv6_network_are_one(apps: list[Quart]) -> None:
    for number in range(21):
        email = f"p{number}@acme.example"
        page = await sign_in(apps[number % 2], "wrong", email, f"2001:db8:1:2:{number:x}::{number:x}")
    assert page.status == 429
    assert (await sign_in(apps[0], "wrong", "q@acme.example", "2001:db8:1:3::1")).status == 422


async def ask(app: Quart, key: str | None, address: str = "203.0.113.7") -> int:
    """How a request with a key was answered."""
    return (await Api(app, key).send("GET", "/v1/accounts", scope_base={"client": (address, 50_000)})).status_code


async def test_wrong_keys_from_a_network_count_over_all_processes(apps: list[Quart], acme: Organization) -> None:
    good, statuses = (await make_api(apps[0], acme)).key, []
    for number in range(62):
        wrong = crypto.new_api_key() if number % 3 else None
        statuses.append(await ask(apps[number % 2], wrong, f"2001:db8:1:2::{number:x}"))
    assert statuses == [401] * 60 + [429] * 2
    assert [await ask(app, good, "2001:db8:1:2::1") for app in apps] == [200, 200]
    assert await ask(apps[1], None, "2001:db8:1:3::1") == 401


async def test_tests_of_logins_count_over_all_processes(
    apps: list[Quart], acme: Organization, rival: Organization, smtp_server: SmtpServer
) -> None:
    """Else an account's host and port, changed at each test, would make a port scanner."""
    for org, expected in ((acme, [303] * 10 + [429, 429]), (rival, [303])):
        account = await make_account(org, smtp_port=smtp_server.port, smtp_security="none")
        person = await make_person(org, f"person@{org.name}.example")
        browsers = [await visitor_for(app, org, person) for app in apps]
        pages = [await browser.get("/accounts") for browser in browsers]
        statuses = []
        for number in range(len(expected)):
            which = number % 2
            path = f"/accounts/{account.id}/test-login"
            statuses.append((await browsers[which].submit(pages[which], path, follow=False)).status)
        assert statuses == expected


async def test_redis_is_told_neither_people_nor_addresses(apps: list[Quart], redis_server: RedisServer) -> None:
    await sign_in(apps[0], "wrong password")
    with redis.Redis.from_url(redis_server.url) as client:
        keys = [key.decode() for key in client.scan_iter()]
        assert all(0 < client.ttl(key) <= 900 for key in keys)
    kinds = sorted(re.sub(r":[\w-]{43}$", "", key) for key in keys)
    assert kinds == ["pennypost:sign-in:address", "pennypost:sign-in:person"]


async def test_without_redis_each_process_counts_by_itself(apps: list[Quart], redis_server: RedisServer) -> None:
    redis_server.stop()
    try:
        statuses = [(await sign_in(apps[0], "wrong")).status for _ in range(6)]
        assert statuses == [422] * 5 + [429]
        assert (await sign_in(apps[1], "wrong")).status == 422
        assert [await ask(apps[0], None) for _ in range(62)] == [401] * 60 + [429] * 2
        assert await ask(apps[1], None) == 401
    finally:
        redis_server.start()
