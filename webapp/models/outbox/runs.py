"""Counts, halts, resumes, defers and completes the rows of campaign runs."""

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from tortoise.expressions import F

from webapp import db
from webapp.db import dialects
from webapp.models.campaign_run import CampaignRun, RunStatus
from webapp.models.event import EventType
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT, MailStatus
from webapp.models.outbox.transitions import transition
from webapp.models.queries.event_log import NewEvent, record_events
from webapp.models.queries.refusals import was_refused

ROWS_AT_ONCE = 2_000
REFRESH_SECONDS = 0.5  # how late a worker notices a stop or an edit
UNFINISHED = (MailStatus.PENDING, MailStatus.SENDING, MailStatus.DEFERRED)
BEST_FIRST = (SENT, SENDING, PENDING, DEFERRED, HALTED, FAILED)  # of a recipient's outcomes over several runs
ROWS = "FROM mail_logs m WHERE m.campaign_run_id = k.id AND m.status = '{}'"
COUNT, FEW = f"SELECT COUNT(*) {ROWS}", f"SELECT COUNT(*) FROM (SELECT m.id {ROWS} LIMIT $2) few"
# A row's error when a campaign's mail is not sent to its contact.
CONTACT_DELETED = "the contact was deleted before the email was sent"
CONTACT_UNSUBSCRIBED = "the contact unsubscribed before the email was sent"
CONTACT_BOUNCED = "the contact's address turned out not to exist before the email was sent"
CONTACT_PAUSED = "the contact paused campaigns before the email was sent"
CANCELED = "canceled before it was sent"  # followed by the last reply
ERROR_LENGTH = 1_000  # characters
_REASONS = (CONTACT_DELETED, CONTACT_UNSUBSCRIBED, CONTACT_BOUNCED, CONTACT_PAUSED)
_IN_SQL = ", ".join(
    "'" + reason.replace("'", "''") + "'"
    for reason in (*_REASONS, *(text.replace("email", "mail") for text in _REASONS))  # also rows of earlier versions
)
IS_SKIPPED = f"(COALESCE(error, '') IN ({_IN_SQL}) OR {was_refused('error')})"
CONTACT = "SELECT 1 FROM contacts c WHERE c.id = mail_logs.contact_id AND c.org_id = mail_logs.org_id"
# Halted rows to release: not those whose contact left or whose address was suppressed, even if that changed since.
CAN_RESUME = f"NOT {IS_SKIPPED} AND EXISTS ({CONTACT} AND c.status = 'subscribed')"


def has_rows(run: str, *statuses: MailStatus) -> str:
    """SQL for a run with such rows; EXISTS would become a join over all runs, and `=` could use any index."""
    lookups = (
        f"""(SELECT 1 FROM mail_logs m WHERE m.campaign_run_id = {run}
             AND m.status BETWEEN '{status}' AND '{status}' ORDER BY m.status LIMIT 1) IS NOT NULL"""
        for status in statuses
    )
    return f"({' OR '.join(lookups)})"


IS_GIVEN_UP = "EXISTS (SELECT 1 FROM campaign_runs r WHERE r.id = $2 AND r.halted_reason IS NOT NULL)"  # an active run
# The active run has all its rows, released its halted ones, and none is waiting.
IS_OVER = f"materialised AND NOT resuming AND NOT {has_rows('campaign_runs.id', *UNFINISHED)}"
HAS_WAITING_ROWS = has_rows("campaign_runs.id", MailStatus.PENDING, MailStatus.DEFERRED)


async def count_rows(run_ids: Iterable[UUID], limit: int | None = None) -> dict[UUID, dict[str, int]]:
    """The rows by status, at most `limit` of each, from an index only; GROUP BY takes three times as long."""
    count = COUNT if limit is None else FEW
    query = f"""SELECT k.id AS run_id, {", ".join(f"({count.format(status)}) AS {status}" for status in MailStatus)}
        FROM {db.dialect().records("$1", {"id": "uuid"})}"""
    records = dialects.json_records([{"id": run_id} for run_id in run_ids])
    rows = await db.fetch(query, records, *([] if limit is None else [limit]))
    counts = {dialects.as_uuid(row.pop("run_id")): row for row in rows}
    nonzero = {run_id: {status: count for status, count in row.items() if count} for run_id, row in counts.items()}
    return {run_id: row for run_id, row in nonzero.items() if row}


async def sum_runs(org_id: UUID, campaign_ids: Iterable[UUID]) -> list[db.Row]:
    """The number of each campaign's runs without retries, and the sums of their saved and deleted counts.

    `for_all` counts runs that also mailed old members; `first_at` and `first_for_all_at` are when runs began.
    """
    sql = db.dialect()
    members = [
        (f"{kind}_{status}", sql.member(column, f"'{status}'"))
        for kind, column in (("ended", "ended_counts"), ("deleted", "frozen_counts"))
        for status in MailStatus
    ]
    sums = ", ".join(f"COALESCE(SUM(CAST({member} AS BIGINT)), 0) AS {name}" for name, member in members)
    query = f"""SELECT campaign_id, CASE WHEN retried_run_id IS NULL THEN 0 ELSE 1 END AS is_retry,
          COUNT(*) AS runs, COUNT(*) - COUNT(joined_after) AS for_all, MIN(created_at) AS first_at,
          MIN(CASE WHEN joined_after IS NULL THEN created_at END) AS first_for_all_at, {sums}
        FROM campaign_runs WHERE campaign_id {sql.among("$1")} AND org_id = $2 GROUP BY 1, 2"""
    return await db.fetch(query, list(campaign_ids), org_id)


async def count_recipients(campaign_id: UUID) -> dict[str, int]:
    """The campaign's recipients by the best outcome of each; reads all its rows."""
    rank = " ".join(f"WHEN '{status}' THEN {number}" for number, status in enumerate(BEST_FIRST))
    query = f"""SELECT best, COUNT(*) AS recipients FROM (
          SELECT MIN(CASE status {rank} END) AS best FROM mail_logs
          WHERE campaign_run_id IN (SELECT id FROM campaign_runs WHERE campaign_id = $1) GROUP BY contact_id
        ) once GROUP BY best"""
    return {BEST_FIRST[row["best"]]: row["recipients"] for row in await db.fetch(query, campaign_id)}


async def ended_uncounted(limit: int) -> list[UUID]:
    """The newest ended runs whose counts are not saved."""
    query = f"""SELECT r.id FROM campaign_runs r WHERE r.status <> 'sending' AND r.ended_counts IS NULL
        AND r.materialised AND NOT {has_rows("r.id", *UNFINISHED)}
        ORDER BY r.id DESC LIMIT $1"""
    return await db.fetch_ids(query, limit)


async def save_counts(run_id: UUID) -> None:
    """Saves the counts of an ended run and its deleted rows as of one instant, unless it is resumed."""
    query = f"""SELECT k.status AS run_status, k.epoch, k.frozen_counts,
          {", ".join(f"({COUNT.format(status)}) AS {status}" for status in MailStatus)}
        FROM campaign_runs k WHERE k.id = $1"""
    rows = await db.fetch(query, run_id)
    for run in rows:
        gone = dialects.as_json(run["frozen_counts"]) or {}
        counts = {str(status): run[status] + gone.get(status, 0) for status in MailStatus}
        if not any(counts[status] for status in UNFINISHED):
            update = """UPDATE campaign_runs SET ended_counts = $2
               WHERE id = $1 AND status <> 'sending' AND status = $3 AND epoch = $4 RETURNING id"""
            await db.fetch(update, run_id, json.dumps(counts), run["run_status"], run["epoch"])


async def halt_runs(reason: str, **which: UUID) -> None:
    """Halts active runs; a new epoch stops workers that have leased rows. Call `halt_rows` after the commit."""
    changes = {"status": RunStatus.HALTED, "epoch": F("epoch") + 1, "halted_reason": reason, "resuming": False}
    await CampaignRun.filter(status=RunStatus.SENDING, **which).update(**changes)


async def halt_rows(run_id: UUID) -> bool:
    """Halts some unsent rows, skipping locked ones; False if there were none. Commits."""
    return await _move_waiting(run_id, "halted", "halted", sets="account_id = NULL", cause="the campaign was paused")


async def is_any_due(run_id: UUID) -> bool:
    query = f"""SELECT next_attempt_at <= {db.dialect().now} AS is_due FROM mail_logs
        WHERE campaign_run_id = $1 AND status = 'pending' AND account_id IS NULL ORDER BY next_attempt_at LIMIT 1"""
    return any(row["is_due"] for row in await db.fetch(query, run_id))


async def waiting_to_retry(run_id: UUID, limit: int) -> list[db.Row]:
    """The `next_attempt_at` and last `error` of rows that will be retried, soonest first."""
    query = f"""SELECT next_attempt_at, error FROM mail_logs WHERE campaign_run_id = $1
        AND status = 'pending' AND account_id IS NULL AND next_attempt_at > {db.dialect().now} AND attempts > 0
        ORDER BY next_attempt_at LIMIT $2"""
    return await db.fetch(query, run_id, limit)


async def retries_of(run_ids: Collection[UUID]) -> dict[UUID, tuple[int, datetime]]:
    """For each run, the number of rows that will be retried, and the time of the next."""
    query = f"""SELECT campaign_run_id, COUNT(*) AS count, MIN(next_attempt_at) AS next_at FROM mail_logs
        WHERE campaign_run_id {db.dialect().among("$1")} AND status = 'pending' AND account_id IS NULL
        AND next_attempt_at > {db.dialect().now} AND attempts > 0 GROUP BY campaign_run_id"""
    rows = await db.fetch(query, list(run_ids))
    return {
        dialects.as_uuid(row["campaign_run_id"]): (int(row["count"]), dialects.as_instant(row["next_at"]))
        for row in rows
    }


async def is_any_unfinished(run_id: UUID) -> bool:
    return bool(await db.fetch(f"SELECT 1 AS one WHERE {has_rows('$1', *UNFINISHED)}", run_id))


async def halted_with_waiting_rows() -> list[UUID]:
    """The halted runs with unsent rows: the stop was interrupted, or a worker released a row late."""
    return await db.fetch_ids(f"SELECT id FROM campaign_runs WHERE status = 'halted' AND {HAS_WAITING_ROWS}")


async def resume_run(run_id: UUID, *, given_up: str | None = None) -> None:
    """Resumes a halted run, which cannot end before `release_halted`, or `fail_unsent` if given up, has finished."""
    changes = {"status": RunStatus.SENDING, "halted_reason": given_up, "resuming": True, "ended_counts": None}
    await CampaignRun.filter(id=run_id, status=RunStatus.HALTED).update(**changes)


async def release_halted(run_id: UUID) -> bool:
    """Makes some rows pending whose contacts want mail; without any, ends the resume and returns False. Commits.

    Leaves those of a run that is given up to `fail_unsent`.
    """
    sets = "account_id = NULL, next_attempt_at = created_at"
    condition = f"{CAN_RESUME} AND NOT {IS_GIVEN_UP}"
    if await _move(run_id, "sending", "halted", "pending", condition, sets=sets, cause="the campaign was resumed"):
        return True
    await end_resume(run_id)
    return False


async def end_resume(run_id: UUID) -> None:
    """Ends the resume and records why rows stay halted, unless rows leased before the stop are still being sent."""
    update = f"""UPDATE mail_logs SET error = CASE WHEN EXISTS ({CONTACT}) THEN $2 ELSE $3 END
        WHERE campaign_run_id = $1 AND status = 'halted' AND NOT {IS_SKIPPED}
        AND NOT EXISTS ({CONTACT} AND c.status = 'subscribed') RETURNING id"""
    await db.fetch(update, run_id, CONTACT_UNSUBSCRIBED, CONTACT_DELETED)
    update = f"""UPDATE campaign_runs SET resuming = false WHERE id = $1 AND status = 'sending' AND NOT EXISTS (
          SELECT 1 FROM mail_logs WHERE campaign_run_id = $1 AND (status = 'halted' AND {CAN_RESUME}
            OR status = 'sending' AND run_epoch < campaign_runs.epoch)) RETURNING id"""
    await db.fetch(update, run_id)


async def resumed_with_halted_rows() -> list[UUID]:
    resumed = "status = 'sending' AND resuming AND halted_reason IS NULL"
    return await db.fetch_ids(f"SELECT id FROM campaign_runs WHERE {resumed}")


async def give_up_run(run_id: UUID, reason: str) -> None:
    """Gives up the waiting rows of an active run. Call `fail_unsent` after the commit."""
    await CampaignRun.filter(id=run_id, status=RunStatus.SENDING).update(halted_reason=reason)


async def fail_unsent(run_id: UUID) -> bool:
    """Fails some unsent rows of a run that was given up, skipping locked ones; False if none. Commits."""
    error = f"SUBSTR(COALESCE('{CANCELED}: ' || error, '{CANCELED}'), 1, {ERROR_LENGTH})"
    change: dict[str, Any] = {"sets": f"error = {error}, next_attempt_at = {db.dialect().now}", "cause": CANCELED}
    halted = await _move(run_id, "sending", "halted", "failed", f"{CAN_RESUME} AND {IS_GIVEN_UP}", **change)
    if await _move_waiting(run_id, "sending", "failed", IS_GIVEN_UP, **change) or halted:
        return True
    await end_resume(run_id)
    return False


async def given_up_with_unsent_rows() -> list[UUID]:
    """The given-up runs with unsent rows, which were left over, created or released since."""
    is_given_up = "status = 'sending' AND halted_reason IS NOT NULL"
    return await db.fetch_ids(f"SELECT id FROM campaign_runs WHERE {is_given_up} AND (resuming OR {HAS_WAITING_ROWS})")


async def count_pending(run_id: UUID, limit: int) -> int:
    query = """SELECT COUNT(*) FROM (SELECT id FROM mail_logs
         WHERE campaign_run_id = $1 AND status = 'pending' AND account_id IS NULL LIMIT $2) AS counted"""
    return int(await db.fetch_value(query, run_id, limit))


async def defer_rows(run_id: UUID, until: Any, cause: str) -> None:
    """Defers the due rows until accounts can send them again; commits in batches."""
    is_due = f"account_id IS NULL AND next_attempt_at <= {db.dialect().now}"
    while await _move(
        run_id, "sending", "pending", "deferred", is_due, until, sets="next_attempt_at = $3", cause=cause
    ):
        pass


async def release_rows(run_id: UUID, limit: int, cause: str) -> None:
    """Makes the oldest `limit` deferred rows pending; commits in batches."""
    condition, sets = "account_id IS NULL ORDER BY id", "next_attempt_at = created_at"
    while limit > 0:
        batch = min(limit, ROWS_AT_ONCE)
        moved = await _move(run_id, "sending", "deferred", "pending", condition, sets=sets, cause=cause, limit=batch)
        limit = limit - moved if moved else 0


async def _move_waiting(run_id: UUID, run: str, after: str, condition: str = "true", **change: Any) -> bool:
    return any([await _move(run_id, run, before, after, condition, **change) for before in ("pending", "deferred")])


async def _move(
    run_id: UUID,
    run: str,
    before: str,
    after: str,
    condition: str = "true",
    *values: Any,
    sets: str,
    cause: str,
    limit: int = ROWS_AT_ONCE,
) -> int:
    """Moves unlocked rows while the run is locked in the status `run`; returns their number."""
    async with db.write_transaction():
        lock = f"SELECT id FROM campaign_runs WHERE id = $1 AND status = '{run}' {db.dialect().lock('FOR SHARE')}"
        if not await db.fetch(lock, run_id):
            return 0
        of_run = f"campaign_run_id = $2 AND {condition}"
        return len(await transition(before, after, of_run, run_id, *values, sets=sets, cause=cause, limit=limit))


async def finish_runs(run_ids: Iterable[UUID] | None = None) -> None:
    """Completes the runs without waiting rows, and their campaigns; commits each."""
    sql = db.dialect()
    mine = "" if run_ids is None else f"AND id {sql.among('$1')}"
    query = f"SELECT id, org_id, campaign_id FROM campaign_runs WHERE status = 'sending' AND {IS_OVER} {mine}"
    rows = await db.fetch(query, *([] if run_ids is None else [list(run_ids)]))
    for row in rows:
        async with db.write_transaction():
            # After the campaign's lock, like every start or stop of a run.
            await db.fetch(f"SELECT id FROM campaigns WHERE id = $1 {sql.lock('FOR UPDATE')}", row["campaign_id"])
            finish = f"""UPDATE campaign_runs SET status = 'completed', finished_at = {sql.now}
                         WHERE id = $1 AND status = 'sending' AND {IS_OVER} RETURNING id"""
            if await db.fetch(finish, row["id"]):
                campaign_id = dialects.as_uuid(row["campaign_id"])
                done = NewEvent(
                    row["org_id"], EventType.CAMPAIGN_COMPLETED, {"run_id": row["id"]}, campaign_id=campaign_id
                )
                await record_events([done])
                await db.fetch(
                    f"""UPDATE campaigns SET status = CASE WHEN next_run_at IS NULL THEN 'sent' ELSE 'scheduled' END,
                        updated_at = {sql.now} WHERE id = $1 AND status = 'sending' RETURNING id""",
                    row["campaign_id"],
                )


async def run_epochs(run_ids: Iterable[UUID]) -> dict[UUID, int]:
    query = f"SELECT id, epoch FROM campaign_runs WHERE id {db.dialect().among('$1')} AND status = 'sending'"
    rows = await db.fetch(query, list(run_ids))
    return {dialects.as_uuid(row["id"]): row["epoch"] for row in rows}
