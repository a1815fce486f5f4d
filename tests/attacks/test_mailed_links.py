"""Links to a new password and to sign up: what they are made of, and where they could be read (S20, S26, S27, S45, S55)."""

import logging
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from quart import Quart

from tests.api.conftest import serving
from tests.attacks.test_links import EVIL, POISON
from tests.attacks.test_secrets import everything_stored, listening
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, redis_answers, working
from tests.faults.support.world import until
from tests.pages.conftest import Visitor, make_person
from tests.support.instance_mail import body_of, links_to, mailing_by, read
from webapp import clock, config
from webapp.config import Settings
from webapp.config.mail import SignUp
from webapp.domain.auth.one_time_links import send_requested_links
from webapp.models import OneTimeLink, Organization

ADA, EVE = "ada@acme.example", "eve@new.example"


@pytest.fixture
async def settings(settings: Settings, smtp_server: SmtpServer, redis_server: RedisServer) -> Settings:
    redis_server.wipe()
    found = replace(mailing_by(smtp_server, settings, SignUp.OPEN), redis_url=redis_server.url)
    config.configure(found)
    return found


@pytest.fixture
async def app(settings: Settings, database: str) -> AsyncIterator[Quart]:
    async with serving(settings) as app:
        yield app


async def ask(browser: Visitor, path: str, email: str, **headers: str) -> None:
    page = await browser.get(path)
    token = page.token
    session = {"Cookie": "; ".join(f"{one.name}={one.value}" for one in browser.client.cookie_jar)}
    sent = await browser.post(path, form={"csrf_token": token, "email": email}, headers=headers | session, follow=False)
    assert sent.response.headers["Location"] == f"{path}/sent"


async def test_no_token_is_anywhere_but_in_its_mail(
    app: Quart,
    acme: Organization,
    settings: Settings,
    smtp_server: SmtpServer,
    redis_server: RedisServer,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    await make_person(acme, ADA)
    browser = Visitor(app)
    smtp_server.reply("MAIL", "451 4.3.0 later", times=1)

    async with listening(redis_server.url) as told, working(settings):
        await eventually(lambda: redis_answers(settings))
        await ask(browser, "/reset", ADA)
        await until(lambda: "a mail about signing in waits" in caplog.text, 30)
        await OneTimeLink.filter(purpose="ask_reset").update(expires_at=clock.now())
        await ask(browser, "/sign-up", EVE)
        await until(lambda: sorted(smtp_server.recipients()) == [ADA, EVE], 30)
        links = [link for email in (ADA, EVE) for link in links_to(email, smtp_server.messages, settings.base_url)]
        for link in links:
            assert (await browser.get(link)).status == 200
    tokens = [link.rpartition("/")[2] for link in links]
    assert [len(token) for token in tokens] == [43, 43]  # 256 bits
    places = {"redis": "".join(told), "log": caplog.text, "database": await everything_stored()}
    assert "mail_links" in places["redis"]
    assert EVE in places["database"]
    for place, text in places.items():
        assert not [token for token in tokens if token in text], place
    assert ADA not in places["redis"]
    assert EVE not in places["redis"]


async def test_no_mail_about_signing_in_names_the_host_that_was_asked_for_or_words_of_a_stranger(
    app: Quart, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_person(acme, ADA)
    browser = Visitor(app)
    browser.headers["User-Agent"] = "Buy at evil.example"
    for path, email in (("/reset", ADA), ("/sign-up", EVE), ("/sign-up", ADA)):
        await ask(browser, path, email, **POISON)
        await send_requested_links()
    assert smtp_server.recipients() == [ADA, EVE, ADA]
    for received in smtp_server.messages:
        message = read(received)
        assert EVIL.encode() not in received.content
        for kind in ("plain", "html"):
            assert EVIL not in body_of(message, kind)
            assert acme.name not in body_of(message, kind)
        assert len(links_to(received.recipients[0], [received], settings.base_url)) == 1


async def test_an_address_that_is_no_single_mailbox_is_mailed_nothing(
    app: Quart, settings: Settings, smtp_server: SmtpServer
) -> None:
    for email in (
        "eve@new.example, ada@acme.example",
        "eve@new.example\r\nBcc: ada@acme.example",
        "Buy now <eve@new.example>",
        '"buy at evil.example"@new.example',
        "eve@[127.0.0.1]",
        "eve@new.example\0",
    ):
        browser = Visitor(app)
        page = await browser.submit(await browser.get("/sign-up"), email=email)
        assert page.status == 422, email
    await send_requested_links()
    assert smtp_server.messages == []
    assert await OneTimeLink.all().count() == 0


async def test_mails_and_tries_count_over_all_processes(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_person(acme, ADA)
    async with serving(settings) as one, serving(settings) as other:
        for number in range(10):
            await ask(Visitor((one, other)[number % 2]), ("/reset", "/sign-up")[number % 3 == 1], ADA)
            await send_requested_links()
        assert smtp_server.recipients() == [ADA] * 3
        for app, path in ((one, "/reset"), (other, "/sign-up")):
            browser = Visitor(app)
            page = await browser.submit(await browser.get(path), email=EVE)
            assert (page.status, page.text.count("Too many attempts. Try again in 60 minutes.")) == (429, 1)
            assert int(page.response.headers["Retry-After"]) <= 3600
