"""Events: one for each thing that happens, in the transaction that causes it, and of nobody else's."""

from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest

from tests.api.conftest import Api
from tests.factories import account_on, make_account, make_campaign, make_mail, make_run, make_webhook, want_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.campaigns import stop
from webapp.models import Account, Event, MailLog, Organization, WebhookDelivery
from webapp.models.mail_log import FAILED, SENDING, SENT

PATIENCE = 30.0  # seconds


async def kinds_of(org: Organization, row_id: UUID) -> list[str]:
    """The types of a mail log's events, the oldest first."""
    events = await Event.of(org).filter(mail_log_id=row_id).order_by("id")
    return [event.type.removeprefix("email.") for event in events]


async def has_become(row_id: UUID, status: str) -> bool:
    return (await MailLog.across_orgs().get(id=row_id)).status == status


async def has_been_tried(row_id: UUID, attempts: int) -> bool:
    mail = await MailLog.across_orgs().get(id=row_id)
    return mail.attempts == attempts and mail.status != SENDING


@pytest.mark.parametrize(
    ("step", "reply", "kind"),
    [
        ("RCPT", "550 5.1.1 <ann@example.org>: no such user", "bounced"),
        ("DOT", "552 5.2.2 mailbox full", "bounced"),
        ("RCPT", "550 5.7.1 relaying denied", "failed"),
    ],
)
async def test_a_refusal_because_of_the_recipient_bounces_and_any_other_fails(
    acme: Organization,
    rival: Organization,
    account: Account,
    settings: Settings,
    smtp_server: SmtpServer,
    step: str,
    reply: str,
    kind: str,
) -> None:
    smtp_server.reply(step, reply)
    (mail_id,) = await make_mail(acme, account)
    async with working(settings):
        await eventually(lambda: has_become(mail_id, FAILED), PATIENCE)
    assert await kinds_of(acme, mail_id) == ["queued", kind]
    event = await Event.of(acme).filter(mail_log_id=mail_id).order_by("-id").first()
    assert event is not None
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
            await eventually(partial(has_been_tried, mail_id, number), PATIENCE)
            await MailLog.filter(id=mail_id).update(next_attempt_at=clock.now() - timedelta(seconds=1))
        await eventually(lambda: has_become(mail_id, SENT), PATIENCE)
    assert await kinds_of(acme, mail_id) == ["queued", "delivery_delayed", "delivery_delayed", "sent"]


async def test_a_campaigns_recipients_are_told_of_only_where_a_webhook_names_their_type(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    everything = await make_webhook(acme)
    run, (first,) = await make_run(acme, [account], 1)
    await want_mail(acme, run)
    async with working(settings):
        await eventually(lambda: has_become(first, SENT), PATIENCE)
        assert await kinds_of(acme, first) == []
        named = await make_webhook(acme, events=["email.sent"])
        await make_webhook(rival, events=["email.sent"])
        again, (second,) = await make_run(acme, [account], 1)
        await want_mail(acme, again)
        await eventually(lambda: has_become(second, SENT), PATIENCE)
    assert await kinds_of(acme, second) == ["sent"]
    deliveries = await WebhookDelivery.across_orgs()
    kinds = {event.id: event.type for event in await Event.of(acme)}
    told = sorted((row.webhook_id == named.id, kinds[row.event_id]) for row in deliveries)
    assert [one for one in told if one[1].startswith("email.")] == [(True, "email.sent")]
    assert {row.webhook_id for row in deliveries} <= {named.id, everything.id}


async def test_an_email_taken_back_is_canceled(api: Api, acme: Organization) -> None:
    account = await make_account(acme, status="paused")
    (mail_id,) = await make_mail(acme, account)
    assert (await api.post(f"/v1/emails/{mail_id}/cancel"))[0] == 200
    assert await kinds_of(acme, mail_id) == ["queued", "canceled"]


async def test_a_stopped_campaign_is_told_of_with_its_reason(acme: Organization, api: Api) -> None:
    campaign = await make_campaign(acme, status="sending")
    async with db.write_transaction():
        await campaign.lock()
        await stop.halt_campaign(acme, campaign, "stopped through the API")
    _, answer = await api.get("/v1/events")
    (event,) = answer["data"]
    assert (event["type"], event["data"]["title"], event["data"]["reason"]) == (
        "campaign.halted",
        campaign.title,
        "stopped through the API",
    )


async def test_a_suppressed_address_is_told_of_and_so_is_the_entry(acme: Organization, api: Api) -> None:
    await make_account(acme)
    assert (await api.post("/v1/suppressions", {"email": "ann@example.org"}))[0] == 201
    mail = {"from": "hello@acme.example", "to": "ann@example.org", "subject": "Hello", "text": "Hello"}
    _, sent = await api.post("/v1/emails", mail)
    assert await kinds_of(acme, UUID(sent["id"])) == ["suppressed"]
    assert (await api.delete("/v1/suppressions/ann@example.org"))[0] == 200
    _, answer = await api.get("/v1/events")
    kinds = [(event["type"], event["data"].get("email")) for event in answer["data"]]
    assert kinds == [
        ("suppression.removed", "ann@example.org"),
        ("email.suppressed", None),
        ("suppression.added", "ann@example.org"),
    ]


ACCEPTED = {"delivered": {"by": "acceptance"}}


async def test_acceptance_counts_as_delivery_where_the_organization_says_so(
    acme: Organization, rival: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await Organization.filter(id=acme.id).update(delivered_on_acceptance=True)
    smtp_server.refuse("bob@example.org")
    named = await make_webhook(acme, events=["email.delivered"])
    theirs = await account_on(smtp_server, rival)
    (single,) = await make_mail(acme, account)
    ann, bob = await make_mail(acme, account, "ann@example.org", "bob@example.org")
    (their_mail,) = await make_mail(rival, theirs)
    async with working(settings):
        for row_id, status in ((single, SENT), (ann, SENT), (bob, FAILED), (their_mail, SENT)):
            await eventually(partial(has_become, row_id, status), PATIENCE)
    for row_id in (single, ann):
        assert await kinds_of(acme, row_id) == ["queued", "sent", "delivered"]
    assert await kinds_of(acme, bob) == ["queued", "bounced"]
    assert await kinds_of(rival, their_mail) == ["queued", "sent"]
    delivered = await Event.of(acme).filter(type="email.delivered").order_by("id")
    assert [event.data for event in delivered] == [ACCEPTED] * 2
    sent_at = {event.mail_log_id: event.created_at for event in await Event.of(acme).filter(type="email.sent")}
    assert [sent_at[event.mail_log_id] for event in delivered] == [event.created_at for event in delivered]
    told = await WebhookDelivery.across_orgs().filter(webhook_id=named.id).values_list("event_id", flat=True)
    assert sorted(told) == [event.id for event in delivered]
