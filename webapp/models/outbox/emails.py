"""Cancels, reschedules or waits for the rows of one email or compose."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.event import EventType
from webapp.models.outbox.claims import COMPOSE_HEAD_START
from webapp.models.outbox.transitions import Transition, add_transitions, change_rows
from webapp.models.queries.event_log import MailChange, record_mail_events
from webapp.models.queries.refusals import is_refusal

CANCELED = EventType.EMAIL_CANCELED
WAITING = ("pending", "deferred")
EXPIRED = "it could not be sent in time"


class Halt(Enum):
    DONE = auto()
    TOO_LATE = auto()
    BUSY = auto()  # another transaction has locked a row


async def halt_email(email_id: UUID, cause: str) -> Halt:
    """Halts the newest row of each recipient if all of them are pending, deferred or suppressed; commits.

    Does not wait for claims.
    """
    sql = db.dialect()
    async with db.write_transaction():
        rows = await _lock_newest(email_id)
        if rows is None:
            return Halt.BUSY
        if not rows or any(row["status"] not in WAITING for row in rows):
            return Halt.TOO_LATE
        update = f"UPDATE mail_logs SET status = 'halted' WHERE id {sql.among('$1')} RETURNING id"
        await db.fetch(update, [row["id"] for row in rows])
        await add_transitions(
            [
                Transition(row["org_id"], row["id"], row["status"], "halted", cause, MailChange(row["id"], CANCELED))
                for row in rows
            ]
        )
    return Halt.DONE


async def reschedule_email(email_id: UUID, at: datetime) -> Halt:
    """Moves an email none of whose recipients was tried or is deferred; commits. Does not wait for claims."""
    sql = db.dialect()
    async with db.write_transaction():
        rows = await _lock_newest(email_id)
        if rows is None:
            return Halt.BUSY
        if not rows or any(row["status"] != "pending" or row["attempts"] or row["crashes"] for row in rows):
            return Halt.TOO_LATE
        ids = [row["id"] for row in rows]
        await db.fetch(f"UPDATE mail_logs SET next_attempt_at = $2 WHERE id {sql.among('$1')} RETURNING id", ids, at)
        await db.fetch("UPDATE emails SET scheduled_at = $2 WHERE id = $1 RETURNING id", email_id, at)
        await record_mail_events([MailChange(row_id, EventType.EMAIL_SCHEDULED) for row_id in ids])
    return Halt.DONE


async def _lock_newest(email_id: UUID) -> list[Any] | None:
    """Locks the newest row of each recipient that was not refused; None if another transaction has locked one."""
    lock = db.dialect().lock("FOR UPDATE SKIP LOCKED")
    columns = "id, org_id, status, error, to_email, attempts, crashes"
    rows = await db.fetch(f"SELECT {columns} FROM mail_logs WHERE email_id = $1 ORDER BY id {lock}", email_id)
    if len(rows) < await db.fetch_value("SELECT COUNT(*) FROM mail_logs WHERE email_id = $1", email_id):
        return None
    newest = {row["to_email"]: row for row in rows}.values()  # without retried ones
    return [row for row in newest if not is_refusal(row["error"])]


async def compose_due_at(seconds: float) -> datetime:
    """The due time by the database's clock of rows whose request waits another `seconds`."""
    now = await db.fetch_value(f"SELECT {db.dialect().now}")
    return dialects.as_instant(now) + timedelta(seconds=seconds - COMPOSE_HEAD_START)


async def final_outcomes(ids: Collection[UUID]) -> Mapping[UUID, str | None]:
    """The errors of rows that failed, and None for those that were sent."""
    query = f"""SELECT id, error, status FROM mail_logs WHERE id {db.dialect().among("$1")}
        AND status NOT IN ('pending', 'sending')"""
    rows = await db.fetch(query, list(ids))
    return {dialects.as_uuid(row["id"]): None if row["status"] == "sent" else row["error"] for row in rows}


async def withdraw(ids: Collection[UUID], reason: str) -> None:
    """Fails the pending rows; commits."""
    async with db.write_transaction():
        await change_rows(ids, "pending", "failed", reason, "error = $2", reason)


async def fail_in_flight(ids: Collection[UUID], reason: str) -> None:
    """Fails the rows that are being sent without refunding their quota; commits."""
    change = "error = $2, unknowns = unknowns + 1, lease_token = NULL, lease_until = NULL"
    async with db.write_transaction():
        await change_rows(ids, "sending", "failed", reason, change, reason)
