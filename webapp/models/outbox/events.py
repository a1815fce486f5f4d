"""Mail events: changes of a row's status other than being sent at once."""

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
    org_id: Any
    mail_log_id: Any
    from_status: str
    to_status: str
    cause: str


async def add_events(events: Sequence[Event]) -> None:
    """Inserts the events; call it in the transaction that changes the rows."""
    if not events:
        return
    names = ", ".join(COLUMNS)
    await db.fetch(
        f"""INSERT INTO mail_events ({names}, created_at) SELECT {names}, {db.dialect().now}
            FROM {db.dialect().records("$1", COLUMNS)}""",
        dialects.json_records([{"id": uuid7(), **event._asdict()} for event in events]),
    )
