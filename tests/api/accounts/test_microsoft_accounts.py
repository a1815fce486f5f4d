"""/v1/accounts: Microsoft accounts, which send by Graph."""

import json
from typing import Any

import pytest

from tests.api.conftest import Api
from webapp.models import Account

GRAPH: dict[str, Any] = {
    "name": "Mailbox",
    "provider_type": "microsoft",
    "microsoft_email": "Ada@Acme.Example",
    "oauth_refresh_token": "refresh-1",
}
CLIENT = {
    "oauth_provider": "custom",
    "oauth_token_url": "https://login.acme.invalid/token",
    "oauth_client_id": "client",
    "oauth_client_secret": "hush-1",
}
SMTP = {
    "provider_type": "smtp",
    "smtp_host": "smtp.office365.com",
    "smtp_port": 587,
    "smtp_security": "starttls",
    "smtp_auth": "oauth2",
    "smtp_username": "ada@acme.example",
    "oauth_provider": "microsoft",
}
SECRETS = ("access-1", "refresh-1", "hush-1")


@pytest.mark.parametrize(("fields", "provider"), [(GRAPH, "microsoft"), (GRAPH | CLIENT, "custom")])
async def test_a_microsoft_account_keeps_its_tokens_sealed(api: Api, fields: dict[str, Any], provider: str) -> None:
    made = await api.create("/v1/accounts", fields | {"oauth_access_token": "access-1"})
    assert (made["provider_type"], made["oauth_provider"], made["has_oauth_token"]) == ("microsoft", provider, True)
    assert made["microsoft_email"] == made["from_email"] == "Ada@acme.example"
    assert (made["concurrency"], made["smtp_auth"], made["smtp_host"], made["smtp_security"]) == (
        4,
        "password",
        None,
        None,
    )
    assert made["has_oauth_client_secret"] is (provider == "custom")
    row = str(await Account.filter(id=made["id"]).values())
    assert not any(secret in text for secret in SECRETS for text in (json.dumps(made), row))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"oauth_provider": "google"}, "oauth_provider"),
        ({"oauth_grant": "client_credentials"}, "oauth_grant"),
        (CLIENT | {"oauth_grant": "client_credentials", "microsoft_email": None}, "microsoft_email"),
        ({"oauth_provider": "custom"}, "oauth_token_url"),
        ({"microsoft_email": "ada"}, "microsoft_email"),
        ({"bounce_verp": True}, "bounce_verp"),
        ({"bounce_reading": "account"}, "bounce_imap_host"),
        ({"bounce_reading": "account", "bounce_imap_host": "imap.evil.invalid"}, "bounce_imap_host"),
        (
            {"bounce_reading": "account", "bounce_imap_host": "outlook.office365.com", "bounce_imap_security": "none"},
            "bounce_imap_host",
        ),
        (
            {"bounce_reading": "account", "bounce_imap_host": "outlook.office365.com", "microsoft_email": None},
            "microsoft_email",
        ),
    ],
)
async def test_what_does_not_fit_is_refused_at_its_field(api: Api, change: dict[str, Any], field: str) -> None:
    fields = {name: value for name, value in (GRAPH | change).items() if value is not None}
    status, answer = await api.post("/v1/accounts", fields)
    assert (status, answer["details"][0]["field"]) == (400, field), answer
    assert not await Account.filter(name="Mailbox").exists()


async def test_an_account_changes_between_smtp_and_graph_only_with_a_new_sign_in(api: Api, rival_api: Api) -> None:
    made = await api.create("/v1/accounts", GRAPH | SMTP | {"microsoft_email": None})
    path, graph = f"/v1/accounts/{made['id']}", {"provider_type": "microsoft", "microsoft_email": "ada@acme.example"}
    assert (await rival_api.patch(path, GRAPH))[0] == 404
    for change in (graph, SMTP):
        status, answer = await api.patch(path, change | {"daily_mail_limit": 7})
        if change is graph:
            assert (status, answer["details"][0]["field"]) == (400, "oauth_refresh_token")
        status, answer = await api.patch(path, change | {"oauth_refresh_token": "refresh-2"})
        shown = answer["data"]
        assert (status, shown["provider_type"], shown["has_oauth_token"]) == (200, change["provider_type"], True)
        assert shown["account_key"] == made["account_key"]
        assert shown["smtp_host"] == change.get("smtp_host")
        assert shown["microsoft_email"] == change.get("microsoft_email")


@pytest.mark.parametrize(
    "change",
    [
        SMTP | {"smtp_host": "smtp.evil.invalid"},
        SMTP,
        {"oauth_provider": "custom", **CLIENT, "oauth_token_url": "https://login.evil.invalid/token"},
    ],
)
async def test_a_stored_sign_in_goes_to_no_other_server_or_endpoint(api: Api, change: dict[str, Any]) -> None:
    made = await api.create("/v1/accounts", GRAPH)
    before = await Account.get(id=made["id"])
    status, answer = await api.patch(f"/v1/accounts/{made['id']}", change)
    assert (status, answer["details"][0]["field"]) == (400, "oauth_refresh_token"), answer
    assert (await Account.get(id=made["id"])).is_like(before)


async def test_a_google_account_becomes_a_microsoft_one_and_keeps_nothing_of_google(api: Api) -> None:
    google = {"name": "Google", "provider_type": "google", "google_access_token": "a", "google_refresh_token": "b"}
    made = await api.create("/v1/accounts", google | {"google_email": "ada@gmail.example"})
    status, answer = await api.patch(f"/v1/accounts/{made['id']}", GRAPH)
    shown = answer["data"]
    assert (status, shown["google_email"], shown["has_google_token"]) == (200, None, False)
    assert shown["from_email"] == "Ada@acme.example"
