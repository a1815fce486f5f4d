"""A quick endpoint gets its events soon, however slow another one of the organization is."""

import asyncio
from datetime import datetime

import pytest

from tests.factories import make_webhook
from tests.fakes.endpoint import Endpoint, Received, Reply
from tests.fakes.worker import eventually, working
from tests.figures import Figures
from webapp import clock, db
from webapp.config import Settings
from webapp.models import Organization
from webapp.models.event import EventType
from webapp.models.queries.event_log import NewEvent, record_events

EVENTS, AT_ONCE, PAUSE = 1_000, 20, 0.1  # 200 a second
SLOW = 15.0  # seconds of each answer


@pytest.mark.soak
@pytest.mark.timeout(200)
async def test_of_1000_events_19_of_20_arrive_within_2_seconds_beside_an_endpoint_that_takes_15_for_each(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures
) -> None:
    lags: list[float] = []

    def answer(got: Received) -> Reply:
        lags.append((clock.now() - datetime.fromisoformat(got.event["created_at"])).total_seconds())
        return Reply()

    async with Endpoint(lambda _: Reply(seconds=SLOW)) as slow, Endpoint(answer) as quick, Endpoint() as theirs:
        await make_webhook(acme, slow.url)
        await make_webhook(acme, quick.url)
        await make_webhook(rival, theirs.url)
        async with working(settings):
            for _ in range(EVENTS // AT_ONCE):
                async with db.write_transaction():
                    await record_events(
                        [NewEvent(acme.id, EventType.CONTACT_UPDATED, {"email": "ada@example.org"})] * AT_ONCE
                    )
                await asyncio.sleep(PAUSE)
            await eventually(lambda: has_all(quick))
        assert slow.in_flight == 4
        assert theirs.received == []
    figures("seconds until it arrived, 19 of 20 events", sorted(lags)[EVENTS * 95 // 100], below=2)


async def has_all(endpoint: Endpoint) -> bool:
    return len(endpoint.received) >= EVENTS
