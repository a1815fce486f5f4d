"""Creates a locked run's rows, batch by batch in SQL alone; behind `materialise_cursor` are none but the batch's."""

from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.db import dialects
from webapp.db.dialects import Values
from webapp.models.campaign_run import RETRIES_ROW, CampaignRun
from webapp.models.contact import STANDARD_FIELDS
from webapp.models.queries.segment_filter import FilterQuery, from_json
from webapp.models.queries.suppressed import has_suppressions, is_suppressed
from webapp.models.suppression import EVERYONE

WANTS_MAIL = "c.status = 'subscribed' AND c.bounced_at IS NULL"
NOBODY, LAST = UUID(int=0), UUID(int=2**128 - 1)
EVER = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)


class BatchResult(NamedTuple):
    rows: int
    skipped: int  # members whose addresses are suppressed
    cursor: UUID
    is_over: bool


async def count_audience(run: CampaignRun) -> int:
    """The number of contacts, by a segment's stored count: a send must not read a million rows."""
    members = await _count_members(run)
    if members is not None:
        return members - await _count_unmailable(run, members) - await count_suppressed(run)
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
    few = "SELECT email_key FROM suppressions WHERE org_id = $1 LIMIT $2"
    is_domain = f"CASE WHEN email_key LIKE '{EVERYONE}@%' THEN 1 ELSE 0 END"
    query = f"SELECT COUNT(*) AS entries, COALESCE(SUM({is_domain}), 0) AS domains FROM ({few}) k"
    (found,) = await db.fetch(query, run.org_id, (members or 0) + 1)
    if not found["entries"] or members == 0:
        return 0
    values = Values()
    if members is None or found["domains"] or found["entries"] > members:
        count = f"SELECT COUNT(*) AS count {audience(run, values, _skipped(run, values))}"
    else:
        contact = f"""SELECT c.id FROM contacts c WHERE c.org_id = s.org_id AND c.email_key = s.email_key
                      AND {WANTS_MAIL}"""
        count = f"""SELECT COUNT((SELECT n.contact_id FROM segment_contacts n
                    WHERE {_audience_filter(run, values)} AND n.contact_id = k.id)) AS count
                    FROM (SELECT ({contact}) AS id FROM suppressions s WHERE s.org_id = {values.name(run.org_id)}) k"""
    (found,) = await db.fetch(count, *values)
    return int(found["count"])


def _skipped(run: CampaignRun, values: Values) -> str:
    """A condition on a contact `c`, who would get the run's mail if its address were not suppressed."""
    return f"{WANTS_MAIL} AND {is_suppressed(values.name(run.org_id))}"


async def first_of_audience(run: CampaignRun) -> UUID | None:
    """The first of the audience, who may want no mail."""
    values = Values()
    query = f"SELECT n.contact_id {audience(run, values, 'true')} ORDER BY n.contact_id LIMIT 1"
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
        condition = f"{WANTS_MAIL} AND NOT {is_suppressed(values.name(run.org_id))}"
    return f"""FROM {_source(run, values)} n JOIN contacts c ON c.id = n.contact_id AND c.org_id = n.org_id
               WHERE {_audience_filter(run, values)} AND {condition}"""


def _source(run: CampaignRun, values: Values) -> str:
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


async def incomplete_runs() -> list[UUID]:
    return await db.fetch_ids("SELECT id FROM campaign_runs WHERE NOT materialised ORDER BY id")


async def analyze_once() -> None:
    """Analyzes `mail_logs` at its first rows: until then PostgreSQL sorts all pending ones at each claim."""
    if not db.dialect().has_one_writer:
        found = await db.fetch(
            """SELECT 1 FROM pg_class WHERE oid = 'mail_logs'::regclass AND relpages = 0
               AND EXISTS (SELECT 1 FROM campaign_runs WHERE NOT materialised)"""
        )
        if found:
            await db.fetch("ANALYZE mail_logs")


async def is_starved(run_id: UUID, seconds: float) -> bool:
    """True when the run's oldest pending row has been due for under `seconds`."""
    oldest = """(SELECT m.next_attempt_at FROM mail_logs m WHERE m.campaign_run_id = r.id AND m.status = 'pending'
                AND m.account_id IS NULL ORDER BY m.next_attempt_at LIMIT 1)"""
    query = f"""SELECT id FROM campaign_runs r WHERE r.id = $1 AND r.status = 'sending'
        AND COALESCE({db.dialect().since(oldest)}, 0) < $2"""
    rows = await db.fetch(query, run_id, seconds)
    return bool(rows)


async def create_rows(run: CampaignRun, most: int) -> BatchResult:
    """Creates a locked run's next `most` rows, by indexes alone; the caller moves its cursor in the transaction."""
    await db.read_by_indexes()
    cursor = run.materialise_cursor or NOBODY
    end = None if run.expected <= most else await _end_of_batch(run, cursor, most)
    await _insert(run, cursor, end or LAST, most)
    batch = "FROM mail_logs WHERE campaign_run_id = $1 AND contact_id > $2 ORDER BY contact_id"
    rows = await db.fetch(f"SELECT contact_id, COUNT(*) OVER () AS made {batch} DESC LIMIT 1", run.id, cursor)
    made, last = (int(rows[0]["made"]), dialects.as_uuid(rows[0]["contact_id"])) if rows else (0, cursor)
    # The ledger, by the index of both columns: else PostgreSQL reads all rows of the run.
    insert = f"""INSERT INTO campaign_contacts (id, created_at, org_id, campaign_id, contact_id)
        SELECT id, {db.dialect().now}, org_id, campaign_id, contact_id {batch}
        ON CONFLICT (campaign_id, contact_id) DO NOTHING"""
    await db.fetch(insert, run.id, cursor)
    if made == most:
        return BatchResult(made, await _count_skipped(run, cursor, last), last, is_over=False)
    skipped = await _count_skipped(run, cursor, end or LAST)
    return BatchResult(made, skipped, end or last, is_over=end is None)


async def _count_skipped(run: CampaignRun, cursor: UUID, end: UUID) -> int:
    """The members behind the cursor, up to `end`, who have no row as their addresses are suppressed."""
    (org,) = await db.fetch(f"SELECT {has_suppressions('$1')} AS has_any", run.org_id)
    if not org["has_any"]:
        return 0
    values = Values()
    count = f"""SELECT COUNT(*) AS count {audience(run, values, _skipped(run, values))}
        AND n.contact_id > {values.name(cursor)} AND n.contact_id <= {values.name(end)}"""
    (found,) = await db.fetch(count, *values)
    return int(found["count"])


async def _end_of_batch(run: CampaignRun, cursor: UUID, most: int) -> UUID | None:
    """The contact at which the batch ends, which bounds what it reads; None when there are fewer."""
    values = Values()
    source, own = _source(run, values), ""
    if run.retried_run_id is not None:
        own = f"campaign_run_id = {values.name(run.retried_run_id)} AND"
    elif run.segment_filter is None:
        own = f"segment_id = {values.name(run.segment_id)} AND"
    query = f"""SELECT contact_id FROM {source} n WHERE {own} contact_id > {values.name(cursor)}
        ORDER BY contact_id LIMIT 1 OFFSET {values.name(most - 1)}"""
    found = await db.fetch_ids(query, *values)
    return found[0] if found else None


async def _insert(run: CampaignRun, cursor: UUID, end: UUID, most: int) -> None:
    sql, values = db.dialect(), Values()
    row_ids = values.name(sql.listed(uuid7() for _ in range(most)))
    domain = values.name((run.from_email or "").rpartition("@")[2])
    variables = sql.json_with("c.custom_fields", {name: f"c.{name}" for name in STANDARD_FIELDS})
    contacts = f"""SELECT c.id, c.email, {variables} AS variables, ROW_NUMBER() OVER (ORDER BY n.contact_id) AS number
                   {audience(run, values)}
                   AND n.contact_id > {values.name(cursor)} AND n.contact_id <= {values.name(end)}
                   ORDER BY n.contact_id LIMIT {values.name(most)}"""
    insert = f"""INSERT INTO mail_logs (id, created_at, next_attempt_at, org_id, kind, campaign_id, campaign_run_id,
          contact_id, content_id, variables, to_email, recipient_type, message_id, status, attempts, crashes,
          unknowns)
        SELECT k.id, {sql.now}, {sql.now}, r.org_id, 'campaign', r.campaign_id, r.id, k.contact_id,
          r.content_id, k.variables, k.email, 'to',
          '<' || REPLACE(CAST(k.id AS TEXT), '-', '') || '@' || CAST({domain} AS TEXT) || '>',
          CASE r.status WHEN 'sending' THEN 'pending' ELSE 'halted' END, 0, 0, 0
        FROM (SELECT {sql.nth_id(row_ids, "a.number")} AS id, a.id AS contact_id, a.email, a.variables
              FROM ({contacts}) a) k JOIN campaign_runs r ON r.id = {values.name(run.id)}
        WHERE true ON CONFLICT (campaign_run_id, contact_id) DO NOTHING"""
    await db.fetch(insert, *values)
