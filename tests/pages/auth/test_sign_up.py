"""Signing up by a mailed link where anybody may, and no trace of it elsewhere."""

from dataclasses import replace
from datetime import timedelta

import pytest
from quart import Quart

from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import COMMON, PASSWORD, Page, Visitor, make_person, visitor_for
from tests.support.instance_mail import links_to, mailing_by
from webapp import clock, config, crypto
from webapp.config import Settings
from webapp.config.mail import SignUp
from webapp.domain.auth import totp, two_step
from webapp.domain.auth.one_time_links import send_requested_links
from webapp.domain.auth.sign_up import create_sign_up_link
from webapp.errors import Conflict
from webapp.models import Account, Membership, OneTimeLink, Organization, User

EVE = "eve@new.example"
ANSWERS = {"organization": "New", "timezone": "Europe/Berlin", "password": PASSWORD}
VOID = (404, "This link doesn't work")


@pytest.fixture
async def settings(settings: Settings, smtp_server: SmtpServer) -> Settings:
    found = replace(mailing_by(smtp_server, settings, SignUp.OPEN), sign_up_plan="free")
    config.configure(found)
    return found


async def ask(visitor: Visitor, email: str = EVE) -> Page:
    return await visitor.submit(await visitor.get("/sign-up"), email=email)


async def mailed_link(visitor: Visitor, server: SmtpServer, email: str = EVE) -> str:
    """Ask for a link and take it from the mail."""
    await ask(visitor, email)
    await send_requested_links()
    return links_to(email, server.messages, config.settings().base_url)[-1]


async def test_whoever_reads_the_mail_makes_an_organization_of_their_own(
    stranger: Visitor, smtp_server: SmtpServer, settings: Settings
) -> None:
    page = await stranger.get("/sign-in")
    (way,) = page.soup.select("main a[href='/sign-up']")
    assert way.get_text() == "Sign up"
    page = await ask(stranger, " Eve@New.example ")
    assert (page.path, page.title) == ("/sign-up/sent", "Check your inbox")
    assert await User.all().count() == 0
    await send_requested_links()
    (link,) = links_to(EVE, smtp_server.messages, settings.base_url)
    form = await stranger.get(link)
    assert (form.status, form.title) == (200, "Create your account")
    (row,) = await OneTimeLink.all()
    assert timedelta(hours=23) < row.expires_at - clock.now() <= timedelta(hours=24)
    wrong = await stranger.submit(form, **ANSWERS | {"password": "password123", "timezone": "Mars/Base"})
    assert wrong.error_at("timezone") == "Enter a time zone like Europe/Paris or UTC."
    assert wrong.error_at("password") == COMMON
    home = await stranger.submit(form, **ANSWERS, first_name="Eve", last_name="Adams")
    assert (home.path, home.notes) == ("/home", ["Welcome to Pennypost. New is ready."])
    org = await Organization.get(name="New")
    assert (org.timezone, org.plan) == ("Europe/Berlin", "free")
    member = await Membership.of(org).get().select_related("user")
    assert (member.user.email, member.user.display_name, member.role) == (EVE, "Eve Adams", "owner")
    assert (await Account.of(org).get()).is_sandbox
    page = await stranger.get(link)
    assert (page.status, page.title) == VOID


async def test_known_and_unknown_addresses_are_answered_alike(
    app: Quart, acme: Organization, smtp_server: SmtpServer, settings: Settings
) -> None:
    ada = await make_person(acme, "ada@acme.example")
    pages = [await ask(Visitor(app), email) for email in (ada.email, EVE)]
    assert len({(page.status, page.path, page.text) for page in pages}) == 1
    assert await OneTimeLink.all().count() == 2
    await send_requested_links()
    assert links_to(ada.email, smtp_server.messages, settings.base_url) == ["/sign-in"]
    (link,) = links_to(EVE, smtp_server.messages, settings.base_url)
    assert link.startswith("/sign-up/")


async def test_a_link_to_a_new_password_is_none_to_sign_up(
    app: Quart, acme: Organization, smtp_server: SmtpServer, settings: Settings
) -> None:
    ada, visitor = await make_person(acme, "ada@acme.example"), Visitor(app)
    await visitor.submit(await visitor.get("/reset"), email=ada.email)
    await send_requested_links()
    (link,) = links_to(ada.email, smtp_server.messages, settings.base_url)
    assert (await visitor.get(link.replace("/reset/", "/sign-up/"))).status == 404
    other = await mailed_link(visitor, smtp_server)
    assert (await visitor.get(other.replace("/sign-up/", "/reset/"))).status == 404


async def test_no_password_is_set_for_who_has_come_in_meanwhile(
    stranger: Visitor, acme: Organization, smtp_server: SmtpServer
) -> None:
    form = await stranger.get(await mailed_link(stranger, smtp_server))
    eve = await make_person(acme, EVE)
    page = await stranger.submit(form, **ANSWERS)
    assert (page.status, page.text.count("This email address already has an account. Sign in instead.")) == (422, 1)
    assert (await User.get(id=eve.id)).password_hash == eve.password_hash
    assert await Organization.all().count() == 1


async def test_somebody_who_left_every_organization_is_asked_for_their_second_step(
    stranger: Visitor, smtp_server: SmtpServer
) -> None:
    eve = await User.create(email=EVE, password_hash=await crypto.hash_password("the former password"))
    secret = totp.new_secret()
    kept = {"totp_secret": crypto.seal(secret, two_step.binding(eve)), "totp_step": 0, "last_name": "Adams"}
    await User.filter(id=eve.id).update(**kept)
    form = await stranger.get(await mailed_link(stranger, smtp_server))
    page = await stranger.submit(form, **ANSWERS, first_name="Eve")
    assert page.path.startswith("/sign-in/code")
    code = totp.code_at(secret, int(clock.now().timestamp()) // totp.STEP_SECONDS)
    assert (await stranger.submit(page, code=code)).title == "Dashboard"
    assert (await User.all().get()).display_name == "Eve Adams"


@pytest.mark.parametrize("setting", [SignUp.CLOSED, SignUp.INVITE])
async def test_elsewhere_nobody_asks_for_a_link_and_nothing_leads_there(
    app: Quart, acme: Organization, smtp_server: SmtpServer, settings: Settings, setting: SignUp
) -> None:
    visitor = Visitor(app)
    link, token = await mailed_link(visitor, smtp_server), await token_of(visitor)
    config.configure(replace(settings, sign_up=setting))
    links = [link, "/sign-up/none"] if setting is SignUp.CLOSED else []
    for path in ("/sign-up", "/sign-up/sent", *links):
        page = await visitor.get(path)
        assert (page.status, page.title) == (404, "Page not found"), path
    for path in ("/sign-up", *links):
        page = await visitor.post(path, form={"csrf_token": token, "email": EVE} | ANSWERS)
        assert page.status == 404, path
    owner = await visitor_for(app, acme, await make_person(acme, "ada@acme.example"))
    for page in [await visitor.get("/sign-in"), await visitor.get("/reset"), await owner.get("/home")]:
        assert "/sign-up" not in str(page.soup)
    assert await User.all().count() == 1


async def test_where_the_operator_gives_the_links_one_makes_an_organization(
    stranger: Visitor, settings: Settings
) -> None:
    config.configure(replace(settings, mail=None, sign_up=SignUp.INVITE))
    links = [(await create_sign_up_link(EVE)).removeprefix(settings.base_url) for _ in range(2)]
    assert ((page := await stranger.get(links[0])).status, page.title) == VOID
    home = await stranger.submit(await stranger.get(links[1]), **ANSWERS)
    assert (home.path, home.notes) == ("/home", ["Welcome to Pennypost. New is ready."])
    with pytest.raises(Conflict, match=f"{EVE} already has an account"):
        await create_sign_up_link(EVE)


async def token_of(visitor: Visitor) -> str:
    return (await visitor.get("/sign-in")).token
