"""Connecting Google accounts: to the consent page and back, and every way in which that can go wrong."""

import json
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from quart import Quart

from tests.factories import make_segment
from tests.fakes.google_server import SEND_SCOPE, GoogleServer
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from webapp import clock, config
from webapp.config import Settings
from webapp.domain.accounts.credentials import open_secret
from webapp.domain.oauth_connect import DENIED, STALE, begin
from webapp.domain.oauth_providers import GOOGLE
from webapp.domain.roles import Role
from webapp.models import Account, Organization, Session

START = "/accounts/google"
USER = "ada@gmail.example"


def link_of(page: Page) -> str:
    """Where the page's button leads."""
    return str(page.soup.find("a", string="Continue to Google")["href"])


def path_of(url: str) -> str:
    """The address on our site, as a browser that is sent to `url` asks for it."""
    assert url.startswith(f"{GOOGLE.redirect_uri}?")
    return url.removeprefix(config.settings().base_url)


async def connect(visitor: Visitor, google: GoogleServer, user: str = USER, at: str = START) -> Page:
    return await visitor.get(path_of(google.consent(link_of(await visitor.get(at)), user)))


async def test_an_account_is_connected_and_sends_as_who_allowed_it(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    page = await connect(owner, google)
    account = await Account.of(acme).get()
    assert (page.path, page.notes) == (f"/accounts/{account.id}", [f"“{USER}” connected."])
    assert (account.provider_type, account.google_email, account.from_email) == ("google", USER, USER)
    assert account.google_token_expires_at > clock.now() + timedelta(minutes=50)
    assert {open_secret(account, f"google_{name}_token") for name in ("access", "refresh")} < google.secrets
    assert not any(secret in str(page.soup) for secret in google.secrets)
    tested = await owner.submit(await owner.get("/accounts"), f"/accounts/{account.id}/test-login")
    assert tested.notes == [f"“{USER}”: login successful."]
    assert google.requests["token"] == 2


async def test_a_sign_in_of_a_client_in_testing_shows_when_it_ends(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    google.is_testing = True
    page = await connect(owner, google)
    account = await Account.of(acme).get()
    assert timedelta(days=6, hours=23) < account.oauth_expires_at - clock.now() < timedelta(days=7)
    assert "Google ends sign-ins after seven days while the OAuth client is in testing" in page.text
    assert "expire" not in (await owner.get("/home")).text
    await Account.filter(id=account.id).update(oauth_expires_at=clock.now() - timedelta(minutes=1))
    words = "The sign-in has expired because the OAuth client is in testing. Reconnect the account."
    for place in ("/home", "/accounts", page.path):
        assert words in (await owner.get(place)).text, place

    google.is_testing = False
    again = await connect(owner, google, at=f"{page.path}/google")
    assert "Sign-in ends" not in again.text


async def test_the_way_to_google_asks_for_no_more_than_sending(owner: Visitor, google: GoogleServer) -> None:
    query = parse_qs(urlsplit(link_of(await owner.get(START))).query)
    assert query["scope"] == [f"openid email {SEND_SCOPE}"]
    assert query["redirect_uri"] == [f"{GOOGLE.redirect_uri}"]
    assert re.fullmatch(r"[\w-]{43}", query["code_challenge"][0])
    again = parse_qs(urlsplit(link_of(await owner.get(START))).query)
    assert again["state"] != query["state"]
    assert again["code_challenge"] != query["code_challenge"]


async def test_connecting_again_renews_the_account_of_the_same_organization(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization, google: GoogleServer
) -> None:
    await connect(rival_owner, google)
    theirs = await Account.of(rival).get()
    await connect(owner, google)
    before = await Account.of(acme).get()
    await Account.filter(id=before.id).update(status="error", last_error="ended", name="Renamed")
    page = await connect(owner, google, user=USER.upper().replace("GMAIL.EXAMPLE", "gmail.example"))
    assert page.notes == ["“Renamed” connected."]
    after = await Account.of(acme).get()
    assert (after.id, after.status, after.last_error) == (before.id, "active", None)
    assert open_secret(after, "google_refresh_token") != open_secret(before, "google_refresh_token")
    assert (await Account.of(rival).get()).google_refresh_token == theirs.google_refresh_token


async def test_an_account_is_reconnected_from_its_page_by_its_own_person_alone(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    await connect(owner, google)
    account = await Account.of(acme).get()
    page = await owner.get(f"/accounts/{account.id}")
    at = str(page.soup.find("a", string="Reconnect Google")["href"])
    assert parse_qs(urlsplit(link_of(await owner.get(at))).query)["login_hint"] == [USER]
    wrong = await connect(owner, google, user="eve@gmail.example", at=at)
    (words,) = wrong.notes
    assert words.startswith("You chose eve@gmail.example.")
    assert (await Account.of(acme).get()).google_refresh_token == account.google_refresh_token
    assert (await connect(owner, google, at=at)).notes == [f"“{USER}” connected."]
    assert (await Account.of(acme).get()).google_refresh_token != account.google_refresh_token


async def test_a_state_counts_once(owner: Visitor, acme: Organization, google: GoogleServer) -> None:
    link = link_of(await owner.get(START))
    kept = owner.cookie("oauth")
    back = path_of(google.consent(link, USER))
    await owner.get(back)
    assert await Account.of(acme).count() == 1
    for code in (back, path_of(google.consent(link, "eve@gmail.example"))):
        owner.client.set_cookie("localhost", "oauth", kept)  # a browser that keeps what it was told to forget
        page = await owner.get(code)
        assert (page.path, page.notes) == (START, [STALE])
    assert await Account.of(acme).count() == 1
    assert google.requests["token"] == 1


async def test_an_attempt_of_another_session_counts_for_nothing(
    owner: Visitor, rival_owner: Visitor, app: Quart, acme: Organization, rival: Organization, google: GoogleServer
) -> None:
    """Whoever makes an admin open their own way back would have the admin send by their account."""
    back = path_of(google.consent(link_of(await rival_owner.get(START)), "rita@gmail.example"))
    colleague = await visitor_for(app, acme, await make_person(acme, "abe@acme.example", Role.ADMIN))
    await owner.get(START)
    for visitor in (owner, colleague):
        assert (await visitor.get(back)).notes == [STALE]
        visitor.client.set_cookie("localhost", "oauth", str(rival_owner.cookie("oauth")))
        assert (await visitor.get(back)).notes == [STALE]
    assert await Account.of(acme).count() == 0
    assert google.requests["token"] == 0
    assert (await rival_owner.get(back)).notes == ["“rita@gmail.example” connected."]
    assert await Account.of(rival).count() == 1


@pytest.mark.parametrize(("minutes", "notes"), [(9, f"“{USER}” connected."), (10, STALE)])
async def test_an_attempt_lasts_ten_minutes(owner: Visitor, google: GoogleServer, minutes: int, notes: str) -> None:
    url, sealed_state = begin(GOOGLE, await Session.get(), at=clock.now() - timedelta(minutes=minutes))
    owner.client.set_cookie("localhost", "oauth", sealed_state)
    assert (await owner.get(path_of(google.consent(url, USER)))).notes == [notes]


async def test_who_says_no_is_back_where_they_came_from(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    await connect(owner, google)
    account, segment = await Account.of(acme).get(), await make_segment(acme)
    for start in (f"/accounts/{account.id}/google", f"/accounts/{account.id}/google/sheets/{segment.id}"):
        page = await owner.get(path_of(google.deny(link_of(await owner.get(start)))))
        assert (page.path, page.notes) == (start, [DENIED])


async def test_a_box_that_was_not_ticked_is_named(owner: Visitor, acme: Organization, google: GoogleServer) -> None:
    link = link_of(await owner.get(START))
    page = await owner.get(path_of(google.consent(link, USER, scope="openid email")))
    assert page.notes == [GOOGLE.not_to_send]
    assert await Account.of(acme).count() == 0


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (400, "invalid_grant", "Google rejected the sign-in code. Start again."),
        (503, "", "Couldn't connect: Google sign-in returned 503."),
    ],
)
async def test_a_code_that_google_does_not_take_is_a_sentence(
    owner: Visitor, acme: Organization, google: GoogleServer, status: int, error: str, words: str
) -> None:
    google.fail("token", status, error, "why")
    page = await connect(owner, google)
    assert page.path == START
    assert page.notes[0].startswith(words)
    assert await Account.of(acme).count() == 0


async def test_the_plan_limits_accounts_here_too(owner: Visitor, acme: Organization, google: GoogleServer) -> None:
    await Organization.filter(id=acme.id).update(plan="free")
    for number in range(2):
        await connect(owner, google, user=f"a{number}@gmail.example")
    page = await connect(owner, google, user="a2@gmail.example")
    assert "larger plan" in page.notes[0]
    assert "max_accounts" not in page.text
    assert await Account.of(acme).count() == 2


async def test_a_login_is_tested_by_renewing_it(owner: Visitor, acme: Organization, google: GoogleServer) -> None:
    await connect(owner, google)
    account = await Account.of(acme).get()
    google.revoke()
    test = f"/accounts/{account.id}/test-login"
    page = await owner.submit(await owner.get("/accounts"), test)
    assert page.notes[0].startswith(f"“{USER}”: Google access for this account has ended (invalid_grant")
    assert (await Account.of(acme).get()).status == "error"


async def test_without_a_client_a_test_of_the_login_harms_nobody(
    owner: Visitor, acme: Organization, google: GoogleServer, settings: Settings
) -> None:
    await connect(owner, google)
    account = await Account.of(acme).get()
    config.configure(settings)
    page = await owner.submit(await owner.get("/accounts"), f"/accounts/{account.id}/test-login")
    assert page.notes == [f"“{USER}”: Google sign-in isn't set up on this server."]
    assert (await Account.of(acme).get()).status == "active"


@pytest.mark.parametrize("name", ["access_token", "refresh_token"])
@pytest.mark.parametrize("token", ["\ud800", "a\r\nb", "é", "a" * 20_000])
async def test_a_token_that_nobody_could_take_is_no_token(
    owner: Visitor, acme: Organization, google: GoogleServer, name: str, token: str
) -> None:
    """The token endpoint of a custom provider is whatever an organization names."""
    await connect(owner, google)
    account = await Account.of(acme).get()
    kept = account.google_refresh_token
    google.answer("token", 200, json.dumps({"access_token": "ya29.a", "expires_in": 60, name: token}).encode())
    page = await owner.submit(await owner.get("/accounts"), f"/accounts/{account.id}/test-login")
    assert page.notes == [f"“{USER}”: Google sign-in returned an invalid token."]
    await account.refresh_from_db()
    assert (account.status, account.google_refresh_token) == ("active", kept)
