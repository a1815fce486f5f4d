"""Retention: deletes final rows beyond the plan's bounds, and what only they needed.

Final are `sent`, `failed` unless being retried, and `halted` if nobody can resume it; unfinished rows stay however
old. Emails are deleted whole. Final rows stay final, so they are searched outside the deleting transaction; only an
email may get a new row by a retry, so its rows are checked again behind its lock.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from webapp import clock, db
from webapp.db import dialects
from webapp.models import usage
from webapp.models.base.row import FIRST_ID, LAST_ID, id_lower_bound, time_of_id
from webapp.models.mail_log import IN_ANY_STATE
from webapp.models.outbox import day_statistics, outcome_days
from webapp.models.queries.keyset_search import KeysetSearch
from webapp.models.queries.mail_log_search import OF_EACH_STATE
from webapp.models.queries.refusals import was_refused

ROWS_AT_ONCE = 1_000
BYTES_AT_ONCE = 32 * 1024 * 1024  # of emails and sandbox mail, because files are deleted page by page
LOCK = 0x70656E6E79  # an arbitrary number
SPREAD = timedelta(minutes=1)  # the IDs of one compose are far closer together

# The row `m` is resumable while its campaign exists; a retry reads failed rows while it creates its own.
FINAL = (
    "m.status = 'sent'",
    """m.status = 'failed' AND NOT EXISTS (
       SELECT 1 FROM campaign_runs x WHERE x.retried_run_id = m.campaign_run_id AND NOT x.materialised)""",
    """m.status = 'halted' AND NOT EXISTS (
       SELECT 1 FROM campaign_runs r WHERE r.id = m.campaign_run_id AND (r.status = 'sending'
         OR r.status = 'halted' AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = r.campaign_id)))""",
)
IS_FINAL = f"({' OR '.join(FINAL)})"
# The final row `m` is beyond the rows ($2) or the days ($3) since its end: for unsent rows when they were last claimed
# or due, for a compose when it was created.
IS_OVER = """(m.id < $2 OR m.id < $3 AND (m.kind = 'compose' OR CASE WHEN m.sent_at IS NOT NULL THEN m.sent_at < $4
    ELSE m.next_attempt_at < $4 AND (m.cap_day IS NULL OR m.cap_day < $5) END))"""

# All rows of the email `e` may be deleted.
HAS_ENDED = f"""NOT EXISTS (
    SELECT 1 FROM mail_logs m WHERE m.email_id = e.id AND NOT ({IS_FINAL} AND {IS_OVER}))"""


@dataclass(frozen=True)
class Bounds:
    org_id: UUID
    timezone: str
    rows: UUID  # rows with lower IDs are deleted
    ended: datetime  # rows that ended earlier are deleted
    day: date  # of `ended` in `timezone`
    month: datetime  # its first instant in UTC; later rows still count towards its quota

    @property
    def days(self) -> UUID:
        return id_lower_bound(self.ended)

    @property
    def end(self) -> UUID:
        return max(self.rows, self.days)

    @property
    def values(self) -> list[Any]:
        return [self.org_id, self.rows, self.days, self.ended, self.day]


async def try_pruning_lock() -> bool:
    """Locks out other retention until the transaction ends; False if another process holds the lock."""
    if db.dialect().has_one_writer:
        return True
    return bool(await db.fetch_value("SELECT pg_try_advisory_xact_lock($1)", LOCK))


async def id_to_keep_from(org_id: UUID, count: int) -> UUID:
    """The oldest of the newest `count` rows; FIRST_ID if there are fewer."""
    if count == 0:
        return LAST_ID
    rows = KeysetSearch("mail_logs", org_id, FIRST_ID, LAST_ID)
    return await rows.scan_limit(OF_EACH_STATE, count - 1) or FIRST_ID


class Prunable:
    """Finds the oldest deletable rows with ids beyond `after`, and deletes them in a transaction."""

    table: str

    async def find(self, bounds: Bounds, after: UUID) -> list[db.Row]:
        raise NotImplementedError

    async def delete(self, _: Bounds, rows: Sequence[db.Row]) -> None:
        await _delete(self.table, [row["id"] for row in rows])


class Emails(Prunable):
    async def find(self, bounds: Bounds, after: UUID) -> list[db.Row]:
        count = "(SELECT COUNT(*) FROM mail_logs m WHERE m.email_id = e.id)"
        query = f"""SELECT e.id, e.content_id, e.size, {count} AS rows
            FROM emails e WHERE e.org_id = $1 AND e.id > $6 AND e.id < $7 AND {HAS_ENDED}
            ORDER BY e.id LIMIT {ROWS_AT_ONCE}"""
        return _at_once(await db.fetch(query, *bounds.values, after, bounds.end))

    async def delete(self, bounds: Bounds, rows: Sequence[db.Row]) -> None:
        ended = await self._lock_ended(bounds, [row["id"] for row in rows])
        ids = [row["id"] for row in ended]
        await _delete_rows(bounds, "email_id", ids)
        await _delete("emails", ids)  # and their files
        await _delete("contents", [row["content_id"] for row in ended])

    async def _lock_ended(self, bounds: Bounds, ids: Sequence[Any]) -> list[db.Row]:
        """Those still to be deleted; a retry locks its email and may have added a row."""
        sql = db.dialect()
        lock = f"SELECT id FROM emails WHERE id {sql.among('$1')} ORDER BY id {sql.lock('FOR UPDATE')}"
        await db.fetch(lock, ids)
        # A separate statement, because one that waited for the lock would not see what was committed in the meantime.
        query = f"""SELECT e.id, e.content_id FROM emails e WHERE e.org_id = $1 AND e.id {sql.among("$6")}
            AND {HAS_ENDED}"""
        return await db.fetch(query, *bounds.values, ids)


class Rows(Prunable):
    async def find(self, bounds: Bounds, after: UUID) -> list[db.Row]:
        first = f"ORDER BY id LIMIT {ROWS_AT_ONCE}"
        of_states = (  # each by its own index range
            f"""SELECT id, kind, content_id FROM (SELECT m.id, m.kind, m.content_id FROM mail_logs m WHERE m.org_id = $1
                AND m.id > $6 AND m.id < $7 AND m.email_id IS NULL AND {is_final} AND {IS_OVER} {first}) AS s{number}"""
            for number, is_final in enumerate(FINAL)
        )
        return await db.fetch(f"{' UNION ALL '.join(of_states)} {first}", *bounds.values, after, bounds.end)

    async def delete(self, bounds: Bounds, rows: Sequence[db.Row]) -> None:
        await _delete_rows(bounds, "id", [row["id"] for row in rows])
        composed = {dialects.as_uuid(row["content_id"]) for row in rows if row["kind"] == "compose"}
        if composed:
            # The bound may split a compose, whose other rows still use the content.
            query = f"""SELECT DISTINCT content_id FROM mail_logs WHERE org_id = $1 AND {IN_ANY_STATE}
                AND id >= $2 AND id < $3 AND NOT content_id {db.dialect().not_among("$4")}"""
            end = bounds.end if bounds.end == LAST_ID else id_lower_bound(time_of_id(bounds.end) + SPREAD)
            used = await db.fetch_ids(query, bounds.org_id, bounds.end, end, list(composed))
            await _delete("contents", composed.difference(used))


class RunContents(Prunable):
    async def find(self, bounds: Bounds, after: UUID) -> list[db.Row]:
        query = f"""SELECT r.id, r.content_id FROM campaign_runs r WHERE r.org_id = $1 AND r.id > $2
            AND r.content_id IS NOT NULL AND (r.status = 'completed' OR r.status = 'halted' AND NOT EXISTS (
              SELECT 1 FROM campaigns c WHERE c.id = r.campaign_id))
            AND NOT EXISTS (SELECT 1 FROM mail_logs m WHERE m.campaign_run_id = r.id)
            ORDER BY r.id LIMIT {ROWS_AT_ONCE}"""
        return await db.fetch(query, bounds.org_id, after)

    async def delete(self, bounds: Bounds, rows: Sequence[db.Row]) -> None:
        sql = db.dialect()
        update = f"UPDATE campaign_runs SET content_id = NULL WHERE id {sql.among('$1')} RETURNING id"
        await db.fetch(update, [row["id"] for row in rows])
        delete = f"""DELETE FROM contents WHERE id {sql.among("$2")} AND NOT EXISTS (
              SELECT 1 FROM campaign_runs r WHERE r.org_id = $1 AND r.content_id = contents.id) RETURNING id"""
        await db.fetch(delete, bounds.org_id, [row["content_id"] for row in rows])


class LedgerEntries(Prunable):
    """Entries of deleted campaigns; for others, no contact may become new again."""

    table = "campaign_contacts"

    async def find(self, bounds: Bounds, _: UUID) -> list[db.Row]:
        query = f"""SELECT k.id FROM campaign_contacts k JOIN (
              SELECT DISTINCT r.campaign_id FROM campaign_runs r WHERE r.org_id = $1
              AND NOT EXISTS (SELECT 1 FROM campaigns c WHERE c.id = r.campaign_id)) gone
            ON gone.campaign_id = k.campaign_id LIMIT {ROWS_AT_ONCE}"""
        return await db.fetch(query, bounds.org_id)


class AgedRows(Prunable):
    """Rows that expire after the plan's days, within `least` and `most`; at most `newest` stay."""

    def __init__(
        self, table: str, least: timedelta = timedelta(0), most: timedelta = timedelta.max, newest: int | None = None
    ) -> None:
        self.table, self._least, self._most, self._newest = table, least, most, newest

    async def find(self, bounds: Bounds, after: UUID) -> list[db.Row]:
        age = min(max(clock.now() - bounds.ended, self._least), self._most)
        end = max(id_lower_bound(clock.now() - age), await self._oldest_of_newest(bounds.org_id))
        query = f"""SELECT id FROM {self.table} WHERE org_id = $1 AND id > $2 AND id < $3
            ORDER BY id LIMIT {ROWS_AT_ONCE}"""
        return await db.fetch(query, bounds.org_id, after, end)

    async def _oldest_of_newest(self, org_id: UUID) -> UUID:
        if self._newest is None:
            return FIRST_ID
        query = f"SELECT id FROM {self.table} WHERE org_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2"
        return next(iter(await db.fetch_ids(query, org_id, self._newest - 1)), FIRST_ID)


class SandboxMails(Prunable):
    """Messages received after their rows were created, deleted once all rows of their time are."""

    table = "sandbox_mails"

    async def find(self, bounds: Bounds, after: UUID) -> list[db.Row]:
        query = f"""SELECT id, size, 1 AS rows FROM sandbox_mails WHERE org_id = $1 AND id > $2 AND id < $3
            ORDER BY id LIMIT {ROWS_AT_ONCE}"""
        return _at_once(await db.fetch(query, bounds.org_id, after, bounds.end))


def _at_once(rows: Sequence[db.Row]) -> list[db.Row]:
    batch: list[db.Row] = []
    count = size = 0
    for row in rows:
        count, size = count + row["rows"], size + row["size"]
        if batch and (count > ROWS_AT_ONCE or size > BYTES_AT_ONCE):
            break
        batch.append(row)
    return batch


async def _delete_rows(bounds: Bounds, column: str, ids: Sequence[Any]) -> None:
    doomed = await db.fetch_ids(f"SELECT id FROM mail_logs WHERE {_is_of('mail_logs', column)}", list(ids))
    await outcome_days.add_gone(bounds.org_id, bounds.timezone, doomed)
    is_suppressed = f"CASE WHEN {was_refused('error')} THEN 1 ELSE 0 END AS is_suppressed"
    deleted = await db.fetch(
        f"""DELETE FROM mail_logs WHERE {_is_of("mail_logs", column)}
            RETURNING id, status, campaign_run_id, account_id, {is_suppressed}""",
        list(ids),
    )
    for table in ("mail_events", "mail_hits"):
        await _delete(table, [row["id"] for row in deleted], "mail_log_id")
    await _freeze_counts(deleted)
    await day_statistics.add_gone(bounds.org_id, bounds.timezone, deleted)
    await _count_for_month(bounds, [row for row in deleted if not row["is_suppressed"]])


async def _delete(table: str, ids: Iterable[Any], column: str = "id") -> None:
    await db.fetch(f"DELETE FROM {table} WHERE {_is_of(table, column)} RETURNING id", list(ids))


def _is_of(table: str, column: str) -> str:
    sql = db.dialect()
    return f"id {sql.among('$1') if column == 'id' else sql.of_owners(table, column, '$1')}"


async def _freeze_counts(deleted: Sequence[db.Row]) -> None:
    gone: dict[UUID, Counter[str]] = {}
    for row in deleted:
        if row["campaign_run_id"] is not None:
            gone.setdefault(dialects.as_uuid(row["campaign_run_id"]), Counter())[row["status"]] += 1
    if not gone:
        return
    sql = db.dialect()
    query = f"""SELECT id, frozen_counts FROM campaign_runs WHERE id {sql.among("$1")} ORDER BY id
        {sql.lock("FOR UPDATE")}"""
    runs = await db.fetch(query, list(gone))
    for run in runs:
        counts = gone[dialects.as_uuid(run["id"])] + Counter(dialects.as_json(run["frozen_counts"]) or {})
        update = "UPDATE campaign_runs SET frozen_counts = $2 WHERE id = $1 RETURNING id"
        await db.fetch(update, run["id"], json.dumps(counts))


async def _count_for_month(bounds: Bounds, deleted: Sequence[db.Row]) -> None:
    since = id_lower_bound(bounds.month)
    # A run's mail counts in the month in which the run began.
    account_ids = [
        row["account_id"] for row in deleted if dialects.as_uuid(row["campaign_run_id"] or row["id"]) >= since
    ]
    if account_ids:
        free = await db.fetch_ids("SELECT id FROM accounts WHERE org_id = $1 AND is_sandbox", bounds.org_id)
        counted = sum(run_id is None or dialects.as_uuid(run_id) not in free for run_id in account_ids)
        await usage.count_pruned(bounds.org_id, bounds.month, counted)
