"""SQL for the members of an audience, each with its outcome: the field of AudienceCounts that counts it.

PostgreSQL estimates almost no rows for several lookups in WHERE and then compares each contact with each member, so the
conditions are in a CASE.
"""

from webapp import db
from webapp.db.dialects import Values
from webapp.models.campaign_run import CampaignRun
from webapp.models.outbox.audience import is_new, members_of, membership
from webapp.models.outbox.wishes import EVER, WANTS_MAIL, has_left_topic, is_paused, paused_contacts
from webapp.models.queries.contacts.segment_filter import Filter, FilterQuery
from webapp.models.queries.contacts.suppressed import (
    are_few_suppressed,
    is_suppressed_now,
    of_contact,
    suppressed_contacts,
)
from webapp.models.queries.contacts.topic_state import default_subscription
from webapp.models.topic import Subscription


async def outcomes_of(
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
        reasons = ((f"NOT ({WANTS_MAIL})", "unmailable"), (is_paused(run, values), "paused"))
        # CASE, because PostgreSQL may read all paused contacts by their index for each member.
        contacts = "SELECT c.id, CASE WHEN {} THEN 1 END AS applies FROM contacts c WHERE " + own
        looked_up = "(SELECT k.id FROM ({}) k WHERE k.id = c.id AND k.applies = 1) IS NOT NULL"
        cases = [(looked_up.format(contacts.format(condition)), name) for condition, name in reasons]
        cases.append((has_left_topic(run, values), "opted_out"))
    else:
        joined = f"""LEFT JOIN ({unmailable_contacts(run, values)}) u ON u.id = c.id
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


def unmailable_contacts(run: CampaignRun, values: Values) -> str:
    """The contacts who want no mail, by two indexes; PostgreSQL would overestimate an open range of `bounced_at`."""
    org_id = values.name(run.org_id)
    return f"""SELECT c.id FROM contacts c WHERE c.org_id = {org_id} AND c.status = 'unsubscribed'
               UNION ALL SELECT c.id FROM contacts c WHERE c.org_id = {org_id} AND c.status = 'subscribed'
               AND c.bounced_at BETWEEN {values.name(EVER[0])} AND {values.name(EVER[1])}"""
