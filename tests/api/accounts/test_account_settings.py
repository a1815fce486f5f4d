"""/v1/accounts: which settings go together, what follows from them, and what is judged when they change."""

from dataclasses import replace
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_account
from webapp import config
from webapp.config import Settings
from webapp.models import Account, Organization

RELAY = {"name": "Relay", "provider_type": "smtp", "smtp_host": "mail.acme.invalid", "smtp_port": 587}
LOGIN = {"smtp_username": "ada@acme.example", "smtp_password": "correct horse"}
GOOGLE = {
    "name": "Google",
    "provider_type": "google",
    "google_access_token": "access secret",
    "google_refresh_token": "refresh secret",
}


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        ({}, ["name", "provider_type"]),
        ({"name": "x"}, ["provider_type"]),
        ({"provider_type": "smtp"}, ["name"]),
        ({"name": "x", "provider_type": "smtp"}, ["smtp_host", "smtp_port"]),
        ({"name": "x", "provider_type": "smtp", "smtp_port": 25}, ["smtp_host"]),
        ({"name": "x", "provider_type": "smtp", "smtp_host": "mail.acme.invalid"}, ["smtp_port"]),
        ({"name": "x", "provider_type": "google"}, ["google_access_token", "google_refresh_token"]),
        ({"name": "x", "provider_type": "google", "google_access_token": "x"}, ["google_refresh_token"]),
        ({"name": "x", "provider_type": "google", "google_refresh_token": "x"}, ["google_access_token"]),
    ],
)
async def test_what_is_required_is_named_all_of_it(api: Api, body: dict[str, Any], missing: list[str]) -> None:
    status, answer = await api.post("/v1/accounts", body)
    assert (status, [fault["field"] for fault in answer["details"]]) == (400, missing)
    assert answer["message"].startswith(f"{missing[0]} is required")


@pytest.mark.parametrize(
    ("given", "from_email"),
    [
        (RELAY, None),
        (RELAY | LOGIN, "ada@acme.example"),
        (RELAY | LOGIN | {"smtp_username": "apikey"}, None),
        (RELAY | LOGIN | {"smtp_username": "apikey", "from_email": "news@acme.example"}, "news@acme.example"),
        (RELAY | LOGIN | {"from_email": "news@acme.example"}, "news@acme.example"),
        (GOOGLE, None),
        (GOOGLE | {"google_email": "ada@acme.example"}, "ada@acme.example"),
        (GOOGLE | {"google_email": "ada@acme.example", "from_email": "news@acme.example"}, "news@acme.example"),
    ],
)
async def test_the_from_address_is_the_given_one_or_follows_from_the_login(
    api: Api, given: dict[str, Any], from_email: str | None
) -> None:
    status, answer = await api.post("/v1/accounts", given | {"from_name": "Acme News"})
    assert (status, answer["data"]["from_email"], answer["data"]["from_name"]) == (201, from_email, "Acme News")


@pytest.mark.parametrize("security", ["auto", "tls", "starttls", "none"])
async def test_every_security_is_kept_and_auto_is_what_is_meant(api: Api, security: str) -> None:
    _, answer = await api.post("/v1/accounts", RELAY | {"smtp_security": security})
    assert answer["data"]["smtp_security"] == security
    _, answer = await api.post("/v1/accounts", RELAY)
    assert answer["data"]["smtp_security"] == "auto"


async def test_connections_at_once_are_kept_shown_and_documented_for_both_providers(
    api: Api, rival_api: Api, acme: Organization
) -> None:
    for given in (RELAY, GOOGLE):
        _, answer = await api.post("/v1/accounts", given)
        assert answer["data"]["concurrency"] == 4
        _, answer = await api.post("/v1/accounts", given | {"concurrency": 100})
        path = f"/v1/accounts/{answer['data']['id']}"
        assert answer["data"]["concurrency"] == 100
        assert (await api.patch(path, {"name": "Other"}))[1]["data"]["concurrency"] == 100
        assert (await api.patch(path, {"concurrency": 1}))[1]["data"]["concurrency"] == 1
        for value in (0, 101, "8", None):
            status, answer = await api.patch(path, {"concurrency": value})
            assert (status, answer["details"][0]["field"]) == (400, "concurrency")
        assert (await rival_api.patch(path, {"concurrency": 9}))[0] == 404
        assert (await api.get(path))[1]["data"]["concurrency"] == 1
    schemas = (await api.get("/openapi.json"))[1]["components"]["schemas"]
    made, changed = (schemas[name]["properties"]["concurrency"] for name in ("NewAccount", "AccountChanges"))
    assert (made["minimum"], made["maximum"], made["default"]) == (1, 100, 4)
    assert (changed["minimum"], changed["maximum"], "default" in changed) == (1, 100, False)
    assert "concurrency" not in schemas["NewAccount"]["required"]


async def test_a_change_to_clear_text_with_a_password_is_refused_but_for_an_allowed_private_address(
    api: Api, acme: Organization, settings: Settings
) -> None:
    made = (await api.post("/v1/accounts", RELAY | LOGIN))[1]["data"]
    clear = (await api.post("/v1/accounts", RELAY | {"smtp_security": "none"}))[1]["data"]
    config.configure(replace(settings, allow_private_hosts=False))
    for account_id, change in ((made["id"], {"smtp_security": "none"}), (clear["id"], LOGIN)):
        status, answer = await api.patch(f"/v1/accounts/{account_id}", change)
        assert (status, answer["details"][0]["field"]) == (400, "smtp_security")
    config.configure(settings)
    home = await make_account(acme, smtp_security="none")
    assert (await api.patch(f"/v1/accounts/{home.id}", LOGIN))[0] == 200
    assert (await Account.get(id=made["id"])).smtp_security == "auto"


async def test_a_broken_account_is_shown_as_error_with_the_reason(api: Api, acme: Organization) -> None:
    account = await make_account(acme, status="error", last_error="535 5.7.8 no")
    _, answer = await api.get(f"/v1/accounts/{account.id}")
    assert (answer["data"]["status"], answer["data"]["last_error"]) == ("error", "535 5.7.8 no")
