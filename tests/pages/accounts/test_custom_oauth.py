"""Accounts that sign in by OAuth with a client of their own, on their pages."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.fakes.google_server import CLIENT_ID, CLIENT_SECRET, GoogleServer
from tests.fakes.smtp_server import HOST, SmtpServer
from tests.pages.conftest import Page, Visitor
from webapp.domain.accounts.credentials import open_secret
from webapp.models import Account, Organization

NEW = "/accounts/new?sign_in=oauth"
USER = "shared@acme.example"


@pytest.fixture
async def smtp(google: GoogleServer) -> AsyncIterator[SmtpServer]:
    async with SmtpServer(users={}, auth=("XOAUTH2",), user_of=google.user_of) as smtp:
        yield smtp


def typed(smtp: SmtpServer, google: GoogleServer, **fields: str) -> dict[str, Any]:
    app = {"grant": "client_credentials", "scope": "https://outlook.office365.com/.default", "client_id": CLIENT_ID}
    app |= {"token_url": google.settings.token_url, "client_secret": CLIENT_SECRET}
    server = {"name": "Shared", "smtp_host": HOST, "smtp_port": str(smtp.port), "smtp_username": USER}
    return {**server, **{f"oauth_{name}": value for name, value in app.items()}, **fields}


async def add(owner: Visitor, smtp: SmtpServer, google: GoogleServer, **fields: str) -> Page:
    return await owner.submit(await owner.get(NEW), "/accounts", **typed(smtp, google, **fields))


async def test_an_app_signs_in_to_a_shared_mailbox(
    owner: Visitor, rival_owner: Visitor, acme: Organization, google: GoogleServer, smtp: SmtpServer
) -> None:
    google.app_mailbox = USER
    page = await add(owner, smtp, google)
    assert page.notes == ["“Shared” was saved. Login successful."]
    account = await Account.of(acme).get()
    assert (account.smtp_auth, account.oauth_provider, account.oauth_grant) == (
        "oauth2",
        "custom",
        "client_credentials",
    )
    path = f"/accounts/{account.id}"
    page = await owner.get(path)
    assert (page.soup.find(id="f-oauth_client_id") or {})["value"] == CLIENT_ID
    assert not any(secret in str(page.soup) for secret in google.secrets)
    assert (await rival_owner.get(path)).status == 404

    page = await owner.submit(page, path, daily_mail_limit="77")
    assert page.notes == ["“Shared” was saved. Login successful."]
    after = await Account.of(acme).get()
    assert (after.daily_mail_limit, open_secret(after, "oauth_client_secret")) == (77, CLIENT_SECRET)


async def test_a_person_signs_in_with_a_refresh_token(
    owner: Visitor, acme: Organization, google: GoogleServer, smtp: SmtpServer
) -> None:
    _, refresh = google.sign_in(USER)
    page = await add(owner, smtp, google, oauth_grant="refresh_token", oauth_refresh_token=refresh, oauth_scope="")
    assert page.notes == ["“Shared” was saved. Login successful."]
    assert (await Account.of(acme).get()).oauth_scope is None


async def test_a_client_secret_that_is_wrong_is_told_and_mended_on_the_page(
    owner: Visitor, acme: Organization, google: GoogleServer, smtp: SmtpServer
) -> None:
    google.app_mailbox = USER
    page = await add(owner, smtp, google, oauth_client_secret="wrong")
    (note,) = page.notes
    assert note.startswith(
        f"“Shared” was saved, but it can't send yet: {HOST} rejected the OAuth client (invalid_client"
    )
    assert note.endswith("): check the client ID and secret of this account.")
    page = await owner.submit(await owner.get(page.path), page.path, oauth_client_secret=CLIENT_SECRET)
    assert page.notes == ["“Shared” was saved. Login successful."]
    assert (await Account.of(acme).get()).status == "active"


@pytest.mark.parametrize(
    ("fields", "at", "words"),
    [
        ({"oauth_scope": ""}, "oauth_scope", "Scope is required to sign in by OAuth."),
        ({"oauth_client_id": ""}, "oauth_client_id", "Client ID is required to sign in by OAuth."),
        ({"oauth_grant": "refresh_token"}, "oauth_refresh_token", "Refresh token is required to sign in by OAuth."),
        ({"oauth_token_url": "login.example"}, "oauth_token_url", ""),
        ({"smtp_username": ""}, "smtp_username", "Username is required to sign in by OAuth."),
    ],
)
async def test_what_is_missing_is_named_at_its_field_and_no_secret_comes_back(
    owner: Visitor,
    acme: Organization,
    google: GoogleServer,
    smtp: SmtpServer,
    fields: dict[str, str],
    at: str,
    words: str,
) -> None:
    page = await add(owner, smtp, google, **fields)
    assert page.status == 422
    assert (page.error_at(at) or "").endswith(words)
    assert page.error_at(at)
    assert CLIENT_SECRET not in str(page.soup)
    assert (page.soup.find(id="f-oauth_grant") or {}) != {}
    assert not await Account.of(acme).filter(is_sandbox=False).exists()


async def test_another_token_url_asks_for_the_secret_again(
    owner: Visitor, acme: Organization, google: GoogleServer, smtp: SmtpServer
) -> None:
    google.app_mailbox = USER
    await add(owner, smtp, google)
    path = f"/accounts/{(await Account.of(acme).get()).id}"
    page = await owner.submit(await owner.get(path), path, oauth_token_url="https://login.evil.invalid/token")
    assert page.error_at("oauth_client_secret") == "Client secret is required to sign in by OAuth."
    assert (await Account.of(acme).get()).oauth_token_url == google.settings.token_url
