"""A worker that compares dynamic segments is killed again and again, and each member joins and leaves once."""

from collections import Counter
from functools import partial

from tests.api.conftest import make_api
from tests.apps import app_of
from tests.domain.webhooks.test_dynamic_segment_events import IN_BERLIN, make_berliners, make_dynamic
from tests.domain.webhooks.test_segment_events import BOTH, recorded
from tests.factories import make_webhook
from tests.fakes.worker import eventually
from tests.faults.support.processes import kill, start
from webapp.config import Settings
from webapp.domain.segments import watch
from webapp.models import Contact, Event, Organization, SegmentWatch, WatchedMember, WebhookDelivery

CONTACTS, KILLS, PATIENCE = 5 * watch.AT_ONCE, 3, 60
COMPARE = f"""
import asyncio, os
from webapp import db
from webapp.domain.segments import watch

async def main():
    await db.connect(os.environ["DATABASE_URL"])
    await watch.compare_segments()
    await asyncio.sleep({PATIENCE})

asyncio.run(main())
"""


async def test_each_member_joins_and_leaves_once_although_the_worker_is_killed(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    await make_webhook(acme, events=BOTH)
    await make_dynamic(await make_api(app_of(settings), acme), IN_BERLIN)
    await watch.compare_segments()
    contacts = await make_berliners(acme, CONTACTS)
    await _kill_while_comparing(acme, settings, CONTACTS)
    await Contact.of(acme).update(filter_values={})
    await _kill_while_comparing(acme, settings, 2 * CONTACTS)
    told = Counter((kind, data["email"]) for kind, data in await recorded(acme))
    assert told == {(kind, contact.email): 1 for kind in BOTH for contact in contacts}
    assert await WebhookDelivery.of(acme).count() == 2 * CONTACTS
    assert await WatchedMember.of(acme).count() == 0
    assert await recorded(rival) == []


async def _kill_while_comparing(org: Organization, settings: Settings, total: int) -> None:
    await SegmentWatch.of(org).update(seconds=0.0)
    for number in range(KILLS):
        wanted = min(await Event.of(org).count() + watch.AT_ONCE, total)
        workers = [await start(settings, "compare", program=COMPARE) for _ in range(1 + number % 2)]
        try:
            await eventually(partial(_has_events, org, wanted), PATIENCE)
        finally:
            for worker in workers:
                await kill(worker)
    await watch.compare_segments()


async def _has_events(org: Organization, wanted: int) -> bool:
    return await Event.of(org).count() >= wanted
