"""The rows of campaign runs: counted, halted, resumed, and told apart from those of other runs when a run ends."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.mail_log import MailStatus
from webapp.models.outbox import skip_reasons
from webapp.models.outbox.events import Event, add_events

ROWS_AT_ONCE = 2_000
UNFINISHED = (MailStatus.PENDING, MailStatus.SENDING, MailStatus.DEFERRED)
ROWS = "FROM mail_logs m WHERE m.campaign_run_id = k.id AND m.status = '{}'"
COUNT, FEW = f"SELECT COUNT(*) {ROWS}", f"SELECT COUNT(*) FROM (SELECT m.id {ROWS} LIMIT $2) few"
CONTACT = "SELECT 1 FROM contacts c WHERE c.id = mail_logs.contact_id AND c.org_id = mail_logs.org_id"
# Of a halted row. The contact may be back: a row that tells of their leaving was halted for that, and stays.
GOES_ON = f"NOT {skip_reasons.TELLS} AND EXISTS ({CONTACT} AND c.status = 'subscribed')"


def has_rows(run: str, *statuses: MailStatus) -> str:
    """That a run, by the SQL of its id, has a row in one of these states, as an SQL condition.

    Each state is looked up in the index of both columns, whatever PostgreSQL believes. An EXISTS it would turn into a
    join, and read the rows of all runs; and with `=` for BETWEEN any index would have the order that is asked for.
    """
    looks = (
        f"""(SELECT 1 FROM mail_logs m WHERE m.campaign_run_id = {run}
             AND m.status BETWEEN '{status}' AND '{status}' ORDER BY m.status LIMIT 1) IS NOT NULL"""
        for status in statuses
    )
    return f"({' OR '.join(looks)})"


# Of a run that sends: all its rows are made, those that were halted go on, and none of them waits.
IS_OVER = f"materialised AND NOT resuming AND NOT {has_rows('campaign_runs.id', *UNFINISHED)}"


async def count_rows(run_ids: Iterable[UUID], most: int | None = None) -> dict[UUID, dict[str, int]]:
    """How many rows of each run are in which status, in one query; a run without rows is missing.

    Of each status `most` are counted, and no more of them read.
    Each count is one of an index alone. To group the rows instead takes PostgreSQL three times as long.
    """
    count = COUNT if most is None else FEW
    rows = await db.fetch(
        f"""SELECT k.id AS run_id, {", ".join(f"({count.format(status)}) AS {status}" for status in MailStatus)}
            FROM {db.dialect().records("$1", {"id": "uuid"})}""",
        dialects.json_records([{"id": run_id} for run_id in run_ids]),
        *([] if most is None else [most]),
    )
    counts = {dialects.as_uuid(row.pop("run_id")): row for row in rows}
    found = {run_id: {status: count for status, count in row.items() if count} for run_id, row in counts.items()}
    return {run_id: row for run_id, row in found.items() if row}


async def ended_uncounted(before: UUID, most: int) -> list[UUID]:
    """Some of the ended runs whose counts are not kept although nothing of them waits, with ids below `before`."""
    rows = await db.fetch(
        f"""SELECT r.id FROM campaign_runs r WHERE r.status <> 'sending' AND r.ended_counts IS NULL AND r.materialised
            AND r.id < $1 AND NOT {has_rows("r.id", *UNFINISHED)}
            ORDER BY r.id DESC LIMIT $2""",
        before,
        most,
    )
    return [dialects.as_uuid(row["id"]) for row in rows]


async def keep_counts(run_id: UUID) -> None:
    """Keep the counts of an ended run, those of rows that are gone among them, unless it goes on meanwhile.

    Both are read at one instant: retention takes rows and counts them in one transaction.
    """
    rows = await db.fetch(
        f"""SELECT k.status AS run_status, k.epoch, k.frozen_counts,
              {", ".join(f"({COUNT.format(status)}) AS {status}" for status in MailStatus)}
            FROM campaign_runs k WHERE k.id = $1""",
        run_id,
    )
    for run in rows:
        gone = dialects.as_json(run["frozen_counts"]) or {}
        counts = {str(status): run[status] + gone.get(status, 0) for status in MailStatus}
        if not any(counts[status] for status in UNFINISHED):
            await db.fetch(
                """UPDATE campaign_runs SET ended_counts = $2
                   WHERE id = $1 AND status <> 'sending' AND status = $3 AND epoch = $4 RETURNING id""",
                run_id,
                json.dumps(counts),
                run["run_status"],
                run["epoch"],
            )


async def halt_run(run_id: UUID, reason: str) -> None:
    """Halt a run: no row of it is claimed any more, and its new epoch tells the workers that hold some.

    What waits of it is `halt_rows`'s, after the commit: nobody must wait for 100,000 rows to learn of the stop.
    """
    await db.fetch(
        """UPDATE campaign_runs SET status = 'halted', epoch = epoch + 1, halted_reason = $2, resuming = false
           WHERE id = $1 AND status = 'sending' RETURNING id""",
        run_id,
        reason,
    )


async def halt_rows(run_id: UUID) -> bool:
    """Halt some of what waits of a halted run; whether there was any. Rows that somebody moves are passed over."""
    return any([await _move(_Move("halted", status, "halted", HALT), run_id) for status in ("pending", "deferred")])


async def is_any_unfinished(run_id: UUID) -> bool:
    """Whether a row of the run waits or is held by a worker."""
    return bool(await db.fetch(f"SELECT 1 AS one WHERE {has_rows('$1', *UNFINISHED)}", run_id))


async def halted_with_waiting_rows() -> list[UUID]:
    """The halted runs of which something waits: the stop ended early, or a worker gave a row back at that moment."""
    waits = has_rows("campaign_runs.id", MailStatus.PENDING, MailStatus.DEFERRED)
    rows = await db.fetch(f"SELECT id FROM campaign_runs WHERE status = 'halted' AND {waits}")
    return [dialects.as_uuid(row["id"]) for row in rows]


async def resume_run(run_id: UUID) -> None:
    """Let a halted run go on. It cannot be completed until `release_halted` has let its rows go on."""
    await db.fetch(
        """UPDATE campaign_runs SET status = 'sending', halted_reason = NULL, resuming = true, ended_counts = NULL
           WHERE id = $1 AND status = 'halted' RETURNING id""",
        run_id,
    )


async def release_halted(run_id: UUID) -> bool:
    """Let some halted rows of a resumed run wait again; whether there were any.

    Those stay whose contact wants no more mail, or had left before: they are halted for a reason of their own.
    """
    return await _move(_Move("sending", "halted", "pending", RELEASE), run_id) > 0


async def end_resume(run_id: UUID) -> None:
    """Say of the rows that stay halted why, and note that all others of a resumed run go on.

    Not while somebody is still moving one, or has one since before the stop: it may yet come back halted.
    """
    await db.fetch(
        f"""UPDATE mail_logs SET error = CASE WHEN EXISTS ({CONTACT}) THEN $2 ELSE $3 END
            WHERE campaign_run_id = $1 AND status = 'halted' AND NOT {skip_reasons.TELLS}
            AND NOT EXISTS ({CONTACT} AND c.status = 'subscribed') RETURNING id""",
        run_id,
        skip_reasons.UNSUBSCRIBED,
        skip_reasons.DELETED,
    )
    await db.fetch(
        f"""UPDATE campaign_runs SET resuming = false WHERE id = $1 AND status = 'sending' AND NOT EXISTS (
              SELECT 1 FROM mail_logs WHERE campaign_run_id = $1 AND (status = 'halted' AND {GOES_ON}
                OR status = 'sending' AND run_epoch < campaign_runs.epoch)) RETURNING id""",
        run_id,
    )


async def resumed_with_halted_rows() -> list[UUID]:
    """The runs whose resume ended early."""
    rows = await db.fetch("SELECT id FROM campaign_runs WHERE status = 'sending' AND resuming")
    return [dialects.as_uuid(row["id"]) for row in rows]


async def count_pending(run_id: UUID, most: int) -> int:
    """How many rows of the run wait for an account, counted up to `most`."""
    (found,) = await db.fetch(
        """SELECT COUNT(*) AS count FROM (SELECT id FROM mail_logs
             WHERE campaign_run_id = $1 AND status = 'pending' AND account_id IS NULL LIMIT $2) AS counted""",
        run_id,
        most,
    )
    count: int = found["count"]
    return count


async def defer_rows(run_id: UUID, until: Any, cause: str) -> None:
    """Defer the due rows of a run until an instant: nobody can send them before."""
    is_due = f"account_id IS NULL AND next_attempt_at <= {db.dialect().now}"
    change = _Change("next_attempt_at = $3", is_due, cause)
    while await _move(_Move("sending", "pending", "deferred", change), run_id, ROWS_AT_ONCE, until):
        pass


async def release_rows(run_id: UUID, most: int, cause: str) -> None:
    """Let the oldest `most` deferred rows of a run wait for an account again, ahead of newer ones."""
    change = _Change("next_attempt_at = created_at", "account_id IS NULL", cause, order="ORDER BY id")
    while most > 0:
        moved = await _move(_Move("sending", "deferred", "pending", change), run_id, min(most, ROWS_AT_ONCE))
        most = most - moved if moved else 0


class _Change(NamedTuple):
    """What a move sets, which rows it is for, and why."""

    sets: str
    condition: str
    cause: str
    order: str = ""


class _Move(NamedTuple):
    """A move of rows from one state to another, while their run is in one."""

    run: str
    before: str
    after: str
    change: _Change


HALT = _Change("account_id = NULL", "true", "the run was stopped")
RELEASE = _Change("account_id = NULL, next_attempt_at = created_at", GOES_ON, "the run goes on")


async def _move(move: _Move, run_id: UUID, most: int = ROWS_AT_ONCE, *values: Any) -> int:
    """Move some rows of the run that nobody else is moving, with their events; how many.

    The run is kept in its state until the commit: neither a stop nor a resume comes in between.
    """
    speak, (sets, condition, cause, order) = db.dialect(), move.change
    async with db.write_transaction():
        run = f"SELECT id FROM campaign_runs WHERE id = $1 AND status = '{move.run}' {speak.for_share}"
        if not await db.fetch(run, run_id):
            return 0
        rows = await db.fetch(
            f"""WITH due AS (SELECT id FROM mail_logs WHERE campaign_run_id = $1 AND status = '{move.before}'
                             AND {condition} {order} LIMIT $2 {speak.skip_locked})
                UPDATE mail_logs SET status = '{move.after}', {sets} WHERE id {speak.one_of("SELECT id FROM due")}
                RETURNING id, org_id""",
            run_id,
            most,
            *values,
        )
        await add_events([Event(row["org_id"], row["id"], move.before, move.after, cause) for row in rows])
    return len(rows)


async def finish_runs(run_ids: Iterable[UUID] | None = None) -> None:
    """Complete the runs, of these or of all, that have nothing left to send, once each, and tell their campaigns."""
    mine = "" if run_ids is None else f"AND id IN {db.dialect().ids('$1')}"
    found = await db.fetch(
        f"SELECT id, campaign_id FROM campaign_runs WHERE status = 'sending' AND {IS_OVER} {mine}",
        *([] if run_ids is None else [dialects.json_ids(run_ids)]),
    )
    for row in found:
        await _finish(row["id"], row["campaign_id"])


async def _finish(run_id: Any, campaign_id: Any) -> None:
    """Complete one run; its campaign is locked first, as whoever starts or stops a run does."""
    speak = db.dialect()
    async with db.write_transaction():
        await db.fetch(f"SELECT id FROM campaigns WHERE id = $1 {speak.for_update}", campaign_id)
        finished = await db.fetch(
            f"""UPDATE campaign_runs SET status = 'completed', finished_at = {speak.now}
                WHERE id = $1 AND status = 'sending' AND {IS_OVER} RETURNING id""",
            run_id,
        )
        if finished:
            await db.fetch(
                f"""UPDATE campaigns SET status = CASE WHEN next_run_at IS NULL THEN 'sent' ELSE 'scheduled' END,
                    updated_at = {speak.now} WHERE id = $1 AND status = 'sending' RETURNING id""",
                campaign_id,
            )


async def run_epochs(run_ids: Iterable[UUID]) -> dict[UUID, int]:
    """The epochs of the runs that are under way; a run that is missing here has ended or was halted."""
    rows = await db.fetch(
        f"SELECT id, epoch FROM campaign_runs WHERE id IN {db.dialect().ids('$1')} AND status = 'sending'",
        dialects.json_ids(run_ids),
    )
    return {dialects.as_uuid(row["id"]): row["epoch"] for row in rows}
