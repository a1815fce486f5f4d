"""Counts the recipients of a run, and the members of its audience who get nothing, by reason.

PostgreSQL estimates almost no rows for several lookups in WHERE and then compares each contact with each member, so the
conditions are in a CASE. Segment members are compared by ID only with the contacts who get nothing.
"""

from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db.dialects import Values
from webapp.models.campaign_run import CampaignRun
from webapp.models.outbox.audience import audience_source, is_new, members_of, membership, not_excluded
from webapp.models.outbox.wishes import (
    EVER,
    WANTS_MAIL,
    has_left_topic,
    is_paused,
    paused_contacts,
    wants_run,
)
from webapp.models.queries.segment_filter import Filter, FilterQuery
from webapp.models.queries.suppressed import (
    are_few_suppressed,
    count_at_domains,
    count_entries,
    is_suppressed,
    is_suppressed_now,
    of_contact,
    suppressed_contacts,
)
from webapp.models.queries.topic_state import default_subscription, find_default
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
    opted_out = await _count_opted_out(run, members - unmailable - paused)
    suppressed = await _count_suppressed(run) if entries else 0
    excluded = await _count_excluded_members(run) if run.exclude_segment_ids else 0
    recipients = members - unmailable - paused - opted_out - suppressed - excluded
    return AudienceCounts(recipients, 0, unmailable, paused, opted_out, suppressed, excluded)


async def count_whole(run: CampaignRun, *, is_detailed: bool = False, are_unreached: bool = False) -> AudienceCounts:
    """Reads the whole audience; with `are_unreached`, those whom an earlier run reached are `not_new`."""
    values = Values()
    members = await _outcomes(run, values, is_detailed=is_detailed, are_unreached=are_unreached)
    rows = await db.records(f"SELECT m.outcome, COUNT(*) FROM {members} m GROUP BY m.outcome", *values)
    counted = AudienceCounts(**{outcome: int(number) for outcome, number in rows})
    not_new = counted.not_new if is_detailed else 0
    return counted._replace(recipients=counted.recipients + counted.reached, not_new=not_new)


async def recipients_of(run: CampaignRun, values: Values, limit: int, *, are_unreached: bool) -> str:
    """A subquery of the ids of at most `limit` recipients."""
    members = await _outcomes(run, values, are_unreached=are_unreached, are_few=True)
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


async def _outcomes(
    run: CampaignRun,
    values: Values,
    *,
    is_detailed: bool = False,
    are_unreached: bool = False,
    are_few: bool = False,
) -> str:
    """A subquery of member ids and outcomes; nothing is looked up after the first reason that applies.

    PostgreSQL merges lists with the members, which are in the order of an index; for `are_few`, it looks each up.
    """
    are_ids = run.segment_filter is None and run.retried_run_id is None
    contacts = FilterQuery(run.org_id, values)
    cases, joined = [], ""
    if run.joined_after is None and (is_detailed or are_unreached):  # joined, because a look-up for each takes seconds
        reached = f"{contacts.recipients(run.campaign_id)} ORDER BY k.contact_id {db.dialect().fence}"
        joined = f"LEFT JOIN ({reached}) r ON r.contact_id = c.id"
    if run.joined_after is not None:
        cases.append((f"NOT ({is_new(run, values, 'c.joined_at')})", "not_new"))
    elif are_unreached:
        cases.append(("r.contact_id IS NOT NULL", "not_new"))
    lists, reasons = await _unwilling(run, values, are_ids=are_ids, are_few=are_few)
    cases += reasons
    cases += _excluded_cases(run, values, are_ids=are_ids)
    if is_detailed and not are_unreached and run.joined_after is None:
        cases.append(("r.contact_id IS NOT NULL", "reached"))
    whens = " ".join(f"WHEN {condition} THEN '{outcome}'" for condition, outcome in cases)
    condition = membership(run, values)
    in_order = "" if are_few and not are_unreached else f"ORDER BY n.contact_id {db.dialect().fence}"
    own = (
        f"(SELECT n.contact_id AS id, n.created_at AS joined_at FROM segment_contacts n WHERE {condition} {in_order}) c"
    )
    members = f"FROM {own} {joined} {lists}" if are_ids else members_of(run, values, condition, joined)
    return f"(SELECT c.id, CASE {whens} ELSE 'recipients' END AS outcome {members} {db.dialect().fence})"


async def _unwilling(
    run: CampaignRun, values: Values, *, are_ids: bool, are_few: bool
) -> tuple[str, list[tuple[str, str]]]:
    """Joins of lists of ids, and the conditions of those who want no mail, are paused, opted out or suppressed."""
    if not are_ids:
        cases = [(f"NOT ({WANTS_MAIL})", "unmailable"), (is_paused(run, values), "paused")]
        cases.append((has_left_topic(run, values), "opted_out"))
        return "", [*cases, (await is_suppressed_now(run.org_id, values, are_ids=False), "suppressed")]
    if are_few:
        joined, own = "", f"c.org_id = {values.name(run.org_id)}"
        unmailable = f"SELECT c.id FROM contacts c WHERE {own} AND NOT ({WANTS_MAIL})"
        paused = f"SELECT c.id FROM contacts c WHERE {own} AND {is_paused(run, values)}"
        lists = ((unmailable, "unmailable"), (paused, "paused"))
        cases = [(f"(SELECT k.id FROM ({contacts}) k WHERE k.id = c.id) IS NOT NULL", name) for contacts, name in lists]
        cases.append((has_left_topic(run, values), "opted_out"))
    else:
        joined = f"""LEFT JOIN ({_unmailable(run, values)}) u ON u.id = c.id
                     LEFT JOIN ({paused_contacts(run, values)}) p ON p.id = c.id"""
        cases = [("u.id IS NOT NULL", "unmailable"), ("p.id IS NOT NULL", "paused")]
        if run.topic_id is not None:
            topic_id, org_id = values.name(run.topic_id), values.name(run.org_id)
            chosen = f"SELECT h.contact_id, h.subscription FROM topic_choices h WHERE h.topic_id = {topic_id}"
            joined += f" LEFT JOIN ({chosen}) t ON t.contact_id = c.id"
            default = default_subscription(topic_id, org_id)
            has_left = f"COALESCE(t.subscription, {default}) = '{Subscription.OPT_OUT}'"
            cases.append((f"({default} IS NULL OR {has_left})", "opted_out"))
    if await are_few_suppressed(run.org_id):
        joined += f" LEFT JOIN ({suppressed_contacts(values.name(run.org_id))}) s ON s.id = c.id"
        return joined, [*cases, ("s.id IS NOT NULL", "suppressed")]
    return joined, [*cases, (await is_suppressed_now(run.org_id, values, are_ids=True), "suppressed")]


def _excluded_cases(run: CampaignRun, values: Values, *, are_ids: bool) -> list[tuple[str, str]]:
    contacts, cases = FilterQuery(run.org_id, values), []
    if run.exclude_segment_ids:
        segments = [{"field": "segment", "op": "in", "value": segment_id} for segment_id in run.exclude_segment_ids]
        cases.append(_is_excluded(contacts, {"or": segments}))
    if run.exclude_filter is not None:
        matches = _is_excluded(contacts, run.exclude_filter)
        cases.append(of_contact(values.name(run.org_id), matches) if are_ids else matches)
    return [(case, "excluded") for case in cases]


def _is_excluded(contacts: FilterQuery, excluded: Filter) -> str:
    """A condition: the filter matches the contact `c`, or a segment that it names is deleted."""
    return f"NOT ({contacts.matching({'not': excluded})})"


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


async def _count_opted_out(run: CampaignRun, mailable: int) -> int:
    """Of the mailable members, by those who chose against the topic's default."""
    if run.topic_id is None:
        return 0
    default, values = await find_default(run.org_id, run.topic_id), Values()
    if default is None:  # the topic is gone
        return mailable
    is_wanting = f"c.org_id = {values.name(run.org_id)} AND {WANTS_MAIL} AND NOT {is_paused(run, values)}"
    wanting = f"SELECT c.id FROM contacts c WHERE c.id = h.contact_id AND {is_wanting}"
    query = f"SELECT ({wanting}) AS id {_choices_against(run, values, default)}"
    against = await _count_among(run, values, query)
    return against if default == Subscription.OPT_IN else mailable - against


def _choices_against(run: CampaignRun, values: Values, default: str | None) -> str:
    """FROM and WHERE of the choices against the topic's default, by an index."""
    other = Subscription.OPT_IN if default == Subscription.OPT_OUT else Subscription.OPT_OUT
    return f"FROM topic_choices h WHERE h.topic_id = {values.name(run.topic_id)} AND h.subscription = '{other}'"


async def _count_unmailable(run: CampaignRun, members: int) -> int:
    """Reads the shorter list: all contacts who want no mail, or the members."""
    if await _count_listed_unmailable(run, members) > members:
        return (await count_whole(run)).unmailable
    values = Values()
    return await _count_among(run, values, _unmailable(run, values))


async def _count_listed_unmailable(run: CampaignRun, limit: int) -> int:
    values = Values()
    query = f"SELECT COUNT(*) FROM ({_unmailable(run, values)} LIMIT {values.name(limit + 1)}) k"
    return int(await db.fetch_value(query, *values))


async def _count_among(run: CampaignRun, values: Values, contacts: str) -> int:
    member = f"SELECT n.contact_id FROM segment_contacts n WHERE {membership(run, values)} AND n.contact_id = k.id"
    return int(await db.fetch_value(f"SELECT COUNT(({member})) FROM ({contacts}) k", *values))


def _unmailable(run: CampaignRun, values: Values) -> str:
    """The contacts who want no mail, by two indexes; PostgreSQL would overestimate an open range of `bounced_at`."""
    org_id = values.name(run.org_id)
    return f"""SELECT c.id FROM contacts c WHERE c.org_id = {org_id} AND c.status = 'unsubscribed'
               UNION ALL SELECT c.id FROM contacts c WHERE c.org_id = {org_id} AND c.status = 'subscribed'
               AND c.bounced_at BETWEEN {values.name(EVER[0])} AND {values.name(EVER[1])}"""
