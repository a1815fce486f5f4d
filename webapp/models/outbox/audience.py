"""The audience of a run, of a segment or the failed rows of another run: counted, in SQL, or who is not of it."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.db.dialects import Values
from webapp.models.campaign_run import RETRIES_ROW, CampaignRun
from webapp.models.queries.segment_filter import FilterQuery, Group, from_json
from webapp.models.queries.suppressed import is_suppressed
from webapp.models.suppression import EVERYONE

WANTS_MAIL = "c.status = 'subscribed' AND c.bounced_at IS NULL"
EVER = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)


class AudienceCounts(NamedTuple):
    """The recipients, and those who would be some if they were not suppressed, or not in an excluded segment."""

    recipients: int = 0
    suppressed: int = 0
    excluded: int = 0


async def count_parts(run: CampaignRun) -> AudienceCounts:
    return AudienceCounts(await count_audience(run), await count_suppressed(run), await count_excluded(run))


async def count_audience(run: CampaignRun) -> int:
    """The number of contacts, by a segment's stored count: a send must not read a million rows."""
    members = await _count_members(run)
    if members is not None:
        others = await _count_unmailable(run, members) + await count_suppressed(run) + await count_excluded(run)
        return members - others
    values = Values()
    (found,) = await db.fetch(f"SELECT COUNT(*) AS count {audience(run, values)}", *values)
    return int(found["count"])


async def _count_members(run: CampaignRun) -> int | None:
    """The members of the segment, None where the audience is another."""
    if run.retried_run_id is not None or run.joined_after is not None or run.segment_filter is not None:
        return None
    segments = await db.fetch("SELECT contact_count FROM segments WHERE id = $1", run.segment_id)
    return int(segments[0]["contact_count"]) if segments else 0


async def count_suppressed(run: CampaignRun) -> int:
    """Those of the audience who want mail and get none, by the shorter list: the entries, or all of the audience.

    A domain's contacts are found among all of the audience alone.
    """
    members = await _count_members(run)
    few = "SELECT email_key FROM suppressions WHERE org_id = $1 ORDER BY email_key LIMIT $2"
    is_domain = f"CASE WHEN email_key LIKE '{EVERYONE}@%' THEN 1 ELSE 0 END"
    query = f"SELECT COUNT(*) AS entries, COALESCE(SUM({is_domain}), 0) AS domains FROM ({few}) k"
    (found,) = await db.fetch(query, run.org_id, (members or 0) + 1)
    if not found["entries"] or members == 0:
        return 0
    values = Values()
    if members is None or found["domains"] or found["entries"] > members:
        count = f"SELECT COUNT(*) AS count {audience(run, values, is_skipped(run, values))}"
    else:
        contact = f"""SELECT c.id FROM contacts c WHERE c.org_id = s.org_id AND c.email_key = s.email_key
                      AND {WANTS_MAIL}"""
        count = f"""SELECT COUNT((SELECT n.contact_id FROM segment_contacts n
                    WHERE {_audience_filter(run, values)} AND n.contact_id = k.id)) AS count
                    FROM (SELECT ({contact}) AS id FROM suppressions s WHERE s.org_id = {values.name(run.org_id)}) k"""
    (found,) = await db.fetch(count, *values)
    return int(found["count"])


async def count_excluded(run: CampaignRun) -> int:
    """Those who would get the run's mail if they were not in an excluded segment, by the shorter list.

    Members of static segments alone are looked up one by one; else the audience is read.
    """
    if not _excludes(run):
        return 0
    members = await _count_members(run)
    if members is not None and run.exclude_filter is None:
        sizes = await db.fetch(
            f"SELECT contact_count FROM segments WHERE id {db.dialect().among('$1')} AND org_id = $2",
            [UUID(one) for one in run.exclude_segment_ids],
            run.org_id,
        )
        if len(sizes) == len(run.exclude_segment_ids) and sum(one["contact_count"] for one in sizes) < members:
            return await _count_excluded_members(run)
    values = Values()
    condition = f"{_wanted(run, values)} AND NOT ({_not_excluded(run, values)})"
    (found,) = await db.fetch(f"SELECT COUNT(*) AS count {audience(run, values, condition)}", *values)
    return int(found["count"])


async def _count_excluded_members(run: CampaignRun) -> int:
    """As `count_excluded`: scalar subqueries are looked up for each excluded member, whatever the planner expects."""
    values = Values()
    ids = [values.name(UUID(one)) for one in run.exclude_segment_ids]
    excluded = " UNION ".join(f"SELECT contact_id FROM segment_contacts WHERE segment_id = {one}" for one in ids)
    wanting = f"""SELECT c.id FROM contacts c WHERE c.id = k.contact_id AND c.org_id = {values.name(run.org_id)}
                  AND {_wanted(run, values)}"""
    member = f"""SELECT n.contact_id FROM segment_contacts n WHERE {_audience_filter(run, values)}
                 AND n.contact_id = k.contact_id"""
    query = f"""SELECT COUNT(*) AS count FROM ({excluded}) k
                WHERE ({member}) IS NOT NULL AND ({wanting}) IS NOT NULL"""
    (found,) = await db.fetch(query, *values)
    return int(found["count"])


def _wanted(run: CampaignRun, values: Values) -> str:
    """A condition on a contact `c`, who wants mail and whose address gets some."""
    return f"{WANTS_MAIL} AND NOT {is_suppressed(values.name(run.org_id))}"


def _excludes(run: CampaignRun) -> bool:
    return bool(run.exclude_segment_ids) or run.exclude_filter is not None


def _not_excluded(run: CampaignRun, values: Values) -> str:
    """A condition on a contact `c`, who is in no excluded segment; nobody once one of them is gone.

    The memberships are scalar subqueries, looked up for each contact: else PostgreSQL may read a whole segment.
    """
    if not _excludes(run):
        return "true"
    named = [(values.name(UUID(one)), values.name(run.org_id)) for one in run.exclude_segment_ids]
    conditions = [
        f"""(SELECT x.contact_id FROM segment_contacts x WHERE x.segment_id = {segment} AND x.contact_id = c.id) IS NULL
            AND (SELECT s.id FROM segments s WHERE s.id = {segment} AND s.org_id = {org}) IS NOT NULL"""
        for segment, org in named
    ]
    if run.exclude_filter is not None:
        filter_ = Group("not", (from_json(run.exclude_filter),))
        conditions.append(FilterQuery(run.org_id, values).matching(filter_))
    return " AND ".join(conditions)


def is_skipped(run: CampaignRun, values: Values) -> str:
    """A condition on a contact `c`, who would get the run's mail if its address were not suppressed."""
    return f"{WANTS_MAIL} AND {is_suppressed(values.name(run.org_id))}"


async def first_of_audience(run: CampaignRun) -> UUID | None:
    """The first of the audience, who may want no mail."""
    values = Values()
    everybody = audience(run, values, _not_excluded(run, values))
    query = f"SELECT n.contact_id {everybody} ORDER BY n.contact_id LIMIT 1"
    return next(iter(await db.fetch_ids(query, *values)), None)


async def count_retryable(retry: CampaignRun, most: int) -> int | None:
    """The audience of a retry; None when more than `most` rows failed, which takes too long to count."""
    query = """SELECT COUNT(*) AS count FROM (SELECT 1 FROM mail_logs WHERE campaign_run_id = $1
        AND status = 'failed' LIMIT $2) AS few"""
    (found,) = await db.fetch(query, retry.retried_run_id, most + 1)
    return await count_audience(retry) if found["count"] <= most else None


async def _count_unmailable(run: CampaignRun, members: int) -> int:
    """The members of a segment who want no mail, by the shorter list: all such contacts, or the members."""
    values = Values()
    query = f"SELECT COUNT(*) AS count FROM ({_unmailable(run, values)} LIMIT {values.name(members + 1)}) k"
    (found,) = await db.fetch(query, *values)
    values = Values()
    if found["count"] > members:
        count = f"SELECT COUNT(*) AS count {audience(run, values, f'NOT ({WANTS_MAIL})')}"
    else:  # a scalar subquery is looked up for each, whatever the planner expects
        count = f"""SELECT COUNT((SELECT n.contact_id FROM segment_contacts n
                    WHERE {_audience_filter(run, values)} AND n.contact_id = k.id)) AS count
                    FROM ({_unmailable(run, values)}) k"""
    (found,) = await db.fetch(count, *values)
    return int(found["count"])


def _unmailable(run: CampaignRun, values: Values) -> str:
    """The contacts who want no mail; each half has an index of its own.

    An open range of `bounced_at` PostgreSQL would take for a third of an unknown table.
    """
    org_id = values.name(run.org_id)
    return f"""SELECT c.id FROM contacts c WHERE c.org_id = {org_id} AND c.status = 'unsubscribed'
               UNION ALL SELECT c.id FROM contacts c WHERE c.org_id = {org_id} AND c.status = 'subscribed'
               AND c.bounced_at BETWEEN {values.name(EVER[0])} AND {values.name(EVER[1])}"""


def audience(run: CampaignRun, values: Values, condition: str | None = None) -> str:
    """FROM and WHERE of contacts `c` and their rows `n`; by organization PostgreSQL would scan all its contacts."""
    if condition is None:
        condition = f"{_wanted(run, values)} AND {_not_excluded(run, values)}"
    return f"""FROM {audience_source(run, values)} n JOIN contacts c ON c.id = n.contact_id AND c.org_id = n.org_id
               WHERE {_audience_filter(run, values)} AND {condition}"""


def audience_source(run: CampaignRun, values: Values) -> str:
    if run.retried_run_id is not None:
        return "mail_logs"
    if run.segment_filter is None:
        return "segment_contacts"
    return f"(SELECT id AS contact_id, org_id FROM contacts WHERE org_id = {values.name(run.org_id)})"


def _audience_filter(run: CampaignRun, values: Values) -> str:
    """A condition on `n`: a failed row that may be retried, who matches, or a member since before the run."""
    if run.retried_run_id is not None:
        return _retried_filter(run, values)
    if run.segment_filter is not None:
        members = FilterQuery(run.org_id, values).matching(from_json(run.segment_filter))
    else:
        members = f"n.segment_id = {values.name(run.segment_id)} AND n.created_at <= {values.name(run.started_at)}"
    if run.joined_after is None:
        return members
    has_joined = "" if run.segment_filter else f"AND n.created_at > {values.name(run.joined_after)}"
    return f"""{members} {has_joined} AND NOT EXISTS (
               SELECT 1 FROM campaign_contacts k
               WHERE k.campaign_id = {values.name(run.campaign_id)} AND k.contact_id = n.contact_id)"""


def _retried_filter(run: CampaignRun, values: Values) -> str:
    """Failed rows that were not retried alone, of contacts whom no newer run of the campaign reached.

    Each run of a recurring campaign is another issue to the same people, so there a newer one is no reason. Scheduled
    runs to new members mail nobody who had a row before. The scalar subqueries are looked up for each row and run,
    whatever the planner expects: else PostgreSQL may read all rows of the campaign. `IS TRUE` keeps it from a walk over
    the newer runs of everybody.
    """
    failed = f"n.campaign_run_id = {values.name(run.retried_run_id)} AND n.status = 'failed'"
    if run.retried_row_id is not None:
        failed = f"{failed} AND n.id = {values.name(run.retried_row_id)}"
    else:
        failed = f"""{failed} AND NOT EXISTS (SELECT 1 FROM campaign_runs k WHERE k.campaign_id = n.campaign_id
                     AND k.trigger_key = '{RETRIES_ROW}' || CAST(n.id AS TEXT))"""
    return f"""{failed} AND (SELECT r.id FROM campaign_runs r WHERE r.campaign_id = (
                 SELECT g.id FROM campaigns g WHERE g.id = n.campaign_id AND g.schedule_type <> 'recurring')
               AND (r.id > n.campaign_run_id) IS TRUE AND r.joined_after IS NULL AND (SELECT k.status FROM mail_logs k
                 WHERE k.campaign_run_id = r.id AND k.contact_id = n.contact_id) <> 'failed' LIMIT 1) IS NULL"""


class ContactState(NamedTuple):
    status: str
    bounced_at: datetime | None


class Wishes(NamedTuple):
    """The states of those (organization, contact) pairs that get no campaigns, None for a deleted contact.

    `not_tracked` has the ids of contacts whose opens and clicks are not counted.
    """

    unmailable: dict[tuple[UUID, UUID], ContactState | None]
    not_tracked: set[UUID]


async def read_wishes(contacts: Iterable[tuple[UUID, UUID]]) -> Wishes:
    """Reads which of these (organization, contact) pairs get no campaigns, and which are not tracked; locks nothing."""
    asked = list(contacts)
    if not asked:
        return Wishes({}, set())
    sql = db.dialect()
    # Looked up one by one: in a join all contacts might be read.
    wants = f"SELECT c.do_not_track FROM contacts c WHERE c.id = k.contact_id AND c.org_id = k.org_id AND {WANTS_MAIL}"
    pairs = sql.table({"org_id": "uuid", "contact_id": "uuid"})
    rows = await db.records(
        f"""SELECT w.org_id, w.contact_id, w.not_tracked FROM (
            SELECT k.org_id, k.contact_id, ({wants}) AS not_tracked FROM {pairs}) w WHERE w.not_tracked IS NOT FALSE""",
        *sql.table_values(asked),
    )
    not_tracked = {dialects.as_uuid(contact_id) for _, contact_id, is_one in rows if is_one is not None}
    unwilling = [(dialects.as_uuid(org_id), dialects.as_uuid(one)) for org_id, one, wanted in rows if wanted is None]
    if not unwilling:
        return Wishes({}, not_tracked)
    query = f"SELECT id, org_id, status, bounced_at FROM contacts WHERE id {sql.among('$1')}"
    found = await db.fetch(query, [contact_id for _, contact_id in unwilling])
    states = {
        (dialects.as_uuid(row["org_id"]), dialects.as_uuid(row["id"])): ContactState(row["status"], row["bounced_at"])
        for row in found
    }
    return Wishes({contact: states.get(contact) for contact in unwilling}, not_tracked)
