"""A filter among very many contacts: its count and its first page come at once."""

import json
import random
from datetime import timedelta
from itertools import islice
from statistics import median
from time import perf_counter

import pytest
from uuid_utils.compat import uuid7

from tests.api.conftest import Api
from tests.factories import make_campaign, make_segment
from tests.figures import Figures
from webapp import clock, db
from webapp.models import Organization, Segment

CITIES = ("Berlin", "Paris", "Rome", "Oslo", "Lima", "Kyiv", "Bonn", "Cork", "Graz", "Lyon")
AT_ONCE = 20_000
TIMES = 7


async def fill(org: Organization, campaign_id: object, count: int) -> None:
    """Contacts of ten cities who joined over a year, a third of whom the campaign was queued for."""
    chance, now = random.Random(1), clock.now()
    rows = (
        (
            uuid7(),
            now - timedelta(minutes=chance.randrange(525_600)),
            now,
            org.id,
            *[f"c{number}@example.org"] * 3,
            city,
        )
        for number, city in enumerate(chance.choices(CITIES, k=count))
    )
    while batch := list(islice(rows, AT_ONCE)):
        async with db.write_transaction():
            await db.run_many(
                """INSERT INTO contacts (id, created_at, updated_at, org_id, email, email_key, search_text, status,
                     custom_fields, filter_values) VALUES ($1, $2, $3, $4, $5, $6, $7, 'subscribed', $8, $9)""",
                [(*row, json.dumps({"city": city}), as_filter_values(city)) for *row, city in batch],
            )
            await db.run_many(
                """INSERT INTO campaign_contacts (id, created_at, org_id, campaign_id, contact_id)
                   VALUES ($1, $2, $3, $4, $5)""",
                [(uuid7(), now, org.id, campaign_id, row[0]) for row in batch[::3]],
            )


def as_filter_values(city: str) -> str:
    return json.dumps({"custom_fields.city": city.lower()})


async def members(api: Api, segment_id: object) -> tuple[float, int, int]:
    """Seconds until the first page with its total is there, as it usually takes; the total, and the page's rows."""
    seconds, total, rows = [], 0, 0
    for _ in range(TIMES):
        start = perf_counter()
        status, found = await api.get(f"/v1/segments/{segment_id}/contacts?page_size=50")
        seconds.append(perf_counter() - start)
        assert status == 200
        total, rows = found["meta"]["total"], len(found["data"])
    return median(seconds), total, rows


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_a_filter_among_very_many_contacts_is_counted_and_shown_at_once(
    api: Api, rival_api: Api, acme: Organization, rival: Organization, figures: Figures
) -> None:
    is_postgres = db.connection().capabilities.dialect == "postgres"
    count, bound = (1_000_000, 0.3) if is_postgres else (200_000, 0.5)
    campaign = await make_campaign(acme)
    await fill(acme, campaign.id, count)
    await fill(rival, (await make_campaign(rival)).id, 1_000)
    if is_postgres:
        await db.fetch("ANALYZE")
    chosen = {
        "and": [
            {"field": "custom_fields.city", "op": "is", "value": "Berlin"},
            {"field": "created_at", "op": "after", "value": str((clock.now() - timedelta(days=200)).date())},
            {"field": "campaign", "op": "not_got", "value": str(campaign.id)},
        ]
    }
    segment = await make_segment(acme)
    await Segment.of(acme).filter(id=segment.id).update(kind="dynamic", member_filter=chosen)
    seconds, total, rows = await members(api, segment.id)
    assert rows == 50
    assert 0.03 * count < total < 0.045 * count  # a tenth, of the last 200 days, without a third
    assert (await rival_api.get(f"/v1/segments/{segment.id}/contacts"))[0] == 404
    figures(f"seconds for count and first page of a filter among {count:,} contacts", seconds, below=bound)
