"""Paused contacts and those who left a run's topic get no row; lists and whole audiences count them alike."""

from datetime import timedelta
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_campaign, make_contact, make_segment, make_suppression, make_topic
from tests.models.outbox.test_audience_counts import MEMBERS, read_all
from tests.models.outbox.test_excluded import rows_read, start
from tests.support.audiences import make_audience
from tests.support.topics import choose
from webapp import clock, db
from webapp.models import CampaignRun, Contact, MailLog, Organization, Segment, Topic, TopicChoice
from webapp.models.outbox.audience_counts import AudienceCounts, count_parts, count_whole, first_of_audience
from webapp.models.outbox.run_rows import Skipped, create_rows
from webapp.models.outbox.wishes import EVER

DAY = timedelta(days=1)
PEOPLE = ("ann", "bob", "cy", "dee", "eve", "fay", "gus")
RESULTS = {
    "opt_in": AudienceCounts(2, unmailable=1, paused=1, opted_out=1, suppressed=1, excluded=1),
    "opt_out": AudienceCounts(1, unmailable=1, paused=1, opted_out=4),
}
RECIPIENTS = {"opt_in": ["ann", "bob"], "opt_out": ["ann"]}
SKIPPED = {"opt_in": Skipped(1, 1, 1), "opt_out": Skipped(1, 4, 0)}


async def make_run(org: Organization, default: str) -> CampaignRun:
    """Ann chose the topic, Cy left it, Dee is paused, Eve unsubscribed, Fay is suppressed and Gus excluded."""
    people = {name: await make_contact(org, f"{name}@example.org") for name in PEOPLE}
    topic = await make_topic(org, default_subscription=default)
    await choose(topic, people["ann"], subscription="opt_in")
    await choose(topic, people["cy"], people["eve"], subscription="opt_out")
    await choose(await make_topic(org, name="Other"), people["ann"], people["bob"], subscription="opt_out")
    await Contact.filter(id=people["dee"].id).update(paused_until=EVER[1])
    await Contact.filter(id=people["bob"].id).update(paused_until=clock.now() - DAY)
    await Contact.filter(id=people["eve"].id).update(status="unsubscribed")
    await make_suppression(org, people["fay"].email)
    run = await start(org, await make_segment(org, *people.values()), await make_segment(org, people["gus"]))
    run.topic_id = topic.id
    return run


@pytest.mark.parametrize("default", ["opt_in", "opt_out"])
@pytest.mark.parametrize("kind", ["members", "filter", "short lists"])
async def test_all_ways_of_counting_agree(acme: Organization, rival: Organization, default: str, kind: str) -> None:
    await make_run(rival, default)
    run = await make_run(acme, default)
    count = count_whole
    if kind == "filter":
        run.segment_filter = {"field": "segment", "op": "in", "value": str(run.segment_id)}
    elif kind == "short lists":
        count = count_parts
    assert await count(run) == RESULTS[default]
    first = await Contact.get(id=await first_of_audience(run))
    assert first.email == "ann@example.org"


@pytest.mark.parametrize("default", ["opt_in", "opt_out"])
async def test_rows_are_created_for_those_who_are_left(acme: Organization, rival: Organization, default: str) -> None:
    run, total = await make_run(acme, default), [0, 0, 0]
    await make_run(rival, default)
    async with db.write_transaction():
        while True:
            made = await create_rows(run, 2)
            run.materialise_cursor, total = made.cursor, [a + b for a, b in zip(total, made.skipped, strict=True)]
            if made.is_over:
                break
    assert Skipped(*total) == SKIPPED[default]
    rows = await MailLog.all().order_by("to_email")
    assert [row.to_email for row in rows] == [f"{name}@example.org" for name in RECIPIENTS[default]]


async def test_nobody_is_mailed_of_a_topic_that_is_gone_or_a_strangers(acme: Organization, rival: Organization) -> None:
    segment = await make_segment(acme, await make_contact(acme), await make_contact(acme))
    run = await start(acme, segment)
    for run.topic_id in (uuid7(), (await make_topic(rival)).id):
        assert await count_parts(run) == await count_whole(run) == AudienceCounts(0, opted_out=2)


@pytest.mark.parametrize("default", ["opt_in", "opt_out"])
async def test_more_choices_than_members_are_not_listed(acme: Organization, default: str) -> None:
    others = [await make_contact(acme) for _ in range(4)]
    ann, bob = await make_contact(acme), await make_contact(acme)
    topic = await make_topic(acme, default_subscription=default)
    against = "opt_out" if default == "opt_in" else "opt_in"
    await choose(topic, ann, *others, subscription=against)
    run = await start(acme, await make_segment(acme, ann, bob))
    run.topic_id = topic.id
    assert await count_parts(run) == AudienceCounts(1, opted_out=1)


async def choose_all(topic: Topic, ids: list[UUID], subscription: str) -> None:
    await TopicChoice.bulk_create(
        [
            TopicChoice(
                id=uuid7(), org_id=topic.org_id, topic_id=topic.id, contact_id=contact_id,
                subscription=subscription, source="person", changed_at=clock.now(),
            )
            for contact_id in ids
        ]
    )  # fmt: skip


@pytest.mark.postgres
@pytest.mark.parametrize("is_analysed", [True, False])
@pytest.mark.parametrize("default", ["opt_in", "opt_out"])
@pytest.mark.parametrize(
    ("nth", "reads"), [(10, 2), (3, 4)]
)  # a few choices are looked up, many merged with all members
async def test_choices_are_looked_up_a_few_times_for_each_member(
    acme: Organization, rival: Organization, nth: int, reads: int, default: str, *, is_analysed: bool
) -> None:
    for org in (rival, acme):
        segment, ids = await make_audience(org, MEMBERS)
        topic = await make_topic(org, default_subscription=default)
        await choose_all(topic, ids[::nth], "opt_out" if default == "opt_in" else "opt_in")
        await Contact.filter(id__in=ids[5::10]).update(paused_until=EVER[1])
    run = await start(acme, await Segment.get(id=segment.id))
    run.campaign_id, run.topic_id = (await make_campaign(acme, segment=segment)).id, topic.id
    forget = "UPDATE pg_class SET reltuples = -1 WHERE relnamespace = 'public'::regnamespace"
    await db.fetch("ANALYZE" if is_analysed else f"WITH known AS (DELETE FROM pg_statistic) {forget}")
    async with db.write_transaction():
        before = await rows_read()
        await read_all(run)
        assert await rows_read() - before < 100 * MEMBERS
        before = await rows_read()
        counts = await count_parts(run)
        assert await rows_read() - before < reads * MEMBERS
    paused, against = MEMBERS // 10, len({*ids[::nth]} - {*ids[5::10]})
    opted_out = against if default == "opt_in" else MEMBERS - paused - against
    assert counts == AudienceCounts(MEMBERS - paused - opted_out, paused=paused, opted_out=opted_out)
