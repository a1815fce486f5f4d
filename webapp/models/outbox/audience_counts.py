"""Counts the recipients of a run, and the members of its audience who get nothing, by reason.

Segment members are compared by ID only with the contacts who get nothing.
"""

from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db.dialects import Values, as_uuid
from webapp.models.campaign_run import CampaignRun
from webapp.models.outbox.audience import audience_source, members_of, membership, not_excluded
from webapp.models.outbox.audience_outcomes import outcomes_of, unmailable_contacts
from webapp.models.outbox.wishes import paused_contacts, wants_run
from webapp.models.queries.contacts.suppressed import (
    count_at_domains,
    count_entries,
    is_suppressed,
    suppressed_contacts,
)
from webapp.models.queries.contacts.topic_state import find_default
from webapp.models.segment import IS_THERE
from webapp.models.topic import Subscription

LISTED = 4  # members that are read as soon as one contact of a list is looked up


class AudienceCounts(NamedTuple):
    """Each member counts once, as the first of the outcomes that applies; `reached` ones are also recipients."""

    recipients: int = 0
    not_new: int = 0  # for runs to new members only
    unmailable: int = 0  # unsubscribed or bounced
    paused: int = 0
    opted_out: int = 0  # of the run's topic
    suppressed: int = 0
    excluded: int = 0  # in an excluded segment
    reached: int = 0  # by an earlier run


async def count_audience(run: CampaignRun) -> int:
    return (await count_parts(run)).recipients


async def count_parts(run: CampaignRun) -> AudienceCounts:
    """Counts all but `not_new` and `reached`, from short lists if possible: a send must not read a million rows."""
    members = await _count_members(run)
    entries = None if members is None else await _count_entries(run, members)
    if members is None or entries is None:
        return await count_whole(run)
    unmailable, paused = await _count_unmailable(run, members), await _count_paused(run)
    opted_out = await _count_opted_out(run, members, members - unmailable - paused)
    suppressed = await _count_suppressed(run) if entries else 0
    excluded = await _count_excluded_members(run) if run.exclude_segment_ids else 0
    recipients = members - unmailable - paused - opted_out - suppressed - excluded
    return AudienceCounts(recipients, 0, unmailable, paused, opted_out, suppressed, excluded)


async def count_whole(run: CampaignRun, *, is_detailed: bool = False, are_unreached: bool = False) -> AudienceCounts:
    """Reads the whole audience; with `are_unreached`, those whom an earlier run reached are `not_new`."""
    values = Values()
    members = await outcomes_of(run, values, is_detailed=is_detailed, are_unreached=are_unreached)
    rows = await db.records(f"SELECT m.outcome, COUNT(*) FROM {members} m GROUP BY m.outcome", *values)
    counted = AudienceCounts(**{outcome: int(number) for outcome, number in rows})
    not_new = counted.not_new if is_detailed else 0
    return counted._replace(recipients=counted.recipients + counted.reached, not_new=not_new)


async def count_choices(run: CampaignRun) -> dict[UUID, dict[str, int]]:
    """The choices of the recipients of a run without a topic, by topic and subscription; reads the whole audience."""
    values = Values()
    members, org_id = await outcomes_of(run, values), values.name(run.org_id)
    query = f"""SELECT h.topic_id, h.subscription, COUNT(*) FROM {members} m JOIN topic_choices h ON h.contact_id = m.id
        WHERE m.outcome = 'recipients' AND h.org_id = {org_id} GROUP BY h.topic_id, h.subscription"""
    counts: dict[UUID, dict[str, int]] = {}
    for topic_id, subscription, number in await db.records(query, *values):
        counts.setdefault(as_uuid(topic_id), {})[subscription] = int(number)
    return counts


async def recipients_of(run: CampaignRun, values: Values, limit: int, *, are_unreached: bool) -> str:
    """A subquery of the ids of at most `limit` recipients."""
    members = await outcomes_of(run, values, are_unreached=are_unreached, are_few=True)
    return f"(SELECT m.id FROM {members} m WHERE m.outcome = 'recipients' LIMIT {values.name(limit)})"


async def first_unreached(run: CampaignRun) -> UUID | None:
    """A recipient whom no earlier run reached."""
    values = Values()
    query = f"SELECT r.id FROM {await recipients_of(run, values, 1, are_unreached=True)} r"
    return next(iter(await db.fetch_ids(query, *values)), None)


async def first_of_audience(run: CampaignRun) -> UUID | None:
    """The recipient with the lowest ID, or if nobody gets mail, the first member who is in no excluded segment."""
    first = await _first_member(run, is_recipient=True)
    return first or await _first_member(run, is_recipient=False)


async def _first_member(run: CampaignRun, *, is_recipient: bool) -> UUID | None:
    values = Values()
    if run.segment_filter is None:
        members = f"SELECT n.contact_id AS id FROM {audience_source(run, values)} n WHERE {membership(run, values)}"
    else:
        members = f"SELECT c.id {members_of(run, values, membership(run, values))}"
    org_id = values.name(run.org_id)
    gets_mail = f"{wants_run(run, values)} AND NOT {is_suppressed(org_id)}" if is_recipient else "true"
    contact = f"""SELECT c.id FROM contacts c WHERE c.id = m.id AND c.org_id = {org_id}
                  AND {gets_mail} AND {not_excluded(run, values)}"""
    query = f"""SELECT m.id FROM ({members} ORDER BY 1 {db.dialect().fence}) m WHERE ({contact}) IS NOT NULL LIMIT 1"""
    return next(iter(await db.fetch_ids(query, *values)), None)


async def count_retryable(retry: CampaignRun, limit: int) -> int | None:
    """The audience of a retry; None if more than `limit` rows failed, because counting would take too long."""
    query = """SELECT COUNT(*) FROM (SELECT 1 FROM mail_logs WHERE campaign_run_id = $1
        AND status = 'failed' LIMIT $2) AS few"""
    failed = await db.fetch_value(query, retry.retried_run_id, limit + 1)
    return await count_audience(retry) if failed <= limit else None


async def _count_members(run: CampaignRun) -> int | None:
    if run.retried_run_id is not None or run.joined_after is not None or run.segment_filter is not None:
        return None
    segments = await db.fetch(f"SELECT contact_count FROM segments WHERE id = $1 AND {IS_THERE}", run.segment_id)
    return int(segments[0]["contact_count"]) if segments else 0


async def _count_entries(run: CampaignRun, members: int) -> int | None:
    """The number of suppressed entries; None if reading all members is quicker, or finds whom a filter excludes."""
    entries, domains = await count_entries(run.org_id, members)
    if entries > members or run.exclude_filter is not None or not await _are_choices_few(run, members):
        return None
    if domains and await count_at_domains(run.org_id, members // LISTED) > members // LISTED:
        return None
    if run.exclude_segment_ids:
        ids = db.dialect().among("$1")
        query = f"SELECT contact_count FROM segments WHERE id {ids} AND org_id = $2 AND {IS_THERE}"
        sizes = await db.fetch(query, [UUID(segment_id) for segment_id in run.exclude_segment_ids], run.org_id)
        is_one_gone = len(sizes) < len(run.exclude_segment_ids)
        if is_one_gone or sum(row["contact_count"] for row in sizes) > members:
            return None
    return entries


async def _count_suppressed(run: CampaignRun) -> int:
    """Counts by scalar subqueries, which PostgreSQL looks up for each row whatever it estimates.

    WHERE names only the address, because PostgreSQL may otherwise read all subscribed contacts for each.
    """
    values = Values()
    wanting = f"CASE WHEN {wants_run(run, values)} THEN c.id END"
    return await _count_among(run, values, suppressed_contacts(values.name(run.org_id), wanting))


async def _count_excluded_members(run: CampaignRun) -> int:
    values = Values()
    ids = [values.name(UUID(segment_id)) for segment_id in run.exclude_segment_ids]
    excluded = " UNION ".join(f"SELECT contact_id FROM segment_contacts WHERE segment_id = {name}" for name in ids)
    org_id = values.name(run.org_id)
    wanting = f"""SELECT c.id FROM contacts c WHERE c.id = x.contact_id AND c.org_id = {org_id}
                  AND {wants_run(run, values)} AND NOT {is_suppressed(org_id)}"""
    return await _count_among(run, values, f"SELECT ({wanting}) AS id FROM ({excluded}) x")


async def _are_choices_few(run: CampaignRun, members: int) -> bool:
    """True if no more contacts are paused or chose against the topic's default than the segment has members."""
    values = Values()
    lists = [paused_contacts(run, values)]
    if run.topic_id is not None:
        default = await find_default(run.org_id, run.topic_id)
        lists.append(f"SELECT 1 {_choices_against(run, values, default)}")
    limit = values.name(members + 1)
    counts = [f"(SELECT COUNT(*) FROM ({contacts} LIMIT {limit}) k) <= {values.name(members)}" for contacts in lists]
    return bool(await db.fetch(f"SELECT 1 AS few WHERE {' AND '.join(counts)}", *values))


async def _count_paused(run: CampaignRun) -> int:
    values = Values()
    return await _count_among(run, values, paused_contacts(run, values))


async def _count_opted_out(run: CampaignRun, members: int, mailable: int) -> int:
    """Of the mailable members, by those who chose against the topic's default.

    Counts all members who did, less those who get nothing anyway: looking up each contact as well takes longer.
    """
    if run.topic_id is None:
        return 0
    default, values = await find_default(run.org_id, run.topic_id), Values()
    if default is None:  # the topic is gone
        return mailable
    unwilling = f"{unmailable_contacts(run, values)} UNION ALL {paused_contacts(run, values)}"
    choice = f"SELECT h.contact_id {_choices_against(run, values, default)} AND h.contact_id = k.id"
    listed = await _count_among(run, values, f"SELECT ({choice}) AS id FROM ({unwilling}) k")
    against = await _count_choosing(run, default, members) - listed
    return against if default == Subscription.OPT_IN else mailable - against


async def _count_choosing(run: CampaignRun, default: str, members: int) -> int:
    """The members who chose against the topic's default; PostgreSQL merges them with a long list of choices."""
    values = Values()
    choices, limit = _choices_against(run, values, default), values.name(members // LISTED + 1)
    listed = await db.fetch_value(f"SELECT COUNT(*) FROM (SELECT 1 {choices} LIMIT {limit}) k", *values)
    values = Values()
    choices = f"SELECT h.contact_id AS id {_choices_against(run, values, default)}"
    if listed <= members // LISTED or db.dialect().has_one_writer:
        return await _count_among(run, values, choices)
    own = f"SELECT n.contact_id AS id FROM segment_contacts n WHERE {membership(run, values)}"
    in_order = f"({own} ORDER BY n.contact_id {db.dialect().fence})"
    return int(await db.fetch_value(f"SELECT COUNT(*) FROM {in_order} m JOIN ({choices}) k ON k.id = m.id", *values))


def _choices_against(run: CampaignRun, values: Values, default: str | None) -> str:
    """FROM and WHERE of the choices against the topic's default, by an index."""
    other = Subscription.OPT_IN if default == Subscription.OPT_OUT else Subscription.OPT_OUT
    return f"FROM topic_choices h WHERE h.topic_id = {values.name(run.topic_id)} AND h.subscription = '{other}'"


async def _count_unmailable(run: CampaignRun, members: int) -> int:
    """Reads the shorter list: all contacts who want no mail, or the members."""
    if await _count_listed_unmailable(run, members) > members:
        return (await count_whole(run)).unmailable
    values = Values()
    return await _count_among(run, values, unmailable_contacts(run, values))


async def _count_listed_unmailable(run: CampaignRun, limit: int) -> int:
    values = Values()
    query = f"SELECT COUNT(*) FROM ({unmailable_contacts(run, values)} LIMIT {values.name(limit + 1)}) k"
    return int(await db.fetch_value(query, *values))


async def _count_among(run: CampaignRun, values: Values, contacts: str) -> int:
    member = f"SELECT n.contact_id FROM segment_contacts n WHERE {membership(run, values)} AND n.contact_id = k.id"
    return int(await db.fetch_value(f"SELECT COUNT(({member})) FROM ({contacts}) k", *values))
