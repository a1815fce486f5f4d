"""Cancels an email that no worker has begun to send."""

from enum import Enum, auto
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.outbox.events import Event, add_events

WAITING = ("pending", "deferred")


class Halt(Enum):
    """BUSY while another transaction has locked one of the rows."""

    DONE = auto()
    TOO_LATE = auto()
    BUSY = auto()


async def halt_email(email_id: UUID, cause: str) -> Halt:
    """Halts the rows if all are pending or deferred, else none; commits, and waits for no lock of a claim."""
    sql = db.dialect()
    async with db.write_transaction():
        rows = await db.fetch(
            f"SELECT id, org_id, status FROM mail_logs WHERE email_id = $1 ORDER BY id {sql.skip_locked}", email_id
        )
        (found,) = await db.fetch("SELECT COUNT(*) AS number FROM mail_logs WHERE email_id = $1", email_id)
        if len(rows) < found["number"]:
            return Halt.BUSY
        if any(row["status"] not in WAITING for row in rows):
            return Halt.TOO_LATE
        await db.fetch(
            f"UPDATE mail_logs SET status = 'halted' WHERE id IN {sql.ids('$1')} RETURNING id",
            dialects.json_ids(dialects.as_uuid(row["id"]) for row in rows),
        )
        await add_events([Event(row["org_id"], row["id"], row["status"], "halted", cause) for row in rows])
    return Halt.DONE
