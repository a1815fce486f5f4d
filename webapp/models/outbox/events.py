"""The moves of a row that are not the plain way, with their causes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from uuid_utils.compat import uuid7

from webapp import db
from webapp.db import dialects

COLUMNS = {
    "id": "uuid",
    "org_id": "uuid",
    "mail_log_id": "uuid",
    "from_status": "text",
    "to_status": "text",
    "cause": "text",
}


class Event(NamedTuple):
    """A row, the state it left, the state it came to, and why in words."""

    org_id: Any
    mail_log_id: Any
    from_status: str
    to_status: str
    cause: str


async def add_events(events: Sequence[Event]) -> None:
    """Keep the events in one statement, inside the transaction that moves the rows."""
    if not events:
        return
    names = ", ".join(COLUMNS)
    await db.fetch(
        f"""INSERT INTO mail_events ({names}, created_at) SELECT {names}, {db.dialect().now}
            FROM {db.dialect().records("$1", COLUMNS)}""",
        dialects.json_records([{"id": uuid7(), **event._asdict()} for event in events]),
    )
