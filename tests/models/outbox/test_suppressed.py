"""Suppressed addresses are looked up by their keys, whatever the planner believes of the tables."""

import re
from datetime import UTC, datetime

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_contact, make_segment, make_suppression
from tests.queries import chosen_plan_of, count_queries, look_ups
from tests.support.audiences import make_audience
from webapp import clock, db
from webapp.models import CampaignRun, Organization, Segment, Suppression
from webapp.models.outbox.audience_counts import AudienceCounts, count_parts
from webapp.models.outbox.run_rows import create_rows
from webapp.models.queries.suppressed import reasons_against
from webapp.models.suppression import domain_key

MANY = 3_000


async def fill(org: Organization, count: int) -> None:
    await Suppression.insert_new(org.id, {f"x{number}@example.com": None for number in range(count)}, "import")


async def a_run(org: Organization, segment: Segment) -> CampaignRun:
    return await CampaignRun.create(
        org=org, campaign_id=uuid7(), trigger="api", trigger_key="1", content_id=uuid7(), segment_id=segment.id,
        from_email="ada@acme.example", expected=segment.contact_count, started_at=clock.now(),
    )  # fmt: skip


@pytest.mark.parametrize(("key", "domain"), [("ada@example.org", "*@example.org"), ("*@example.org", "*@example.org")])
def test_an_address_belongs_to_its_domain(key: str, domain: str) -> None:
    assert domain_key(key) == domain


async def test_a_claims_worth_of_addresses_is_one_statement(acme: Organization, rival: Organization) -> None:
    day = datetime(2026, 11, 26, 12, tzinfo=UTC)
    await make_suppression(acme, "Ada@example.org")
    await make_suppression(acme, "*@example.net", reason="manual")
    await make_suppression(rival, "*@example.org")
    await Suppression.all().update(created_at=day)
    asked = [
        "ADA@example.org",
        "bob@example.org",
        "eve@example.net",
        *(f"a{number}@x.example" for number in range(500)),
    ]
    with count_queries() as sent:
        found = await reasons_against(acme.id, asked)
    assert len(sent) == 1
    assert found == {
        "ADA@example.org": "suppressed: bounce on 2026-11-26",
        "eve@example.net": "suppressed: *@example.net, manual on 2026-11-26",
    }
    assert await reasons_against(rival.id, asked[:2]) == dict.fromkeys(
        asked[:2], "suppressed: *@example.org, bounce on 2026-11-26"
    )
    with count_queries() as sent:
        assert await reasons_against(acme.id, []) == {}
    assert sent == []


@pytest.mark.usefixtures("unanalysed")
async def test_they_are_looked_up_by_their_keys(acme: Organization, rival: Organization) -> None:
    segment, _ = await make_audience(acme, 40)
    for org in (acme, rival):
        await fill(org, MANY)
    run = await a_run(acme, segment)
    with look_ups() as sent:
        await reasons_against(acme.id, ["ada@example.org", "x1@example.com"])
        async with db.write_transaction():
            made = await create_rows(run, 20)
    assert (made.rows, made.skipped) == (20, 0)
    about = [(statement, values) for statement, values in sent if "suppressions" in statement]
    assert len(about) == 4  # the addresses, the batch's rows, whether there are any, and whom it skipped
    for statement, values in about:
        steps = await chosen_plan_of(statement, *values)
        read = [step for step in steps if re.search(r"suppressions|\bs\b", step)]
        assert read, steps
        assert not [step for step in read if re.search(r"Seq Scan|^SCAN", step)], steps


async def test_of_a_segment_the_shorter_list_is_gone_through(acme: Organization, rival: Organization) -> None:
    few = [await make_contact(acme, f"x{number}@example.com") for number in range(4)]
    left = await make_contact(acme, "x4@example.com", status="unsubscribed")
    small, large = await make_segment(acme, *few, left), (await make_audience(acme, 60))[0]
    for contact in few[:2]:
        await make_contact(rival, contact.email)
    await fill(rival, 10)
    run_of_few, run_of_many = await a_run(acme, small), await a_run(acme, large)
    assert await count_parts(run_of_few) == AudienceCounts(4, unmailable=1)
    assert await count_parts(run_of_many) == AudienceCounts(60)
    await fill(acme, 2)
    assert await count_parts(run_of_few) == AudienceCounts(2, unmailable=1, suppressed=2)
    assert await count_parts(run_of_many) == AudienceCounts(60)
    await fill(acme, 20)  # more than the members
    assert await count_parts(run_of_few) == AudienceCounts(0, unmailable=1, suppressed=4)
    assert await count_parts(run_of_many) == AudienceCounts(60)
    await make_suppression(acme, "*@example.org")
    assert await count_parts(run_of_many) == AudienceCounts(0, suppressed=60)
