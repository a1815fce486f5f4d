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


async def test_missing_fields_are_all_named(api: Api) -> None:
    smtp, google = {"name": "x", "provider_type": "smtp"}, {"name": "x", "provider_type": "google"}
    for body, missing in (
        (smtp, ["smtp_host", "smtp_port"]),
        (google, ["google_access_token", "google_refresh_token"]),
        (google | {"google_refresh_token": "x"}, ["google_access_token"]),
    ):
        status, answer = await api.post("/v1/accounts", body)
        assert (status, [fault["field"] for fault in answer["details"]]) == (400, missing)
        assert answer["message"].startswith(f"{missing[0]} is required")


async def test_the_from_address_is_the_given_one_or_follows_from_the_login(api: Api) -> None:
    for fields, from_email in (
        (RELAY | LOGIN, "ada@acme.example"),
        (RELAY | LOGIN | {"smtp_username": "apikey"}, None),
        (RELAY | LOGIN | {"from_email": "news@acme.example"}, "news@acme.example"),
        (GOOGLE, None),
        (GOOGLE | {"google_email": "ada@acme.example"}, "ada@acme.example"),
    ):
        status, answer = await api.post("/v1/accounts", fields | {"from_name": "Acme News"})
        assert (status, answer["data"]["from_email"], answer["data"]["from_name"]) == (201, from_email, "Acme News")


async def test_every_security_is_kept_and_auto_is_what_is_meant(api: Api) -> None:
    for given in ({"smtp_security": name} for name in ("auto", "tls", "starttls", "none")):
        assert (await api.post("/v1/accounts", RELAY | given))[1]["data"]["smtp_security"] == given["smtp_security"]
    assert (await api.post("/v1/accounts", RELAY))[1]["data"]["smtp_security"] == "auto"


async def test_connections_at_once_are_kept_for_both_providers(api: Api) -> None:
    for given in (RELAY, GOOGLE):
        assert (await api.post("/v1/accounts", given))[1]["data"]["concurrency"] == 4
        _, answer = await api.post("/v1/accounts", given | {"concurrency": 100})
        path = f"/v1/accounts/{answer['data']['id']}"
        assert (await api.patch(path, {"name": "Other"}))[1]["data"]["concurrency"] == 100
        assert (await api.patch(path, {"concurrency": 1}))[1]["data"]["concurrency"] == 1


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
