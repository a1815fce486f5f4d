"""Connecting Microsoft accounts by Graph, where a tenant has SMTP AUTH off, and their pages."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.fakes.google_server import CLIENT_ID, CLIENT_SECRET, GoogleServer
from tests.fakes.graph_api import GRAPH_SCOPE
from tests.pages.accounts.test_microsoft import USER, connect, link_of, path_of, with_password
from tests.pages.conftest import Visitor
from webapp.domain.accounts.accounts import add_account
from webapp.domain.accounts.credentials import open_secret
from webapp.domain.accounts.inputs import NewAccount
from webapp.domain.oauth_connect import DENIED
from webapp.domain.oauth_providers import GRAPH
from webapp.models import Account, Organization

START = "/accounts/graph"


async def test_an_account_is_connected_and_its_login_is_tested_for_graph(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    assert "/accounts/graph" in {
        link["href"] for link in (await owner.get("/accounts/microsoft")).soup.select("a[href]")
    }
    page = await connect(owner, google, at=START)
    account = await Account.of(acme).get()
    assert (page.path, page.notes) == (f"/accounts/{account.id}", [f"“{USER}” connected."])
    assert (account.provider_type, account.microsoft_email, account.from_email) == ("microsoft", USER, USER)
    assert (account.concurrency, account.max_per_minute, account.smtp_host) == (4, 30, None)
    assert f"{USER}, by Microsoft Graph" in page.text
    assert "4 at a time" in page.text
    assert "30 emails per minute" in page.text
    assert {open_secret(account, f"oauth_{name}_token") for name in ("access", "refresh")} < google.secrets
    assert not any(secret in str(page.soup) for secret in google.secrets)
    tested = await owner.submit(await owner.get("/accounts"), f"/accounts/{account.id}/test-login")
    assert tested.notes == [f"“{USER}”: login successful."]
    access = open_secret(await Account.of(acme).get(), "oauth_access_token") or ""
    assert google.scope_of(access) == GRAPH_SCOPE


@pytest.mark.parametrize(("reading", "extra"), [("off", ""), ("account", f" {GRAPH.reads}")])
async def test_one_consent_covers_sending_and_reading_but_each_token_one_of_them(
    owner: Visitor, acme: Organization, google: GoogleServer, reading: str, extra: str
) -> None:
    await connect(owner, google, at=START)
    account = await Account.of(acme).get()
    await Account.filter(id=account.id).update(bounce_reading=reading, bounce_imap_host="outlook.office365.com")
    link = link_of(await owner.get(f"/accounts/{account.id}/graph"))
    query = parse_qs(urlsplit(link).query)
    assert query["scope"] == [f"openid email offline_access {GRAPH_SCOPE}{extra}"]
    assert query["login_hint"] == [USER]
    page = await owner.get(path_of(google.consent(link, USER)))
    assert page.notes == [f"“{USER}” connected."]
    access = open_secret(await Account.of(acme).get(), "oauth_access_token") or ""
    assert GRAPH.reads not in google.scope_of(access)


async def test_an_account_with_a_password_changes_to_graph_and_on_to_smtp_and_keeps_its_key(
    owner: Visitor, rival_owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    account = await with_password(acme)
    path = f"/accounts/{account.id}"
    assert (await rival_owner.get(f"{path}/graph")).status == 404
    assert "The stored password is deleted." in (await owner.get(f"{path}/graph")).text
    page = await connect(owner, google, at=f"{path}/graph")
    assert page.notes == ["“Mailbox” connected."]
    graph = await Account.of(acme).get()
    assert (graph.id, graph.account_key, graph.provider_type) == (account.id, account.account_key, "microsoft")
    assert (graph.smtp_password, graph.smtp_host, graph.microsoft_email) == (None, None, USER)

    assert "The stored password" not in (await owner.get(f"{path}/microsoft")).text
    await connect(owner, google, at=f"{path}/microsoft")
    smtp = await Account.of(acme).get()
    assert (smtp.account_key, smtp.provider_type, smtp.smtp_auth) == (account.account_key, "smtp", "oauth2")
    assert (smtp.smtp_host, smtp.smtp_username, smtp.microsoft_email) == ("smtp.office365.com", USER, None)


async def test_a_mailbox_that_is_connected_already_is_reconnected(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization, google: GoogleServer
) -> None:
    for visitor in (owner, rival_owner, owner):
        await connect(visitor, google, USER.title() if visitor is owner else USER, START)
    assert [await Account.of(org).count() for org in (acme, rival)] == [1, 1]


async def test_a_refusal_a_missing_right_or_another_person_leaves_everything_as_it_was(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    page = await owner.get(path_of(google.deny(link_of(await owner.get(START)))))
    assert (page.path, page.notes) == (START, [DENIED])
    without = google.consent(link_of(await owner.get(START)), USER, scope="openid email offline_access")
    assert (await owner.get(path_of(without))).notes == [GRAPH.not_to_send]
    assert not await Account.of(acme).filter(is_sandbox=False).exists()

    account = await with_password(acme)
    page = await connect(owner, google, "eve@acme.example", f"/accounts/{account.id}/graph")
    assert page.notes == [f"You chose eve@acme.example. Choose {USER}, or add eve@acme.example as a new account."]
    assert (page.path, (await Account.of(acme).get()).provider_type) == (f"/accounts/{account.id}/graph", "smtp")


async def test_an_account_of_another_host_does_not_fit(owner: Visitor, acme: Organization) -> None:
    account = await with_password(acme, "smtp.acme.invalid")
    page = await owner.get(f"/accounts/{account.id}/graph")
    assert (page.path, page.notes) == (f"/accounts/{account.id}", ["“Mailbox” isn't a Microsoft account."])


async def test_its_page_changes_it_and_leads_to_a_new_sign_in_where_the_old_one_has_ended(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    await connect(owner, google, at=START)
    account = await Account.of(acme).get()
    path = f"/accounts/{account.id}"
    page = await owner.submit(await owner.get(path), path, name="Graph", daily_mail_limit="900", from_name="Ada")
    assert page.notes == ["“Graph” was saved. Login successful."]
    changed = await Account.of(acme).get()
    assert changed.max_per_minute == 30
    assert (changed.name, changed.daily_mail_limit, changed.from_email) == ("Graph", 900, USER)
    assert changed.oauth_refresh_token is not None

    google.revoke()
    page = await owner.submit(await owner.get(path), f"{path}/test-login")
    assert page.notes[0].startswith("“Graph”: Microsoft access for this account has ended (invalid_grant")
    page = await owner.get(path)
    assert page.soup.find("a", string="Reconnect Microsoft")["href"] == f"{path}/graph"
    await connect(owner, google, at=f"{path}/graph")
    assert (await Account.of(acme).get()).status == "active"


async def test_reading_the_own_mailbox_asks_microsoft_for_it(
    owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    await connect(owner, google, at=START)
    account = await Account.of(acme).get()
    path = f"/accounts/{account.id}/bounces"
    form = await owner.get(path)
    assert "the host is outlook.office365.com" in form.text
    page = await owner.submit(form, path, bounce_reading="account", bounce_imap_host="outlook.office365.com")
    assert (page.path, page.notes) == (
        f"/accounts/{account.id}/graph",
        ["Saved. Now let Pennypost read this account's mailbox."],
    )


async def test_an_app_takes_a_new_client_secret_on_the_page_of_its_account(
    owner: Visitor, rival_owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    google.app_mailbox = USER
    client = {"oauth_provider": "custom", "oauth_grant": "client_credentials", "oauth_client_id": CLIENT_ID}
    fields = {"name": "Shared", "provider_type": "microsoft", "microsoft_email": USER, **client}
    fields |= {"oauth_token_url": google.settings.token_url, "oauth_client_secret": "old"}
    account = await add_account(acme, NewAccount.model_validate(fields))
    path = f"/accounts/{account.id}"
    assert (await rival_owner.get(path)).status == 404
    page = await owner.submit(await owner.get(path), path, oauth_client_secret=CLIENT_SECRET)
    assert page.notes == ["“Shared” was saved. Login successful."]
    changed = await Account.of(acme).get()
    assert open_secret(changed, "oauth_client_secret") == CLIENT_SECRET
    assert (changed.microsoft_email, changed.oauth_scope) == (USER, "https://graph.microsoft.com/.default")
    page = await owner.get(path)
    assert (page.soup.find(id="f-microsoft_email") or {})["value"] == USER
    assert page.soup.find("a", string="Reconnect Microsoft") is None
    assert not any(secret in str(page.soup) for secret in google.secrets)


async def test_an_app_is_added_on_the_page(
    owner: Visitor, rival_owner: Visitor, acme: Organization, google: GoogleServer
) -> None:
    google.app_mailbox = USER
    page = await owner.get("/accounts/new?sign_in=graph")
    assert page.soup.find(id="f-smtp_host") is None
    client = {"oauth_token_url": google.settings.token_url, "oauth_client_id": CLIENT_ID}
    typed = {"name": "Shared", "microsoft_email": USER, **client, "oauth_client_secret": "wrong"}
    refused = await owner.submit(page, "/accounts", **typed | {"oauth_token_url": "x"})
    assert refused.status == 422
    assert refused.soup.find(id="f-smtp_host") is None
    assert "wrong" not in str(refused.soup.find(id="f-oauth_client_secret"))

    page = await owner.submit(refused, "/accounts", **typed | {"oauth_client_secret": CLIENT_SECRET})
    assert page.notes == ["“Shared” was saved. Login successful."]
    account = await Account.of(acme).get()
    assert (account.provider_type, account.oauth_provider, account.oauth_grant) == (
        "microsoft",
        "custom",
        "client_credentials",
    )
    assert (account.microsoft_email, account.from_email, account.max_per_minute) == (USER, USER, 30)
    assert (account.daily_mail_limit, account.concurrency) == (10_000, 4)
    assert (await rival_owner.get(f"/accounts/{account.id}")).status == 404
