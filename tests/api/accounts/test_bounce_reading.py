"""/v1/accounts: the mailbox that bounces are read from."""

from dataclasses import replace
from typing import Any

import pytest

from tests.api.conftest import Api
from webapp import config
from webapp.config import Settings
from webapp.domain.accounts.credentials import imap_login
from webapp.models import Account, AuditEntry, MailboxReading

RELAY = {"name": "Relay", "provider_type": "smtp", "smtp_host": "mail.acme.invalid", "smtp_port": 587}
LOGIN = {"smtp_username": "ada@acme.example", "smtp_password": "correct horse"}
HOST = {"bounce_imap_host": "imap.acme.invalid"}
MAILBOX = {"bounce_reading": "mailbox", "bounce_imap_username": "bounces", "bounce_imap_password": "battery staple"}
GOOGLE = {"name": "Google", "provider_type": "google", "google_access_token": "a", "google_refresh_token": "b"}


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        (RELAY | {"bounce_reading": "mailbox"}, ["bounce_imap_host", "bounce_imap_username", "bounce_imap_password"]),
        (RELAY | LOGIN | {"bounce_reading": "account"}, ["bounce_imap_host"]),
        (RELAY | HOST | {"bounce_reading": "account"}, ["smtp_username"]),
        (GOOGLE | {"bounce_reading": "account"}, []),
        (RELAY | HOST | MAILBOX | {"bounce_imap_security": "auto"}, ["bounce_imap_security"]),
    ],
)
async def test_what_reading_a_mailbox_requires_is_named(api: Api, fields: dict[str, Any], missing: list[str]) -> None:
    status, answer = await api.post("/v1/accounts", fields)
    assert (status, [fault["field"] for fault in answer.get("details", [])]) == (400 if missing else 201, missing)
    assert await MailboxReading.all().count() == (0 if missing else 1)


async def test_the_password_is_sealed_never_returned_and_audited(api: Api) -> None:
    made = await api.create("/v1/accounts", RELAY | LOGIN | HOST | MAILBOX)
    assert (made["has_bounce_imap_password"], made["bounce_imap_username"]) == (True, "bounces")
    assert "battery" not in str(made)
    account = await Account.get(id=made["id"])
    assert "battery" not in str(account.bounce_imap_password)
    login = imap_login(account)
    assert (login.username, login.password, login.port, login.security) == ("bounces", "battery staple", 993, "tls")
    path = f"/v1/accounts/{account.id}"
    _, answer = await api.patch(path, {"bounce_reading": "account", "bounce_imap_password": "another"})
    assert answer["data"]["bounce_reading"] == "account"
    login = imap_login(await Account.get(id=made["id"]))
    assert (login.username, login.password) == ("ada@acme.example", "correct horse")
    entry = await AuditEntry.all().order_by("-id").first()
    assert entry is not None
    assert "another" not in str(entry.details)
    assert (entry.details or {})["bounce_imap_password"] == "changed"


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"bounce_imap_host": "127.0.0.1"}, "bounce_imap_host"),
        ({"bounce_imap_host": "8.8.8.8", "bounce_imap_port": 25}, "bounce_imap_port"),
    ],
)
async def test_what_may_not_be_connected_to_is_refused(
    api: Api, settings: Settings, fields: dict[str, Any], fault: str
) -> None:
    config.configure(replace(settings, allow_private_hosts=False))
    status, answer = await api.post("/v1/accounts", RELAY | MAILBOX | fields)
    assert (status, answer["details"][0]["field"]) == (400, fault)
    _, answer = await api.post("/v1/accounts", RELAY)
    status, answer = await api.patch(f"/v1/accounts/{answer['data']['id']}", MAILBOX | fields)
    assert (status, answer["details"][0]["field"]) == (400, fault)
