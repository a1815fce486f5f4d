"""Events on their way to an endpoint: signed, tried again by the schedule, and never more than four at once."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
import resend
from standardwebhooks.webhooks import Webhook as Verifier

from tests.factories import make_mail
from tests.fakes.endpoint import Endpoint, Received, Reply
from tests.fakes.worker import eventually, working
from tests.faults.support.world import until
from webapp import clock, config, db
from webapp.config import Settings
from webapp.domain.webhooks import log, webhooks
from webapp.domain.webhooks.webhooks import IssuedWebhook, NewWebhook
from webapp.models import Account, Event, Organization, Webhook, WebhookAttempt, WebhookDelivery
from webapp.models.event import EventType
from webapp.models.queries.event_log import NewEvent, record_events

QUICK = (0.0, 0.2, 0.2)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A schedule of fractions of a second."""
    found = replace(settings, webhook_schedule=QUICK)
    config.configure(found)
    return found


async def subscribe(org: Organization, endpoint: Endpoint, *events: str) -> IssuedWebhook:
    return await webhooks.add_webhook(org, NewWebhook(url=endpoint.url, events=list(events or ("*",))))


async def deliveries(webhook: Webhook) -> list[tuple[str, int, str | None]]:
    rows = await WebhookDelivery.filter(webhook_id=webhook.id).order_by("event_id")
    return [(row.status, row.attempts, row.last_answer) for row in rows]


async def are_final(webhook: Webhook, count: int) -> bool:
    rows = await WebhookDelivery.filter(webhook_id=webhook.id)
    return len(rows) == count and all(row.status != "pending" for row in rows)


async def test_an_endpoint_gets_what_happens_to_an_email_with_a_signature_that_the_standards_library_accepts(
    acme: Organization, rival: Organization, account: Account, settings: Settings
) -> None:
    async with Endpoint() as endpoint, Endpoint() as theirs:
        webhook, secret = await subscribe(acme, endpoint)
        await subscribe(rival, theirs)
        (mail_id,) = await make_mail(acme, account)
        async with working(settings):
            await eventually(lambda: are_final(webhook, 2))
        assert endpoint.types == ["email.queued", "email.sent"]
        for one in endpoint.received:
            assert Verifier(secret).verify(one.body, one.headers) == one.event
            assert {one.headers[f"svix-{name}"] for name in ("id", "timestamp", "signature")} == {
                one.headers[f"webhook-{name}"] for name in ("id", "timestamp", "signature")
            }
            assert one.event["data"]["mail_log_id"] == str(mail_id)
            assert one.headers["content-type"] == "application/json"
        assert {UUID(one.id) for one in endpoint.received} == {event.id for event in await Event.of(acme)}
        assert endpoint.received[0].path == "/hooks?from=pennypost"
        assert theirs.received == []
    assert await deliveries(webhook) == [("delivered", 1, "200"), ("delivered", 1, "200")]


@pytest.mark.parametrize(
    ("status", "failing_days", "reason"),
    [(410, 0, "it answered 410 Gone"), (500, 5, "every attempt of the last 5 days failed")],
)
async def test_an_endpoint_that_is_gone_or_failed_for_five_days_is_disabled_and_nothing_is_queued_for_it(
    acme: Organization, account: Account, settings: Settings, status: int, failing_days: int, reason: str
) -> None:
    async with Endpoint(lambda _: Reply(status)) as endpoint:
        webhook, _ = await subscribe(acme, endpoint)
        since = clock.now() - timedelta(days=failing_days, minutes=1)
        await Webhook.filter(id=webhook.id).update(failing_since=since)
        await log.send_test(webhook)
        async with working(settings):
            await eventually(Webhook.filter(status="disabled", disabled_reason=reason).exists)
            await make_mail(acme, account)
    assert await deliveries(webhook) == [("failed", 1, str(status))]


async def test_an_endpoint_that_is_busy_is_left_alone_as_long_as_it_asks(
    acme: Organization, settings: Settings
) -> None:
    async with Endpoint(lambda _: Reply(503, headers=(("Retry-After", "3600"),))) as endpoint:
        webhook, _ = await subscribe(acme, endpoint)
        await log.send_test(webhook)
        async with working(settings):
            await eventually(WebhookAttempt.filter(webhook_id=webhook.id).exists)
    row = await WebhookDelivery.get(webhook_id=webhook.id)
    assert row.status == "pending"
    assert row.due_at - clock.now() > timedelta(minutes=59)


async def test_an_event_that_cannot_be_posted_fails_alone_with_a_reason(acme: Organization, settings: Settings) -> None:
    async with Endpoint() as endpoint:
        webhook, _ = await subscribe(acme, endpoint)
        broken = NewEvent(acme.id, EventType.CAMPAIGN_STARTED, {"run_id": "no id"}, campaign_id=acme.id)
        async with db.write_transaction():
            await record_events([NewEvent(acme.id, EventType.CONTACT_UPDATED, {}), broken])
        await log.send_test(webhook)
        async with working(settings):
            await eventually(lambda: are_final(webhook, 3))
    assert sorted(endpoint.types) == ["contact.updated", "webhook.test"]
    reason = "Pennypost could not post the event: ValueError: badly formed hexadecimal UUID string"
    assert sorted(await deliveries(webhook)) == [*[("delivered", 1, "200")] * 2, ("failed", len(QUICK), reason)]


async def test_four_requests_at_once_go_to_an_endpoint_and_a_slow_one_holds_up_no_other(
    acme: Organization, settings: Settings
) -> None:
    answers = asyncio.Event()
    async with Endpoint(lambda _: Reply(after=answers)) as slow, Endpoint() as quick:
        webhook, _ = await subscribe(acme, slow)
        other, _ = await subscribe(acme, quick)
        for _ in range(12):
            await log.send_test(webhook)
        async with working(settings):
            await until(lambda: slow.in_flight == 4)
            await log.send_test(other)
            await eventually(lambda: are_final(other, 1))
            answers.set()
            await eventually(lambda: are_final(webhook, 12))
        assert slow.in_flight == 4


def verified_by_resend(got: Received, secret: str) -> object:
    """The event, once the client of Resend has verified it; it asks for the `svix-` names."""
    headers = resend.WebhookHeaders(
        id=got.headers["svix-id"], timestamp=got.headers["svix-timestamp"], signature=got.headers["svix-signature"]
    )
    return resend.Webhooks.verify(
        resend.VerifyWebhookOptions(payload=got.body.decode(), headers=headers, webhook_secret=secret)
    )


async def test_after_a_rotation_both_secrets_sign_for_a_day(acme: Organization, settings: Settings) -> None:
    async with Endpoint() as endpoint:
        webhook, former = await subscribe(acme, endpoint)
        _, secret = await webhooks.rotate_secret(acme, webhook)
        await log.send_test(webhook)
        async with working(settings):
            await eventually(lambda: are_final(webhook, 1))
            await Webhook.filter(id=webhook.id).update(former_until=clock.now())
            await log.send_test(webhook)
            await eventually(lambda: are_final(webhook, 2))
    first, last = endpoint.received
    for one, signing in ((first, former), (first, secret), (last, secret)):
        assert Verifier(signing).verify(one.body, one.headers) == one.event
        assert verified_by_resend(one, signing) == one.event
    with pytest.raises(ValueError, match="no matching signature"):
        verified_by_resend(last, former)
    assert len(last.headers["webhook-signature"].split()) == 1
