"""Connecting Microsoft accounts, new ones and those that sign in with a password."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.factories import make_account
from tests.fakes.google_server import SEND_SCOPE, GoogleServer
from tests.pages.conftest import Page, Visitor
from webapp import clock, config
from webapp.domain.accounts.credentials import open_secret, seal_secret
from webapp.domain.oauth_connect import DENIED
from webapp.domain.oauth_providers import MICROSOFT, SMTP_SCOPE
from webapp.models import Account, MailboxReading, Organization
from webapp.models.base.org_model import AT_ONCE

START = "/accounts/microsoft"
USER = "ada@acme.example"
STOPS = "Microsoft switches off passwords for SMTP at the end of December 2026"


def link_of(page: Page) -> str:
    return str(page.soup.find("a", string="Continue to Microsoft")["href"])


def path_of(url: str) -> str:
    assert url.startswith(f"{MICROSOFT.redirect_uri}?")
    return url.removeprefix(config.settings().base_url)


async def connect(visitor: Visitor, tokens: GoogleServer, user: str = USER, at: str = START) -> Page:
    return await visitor.get(path_of(tokens.consent(link_of(await visitor.get(at)), user)))


async def with_password(org: Organization, host: str = "smtp.office365.com") -> Account:
    account = await make_account(org, name="Mailbox", smtp_host=host, smtp_port=587, smtp_username=USER)
    account.smtp_password = seal_secret(account, "smtp_password", "secret")
    await account.save()
    return account


@pytest.mark.parametrize(("user", "host"), [(USER, "smtp.office365.com"), ("ada@outlook.com", "smtp-mail.outlook.com")])
async def test_an_account_is_connected(
    owner: Visitor, acme: Organization, google: GoogleServer, user: str, host: str
) -> None:
    page = await connect(owner, google, user)
    account = await Account.of(acme).get()
    assert (page.path, page.notes) == (f"/accounts/{account.id}", [f"“{user}” connected."])
    assert (account.smtp_host, account.smtp_port, account.smtp_security) == (host, 587, "starttls")
    assert (account.smtp_auth, account.smtp_username, account.from_email) == ("oauth2", user, user)
    assert account.oauth_token_expires_at > clock.now() + timedelta(minutes=50)
    assert {open_secret(account, f"oauth_{name}_token") for name in ("access", "refresh")} < google.secrets
    assert not any(secret in str(page.soup) for secret in google.secrets)


@pytest.mark.parametrize(("reading", "extra"), [("off", ""), ("account", f" {MICROSOFT.reads}")])
async def test_the_way_to_microsoft_asks_for_reading_only_if_bounces_are_read(
    owner: Visitor, acme: Organization, google: GoogleServer, reading: str, extra: str
) -> None:
    account = await with_password(acme)
    await Account.filter(id=account.id).update(bounce_reading=reading, bounce_imap_host="outlook.office365.com")
    query = parse_qs(urlsplit(link_of(await owner.get(f"/accounts/{account.id}/microsoft"))).query)
    assert query["scope"] == [f"openid email offline_access {SMTP_SCOPE}{extra}"]
    assert query["login_hint"] == [USER]


async def test_an_account_whose_password_microsoft_refuses_is_told_what_to_do_now(
    owner: Visitor, acme: Organization
) -> None:
    account = await with_password(acme)
    error = "smtp.office365.com rejected the login: 550 5.7.30 Basic: passwords no longer work: connect with Microsoft"
    await Account.filter(id=account.id).update(status="error", last_error=error)
    page, home = await owner.get(f"/accounts/{account.id}"), await owner.get("/home")
    assert "Microsoft no longer accepts passwords for this mailbox. Connect it with Microsoft, or ask your" in page.text
    assert [link.get_text() for link in page.soup.select(".main-action")] == [
        "Connect with Microsoft",
        "Save and test login",
    ]
    assert error in home.text
    assert STOPS not in page.text + home.text
    assert "needs a new sign-in" not in home.text


async def test_an_account_with_a_password_is_told_of_its_end_and_becomes_a_connected_one(
    owner: Visitor, rival_owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    account = await with_password(acme)
    path = f"/accounts/{account.id}"
    assert STOPS in (await owner.get(path)).text
    assert STOPS in (await owner.get("/accounts")).text
    assert STOPS in (await owner.get("/home")).text
    assert (await rival_owner.get(f"{path}/microsoft")).status == 404
    assert STOPS not in (await rival_owner.get("/home")).text

    page = await connect(owner, google, at=f"{path}/microsoft")
    assert page.notes == ["“Mailbox” connected."]
    assert STOPS not in page.text
    after = await Account.of(acme).get()
    assert (after.id, after.account_key, after.smtp_auth) == (account.id, account.account_key, "oauth2")
    assert (after.smtp_password, after.smtp_host) == (None, "smtp.office365.com")


async def test_reading_bounces_asks_microsoft_for_the_right_to_read(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    await connect(owner, google)
    account = await Account.of(acme).get()
    path = f"/accounts/{account.id}/bounces"
    fields = {"bounce_reading": "account", "bounce_imap_host": "outlook.office365.com"}
    page = await owner.submit(await owner.get(path), path, **fields)
    assert page.notes == ["Saved. Now let Pennypost read this account's mailbox."]
    assert page.path == f"/accounts/{account.id}/microsoft"
    assert MICROSOFT.reads in parse_qs(urlsplit(link_of(page)).query)["scope"][0].split()
    await MailboxReading.all().update(next_at=clock.now() + timedelta(hours=1), last_error="rejected the login")
    await owner.get(path_of(google.consent(link_of(page), USER)))
    reading = await MailboxReading.of(acme).get()
    assert (reading.next_at, reading.last_error) == (AT_ONCE, None)  # read at once


async def test_an_app_is_not_asked_for_consent_and_a_person_may_take_its_place(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    account = await with_password(acme)
    app = {"smtp_auth": "oauth2", "oauth_provider": "custom", "oauth_grant": "client_credentials", "oauth_scope": "all"}
    client = {"oauth_token_url": "https://login.acme.invalid/token", "oauth_client_id": "ours"}
    secret = seal_secret(account, "oauth_client_secret", "hush")
    await Account.of(acme).filter(id=account.id).update(**app, **client, oauth_client_secret=secret, smtp_password=None)
    path = f"/accounts/{account.id}"
    fields = {"bounce_reading": "account", "bounce_imap_host": "outlook.office365.com"}
    page = await owner.submit(await owner.get(f"{path}/bounces"), f"{path}/bounces", **fields)
    assert page.status == 422
    assert (page.error_at("bounce_imap_host") or "").startswith("Login.acme.invalid ")

    page = await connect(owner, google, at=f"{path}/microsoft")
    assert page.notes == ["“Mailbox” connected."]
    after = await Account.of(acme).get()
    assert (after.oauth_provider, after.oauth_grant, after.oauth_client_secret) == ("microsoft", "refresh_token", None)


async def test_a_connected_account_is_changed_without_a_password(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    await connect(owner, google)
    account = await Account.of(acme).get()
    path = f"/accounts/{account.id}"
    page = await owner.submit(await owner.get(path), path, daily_mail_limit="77", name="Post")
    assert (page.status, page.path) == (200, path)
    after = await Account.of(acme).get()
    assert (after.daily_mail_limit, after.name, after.smtp_auth) == (77, "Post", "oauth2")
    assert after.smtp_username == USER
    assert open_secret(after, "oauth_refresh_token") == open_secret(account, "oauth_refresh_token")
    page = await owner.submit(page, path, smtp_host="smtp.evil.invalid")
    assert (page.status, "A new sign-in is required to sign in by OAuth." in page.text) == (422, True)
    assert (await Account.of(acme).get()).smtp_host == "smtp.office365.com"


async def test_another_persons_sign_in_is_refused(owner: Visitor, acme: Organization, google: GoogleServer) -> None:
    account = await with_password(acme)
    page = await connect(owner, google, "eve@acme.example", f"/accounts/{account.id}/microsoft")
    assert page.notes == [f"You chose eve@acme.example. Choose {USER}, or add eve@acme.example as a new account."]
    assert (await Account.of(acme).get()).smtp_auth == "password"


async def test_an_account_of_another_host_is_not_microsofts(owner: Visitor, acme: Organization) -> None:
    account = await with_password(acme, "smtp.acme.invalid")
    page = await owner.get(f"/accounts/{account.id}/microsoft")
    assert (page.path, page.notes) == (f"/accounts/{account.id}", ["“Mailbox” isn't a Microsoft account."])
    assert STOPS not in page.text


async def test_a_refusal_or_a_missing_right_leaves_everything_as_it_was(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    page = await owner.get(path_of(google.deny(link_of(await owner.get(START)))))
    assert (page.path, page.notes) == (START, [DENIED])
    without = google.consent(link_of(await owner.get(START)), USER, scope="openid email offline_access")
    assert (await owner.get(path_of(without))).notes == [MICROSOFT.not_to_send]
    assert not await Account.of(acme).filter(is_sandbox=False).exists()


async def test_a_state_of_google_counts_for_nothing_at_microsoft(owner: Visitor, google: GoogleServer) -> None:
    link = str((await owner.get("/accounts/google")).soup.find("a", string="Continue to Google")["href"])
    back = google.consent(link, USER, scope=f"{SEND_SCOPE} {SMTP_SCOPE}").replace("/google/", "/microsoft/")
    page = await owner.get(path_of(back))
    assert page.notes == ["This sign-in attempt has expired. Start again."]
