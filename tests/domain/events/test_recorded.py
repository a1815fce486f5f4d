"""Events: one for each thing that happens, in the transaction that causes it, and of nobody else's."""

from datetime import timedelta
from uuid import UUID

import pytest

from tests.factories import account_on, make_mail, make_run, make_webhook, want_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all, working
from tests.faults.support.world import until_row
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, Event, MailLog, Organization, WebhookDelivery
from webapp.models.mail_log import PENDING, SENT


async def kinds_of(org: Organization, row_id: UUID) -> list[str]:
    """The types of a mail log's events, the oldest first."""
    events = await Event.of(org).filter(mail_log_id=row_id).order_by("id")
    return [event.type.removeprefix("email.") for event in events]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [("550 5.1.1 <ann@example.org>: no such user", "bounced"), ("550 5.7.1 relaying denied", "failed")],
)
async def test_a_refusal_because_of_the_recipient_bounces_and_any_other_fails(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, reply: str, kind: str
) -> None:
    smtp_server.reply("RCPT", reply)
    (mail_id,) = await make_mail(acme, await account_on(smtp_server, acme))
    await deliver_all(settings)
    assert await kinds_of(acme, mail_id) == ["queued", kind]
    event = await Event.of(acme).get(type=f"email.{kind}")
    said = event.data["bounce"]["diagnosticCode"][0] if kind == "bounced" else event.data["failed"]["reason"]
    assert said == reply
    assert await Event.of(rival).count() == 0


async def test_a_delay_is_told_once_and_again_when_its_reason_changes(
    acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    (mail_id,) = await make_mail(acme, account)
    async with working(settings):
        for number, said in enumerate(("451 greylisted", "451 greylisted", "452 too busy"), 1):
            smtp_server.reply("RCPT", said, times=1)
            await until_row(mail_id, PENDING, attempts=number)
            await MailLog.filter(id=mail_id).update(next_attempt_at=clock.now() - timedelta(seconds=1))
        await until_row(mail_id, SENT)
    assert await kinds_of(acme, mail_id) == ["queued", "delivery_delayed", "delivery_delayed", "sent"]


async def test_a_campaigns_recipients_are_told_of_only_where_a_webhook_names_their_type(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    everything = await make_webhook(acme)
    run, (first,) = await make_run(acme, [account], 1)
    await want_mail(acme, run)
    async with working(settings):
        await until_row(first, SENT)
        assert await kinds_of(acme, first) == []
        named = await make_webhook(acme, events=["email.sent"])
        await make_webhook(rival, events=["email.sent"])
        again, (second,) = await make_run(acme, [account], 1)
        await want_mail(acme, again)
        await until_row(second, SENT)
    assert await kinds_of(acme, second) == ["sent"]
    deliveries = await WebhookDelivery.across_orgs()
    kinds = {event.id: event.type for event in await Event.of(acme)}
    told = sorted((row.webhook_id == named.id, kinds[row.event_id]) for row in deliveries)
    assert [one for one in told if one[1].startswith("email.")] == [(True, "email.sent")]
    assert {row.webhook_id for row in deliveries} <= {named.id, everything.id}
