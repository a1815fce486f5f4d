"""A proxy that PENNYPOST_TRUSTED_PROXIES does not name gives every visitor its own address."""

import logging
from dataclasses import replace
from ipaddress import ip_network

import pytest
from quart import Quart

from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import PASSWORD, Page, Visitor, make_person, visitor_for
from tests.support.instance_mail import mailing_by
from webapp import config
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.auth.sessions import device_token
from webapp.domain.instance import untrusted_proxy
from webapp.domain.roles import Role
from webapp.models import OneTimeLink, Organization, User

PROXY = "10.0.0.5"
STRANGER, HOME = "203.0.113.66", "198.51.100.7"
ADA = "ada@acme.example"


async def sign_in(
    app: Quart, email: str = ADA, password: str = PASSWORD, *, client: str = HOME, peer: str = PROXY
) -> Page:
    """A try by a new browser through the proxy."""
    browser = Visitor(app)
    browser.headers["X-Forwarded-For"] = client
    token = (await browser.get("/sign-in")).token
    form = {"csrf_token": token, "email": email, "password": password}
    return await browser.post("/sign-in", form=form, follow=False, scope_base={"client": (peer, 50_000)})


async def guess(app: Quart, times: int, *, peer: str = PROXY) -> list[int]:
    """The answers to a stranger who tries another person each time."""
    return [
        (await sign_in(app, f"person{number}@acme.example", "wrong", client=STRANGER, peer=peer)).status
        for number in range(times)
    ]


async def test_a_stranger_behind_it_locks_nobody_else_out(app: Quart, ada: User) -> None:
    assert await guess(app, 40) == [422] * 20 + [429] * 20
    assert (await sign_in(app, client=STRANGER)).status == 429
    assert (await sign_in(app)).status == 303
    assert await guess(app, 1) == [429]  # a success elsewhere gives the stranger no try back


async def test_the_limit_for_a_person_holds_behind_it(app: Quart, ada: User) -> None:
    for number in range(5):
        await sign_in(app, password="wrong", client=f"203.0.113.{number}")
    assert (await sign_in(app)).status == 429


async def test_a_peer_from_the_internet_gains_nothing_by_the_header(app: Quart, ada: User) -> None:
    assert await guess(app, 21, peer="198.51.100.9") == [422] * 20 + [429]
    assert (await sign_in(app, peer="198.51.100.9")).status == 429


async def test_a_known_browser_may_ask_for_a_reset_link(
    settings: Settings, database: str, ada: User, smtp_server: SmtpServer
) -> None:
    app = create_app(mailing_by(smtp_server, settings))

    async def ask(email: str, device: str = "") -> int:
        browser = Visitor(app)
        if device:
            browser.client.set_cookie("localhost", "device", device)
        token = (await browser.get("/reset")).token
        scope = {"client": (PROXY, 50_000)}
        form = {"csrf_token": token, "email": email}
        return (await browser.post("/reset", form=form, follow=False, scope_base=scope)).status

    assert [await ask(f"person{number}@acme.example") for number in range(11)] == [303] * 10 + [429]
    assert await ask(ADA) == 429
    assert await ask(ADA, device_token("rita@rival.example")) == 429
    assert await ask(ADA, device_token(ADA)) == 303
    assert await OneTimeLink.filter(email=ADA).count() == 1


async def owner_page(app: Quart, org: Organization, role: Role, client: str, peer: str = "127.0.0.1") -> str:
    person = await make_person(org, f"{role}-{client or 'direct'}@{org.name.lower()}.example", role)
    browser = await visitor_for(app, org, person)
    if client:
        browser.headers["X-Forwarded-For"] = client
    return (await browser.get("/home", scope_base={"client": (peer, 50_000)})).text


async def test_the_log_the_doctor_and_the_owner_hear_of_it_once(
    app: Quart, acme: Organization, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for number in range(50):
            headers = {"X-Forwarded-For": f"203.0.113.{number}"}
            scope = {"client": (f"10.0.1.{number}", 50_000)}
            await app.test_client().get("/sign-in", headers=headers, scope_base=scope)
    lines = [record.getMessage() for record in caplog.records if "X-Forwarded-For" in record.getMessage()]
    assert lines == [untrusted_proxy.warning("10.0.1.0")]
    assert "PENNYPOST_TRUSTED_PROXIES=10.0.1.49" in await owner_page(app, acme, Role.OWNER, "")
    assert "PENNYPOST_TRUSTED_PROXIES" not in await owner_page(app, acme, Role.ADMIN, "")

    await app.extensions["proxy_watch"].write()
    assert await untrusted_proxy.find() == "10.0.1.49"


@pytest.mark.parametrize(("peer", "hears"), [("198.51.100.9", False), (PROXY, True)])
async def test_a_stranger_from_the_internet_cannot_raise_the_warning(
    app: Quart, acme: Organization, peer: str, *, hears: bool, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"X-Forwarded-For": "203.0.113.1"}
    await app.test_client().get("/sign-in", headers=headers, scope_base={"client": (peer, 50_000)})
    await app.extensions["proxy_watch"].write()
    assert ("X-Forwarded-For" in caplog.text) == hears
    assert (await untrusted_proxy.find() == peer) == hears
    assert ("PENNYPOST_TRUSTED_PROXIES" in await owner_page(app, acme, Role.OWNER, "")) == hears


async def test_a_trusted_proxy_is_no_reason_to_warn(settings: Settings, acme: Organization) -> None:
    trusting = replace(settings, trusted_proxies=(ip_network("10.0.0.0/8"),))
    config.configure(trusting)
    app = create_app(trusting)
    assert "PENNYPOST_TRUSTED_PROXIES" not in await owner_page(app, acme, Role.OWNER, HOME, peer=PROXY)
    await untrusted_proxy.record(PROXY)  # as it was before the setting
    assert await untrusted_proxy.find() is None
