"""A new password by a mailed link, and what strangers cannot do with it."""

import asyncio
import re
from datetime import timedelta

import pytest
from quart import Quart

from tests.fakes.smtp_server import SmtpServer
from tests.pages.auth.conftest import sign_in
from tests.pages.conftest import COMMON, PASSWORD, Page, Visitor, visitor_for
from tests.support.instance_mail import body_of, links_to, mailing_by, read
from webapp import clock, config, crypto
from webapp.config import Settings
from webapp.domain.auth import totp, two_step
from webapp.domain.auth.one_time_links import forget_old_links, send_requested_links
from webapp.models import Membership, OneTimeLink, Organization, Session, User

NEW = "another horse battery"
ADA = "ada@acme.example"
LINK = re.compile(r"/reset/[\w-]{43}")
VOID = (404, "This link doesn't work")


@pytest.fixture
async def settings(settings: Settings, smtp_server: SmtpServer) -> Settings:
    return mailing_by(smtp_server, settings)


async def ask(visitor: Visitor, email: str = ADA) -> Page:
    return await visitor.submit(await visitor.get("/reset"), email=email)


async def mailed_link(visitor: Visitor, server: SmtpServer) -> str:
    """Ask for a link and take it from the mail."""
    await ask(visitor)
    await send_requested_links()
    return links_to(ADA, server.messages, config.settings().base_url)[-1]


async def test_whoever_reads_the_mail_chooses_a_new_password_and_is_signed_in(
    app: Quart, stranger: Visitor, acme: Organization, ada: User, smtp_server: SmtpServer, settings: Settings
) -> None:
    thief = await visitor_for(app, acme, ada)
    page = await stranger.get("/sign-in")
    (way,) = page.soup.select("a[href='/reset']")
    assert way.get_text() == "Forgot your password?"
    page = await ask(stranger, " ADA@Acme.example ")
    assert (page.status, page.path, page.title) == (200, "/reset/sent", "Check your inbox")
    await send_requested_links()
    (received,) = smtp_server.messages
    assert received.recipients == [ADA]
    (link,) = links_to(ADA, smtp_server.messages, settings.base_url)
    assert LINK.fullmatch(link)
    assert f'href="{settings.base_url}{link}"' in body_of(read(received), "html")
    page = await stranger.get(link)
    assert (page.status, page.title) == (200, "Choose a new password")
    home = await stranger.submit(page, new_password=NEW)
    assert (home.path, home.notes) == ("/home", ["Password changed. You've been signed out of all other browsers."])
    assert (await sign_in(Visitor(app), PASSWORD)).status == 422
    assert (await sign_in(Visitor(app), NEW)).path == "/home"
    assert (await thief.get("/home")).title == "Sign in"


async def test_known_and_unknown_addresses_are_answered_alike(app: Quart, ada: User, smtp_server: SmtpServer) -> None:
    await User.create(email="gone@acme.example", password_hash="!")  # in no organization any more
    pages = [await ask(Visitor(app), email) for email in (ADA, "nobody@acme.example", "gone@acme.example")]
    assert len({(page.status, page.path, page.text) for page in pages}) == 1
    assert await OneTimeLink.all().count() == 3  # the same is kept for each
    await send_requested_links()
    assert smtp_server.recipients() == [ADA]
    assert await OneTimeLink.filter(purpose="reset").count() == await OneTimeLink.all().count() == 1


async def test_opening_the_link_uses_nothing_up(
    app: Quart, stranger: Visitor, ada: User, smtp_server: SmtpServer
) -> None:
    link = await mailed_link(stranger, smtp_server)
    for method in ("GET", "HEAD", "GET"):
        page = await Visitor(app).send(method, link, follow=False)
        assert page.status == 200
    assert page.soup.select_one("meta[name=robots]")["content"] == "noindex"
    assert (await User.get(id=ada.id)).password_hash == ada.password_hash
    assert (await stranger.submit(page, new_password=NEW)).status == 403  # the form of another browser
    assert (await stranger.submit(await stranger.get(link), new_password=NEW)).path == "/home"


async def test_the_link_works_once_for_an_hour_and_a_newer_one_replaces_it(
    app: Quart, stranger: Visitor, ada: User, smtp_server: SmtpServer
) -> None:
    older, newer = [await mailed_link(stranger, smtp_server) for _ in range(2)]
    page = await stranger.get(older)
    assert (page.status, page.title) == VOID
    form = await stranger.get(newer)
    assert form.title == "Choose a new password"
    assert (await stranger.submit(form, new_password="short")).error_at("new_password") == (
        "Enter at least 10 characters."
    )
    assert (await stranger.submit(form, new_password="password123")).error_at("new_password") == COMMON
    assert (await stranger.submit(form, new_password=NEW)).path == "/home"
    other = Visitor(app)
    assert ((page := await other.get(newer)).status, page.title) == VOID
    last = await mailed_link(other, smtp_server)
    form = await other.get(last)
    await OneTimeLink.all().update(expires_at=clock.now() - timedelta(seconds=1))
    assert ((page := await other.submit(form, new_password=PASSWORD)).status, page.title) == VOID
    assert (await sign_in(Visitor(app), NEW)).path == "/home"


async def test_links_that_do_not_work_look_alike(
    app: Quart, stranger: Visitor, ada: User, smtp_server: SmtpServer
) -> None:
    older, used = [await mailed_link(stranger, smtp_server) for _ in range(2)]
    await stranger.submit(await stranger.get(used), new_password=NEW)
    other = Visitor(app)
    pages = [await other.get(path) for path in (older, used, f"/reset/{'x' * 43}", "/reset/none", "/reset/%00")]
    assert len({(page.status, re.sub(r"\S{60,}", "", str(page.soup))) for page in pages}) == 1
    assert pages[0].status == 404


async def test_of_two_uses_at_once_one_wins(app: Quart, ada: User, smtp_server: SmtpServer) -> None:
    visitors = [Visitor(app), Visitor(app)]
    link = await mailed_link(visitors[0], smtp_server)
    forms = [await visitor.get(link) for visitor in visitors]
    passwords = ["the first to come", "the second to come"]
    tries = zip(visitors, forms, passwords, strict=True)
    pages = await asyncio.gather(*(visitor.submit(form, new_password=password) for visitor, form, password in tries))
    assert sorted(page.path.partition("/reset/")[0] for page in pages) == ["", "/home"]
    won = passwords[[page.path for page in pages].index("/home")]
    assert (await sign_in(Visitor(app), won)).path == "/home"
    assert await Session.all().count() == 2


@pytest.mark.parametrize("is_mailed", [True, False])
async def test_a_new_password_on_the_security_page_voids_a_link(
    app: Quart, acme: Organization, ada: User, smtp_server: SmtpServer, settings: Settings, *, is_mailed: bool
) -> None:
    thief, browser = Visitor(app), await visitor_for(app, acme, ada)
    await ask(thief)
    if is_mailed:
        await send_requested_links()
    page = await browser.get("/security")
    await browser.submit(page, "/security/password", current_password=PASSWORD, new_password=NEW)
    await send_requested_links()
    assert len(smtp_server.messages) == is_mailed
    for link in links_to(ADA, smtp_server.messages, settings.base_url):
        page = await thief.get(link)
        assert (page.status, page.title) == VOID
    assert await OneTimeLink.all().count() == 0


async def test_a_second_step_is_still_asked_for(
    app: Quart, acme: Organization, ada: User, smtp_server: SmtpServer
) -> None:
    secret = totp.new_secret()
    await User.filter(id=ada.id).update(totp_secret=crypto.seal(secret, two_step.binding(ada)), totp_step=0)
    browser, thief = Visitor(app), await visitor_for(app, acme, ada)
    link = await mailed_link(browser, smtp_server)
    page = await browser.submit(await browser.get(link), new_password=NEW)
    assert page.path.startswith("/sign-in/code")
    assert (await browser.get("/home")).title == "Sign in"
    assert (await thief.get("/home")).title == "Sign in"
    wrong = await browser.submit(page, code="000000")
    assert wrong.status == 422
    code = totp.code_at(secret, int(clock.now().timestamp()) // totp.STEP_SECONDS)
    assert (await browser.submit(page, code=code)).path == "/home"
    assert (await User.get(id=ada.id)).totp_secret is not None


async def test_somebody_who_has_left_gets_in_by_no_link(
    stranger: Visitor, ada: User, acme: Organization, smtp_server: SmtpServer
) -> None:
    form = await stranger.get(await mailed_link(stranger, smtp_server))
    await Membership.of(acme).filter(user_id=ada.id).delete()
    assert ((page := await stranger.submit(form, new_password=NEW)).status, page.title) == VOID
    assert (await User.get(id=ada.id)).password_hash == ada.password_hash


async def test_old_links_are_forgotten(stranger: Visitor, ada: User, smtp_server: SmtpServer) -> None:
    await mailed_link(stranger, smtp_server)
    assert await forget_old_links() == 0
    await OneTimeLink.all().update(expires_at=clock.now() - timedelta(hours=2))
    assert await forget_old_links() == 1
