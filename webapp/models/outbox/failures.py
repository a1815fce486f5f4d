"""Rows that fail without being tried again: their account went away or never works."""

from typing import Any
from uuid import UUID

from webapp import db
from webapp.models.outbox.events import Event, add_events

FAILED_AT_ONCE = 5_000


async def fail_rows_of_account(account_id: UUID, reason: str) -> None:
    """Fail the waiting rows of an account that goes away; what is being sent ends by itself."""
    for status in ("pending", "deferred"):
        while await _fail(status, "SELECT id, $2 AS reason FROM mail_logs WHERE account_id = $3", reason, account_id):
            pass


async def fail_orphans() -> None:
    """Fail waiting rows whose account is gone: they were being sent when it was deleted, and came back."""
    await _fail(
        "pending",
        """SELECT id, $2 AS reason FROM mail_logs WHERE account_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = mail_logs.account_id)""",
        "the account was deleted",
    )


async def fail_hopeless(seconds: float) -> None:
    """Fail waiting rows that have been due for `seconds` on an account that has been failing for as long."""
    speak = db.dialect()
    await _fail(
        "pending",
        f"""SELECT mail_logs.id, $2 || ': ' || COALESCE(a.last_error, 'it does not work') AS reason
            FROM accounts a JOIN mail_logs ON mail_logs.account_id = a.id
            WHERE {speak.since("a.failing_since")} >= $3
            AND {speak.since("COALESCE(mail_logs.waiting_since, mail_logs.next_attempt_at)")} >= $3""",
        "waited too long for its account",
        seconds,
    )


async def _fail(status: str, found: str, reason: str, *values: Any) -> bool:
    """Fail some rows in `status` that `found` selects, with their reasons; whether there may be more."""
    async with db.write_transaction():
        rows = await db.fetch(
            f"""WITH found AS ({found} AND mail_logs.status = '{status}' LIMIT $1)
                UPDATE mail_logs SET status = 'failed', error = found.reason FROM found
                WHERE mail_logs.id = found.id AND mail_logs.status = '{status}'
                RETURNING mail_logs.id AS id, org_id, error""",
            FAILED_AT_ONCE,
            reason,
            *values,
        )
        await add_events([Event(row["org_id"], row["id"], status, "failed", row["error"]) for row in rows])
    return len(rows) == FAILED_AT_ONCE
