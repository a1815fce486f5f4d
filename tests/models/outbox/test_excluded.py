"""Members of excluded segments are looked up one by one, whatever the planner believes of the tables."""

import re
from uuid import UUID

from uuid_utils.compat import uuid7

from tests.factories import make_contact, make_segment
from tests.queries import chosen_plan_of, look_ups
from tests.support.audiences import make_audience
from webapp import clock, db
from webapp.models import CampaignRun, MailLog, Organization, Segment, SegmentContact
from webapp.models.outbox.audience_counts import AudienceCounts, count_parts
from webapp.models.outbox.run_rows import create_rows

WHOLE = re.compile(r"Seq Scan on (segment_contacts|contacts)|^SCAN [cnx]\b|Hash|Sort|Bitmap|Merge Join")


async def start(org: Organization, segment: Segment, *excluded: Segment, expected: int = 0) -> CampaignRun:
    return await CampaignRun.create(
        org=org, campaign_id=uuid7(), trigger="api", trigger_key="1", content_id=uuid7(), segment_id=segment.id,
        from_email="ada@acme.example", expected=expected, started_at=clock.now(),
        exclude_segment_ids=[str(one.id) for one in excluded],
    )  # fmt: skip


async def join(org: Organization, segment: Segment, ids: list[UUID]) -> None:
    await SegmentContact.bulk_create(
        [SegmentContact(id=uuid7(), org_id=org.id, segment_id=segment.id, contact_id=one) for one in ids]
    )
    await Segment.add_to_counts([segment.id], len(ids))


async def test_a_batch_looks_up_its_own_contacts_alone(acme: Organization, rival: Organization) -> None:
    await make_audience(rival, 40)
    segment, ids = await make_audience(acme, 40)
    excluded, _ = await make_audience(acme, 400)
    await join(acme, excluded, ids[:20:2])
    run = await start(acme, segment, excluded, expected=40)
    async with db.write_transaction():
        with look_ups() as sent:
            made = await create_rows(run, 10)
        assert (made.rows, made.skipped.total) == (5, 0)
        run.materialise_cursor = made.cursor
        about = [(sql, values) for sql, values in sent if re.search("segment_contacts|mail_logs", sql)]
        assert len(about) == 4  # the end of the batch, its rows, their number and the ledger
        for sql, values in about:
            steps = await chosen_plan_of(sql, *values)
            assert not [step for step in steps if WHOLE.search(step)], steps
        while not made.is_over:
            made = await create_rows(run, 10)
            run.materialise_cursor = made.cursor
    rows = await MailLog.of(acme).order_by("contact_id")
    assert [row.contact_id for row in rows] == [one for number, one in enumerate(ids) if number >= 20 or number % 2]
    assert await MailLog.of(rival).count() == 0


async def test_an_excluded_segment_that_is_a_strangers_or_being_deleted_stops_all(
    acme: Organization, rival: Organization
) -> None:
    ann, bob = await make_contact(acme), await make_contact(acme)
    segment, excluded = await make_segment(acme, ann, bob), await make_segment(acme, bob)
    run = await start(acme, segment, excluded)
    assert await count_parts(run) == AudienceCounts(1, excluded=1)
    assert await count_parts(await start(acme, segment, await make_segment(rival))) == AudienceCounts(0, excluded=2)
    await Segment.filter(id=excluded.id).update(kind="deleted")
    assert await count_parts(run) == AudienceCounts(0, excluded=2)


async def rows_read() -> int:
    """By this connection, since it last told the server: for a second that includes former transactions."""
    (read,) = await db.fetch(
        """SELECT COALESCE(SUM(seq_tup_read + idx_tup_fetch), 0) AS rows FROM pg_stat_xact_user_tables
           WHERE relname IN ('segment_contacts', 'contacts')"""
    )
    return int(read["rows"])
