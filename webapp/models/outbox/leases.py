"""Extends the leases of live workers and reclaims those of dead ones."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.outbox.transitions import Transition, add_transitions

MAX_CRASHES = 6  # then a mail fails, so that it cannot crash every worker
RECLAIMED_AT_ONCE = 500
WORKER_DIED = "the worker stopped while sending; the email may have been delivered"
IDLE_SECONDS = 10  # between two statements of a transaction, which never waits for anything but the database
LEASE_COLUMNS = {"row_id": "uuid", "token": "uuid"}


async def extend_leases(leased: Sequence[tuple[UUID, UUID]], lease_seconds: float) -> tuple[set[UUID], set[UUID]]:
    """Extends the leases of these (row id, token) pairs; returns the extended rows and those that others have.

    Skips locked rows, because waiting would delay the others.
    """
    # By pairs and not by worker, so that a claim whose COMMIT got no answer expires.
    sql, records = db.dialect(), dialects.json_records([{"row_id": row_id, "token": token} for row_id, token in leased])
    mine = f"""SELECT m.id FROM mail_logs m JOIN {sql.records("$1", LEASE_COLUMNS)}
               ON m.id = k.row_id AND m.lease_token = k.token WHERE m.status = 'sending'"""
    lock = sql.lock("FOR UPDATE OF m SKIP LOCKED")
    update = f"""WITH mine AS ({mine} {lock}) UPDATE mail_logs SET lease_until = {sql.later("$2")}
        WHERE id {sql.one_of("SELECT id FROM mine")} RETURNING id"""
    extended = await db.fetch_ids(update, records, lease_seconds)
    others = {row_id for row_id, _ in leased}.difference(extended)
    if others:
        others.difference_update(await db.fetch_ids(mine, records))
    return set(extended), others


async def is_any_leased(account_id: UUID) -> bool:
    query = "SELECT id FROM mail_logs WHERE status = 'sending' AND account_id = $1 LIMIT 1"
    return await db.fetch_value(query, account_id) is not None


async def reclaim(lease_seconds: float, leased: Collection[UUID] = ()) -> list[UUID]:
    """Reclaims rows with expired leases unless the database has just started; returns their accounts; commits."""
    # Excludes this process's own, so that a clock set forward does not send them twice.
    sql = db.dialect()
    if not sql.has_one_writer:  # after a restart of the server, workers could not extend their leases yet
        up = "SELECT now() - pg_postmaster_start_time() > $1 * interval '1 second'"
        if not await db.fetch_value(up, lease_seconds):
            return []
    return await _reclaim(f"lease_until < {sql.now} AND id {sql.not_among('$4')}", list(leased))


async def reclaim_all() -> None:
    """Reclaims every row that is being sent, at a start without other live workers; commits in batches."""
    while await _reclaim("lease_until IS NOT NULL"):
        pass


async def _reclaim(condition: str, *values: Any) -> list[UUID]:
    """Reclaims some rows, and returns the account of each; commits."""
    sql = db.dialect()
    async with db.write_transaction():
        update = f"""WITH dead AS (SELECT id FROM mail_logs WHERE status = 'sending' AND {condition}
                          ORDER BY lease_until LIMIT $1 {sql.lock("FOR UPDATE SKIP LOCKED")})
            UPDATE mail_logs SET
            status = CASE WHEN crashes + 1 >= $2 OR kind = 'compose' THEN 'failed'
                          WHEN EXISTS (SELECT 1 FROM campaign_runs r WHERE r.id = campaign_run_id
                                       AND r.status = 'halted') THEN 'halted'
                          ELSE 'pending' END,
            error = CASE WHEN crashes + 1 >= $2 OR kind = 'compose' THEN $3 ELSE error END,
            crashes = crashes + 1, lease_token = NULL, lease_until = NULL, next_attempt_at = {sql.now}
            WHERE id {sql.one_of("SELECT id FROM dead")} RETURNING id, org_id, account_id, status"""
        rows = await db.fetch(update, RECLAIMED_AT_ONCE, MAX_CRASHES, WORKER_DIED, *values)
        cause = "the worker stopped or lost the database"
        await add_transitions([Transition(row["org_id"], row["id"], "sending", row["status"], cause) for row in rows])
        if rows:  # any account of the run may send them
            update = f"""UPDATE mail_logs SET account_id = NULL WHERE id {sql.among("$1")}
                AND campaign_run_id IS NOT NULL AND status IN ('pending', 'halted') RETURNING id"""
            await db.fetch(update, [row["id"] for row in rows])
    return [dialects.as_uuid(row["account_id"]) for row in rows]


async def terminate_idle_transactions(seconds: float = IDLE_SECONDS) -> int:
    """Ends our sessions idle for `seconds`, which the server's own limit misses between preparing and running."""
    if db.dialect().has_one_writer:
        return 0
    query = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user
       AND application_name = current_setting('application_name')
       AND xact_start IS NOT NULL AND wait_event = 'ClientRead'
       AND state_change < clock_timestamp() - $1 * interval '1 second'"""
    return len(await db.fetch(query, seconds))
