"""One's own password and sessions."""

import asyncio
from datetime import timedelta

import pytest
from quart import Quart

from tests.faults.support.world import until
from tests.locks import held
from tests.pages.auth.conftest import sign_in
from tests.pages.conftest import COMMON, PASSWORD, Page, Visitor, visitor_for
from tests.queries import count_queries
from webapp import clock
from webapp.models import Organization, Session, User

NEW = "another horse battery"
FORM = "/security/password"


async def change(visitor: Visitor, current: str = PASSWORD, new: str = NEW) -> Page:
    return await visitor.submit(await visitor.get("/security"), FORM, current_password=current, new_password=new)


async def test_a_new_password_ends_every_other_session_and_renews_ones_own(
    app: Quart, acme: Organization, ada: User, browser: Visitor, rival_owner: Visitor
) -> None:
    thief, before = await visitor_for(app, acme, ada), browser.cookie("session")
    page = await change(browser)
    assert (page.path, page.notes) == ("/security", ["Password changed. You've been signed out of all other browsers."])
    assert (await sign_in(Visitor(app), PASSWORD)).status == 422
    assert (await sign_in(Visitor(app), NEW)).path == "/home"
    assert (await thief.get("/home")).title == "Sign in"
    assert (await rival_owner.get("/home")).path == "/home"
    assert browser.cookie("session") != before
    stolen = Visitor(app)
    stolen.client.set_cookie("localhost", "session", str(before))
    assert (await stolen.get("/home")).title == "Sign in"


async def test_what_is_wrong_stands_beside_its_field_and_changes_nothing(ada: User, browser: Visitor) -> None:
    for current, new, field, words in (
        ("not the password", NEW, "current_password", "That's not your current password."),
        (PASSWORD, "short", "new_password", "Enter at least 10 characters."),
        (PASSWORD, "x" * 5000, "new_password", "Enter at most 4,096 bytes."),
        (PASSWORD, "PassWord123", "new_password", COMMON),
        (PASSWORD, PASSWORD, "new_password", "Choose a password that's different from your current one."),
    ):
        page = await change(browser, current, new)
        assert (page.status, page.error_at(field)) == (422, words)
        assert not page.soup.select("[type=password][value]")
    assert (await User.get(id=ada.id)).password_hash == ada.password_hash


async def test_guesses_of_the_password_are_counted_with_those_at_sign_in(app: Quart, browser: Visitor) -> None:
    for number in range(3):
        assert (await change(browser, current=f"guess {number}")).status == 422
    for number in range(2):
        assert (await sign_in(Visitor(app), f"guess {number}")).status == 422
    page = await change(browser)
    assert page.status == 429
    assert page.text.count("Too many attempts. Try again in 15 minutes.") == 1
    assert int(page.response.headers["Retry-After"]) <= 900
    assert (await sign_in(Visitor(app), PASSWORD)).status == 429


@pytest.mark.postgres
async def test_an_old_password_that_was_right_a_moment_ago_opens_nothing(app: Quart, ada: User) -> None:
    """It was compared, and meanwhile a new one is kept; SQLite reads nothing meanwhile."""
    with count_queries() as statements:
        async with held("UPDATE users SET password_hash = $1 WHERE id = $2", "another", ada.id):
            opening = asyncio.create_task(sign_in(Visitor(app), PASSWORD))
            await until(lambda: any("memberships" in statement for statement in statements))  # looked up after that
    assert (await opening).status == 422
    assert await Session.all().count() == 0


async def test_the_sessions_are_ones_own(app: Quart, acme: Organization, ada: User, rival_owner: Visitor) -> None:
    firefox = Visitor(app)
    firefox.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    await sign_in(firefox, PASSWORD)
    await visitor_for(app, acme, ada)
    rows = (await firefox.get("/security")).rows
    assert [row[2] for row in rows] == ["now", "just now"]
    assert [row[0] for row in rows] == ["Firefox on Linux This browser", "tests"]
    assert len((await rival_owner.get("/security")).rows) == 1
    await Session.filter(user_agent="tests", user_id=ada.id).update(last_seen_at=clock.now() - timedelta(days=15))
    page = await firefox.get("/security")
    assert len(page.rows) == 1
    assert not page.soup.select("form[action='/security/sessions/end-others']")


async def test_who_invites_people_is_led_to_the_team_for_another_address(owner: Visitor, viewer: Visitor) -> None:
    assert "To use another address, invite it in Team" in (await owner.get("/security")).text
    assert "To use another address, ask an admin to invite it." in (await viewer.get("/security")).text


async def test_the_other_sessions_end_at_once(
    app: Quart, acme: Organization, ada: User, browser: Visitor, rival_owner: Visitor
) -> None:
    others = [await visitor_for(app, acme, ada) for _ in range(2)]
    page = await browser.submit(await browser.get("/security"), "/security/sessions/end-others")
    assert (page.path, page.notes, len(page.rows)) == ("/security", ["Signed out of 2 other sessions."], 1)
    for other in others:
        assert (await other.get("/home")).title == "Sign in"
    assert (await rival_owner.get("/home")).path == "/home"
