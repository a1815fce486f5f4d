"""A compose is over when its response leaves: within a minute, and nothing of it is tried again."""

import asyncio
from typing import Any

import pytest
from quart import Quart

from tests.api.compose.test_compose import compose
from tests.api.conftest import Api
from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching, eventually, working
from webapp.config import Settings
from webapp.domain.emails.compose.compose import ANSWER_SECONDS, COMPOSE_SECONDS, IN_FLIGHT_SECONDS, ComposeService
from webapp.models import MailLog, Organization
from webapp.models.mail_log import FAILED, SENT

PATIENCE = 30.0  # seconds


def test_a_response_leaves_within_60_seconds(app: Quart) -> None:
    assert COMPOSE_SECONDS + IN_FLIGHT_SECONDS < ANSWER_SECONDS < 60
    service: Any = app.extensions["compose"]
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
    async with app.test_app(), dispatching(settings):
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
        await eventually(lambda: is_sent(witness), PATIENCE)
        await asyncio.sleep(0.3)
    later = [command.line for command in smtp_server.commands[asked:] if command.verb == "RCPT"]
    assert later == ["RCPT TO:<witness@example.org>"]
    assert len(smtp_server.messages) == received + 1


async def is_sent(row_id: Any) -> bool:
    return (await MailLog.all().get(id=row_id)).status == SENT
