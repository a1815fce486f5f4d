"""Large audiences, written by SQL."""

from collections.abc import Sequence
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.models import Organization, Segment

AT_ONCE = 5_000


async def make_audience(org: Organization, count: int) -> tuple[Segment, list[UUID]]:
    """A segment with so many new subscribed members, and their ids in order."""
    segment = await Segment.create(org=org, name="Everybody", name_key="everybody", contact_count=count)
    ids = sorted(uuid7() for _ in range(count))
    async with db.write_transaction():
        for start in range(0, count, AT_ONCE):
            await _join(org, segment, ids[start : start + AT_ONCE])
    return segment, ids


async def _join(org: Organization, segment: Segment, ids: Sequence[UUID]) -> None:
    now = clock.now()
    await db.run_many(
        """INSERT INTO contacts (id, created_at, updated_at, org_id, email, email_key, first_name, custom_fields,
             search_text, filter_values, status)
           VALUES ($1, $2, $2, $3, $4, $5, 'Ann', '{"town": "Rome"}', $6, '{"custom_fields.town": "rome"}', 'subscribed')""",
        [(row_id, now, org.id, *[f"c{row_id.hex}@example.org"] * 3) for row_id in ids],
    )
    await db.run_many(
        """INSERT INTO segment_contacts (id, created_at, org_id, segment_id, contact_id)
           VALUES ($1, $2, $3, $4, $5)""",
        [(uuid7(), now, org.id, segment.id, row_id) for row_id in ids],
    )
