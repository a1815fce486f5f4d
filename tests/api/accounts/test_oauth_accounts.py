"""/v1/accounts: SMTP accounts that sign in by OAuth."""

import json
from typing import Any

import pytest

from tests.api.conftest import Api
from webapp.models import Account

MICROSOFT: dict[str, Any] = {
    "name": "Mailbox",
    "provider_type": "smtp",
    "smtp_host": "smtp.office365.com",
    "smtp_port": 587,
    "smtp_security": "starttls",
    "smtp_auth": "oauth2",
    "smtp_username": "ada@acme.example",
    "oauth_provider": "microsoft",
    "oauth_access_token": "access-1",
    "oauth_refresh_token": "refresh-1",
}
CUSTOM = MICROSOFT | {
    "smtp_host": "smtp.acme.invalid",
    "oauth_provider": "custom",
    "oauth_token_url": "https://login.acme.invalid/token",
    "oauth_client_id": "client",
    "oauth_client_secret": "hush-1",
}
APP = {name: value for name, value in CUSTOM.items() if name not in ("oauth_access_token", "oauth_refresh_token")} | {
    "oauth_grant": "client_credentials",
    "oauth_scope": "https://outlook.office365.com/.default",
}
SECRETS = ("access-1", "refresh-1", "hush-1")


@pytest.mark.parametrize("fields", [MICROSOFT, CUSTOM, APP])
async def test_tokens_are_sealed_and_never_returned(api: Api, fields: dict[str, Any]) -> None:
    made = await api.create("/v1/accounts", fields)
    assert (made["smtp_auth"], made["oauth_provider"]) == ("oauth2", fields["oauth_provider"])
    assert (made["has_smtp_password"], made["oauth_expires_at"]) == (False, None)
    assert made["has_oauth_token"] is ("oauth_refresh_token" in fields)
    assert [made[name] for name in ("oauth_grant", "oauth_scope")] == [
        fields.get("oauth_grant", "refresh_token"),
        fields.get("oauth_scope"),
    ]
    assert made["has_oauth_client_secret"] is ("oauth_client_secret" in fields)
    assert made["from_email"] == "ada@acme.example"
    row = str(await Account.filter(id=made["id"]).values())
    assert not any(secret in text for secret in SECRETS for text in (json.dumps(made), row))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"smtp_username": None}, "smtp_username"),
        ({"oauth_provider": None}, "oauth_provider"),
        ({"oauth_refresh_token": None}, "oauth_refresh_token"),
        ({"oauth_provider": "yahoo"}, "oauth_provider"),
        ({"oauth_provider": "custom"}, "oauth_token_url"),
        ({"smtp_security": "none"}, "smtp_security"),
        ({"smtp_auth": "xoauth2"}, "smtp_auth"),
        ({"bounce_reading": "account", "bounce_imap_host": "imap.evil.invalid"}, "bounce_imap_host"),
        ({"oauth_access_token": "two\nlines"}, "oauth_access_token"),
        (APP | {"oauth_scope": None}, "oauth_scope"),
        (APP | {"oauth_client_secret": None}, "oauth_client_secret"),
        (APP | {"oauth_provider": "microsoft"}, "oauth_grant"),
        (APP | {"provider_type": "microsoft", "smtp_auth": "password"}, "microsoft_email"),
        (APP | {"oauth_grant": "password"}, "oauth_grant"),
        (CUSTOM | {"oauth_token_url": "ftp://login.acme.invalid"}, "oauth_token_url"),
        (CUSTOM | {"oauth_token_url": "https://u:p@login.acme.invalid/"}, "oauth_token_url"),
    ],
)
async def test_what_is_missing_or_does_not_fit_is_refused_at_its_field(
    api: Api, change: dict[str, Any], field: str
) -> None:
    fields = {name: value for name, value in (MICROSOFT | change).items() if value is not None}
    status, answer = await api.post("/v1/accounts", fields)
    assert (status, answer["details"][0]["field"]) == (400, field), answer
    assert not await Account.filter(name="Mailbox").exists()


@pytest.mark.parametrize(
    ("fields", "change", "field"),
    [
        (MICROSOFT, {"smtp_host": "smtp.evil.invalid"}, "oauth_refresh_token"),
        (MICROSOFT, {"smtp_security": "auto"}, "oauth_refresh_token"),
        (MICROSOFT, {"smtp_username": "eve@acme.example"}, "oauth_refresh_token"),
        (MICROSOFT, {"oauth_provider": "google"}, "oauth_refresh_token"),
        (CUSTOM, {"oauth_token_url": "https://login.evil.invalid/token"}, "oauth_refresh_token"),
        (CUSTOM, {"oauth_token_url": "https://x.invalid/", "oauth_refresh_token": "r"}, "oauth_client_secret"),
        (APP, {"oauth_token_url": "https://login.evil.invalid/token"}, "oauth_client_secret"),
        (APP, {"oauth_grant": "refresh_token"}, "oauth_refresh_token"),
    ],
)
async def test_stored_tokens_go_to_no_other_server_user_or_endpoint(
    api: Api, fields: dict[str, Any], change: dict[str, Any], field: str
) -> None:
    made = await api.create("/v1/accounts", fields)
    before = await Account.get(id=made["id"])
    status, answer = await api.patch(f"/v1/accounts/{made['id']}", change)
    assert (status, answer["details"][0]["field"]) == (400, field), answer
    assert (await Account.get(id=made["id"])).is_like(before)


async def test_a_password_account_becomes_one_that_signs_in_by_oauth_and_back(api: Api, rival_api: Api) -> None:
    password = {"smtp_auth": "password", "smtp_password": "secret"}
    oauth = {name: value for name, value in MICROSOFT.items() if name.startswith(("oauth", "smtp_auth"))}
    fields = {name: value for name, value in MICROSOFT.items() if not name.startswith("oauth")} | password
    made = await api.create("/v1/accounts", fields)
    path = f"/v1/accounts/{made['id']}"
    assert (await rival_api.patch(path, oauth))[0] == 404

    status, answer = await api.patch(path, oauth)
    shown = answer["data"]
    assert (status, shown["has_oauth_token"], shown["has_smtp_password"]) == (200, True, False)
    assert (shown["account_key"], shown["daily_mail_limit"]) == (made["account_key"], made["daily_mail_limit"])
    status, answer = await api.patch(path, password)
    shown = answer["data"]
    assert (status, shown["has_oauth_token"], shown["has_smtp_password"]) == (200, False, True)
    assert shown["oauth_provider"] is None
