"""Each member of an audience is counted once, and read a bounded number of times."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_campaign, make_contact, make_segment, make_suppression
from tests.models.outbox.test_excluded import join, rows_read, start
from tests.support.audiences import make_audience
from webapp import clock, db
from webapp.models import Campaign, CampaignContact, CampaignRun, Contact, Organization, SegmentContact, Suppression
from webapp.models.outbox.audience_counts import (
    AudienceCounts,
    count_parts,
    count_whole,
    first_of_audience,
    first_unreached,
)
from webapp.models.queries.contacts.suppressed import FEW
from webapp.models.queries.missing_values import count_missing, field_names

MEMBERS, SUPPRESSED = 2_000, 200
ROMANS = {"field": "custom_fields.town", "op": "is", "value": "Rome"}


async def reach(campaign: Campaign, ids: list[UUID]) -> None:
    org_id = campaign.org_id  # type: ignore[attr-defined]  # made by Tortoise
    entries = [CampaignContact(id=uuid7(), org_id=org_id, campaign_id=campaign.id, contact_id=one) for one in ids]
    await CampaignContact.bulk_create(entries)


async def test_a_member_counts_once_by_the_first_reason(acme: Organization, rival: Organization) -> None:
    now = clock.now()
    ann, bob, cy, dee, eve, fay = [await make_contact(acme, f"{name}@example.org") for name in "abcdef"]
    segment, customers = await make_segment(acme, ann, bob, cy, dee, eve, fay), await make_segment(acme, bob, cy, dee)
    await Contact.filter(id__in=[bob.id, eve.id]).update(status="unsubscribed")
    await make_suppression(acme, cy.email)
    await make_suppression(rival, "*@example.org")
    campaign, theirs = await make_campaign(acme, segment=segment), await make_campaign(rival)
    await reach(campaign, [ann.id, bob.id, dee.id])
    await reach(theirs, [fay.id])
    run = await start(acme, segment, customers)
    run.campaign_id = campaign.id
    assert await count_parts(run) == AudienceCounts(2, unmailable=2, suppressed=1, excluded=1)
    assert await count_whole(run) == await count_parts(run)
    detailed = await count_whole(run, is_detailed=True)
    assert detailed == AudienceCounts(2, unmailable=2, suppressed=1, excluded=1, reached=1)
    unreached = await count_whole(run, is_detailed=True, are_unreached=True)
    assert unreached == AudienceCounts(1, not_new=3, unmailable=1, suppressed=1)
    run.joined_after = now - timedelta(days=1)
    await SegmentContact.filter(contact_id=fay.id).update(created_at=now - timedelta(days=2))
    assert await count_whole(run, is_detailed=True) == AudienceCounts(0, not_new=4, unmailable=1, suppressed=1)
    assert await count_parts(run) == AudienceCounts(0, unmailable=1, suppressed=1)
    run.campaign_id, run.joined_after = theirs.id, None
    assert (await count_whole(run, is_detailed=True)).reached == 0


@pytest.mark.parametrize("others", [0, FEW], ids=["few", "many"])
async def test_members_are_left_out_for_the_same_reasons_as_contacts_who_match(acme: Organization, others: int) -> None:
    names = ["ann@one.example", "bob@two.example", "cy@two.example", "dee@one.example", "eve@one.example"]
    ann, *_, eve = [await make_contact(acme, one) for one in names]
    segment = await make_segment(acme, *await Contact.of(acme))
    await Contact.filter(id=eve.id).update(bounced_at=clock.now())
    await Suppression.insert_new(acme.id, {f"x{number}@three.example": None for number in range(others)}, "import")
    for email in (ann.email, "*@two.example"):
        await make_suppression(acme, email)
    run, expected = await start(acme, segment), AudienceCounts(0, unmailable=1, suppressed=3, excluded=1)
    run.exclude_filter = {"field": "email", "op": "starts_with", "value": "dee"}
    assert await count_whole(run) == expected
    run.segment_filter = {"field": "segment", "op": "in", "value": str(segment.id)}
    assert await count_whole(run) == expected
    run.exclude_filter = {"field": "segment", "op": "in", "value": str(uuid7())}  # of one that is gone
    assert await count_whole(run) == expected
    run.segment_filter = None
    assert await count_whole(run) == expected


@pytest.mark.postgres
@pytest.mark.parametrize("is_analysed", [True, False])
@pytest.mark.parametrize(
    "audience",
    [{}, {"exclude_filter": ROMANS}, {"joined_after": clock.now() - timedelta(days=1)}, {"segment_filter": ROMANS}],
    ids=["static", "exclude_filter", "joined_after", "segment_filter"],
)
async def test_a_review_reads_each_member_a_few_times(
    acme: Organization, rival: Organization, audience: dict[str, Any], *, is_analysed: bool
) -> None:
    await make_audience(rival, MEMBERS)
    segment, ids = await make_audience(acme, MEMBERS)
    excluded, _ = await make_audience(acme, 10)
    await join(acme, excluded, ids[:-100])
    campaign = await make_campaign(acme, segment=segment)
    await reach(campaign, ids[::2])
    await Suppression.insert_new(acme.id, {f"c{one.hex}@example.org": None for one in ids[:SUPPRESSED]}, "import")
    await make_suppression(acme, "*@gone.example")
    run = await start(acme, segment, excluded)
    run.campaign_id = campaign.id
    run.update_from_dict(audience)
    forget = "UPDATE pg_class SET reltuples = -1 WHERE relnamespace = 'public'::regnamespace"
    await db.fetch("ANALYZE" if is_analysed else f"WITH known AS (DELETE FROM pg_statistic) {forget}")
    async with db.write_transaction():
        before = await rows_read()
        await read_all(run)
        assert await rows_read() - before < 100 * MEMBERS  # MEMBERS * MEMBERS where members are compared with contacts


@pytest.mark.postgres
async def test_a_suppressed_domain_costs_as_many_look_ups_as_it_has_contacts(
    acme: Organization, rival: Organization
) -> None:
    segment, _ = await make_audience(acme, MEMBERS)
    gone = [await make_contact(acme, f"{name}@gone.example") for name in ("ann", "bob")]
    await join(acme, segment, [contact.id for contact in gone])
    for entry in (gone[0].email, "*@gone.example"):
        await make_suppression(acme, entry)
    await make_suppression(rival, "*@example.org")
    run = await start(acme, segment)
    for number in range(100):  # PostgreSQL expects as many contacts at a domain as the number of domains lets it
        await make_contact(acme, f"cy@other{number}.example")
    await db.fetch("ANALYZE")
    async with db.write_transaction():
        before = await rows_read()
        counts = await count_parts(run)
        assert await rows_read() - before < 20 * len(gone)
    assert counts == AudienceCounts(MEMBERS, suppressed=len(gone)) == await count_whole(run)


async def read_all(run: CampaignRun) -> None:
    await first_of_audience(run)
    await first_unreached(run)
    await count_parts(run)
    await count_whole(run, is_detailed=True)
    await count_whole(run, is_detailed=True, are_unreached=True)
    await field_names(run, 1_000)
    await count_missing(run, {"first_name": ["first_name"]}, 1_000, are_unreached=True)
