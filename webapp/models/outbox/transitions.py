"""Changes rows' statuses and records mail events."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.models.event import EventType
from webapp.models.mail_log import FAILED, HALTED
from webapp.models.queries.event_log import MailChange, record_mail_events
from webapp.models.queries.refusals import is_refusal

COLUMNS = {
    **dict.fromkeys(("id", "org_id", "mail_log_id"), "uuid"),
    **dict.fromkeys(("from_status", "to_status", "cause"), "text"),
}


class Transition(NamedTuple):
    """A status change with its event: the given one, or that of a failure or suppression."""

    org_id: Any
    mail_log_id: Any
    from_status: str
    to_status: str
    cause: str
    event: MailChange | None = None

    @property
    def recorded(self) -> MailChange | None:
        if self.event is None and is_refusal(self.cause) and self.to_status in (FAILED, HALTED):
            return MailChange(self.mail_log_id, EventType.EMAIL_SUPPRESSED, {"suppressed": {"reason": self.cause}})
        if self.event is None and self.to_status == FAILED:
            return MailChange(self.mail_log_id, EventType.EMAIL_FAILED, {"failed": {"reason": self.cause}})
        return self.event


async def add_transitions(transitions: Sequence[Transition]) -> None:
    """Inserts mail events and events; call it in the transaction that changes the rows."""
    if not transitions:
        return
    sql, names = db.dialect(), ", ".join(COLUMNS)
    insert = f"INSERT INTO mail_events ({names}, created_at) SELECT {names}, {sql.now} FROM {sql.table(COLUMNS)}"
    await db.fetch(insert, *sql.table_values([(uuid7(), *change[: len(COLUMNS) - 1]) for change in transitions]))
    await record_mail_events([event for change in transitions if (event := change.recorded) is not None])


async def change_rows(
    ids: Collection[UUID], before: str, after: str, cause: str, change: str, value: Any, condition: str = ""
) -> None:
    """Moves rows that still have the status `before`; `change` may use `value` as $2."""
    update = f"""UPDATE mail_logs SET status = '{after}', {change}
        WHERE id {db.dialect().among("$1")} AND status = '{before}' {condition} RETURNING id, org_id"""
    rows = await db.fetch(update, list(ids), value)
    await add_transitions([Transition(row["org_id"], row["id"], before, after, cause) for row in rows])


async def transition(
    before: str, after: str, condition: str, *values: Any, sets: str, cause: str, limit: int, wait: bool = False
) -> list[db.Row]:
    """Moves up to `limit` ($1) rows by a condition, with events; `values` begin at $2. Call it in a transaction."""
    sql = db.dialect()
    update = f"""WITH due AS (SELECT id FROM mail_logs WHERE status = '{before}' AND {condition}
                     LIMIT $1 {sql.lock("FOR UPDATE" if wait else "FOR UPDATE SKIP LOCKED")})
        UPDATE mail_logs SET status = '{after}', {sets} WHERE id {sql.one_of("SELECT id FROM due")}
        RETURNING id, org_id, account_id"""
    rows = await db.fetch(update, limit, *values)
    await add_transitions([Transition(row["org_id"], row["id"], before, after, cause) for row in rows])
    return rows
