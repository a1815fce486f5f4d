"""Trouble of an account costs its mail no attempt, stops no other account, and ends as the contract says."""

import socket
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.conftest import free_port
from tests.factories import account_on, make_account, make_mail
from tests.fakes.smtp_server import HOST, SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.senders import sending
from tests.faults.support.world import all_are, until
from tests.sending.conftest import SHORT
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import FAILED, PENDING
from webapp.sending import host_policy
from webapp.sending.host_policy import ResolvedAddress

MINUTE = timedelta(minutes=1)
WRONG = {"smtp_username": "acme", "password": "wrong"}


async def look_up(host: str, port: int) -> list[ResolvedAddress]:
    """A name server that knows no example.org, and does not answer for example.net."""
    if host == "nowhere.example.org":
        raise socket.gaierror(socket.EAI_NONAME, "")
    if host == "silent.example.net":
        raise socket.gaierror(socket.EAI_AGAIN, "")
    return await host_policy.system_lookup(host, port)


async def check_no_attempt_was_counted(org: Organization, account: Account, words: str) -> None:
    (mail,) = await MailLog.of(org)
    assert (mail.status, mail.attempts, mail.crashes) == (PENDING, 0, 0)
    assert words in (mail.error or "")
    assert mail.waiting_since is not None
    assert (await AccountUsage.get(account_id=account.id)).used == 0
    found = await Account.get(id=account.id)
    assert words in (found.last_error or "")


Spoil = Callable[[SmtpServer], object]


@pytest.mark.parametrize(
    ("options", "fields", "spoil", "words"),
    [
        pytest.param({}, {"smtp_port": None}, None, "could not connect to", id="connection"),
        pytest.param({}, {}, lambda server: server.hang("EHLO"), "127.0.0.1", id="time-out before MAIL"),
        pytest.param({}, {}, lambda server: server.drop("RCPT"), "127.0.0.1", id="drop at RCPT"),
        pytest.param(
            {"tls": "starttls"},
            {"smtp_security": "starttls"},
            lambda server: server.reply("STARTTLS", "454 4.7.0 no TLS today"),
            "454 4.7.0",
            id="TLS",
        ),
        pytest.param({}, {"smtp_host": "silent.example.net"}, None, "could not be looked up", id="DNS"),
    ],
)
async def test_an_account_that_cannot_be_reached_rests_and_its_mail_has_no_attempt_counted(
    acme: Organization, settings: Settings, options: dict[str, Any], fields: dict[str, Any], spoil: Spoil | None, words: str
) -> None:  # fmt: skip
    async with SmtpServer(**options) as server:
        if spoil:
            spoil(server)
        account = await account_on(
            server, acme, **fields | ({"smtp_port": free_port()} if "smtp_port" in fields else {})
        )
        await make_mail(acme, account)
        async with sending(settings, look_up, SHORT):
            await eventually(Account.of(acme).filter(rest_until__not_isnull=True).exists)
            await eventually(MailLog.of(acme).filter(status=PENDING, error__not_isnull=True).exists)
        await check_no_attempt_was_counted(acme, account, words)
        found = await Account.get(id=account.id)
        assert found.status == "active"
        assert 0.5 * MINUTE < found.rest_until - clock.now() <= MINUTE


@pytest.mark.parametrize(
    ("options", "fields", "words"),
    [
        pytest.param({"users": {"acme": "right"}}, WRONG, "127.0.0.1 rejected the login: 535", id="login"),
        pytest.param({"tls": "implicit", "certificate": "untrusted"}, {"smtp_security": "tls"},
                     "the certificate of 127.0.0.1 is not valid", id="certificate"),
        pytest.param({}, {"smtp_host": "nowhere.example.org"}, "host nowhere.example.org not found", id="host"),
    ],
)  # fmt: skip
async def test_a_refused_login_a_bad_certificate_and_an_unknown_host_make_it_an_error_at_once_in_words(
    acme: Organization, settings: Settings, api: Api, options: dict[str, Any], fields: dict[str, Any], words: str
) -> None:
    async with SmtpServer(**options) as server:
        account = await account_on(server, acme, **fields)
        await make_mail(acme, account)
        async with sending(settings, look_up):
            await eventually(Account.of(acme).filter(status="error").exists)
            await eventually(MailLog.of(acme).filter(status=PENDING, error__not_isnull=True).exists)
        assert server.messages == []
    await check_no_attempt_was_counted(acme, account, words)
    _, shown = await api.get(f"/v1/accounts/{account.id}")
    assert words in shown["data"]["last_error"]


async def test_an_account_in_error_is_probed_by_one_mail_and_then_again_ten_minutes_later(
    acme: Organization, settings: Settings
) -> None:
    ago = clock.now() - timedelta(minutes=11)
    async with SmtpServer(users={"acme": "right"}) as server:
        account = await account_on(server, acme, **WRONG)
        await Account.filter(id=account.id).update(
            status="error", last_error="535 no", rest_until=ago, failing_since=ago
        )
        for _ in range(20):
            await make_mail(acme, account)
        async with working(settings):
            await until(lambda: server.logins)
            await eventually(Account.of(acme).filter(rest_until__gt=clock.now()).exists)
            await eventually(lambda: all_are(acme, PENDING))
        assert (len(server.logins), server.connections) == (1, 1)
    found = await Account.get(id=account.id)
    assert found.status == "error"
    assert 9 * MINUTE < found.rest_until - clock.now() <= 10 * MINUTE
    assert {(row.status, row.attempts) for row in await MailLog.of(acme)} == {(PENDING, 0)}


async def test_mail_that_has_waited_three_days_on_its_account_fails_with_the_reason(
    acme: Organization, settings: Settings
) -> None:
    account = await make_account(acme, smtp_host=HOST, smtp_port=free_port(), smtp_security="none")
    await make_mail(acme, account)
    await MailLog.of(acme).update(waiting_since=clock.now() - timedelta(hours=73))
    async with working(settings):
        await eventually(lambda: all_are(acme, FAILED))
    (mail,) = await MailLog.of(acme)
    assert (mail.error or "").startswith("account unavailable for 72 hours: could not connect to 127.0.0.1")
    assert mail.attempts == 0
