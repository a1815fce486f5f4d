"""The moves of a row that are not the plain way, with their causes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from uuid_utils.compat import uuid7

from webapp import db


class Event(NamedTuple):
    """A row, the state it left, the state it came to, and why in words."""

    org_id: Any
    mail_log_id: Any
    from_status: str
    to_status: str
    cause: str


async def add_events(events: Sequence[Event]) -> None:
    """Keep the events, inside the transaction that moves the rows."""
    if not events:
        return
    await db.run_many(
        f"""INSERT INTO mail_events (id, created_at, org_id, mail_log_id, from_status, to_status, cause)
            VALUES ($1, {db.dialect().now}, $2, $3, $4, $5, $6)""",
        [[uuid7(), *event] for event in events],
    )
