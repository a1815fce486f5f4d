"""/v1/accounts: a stored password is not sent to another server than it was entered for."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import send
from tests.fakes.imap_server import ImapServer
from tests.fakes.smtp_server import HOST, SmtpServer
from tests.fakes.worker import eventually, working
from webapp.config import Settings
from webapp.domain.accounts.credentials import imap_login, smtp_login
from webapp.domain.bounces.reading import read_due
from webapp.models import Account, Event, MailboxReading, MailLog
from webapp.sending.smtp.connect import Unreachable

RELAY = {"name": "Relay", "provider_type": "smtp", "smtp_host": "smtp.acme.invalid", "smtp_port": 587}
LOGIN = {"smtp_username": "ada@acme.example", "smtp_password": "correct horse"}
MAILBOX = {
    "bounce_reading": "mailbox",
    "bounce_imap_host": "imap.acme.invalid",
    "bounce_imap_username": "bounces",
    "bounce_imap_password": "battery staple",
}
OWN = {"bounce_reading": "account", "bounce_imap_host": "imap.acme.invalid"}


async def make(api: Api, **fields: Any) -> str:
    return f"/v1/accounts/{(await api.create('/v1/accounts', RELAY | LOGIN | fields))['id']}"


async def stored(path: str) -> Account:
    return await Account.get(id=path.rpartition("/")[2])


SMTP: dict[str, Any] = {}  # as it is in RELAY


def host(name: str) -> dict[str, str]:
    return {"smtp_host": name}


NEW_SERVERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (SMTP, host("acme.invalid.evil.example")),
    (host("mail.acme.co.uk"), host("mail.evil.co.uk")),
    (host("acme.github.io"), host("evil.github.io")),
    (host("mail.your-server.de"), host("static.1.2.0.192.clients.your-server.de")),
    (host("email-smtp.eu-west-1.amazonaws.com"), host("ec2-192-0-2-1.compute.amazonaws.com")),
    (host("10.0.0.1"), host("10.1.0.1")),
    (host("mailhost"), host("otherhost")),
    ({"smtp_port": 465}, {"smtp_port": 587}),
    ({"smtp_security": "tls"}, {"smtp_security": "auto"}),
]
SAME_SERVERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (SMTP, host("MAIL.eu.Acme.invalid.")),
    (host("mail.acme.co.uk"), host("smtp.acme.co.uk")),
    (host("mail.bücher.example"), host("smtp.xn--bcher-kva.example")),
    (host("10.0.0.1"), {"smtp_port": 588}),
    ({"smtp_security": "auto"}, {"smtp_security": "starttls"}),
    (SMTP, {"smtp_username": "bob@acme.example", "name": "Renamed", "status": "active"}),
]


async def test_a_new_server_makes_the_account_wait_for_its_password(api: Api) -> None:
    for fields, change in NEW_SERVERS:
        path = await make(api, **fields)
        status, answer = await api.patch(path, change)
        shown = answer["data"]
        assert (status, shown["has_smtp_password"], shown["status"]) == (200, True, "error"), change
        assert shown["last_error"] == f"enter the password again for {shown['smtp_host']}"
        with pytest.raises(Unreachable, match="enter the password again"):
            smtp_login(await stored(path))


async def test_the_same_server_keeps_its_password(api: Api) -> None:
    for fields, change in SAME_SERVERS:
        path = await make(api, **fields)
        status, answer = await api.patch(path, change)
        shown = answer["data"]
        assert (status, shown["status"], shown["last_error"]) == (200, "active", None), change
        assert smtp_login(await stored(path)).password == "correct horse"


async def test_an_account_waits_until_its_password_is_entered_or_its_server_is_the_old_one(api: Api) -> None:
    path = await make(api)
    changes: list[tuple[dict[str, Any], str]] = [
        (host("smtp.evil.invalid"), "error"),
        ({"status": "paused"}, "paused"),
        ({"status": "active"}, "error"),
        (host("smtp2.acme.invalid"), "active"),
        (host("smtp.other.invalid"), "error"),
        ({"smtp_password": "another"}, "active"),
        (host("smtp.acme.invalid"), "error"),
        ({"smtp_username": None, "smtp_password": None}, "active"),
    ]
    for change, status in changes:
        assert (await api.patch(path, change))[1]["data"]["status"] == status, change
    kinds = [event.type for event in await Event.all().order_by("id") if event.type.startswith("account.")]
    assert kinds.count("account.recovered") == 3


async def test_mail_waits_for_the_password_which_goes_to_no_other_server(
    api: Api, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.users = {"ada": "secret"}
    server = {"smtp_host": HOST, "smtp_port": smtp_server.port, "smtp_security": "none"}
    path = await make(api, **server, smtp_username="ada", smtp_password="secret", from_email="ada@acme.example")
    async with working(settings):
        assert (await api.patch(path, host("localhost")))[1]["data"]["status"] == "error"
        await Account.all().update(rest_until=None)  # so that it is probed
        await send(api, **{"from": "ada@acme.example"})
        await eventually(MailLog.filter(error="enter the password again for localhost").exists)
        assert smtp_server.logins == []
        assert (await api.patch(path, {"smtp_password": "secret"}))[1]["data"]["status"] == "active"
        await eventually(MailLog.filter(status="sent").exists)
    assert smtp_server.logins == [("ada", "secret")]


@pytest.mark.parametrize(
    ("fields", "change", "is_new"),
    [
        (MAILBOX, {"bounce_imap_host": "imap.evil.invalid"}, True),
        (MAILBOX, {"bounce_imap_host": "mail.acme.invalid"}, False),
        (MAILBOX, {"bounce_imap_security": "none"}, True),
        (MAILBOX, {"smtp_password": "another", "bounce_imap_host": "imap.evil.invalid"}, True),
        (OWN, {"bounce_imap_host": "imap.evil.invalid", "smtp_host": "smtp.evil.invalid"}, True),
        (OWN, {"bounce_imap_host": "imap.evil.invalid", "smtp_password": "another"}, False),
        ({"bounce_imap_host": "imap.evil.invalid"}, {"bounce_reading": "account"}, True),
    ],
)
async def test_a_new_imap_server_needs_its_password(
    api: Api, fields: dict[str, Any], change: dict[str, Any], *, is_new: bool
) -> None:
    path = await make(api, **fields)
    before = await stored(path)
    status, answer = await api.patch(path, change)
    assert status == (400 if is_new else 200), answer
    if not is_new:
        return
    host = change.get("bounce_imap_host", fields["bounce_imap_host"])
    words = f"bounce_imap_password: enter the password again for {host}"
    assert answer["details"] == [{"field": "bounce_imap_password", "message": words}]
    assert (await stored(path)).is_like(before)
    status, answer = await api.patch(path, change | {"bounce_imap_password": "entered"})
    assert status == 200
    assert imap_login(await stored(path)).password == "entered"


async def test_the_password_of_another_smtp_server_is_not_sent_to_the_mailbox(api: Api) -> None:
    async with ImapServer() as server:
        own = {"bounce_reading": "account", "bounce_imap_host": HOST, "bounce_imap_security": "none"}
        path = await make(api, smtp_host=HOST, **own, bounce_imap_port=server.port)
        assert (await api.patch(path, {"smtp_host": "smtp.other.invalid", "smtp_password": "another"}))[0] == 200
        await read_due()
    assert (await MailboxReading.get()).last_error == f"enter the password again for {HOST}"
    assert server.logins == []
