"""Creates a locked run's rows in batches, in SQL only; contacts after `materialise_cursor` have none yet."""

from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.db import dialects
from webapp.db.dialects import Values
from webapp.models.base.row import FIRST_ID, LAST_ID
from webapp.models.campaign_run import CampaignRun
from webapp.models.contact import STANDARD_FIELDS
from webapp.models.outbox.audience import audience, audience_source
from webapp.models.outbox.wishes import WANTS_MAIL, has_left_topic, is_any_paused, is_paused
from webapp.models.queries.contacts.suppressed import has_suppressions, is_suppressed


class Skipped(NamedTuple):
    """Subscribed members who get no row; each counts once."""

    paused: int = 0
    opted_out: int = 0  # of the run's topic
    suppressed: int = 0

    @property
    def total(self) -> int:
        return sum(self)


class BatchResult(NamedTuple):
    rows: int
    skipped: Skipped
    cursor: UUID
    is_over: bool


async def incomplete_runs() -> list[UUID]:
    return await db.fetch_ids("SELECT id FROM campaign_runs WHERE NOT materialised ORDER BY id")


async def analyze_once() -> None:
    """Analyzes `mail_logs` when it gets its first rows, because PostgreSQL would otherwise sort all pending ones."""
    if not db.dialect().has_one_writer:
        rows = await db.fetch(
            """SELECT 1 FROM pg_class WHERE oid = 'mail_logs'::regclass AND relpages = 0
               AND EXISTS (SELECT 1 FROM campaign_runs WHERE NOT materialised)"""
        )
        if rows:
            await db.fetch("ANALYZE mail_logs")


async def is_starved(run_id: UUID, seconds: float) -> bool:
    """True if the run's oldest pending row has been due for less than `seconds`."""
    oldest = """(SELECT m.next_attempt_at FROM mail_logs m WHERE m.campaign_run_id = r.id AND m.status = 'pending'
                AND m.account_id IS NULL ORDER BY m.next_attempt_at LIMIT 1)"""
    query = f"""SELECT id FROM campaign_runs r WHERE r.id = $1 AND r.status = 'sending'
        AND COALESCE({db.dialect().since(oldest)}, 0) < $2"""
    return await db.fetch_value(query, run_id, seconds) is not None


async def create_rows(run: CampaignRun, limit: int) -> BatchResult:
    """Creates a locked run's next `limit` rows; the caller moves its cursor in the same transaction."""
    await db.read_by_indexes()
    cursor = run.materialise_cursor or FIRST_ID
    # Even if few rows are expected: searching a large segment for them would hold the lock for seconds.
    is_one = run.retried_run_id is not None and run.retried_row_id is not None
    end = None if is_one else await _end_of_batch(run, cursor, limit)
    await _insert(run, cursor, end or LAST_ID, limit)
    batch = "FROM mail_logs WHERE campaign_run_id = $1 AND contact_id > $2 ORDER BY contact_id"
    rows = await db.fetch(f"SELECT contact_id, COUNT(*) OVER () AS made {batch} DESC LIMIT 1", run.id, cursor)
    made, last = (int(rows[0]["made"]), dialects.as_uuid(rows[0]["contact_id"])) if rows else (0, cursor)
    # By the ledger's index on both columns, because PostgreSQL otherwise reads all rows of the run.
    insert = f"""INSERT INTO campaign_contacts (id, created_at, org_id, campaign_id, contact_id)
        SELECT id, {db.dialect().now}, org_id, campaign_id, contact_id {batch}
        ON CONFLICT (campaign_id, contact_id) DO NOTHING"""
    await db.fetch(insert, run.id, cursor)
    if made == limit:
        return BatchResult(made, await _count_skipped(run, cursor, last), last, is_over=False)
    skipped = await _count_skipped(run, cursor, end or LAST_ID)
    return BatchResult(made, skipped, end or last, is_over=end is None)


async def _count_skipped(run: CampaignRun, cursor: UUID, end: UUID) -> Skipped:
    values = Values()
    is_any = f"{has_suppressions(values.name(run.org_id))} OR {is_any_paused(run, values)}"
    if run.topic_id is None and not await db.fetch(f"SELECT 1 AS some WHERE {is_any}", *values):
        return Skipped()
    values = Values()
    reasons = {
        "paused": is_paused(run, values),
        "opted_out": has_left_topic(run, values),
        "suppressed": is_suppressed(values.name(run.org_id)),
    }
    whens = " ".join(f"WHEN {condition} THEN '{reason}'" for reason, condition in reasons.items())
    members = f"""SELECT CASE {whens} END AS reason {audience(run, values, WANTS_MAIL)}
        AND n.contact_id > {values.name(cursor)} AND n.contact_id <= {values.name(end)}"""
    query = f"SELECT k.reason, COUNT(*) FROM ({members}) k WHERE k.reason IS NOT NULL GROUP BY k.reason"
    return Skipped(**{reason: int(count) for reason, count in await db.records(query, *values)})


async def _end_of_batch(run: CampaignRun, cursor: UUID, limit: int) -> UUID | None:
    """The contact at which the batch ends, which bounds what it reads; None if fewer are left."""
    values = Values()
    source, own = audience_source(run, values), ""
    if run.retried_run_id is not None:
        own = f"campaign_run_id = {values.name(run.retried_run_id)} AND"
    elif run.segment_filter is None:
        own = f"segment_id = {values.name(run.segment_id)} AND"
    query = f"""SELECT contact_id FROM {source} n WHERE {own} contact_id > {values.name(cursor)}
        ORDER BY contact_id LIMIT 1 OFFSET {values.name(limit - 1)}"""
    return next(iter(await db.fetch_ids(query, *values)), None)


async def _insert(run: CampaignRun, cursor: UUID, end: UUID, limit: int) -> None:
    sql, values = db.dialect(), Values()
    row_ids = values.name(sql.listed(uuid7() for _ in range(limit)))
    domain = values.name((run.from_email or "").rpartition("@")[2])
    variables = sql.json_with("c.custom_fields", {name: f"c.{name}" for name in STANDARD_FIELDS})
    contacts = f"""SELECT c.id, c.email, {variables} AS variables, ROW_NUMBER() OVER (ORDER BY n.contact_id) AS number
                   {audience(run, values)}
                   AND n.contact_id > {values.name(cursor)} AND n.contact_id <= {values.name(end)}
                   ORDER BY n.contact_id LIMIT {values.name(limit)}"""
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
