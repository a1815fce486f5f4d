"""P7: workers are killed while they post events, and each event arrives at least once, or stands as failed."""

from collections import Counter
from functools import partial

import pytest

from tests.factories import make_webhook
from tests.fakes.endpoint import Endpoint, Received, Reply
from tests.fakes.worker import eventually
from tests.faults.support.processes import kill, start
from tests.faults.support.world import until
from tests.figures import Figures
from webapp import db
from webapp.config import Settings
from webapp.domain.webhooks.deliver import AT_ONCE
from webapp.models import Organization, Webhook, WebhookAttempt, WebhookDelivery
from webapp.models.event import EventType
from webapp.models.queries.event_log import NewEvent, record_events

IN_ONE_TRANSACTION = 500
PATIENCE = 600.0
SCHEDULE = ",".join(["0"] + ["1"] * 9)


@pytest.mark.parametrize(("events", "kills"), [(100, 1), pytest.param(10_000, 5, marks=pytest.mark.soak)])
async def test_p7_every_event_arrives_although_workers_are_killed_and_a_fifth_of_the_answers_is_500(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures, events: int, kills: int
) -> None:
    def answer(_: Received) -> Reply:
        return Reply(500 if len(endpoint.received) % 5 == 0 else 200)

    async with Endpoint(answer) as endpoint, Endpoint() as theirs:
        webhook = await make_webhook(acme, endpoint.url)
        await make_webhook(rival, theirs.url)
        await record(acme, events)
        worker = await start(settings, "worker", PENNYPOST_WEBHOOK_SCHEDULE=SCHEDULE)
        try:
            for number in range(kills):
                wanted = (number + 1) * events // (kills + 2)
                await until(lambda wanted=wanted: len(endpoint.received) >= wanted, PATIENCE)
                await kill(worker)
                worker = await start(settings, "worker", PENNYPOST_WEBHOOK_SCHEDULE=SCHEDULE)
            await eventually(partial(is_done, webhook), PATIENCE)
        finally:
            await kill(worker)
        answered = Counter(one.id for one in endpoint.received)
        failed = await WebhookAttempt.filter(webhook_id=webhook.id, response_status=500).count()
        delivered = await WebhookDelivery.filter(webhook_id=webhook.id, status="delivered").count()
        figures("delivered", delivered, exactly=events)
        figures("events that arrived", len(answered), exactly=events)
        # Requests that ended without being saved: those in flight at a kill.
        figures("duplicates", len(endpoint.received) - events - failed, at_most=kills * AT_ONCE)
        assert theirs.received == []


async def record(org: Organization, count: int) -> None:
    one = NewEvent(org.id, EventType.CONTACT_UPDATED, {"email": "ada@example.org"})
    for first in range(0, count, IN_ONE_TRANSACTION):
        async with db.write_transaction():
            await record_events([one] * min(IN_ONE_TRANSACTION, count - first))


async def is_done(webhook: Webhook) -> bool:
    return not await WebhookDelivery.filter(webhook_id=webhook.id, status="pending").exists()
