"""Signing in and out, and what strangers cannot do with it."""

from datetime import timedelta

import pytest
from quart import Quart

from tests.pages.auth.conftest import sign_in
from tests.pages.conftest import PASSWORD, Visitor
from webapp import clock
from webapp.domain.auth.owners import reset_password
from webapp.models import OneTimeLink, Session, User

WRONG = "Incorrect email or password."


async def test_a_person_signs_in_and_out(stranger: Visitor, ada: User) -> None:
    assert (await sign_in(stranger, email=" ADA@Acme.example ")).path == "/home"
    token = stranger.cookie("session")
    out = await stranger.submit(await stranger.get("/home"), "/sign-out")
    assert (out.path, out.title) == ("/sign-in", "Sign in")
    assert await Session.all().count() == 0
    stranger.client.set_cookie("localhost", "session", token)  # ended on the server, not only forgotten
    assert (await stranger.get("/home")).title == "Sign in"


async def test_a_wrong_password_and_an_unknown_person_look_alike(stranger: Visitor, ada: User) -> None:
    wrong = await sign_in(stranger, "not the password")
    unknown = await sign_in(stranger, email="nobody@acme.example")
    for page in (wrong, unknown):
        assert page.status == 422
        assert page.soup.select_one("[role=alert]").get_text(strip=True) == WRONG
        assert page.soup.find(id="f-password").get("value") is None
    assert wrong.soup.find(id="f-email")["value"] == "ada@acme.example"


async def test_a_planted_session_ends_when_its_victim_signs_in(app: Quart, ada: User) -> None:
    attacker, victim = Visitor(app), Visitor(app)
    form = await victim.get("/sign-in")
    await sign_in(attacker)
    victim.client.set_cookie("localhost", "session", attacker.cookie("session"))
    await victim.submit(form, email="ada@acme.example", password=PASSWORD)
    assert victim.cookie("session") != attacker.cookie("session")
    assert (await attacker.get("/home")).title == "Sign in"
    assert (await victim.get("/home")).title == "Dashboard"


async def test_cookies_are_closed_to_scripts(stranger: Visitor, ada: User) -> None:
    page = await stranger.get("/sign-in")
    response = (await stranger.submit(page, email="ada@acme.example", password=PASSWORD, follow=False)).response
    cookies = response.headers.getlist("Set-Cookie")
    assert all("HttpOnly" in cookie and "SameSite=Lax" in cookie for cookie in cookies)
    assert any(cookie.startswith("session=") for cookie in cookies)


async def test_a_password_that_an_operator_sets_is_not_refused_for_earlier_tries(app: Quart, ada: User) -> None:
    home, elsewhere, new = Visitor(app), Visitor(app), "another horse battery"
    await sign_in(home)
    await home.submit(await home.get("/home"), "/sign-out")
    for visitor in (home, elsewhere):
        pages = [await sign_in(visitor, f"wrong {number}") for number in range(6)]
        assert pages[-1].status == 429
    await reset_password(ada.email, new)
    for visitor in (home, elsewhere):
        assert (await sign_in(visitor)).status == 422
        assert (await sign_in(visitor, new)).path == "/home"


@pytest.mark.parametrize("guessed", ["ada@acme.example", "person{}@acme.example"])
async def test_strangers_lock_nobody_out_of_their_own_browser(app: Quart, ada: User, guessed: str) -> None:
    home, attacker = Visitor(app), Visitor(app)
    await sign_in(home)
    await home.submit(await home.get("/home"), "/sign-out")
    for number in range(20):
        await sign_in(attacker, "wrong", guessed.format(number))
    assert (await sign_in(attacker)).status == 429
    assert [(await sign_in(home, "wrong")).status for _ in range(2)] == [422, 422]
    assert (await sign_in(home)).path == "/home"
    assert (await sign_in(attacker)).status == 429  # a good one elsewhere gives the strangers no try back


async def test_a_stranger_goes_on_to_where_they_wanted(stranger: Visitor, ada: User) -> None:
    page = await stranger.get("/mail-logs?status=failed")
    assert page.title == "Sign in"
    page = await stranger.submit(page, email="ada@acme.example", password=PASSWORD)
    assert (page.path, page.title) == ("/mail-logs?status=failed", "Deliveries")


@pytest.mark.parametrize(
    "change", [{"expires_at": clock.now() - timedelta(seconds=1)}, {"last_seen_at": clock.now() - timedelta(days=15)}]
)
async def test_old_and_idle_sessions_end(owner: Visitor, change: dict[str, object]) -> None:
    await Session.all().update(**change)
    assert (await owner.get("/home")).title == "Sign in"


async def test_without_a_mail_server_who_forgot_the_password_is_told_whom_to_ask(stranger: Visitor, ada: User) -> None:
    page = await stranger.get("/sign-in")
    (way,) = page.soup.select("a[href='/reset']")
    told = await stranger.get(str(way["href"]))
    assert (told.status, "pennypost reset-password" in told.text) == (200, True)
    assert not told.soup.select("input[name=email]")
    token = page.token
    again = await stranger.post("/reset", form={"csrf_token": token, "email": ada.email})
    assert (again.path, again.text) == ("/reset", told.text)
    assert await OneTimeLink.all().count() == 0
