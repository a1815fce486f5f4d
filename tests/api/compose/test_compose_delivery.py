"""A compose row never waits, and is final: what becomes of it when something goes wrong, and beside others' mail."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from quart import Quart

from tests.api.compose.test_compose import PATH, ask, compose
from tests.api.conftest import Api
from tests.apps import app_of
from tests.factories import account_on, make_mail
from tests.fakes.served import served
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching, eventually, working
from tests.faults.support.world import all_are, until, until_row
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.emails.compose.compose import ANSWER_SECONDS, COMPOSE_SECONDS, IN_FLIGHT_SECONDS, ComposeService
from webapp.domain.instance.suspension import resume_sending, suspend_sending
from webapp.models import Account, AccountUsage, Content, MailEvent, MailLog, Organization, WorkerHeartbeat
from webapp.models.mail_log import DEFERRED, FAILED, SENT
from webapp.models.outbox import due


@pytest.fixture
async def app(app: Quart, settings: Settings) -> AsyncIterator[Quart]:
    """The app as it serves, with little time for a compose and less to stop."""
    app.extensions["compose"] = ComposeService(seconds=20, grace=0.3)
    async with app.test_app(), dispatching(settings):
        yield app


@pytest.fixture
async def account(smtp_server: SmtpServer, acme: Organization) -> Account:
    return await account_on(smtp_server, acme)


def readers(number: int) -> dict[str, list[str]]:
    return {"emails": [f"reader{one}@example.org" for one in range(number)]}


def errors(answer: dict[str, Any]) -> list[str]:
    return [one["error"] for one in answer["failed"]]


async def statuses() -> list[str]:
    return [row.status for row in await MailLog.all().order_by("id")]


async def used(account: Account) -> int:
    usage = await AccountUsage.get_or_none(account_id=account.id)
    return usage.used if usage is not None else 0


async def are_final(*numbers: int) -> bool:
    found = await statuses()
    return len(found) in numbers and set(found) <= {SENT, FAILED}


@pytest.mark.parametrize("reply", ["550 5.1.1 no such user", "451 4.3.0 later"])
async def test_a_refused_recipient_has_failed_for_good(
    api: Api, account: Account, smtp_server: SmtpServer, reply: str
) -> None:
    smtp_server.refuse("reader1@example.org", reply)
    answer = await compose(api, account, recipients=readers(3))
    assert answer == {"ok": False, "sent": 2, "failed": [{"email": "reader1@example.org", "error": reply}]}
    row = await MailLog.get(to_email="reader1@example.org")
    assert (row.status, row.error, row.response_code) == (FAILED, reply, int(reply[:3]))
    assert [(event.to_status, event.cause) for event in await MailEvent.all()] == [(FAILED, reply)]
    assert await used(account) == 2
    assert await due.due_accounts() == []


async def test_a_server_that_never_answers_after_data_leaves_the_delivery_unknown(
    app: Quart, api: Api, acme: Organization, smtp_server: SmtpServer
) -> None:
    app.extensions["compose"] = ComposeService(seconds=2)
    smtp_server.hang("DOT")
    account = await account_on(smtp_server, acme, concurrency=1)
    answer = await compose(api, account, recipients=readers(2))
    assert errors(answer) == [
        "may have been delivered: no response within 2 seconds",
        "it could not be sent in time",
    ]
    assert await statuses() == [FAILED, FAILED]
    assert await used(account) == 1  # the server may have the first


@pytest.mark.parametrize("step", ["GREETING", "RCPT"])
async def test_a_server_that_hangs_before_data_has_got_nothing(
    app: Quart, api: Api, account: Account, smtp_server: SmtpServer, step: str
) -> None:
    app.extensions["compose"] = ComposeService(seconds=0.3)
    smtp_server.hang(step)
    answer = await compose(api, account, recipients=readers(3))
    assert errors(answer) == ["it could not be sent in time"] * 3
    assert await statuses() == [FAILED] * 3
    assert await used(account) == 0


async def test_a_wrong_password_fails_all_and_is_tried_once(api: Api, acme: Organization) -> None:
    async with SmtpServer(users={"acme": "right"}) as server:
        account = await account_on(server, acme, smtp_username="acme", password="wrong")
        answer = await compose(api, account, recipients=readers(9))
        assert len(server.logins) == 1
    error, *others = sorted(set(errors(answer)), key=len)
    assert "rejected the login: 535" in error
    assert others == [f"the account is temporarily on hold after an error: {error}"]
    assert (answer["sent"], await statuses()) == (0, [FAILED] * 9)
    await account.refresh_from_db()
    assert (account.status, account.last_error) == ("error", error)
    assert await used(account) == 0


@pytest.mark.parametrize("change", ["paused", "deleted"])
async def test_an_account_that_is_paused_or_deleted_meanwhile_sends_no_more(
    api: Api, acme: Organization, smtp_server: SmtpServer, change: str
) -> None:
    smtp_server.delay("DOT", 0.2)
    account = await account_on(smtp_server, acme, concurrency=1)
    asked = asyncio.create_task(compose(api, account, recipients=readers(4)))
    await until(lambda: "DATA" in smtp_server.verbs)
    path = f"/v1/accounts/{account.id}"
    await (api.delete(path) if change == "deleted" else api.patch(path, {"status": "paused"}))
    answer = await asked
    assert answer["sent"] == len(smtp_server.messages) < 4
    assert all(change in error for error in errors(answer))
    await eventually(lambda: are_final(4))


async def test_beside_other_mail_the_daily_limit_is_exact(
    api: Api, acme: Organization, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, daily_mail_limit=40)
    for number in range(30):
        await make_mail(acme, account, f"queued{number}@example.org")
    answers = await asyncio.gather(*(compose(api, account, recipients=readers(5)) for _ in range(6)))
    await eventually(lambda: all_are(acme, SENT, FAILED, DEFERRED))
    assert len(smtp_server.messages) == await used(account) == 40
    composed = await MailLog.filter(kind="compose", status=SENT).count()
    assert sum(answer["sent"] for answer in answers) == composed
    assert await MailLog.filter(kind="compose", status=FAILED).count() == 30 - composed
    assert await MailLog.filter(kind="transactional", status="deferred").count() == 60 - 40 - (30 - composed)


async def test_without_a_worker_it_says_so_at_once_and_keeps_nothing(api: Api, account: Account) -> None:
    await WorkerHeartbeat.all().delete()
    status, body = await ask(api, account)
    assert (status, body["error"]) == (503, "ServiceUnavailable")
    assert "no worker" in body["message"]
    assert await statuses() == []


async def test_a_caller_who_hangs_up_leaves_no_row_on_its_way(
    api: Api, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DOT", 0.1)
    mail = {"account_key": account.account_key, "subject": "Hello", "body": "Hi", "recipients": readers(3)}
    headers = {"Authorization": f"Bearer {api.key}"}
    async with served(create_app(settings)) as address, httpx2.AsyncClient() as client:
        asking = asyncio.create_task(client.post(f"{address}{PATH}", json=mail, headers=headers))
        await until(lambda: "MAIL" in smtp_server.verbs)
        asking.cancel()
        await eventually(lambda: are_final(3))
    assert await statuses() == [SENT] * 3


async def test_what_is_in_flight_when_the_app_stops_is_given_a_moment(
    app: Quart, api: Api, acme: Organization, smtp_server: SmtpServer
) -> None:
    smtp_server.hang("DOT")
    account = await account_on(smtp_server, acme, concurrency=1)
    asked = asyncio.create_task(compose(api, account, recipients=readers(4)))
    await until(lambda: "DATA" in smtp_server.verbs)
    app.extensions["compose"].stop()
    first, *others = errors(await asked)
    unknown, stopped = (
        "may have been delivered: no response before the service shut down",
        "the service shut down before",
    )
    assert first == unknown
    assert all(error.startswith((unknown, stopped)) for error in others)  # one more may be claimed ahead
    assert others[-1].startswith(stopped)
    assert (await ask(api, account))[1]["error"] == "ServiceUnavailable"
    assert await statuses() == [FAILED] * 4
    await account.refresh_from_db()
    assert account.rests == 0


async def test_a_compose_whose_outcomes_are_not_kept_in_time_is_not_answered_with_a_2xx(
    app: Quart, api: Api, account: Account, smtp_server: SmtpServer
) -> None:
    app.extensions["compose"] = ComposeService(answer_within=0.2)
    smtp_server.delay("DOT", 0.4)
    status, body = await ask(api, account)
    assert (status, body["error"]) == (503, "ServiceUnavailable")
    assert "mail logs" in body["message"]
    await eventually(lambda: are_final(1))
    assert await statuses() == [SENT]


async def test_one_organizations_dead_server_holds_up_no_other(
    api: Api, rival_api: Api, account: Account, rival: Organization
) -> None:
    async with SmtpServer() as silent:
        silent.hang("GREETING")
        theirs = await account_on(silent, rival)
        waiting = asyncio.create_task(compose(rival_api, theirs))
        assert (await compose(api, account))["sent"] == 1
        assert not waiting.done()
        await silent.stop()
        assert (await waiting)["sent"] == 0


async def test_while_sending_is_on_hold_it_is_refused_and_keeps_nothing(
    api: Api, account: Account, smtp_server: SmtpServer
) -> None:
    await suspend_sending("restored")
    status, body = await ask(api, account)
    assert (status, body["error"]) == (503, "ServiceUnavailable")
    assert body["message"] == "sending is on hold (restored): nothing was sent, try again later"
    assert await MailLog.all().count() + await Content.all().count() == len(smtp_server.messages) == 0
    await resume_sending()
    assert (await compose(api, account))["sent"] == 1


def test_a_response_leaves_within_60_seconds(settings: Settings, database: str) -> None:
    assert COMPOSE_SECONDS + IN_FLIGHT_SECONDS < ANSWER_SECONDS < 60
    service: Any = app_of(settings).extensions["compose"]
    assert (service._seconds, service._answer_within) == (COMPOSE_SECONDS, ANSWER_SECONDS)


@pytest.mark.parametrize("trouble", ["daily limit", "temporary refusal", "time-out", "throttled", "dropped answer"])
async def test_whatever_went_wrong_a_row_is_sent_or_failed_and_no_worker_tries_it_again(
    app: Quart, api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer, trouble: str
) -> None:
    account = await account_on(smtp_server, acme, daily_mail_limit=1 if trouble == "daily limit" else 100)
    match trouble:
        case "temporary refusal":
            smtp_server.refuse("bob@example.org", "451 4.3.0 later")
        case "time-out":
            app.extensions["compose"] = ComposeService(seconds=0.5)
            smtp_server.hang("RCPT")
        case "throttled":
            app.extensions["compose"] = ComposeService(seconds=2)
            smtp_server.reply("MAIL", "421 4.7.0 slow down", close=True)
        case "dropped answer":
            smtp_server.drop("DOT")
    answer = await compose(api, account, recipients={"emails": ["ada@example.org", "bob@example.org"]})
    rows = {row.to_email: row for row in await MailLog.all()}
    assert {row.status for row in rows.values()} <= {SENT, FAILED}
    assert sum(row.status == SENT for row in rows.values()) == answer["sent"]
    assert {row.to_email: row.error for row in rows.values() if row.status == FAILED} == {
        one["email"]: one["error"] for one in answer["failed"]
    }
    assert answer["failed"]
    smtp_server.heal()
    received, asked = len(smtp_server.messages), len(smtp_server.commands)
    other = await account_on(smtp_server, acme, from_email="other@acme.example")
    (witness,) = await make_mail(acme, other, "witness@example.org")
    async with working(settings):
        await until_row(witness, SENT)
        await asyncio.sleep(0.3)
    later = [command.line for command in smtp_server.commands[asked:] if command.verb == "RCPT"]
    assert later == ["RCPT TO:<witness@example.org>"]
    assert len(smtp_server.messages) == received + 1
