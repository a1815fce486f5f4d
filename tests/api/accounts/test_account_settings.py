"""/v1/accounts: which settings go together, what follows from them, and what is judged when they change."""

from dataclasses import replace

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


async def test_what_is_required_is_named_all_of_it(api: Api) -> None:
    smtp, google = {"name": "x", "provider_type": "smtp"}, {"name": "x", "provider_type": "google"}
    for body, missing in (
        ({}, ["name", "provider_type"]),
        ({"provider_type": "smtp"}, ["name"]),
        (smtp, ["smtp_host", "smtp_port"]),
        (smtp | {"smtp_port": 25}, ["smtp_host"]),
        (google, ["google_access_token", "google_refresh_token"]),
        (google | {"google_refresh_token": "x"}, ["google_access_token"]),
    ):
        status, answer = await api.post("/v1/accounts", body)
        assert (status, [fault["field"] for fault in answer["details"]]) == (400, missing)
        assert answer["message"].startswith(f"{missing[0]} is required")


async def test_the_from_address_is_the_given_one_or_follows_from_the_login(api: Api) -> None:
    news, login = {"from_email": "news@acme.example"}, {"google_email": "ada@acme.example"}
    for given, from_email in (
        (RELAY, None),
        (RELAY | LOGIN, "ada@acme.example"),
        (RELAY | LOGIN | {"smtp_username": "apikey"}, None),
        (RELAY | LOGIN | news, "news@acme.example"),
        (GOOGLE, None),
        (GOOGLE | login, "ada@acme.example"),
        (GOOGLE | login | news, "news@acme.example"),
    ):
        status, answer = await api.post("/v1/accounts", given | {"from_name": "Acme News"})
        assert (status, answer["data"]["from_email"], answer["data"]["from_name"]) == (201, from_email, "Acme News")


async def test_every_security_is_kept_and_auto_is_what_is_meant(api: Api) -> None:
    for given in ({"smtp_security": name} for name in ("auto", "tls", "starttls", "none")):
        assert (await api.post("/v1/accounts", RELAY | given))[1]["data"]["smtp_security"] == given["smtp_security"]
    assert (await api.post("/v1/accounts", RELAY))[1]["data"]["smtp_security"] == "auto"


async def test_connections_at_once_are_kept_shown_and_documented_for_both_providers(api: Api) -> None:
    for given in (RELAY, GOOGLE):
        assert (await api.post("/v1/accounts", given))[1]["data"]["concurrency"] == 4
        _, answer = await api.post("/v1/accounts", given | {"concurrency": 100})
        path = f"/v1/accounts/{answer['data']['id']}"
        assert (await api.patch(path, {"name": "Other"}))[1]["data"]["concurrency"] == 100
        assert (await api.patch(path, {"concurrency": 1}))[1]["data"]["concurrency"] == 1
        assert (await api.patch(path, {"concurrency": None}))[0] == 400
    schemas = (await api.get("/openapi.json"))[1]["components"]["schemas"]
    made, changed = (schemas[name]["properties"]["concurrency"] for name in ("NewAccount", "AccountChanges"))
    assert (made["minimum"], made["maximum"], made["default"]) == (1, 100, 4)
    assert (changed["minimum"], changed["maximum"], "default" in changed) == (1, 100, False)


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
