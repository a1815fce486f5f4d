"""How contacts stand, many at once and without the rest of their rows."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import sql


class Standing(NamedTuple):
    """What decides whether a contact gets campaigns."""

    status: str
    bounced_at: datetime | None


async def standing_of(contact_ids: Iterable[UUID]) -> dict[tuple[UUID, UUID], Standing]:
    """How these contacts stand by (organization, contact); those that are gone are missing."""
    ids = sql.json_ids(contact_ids)
    rows = await db.fetch(
        f"SELECT id, org_id, status, bounced_at FROM contacts WHERE id IN {db.dialect().ids('$1')}",  # noqa: S608 - our own words
        ids,
    )
    return {
        (sql.as_uuid(row["org_id"]), sql.as_uuid(row["id"])): Standing(row["status"], row["bounced_at"]) for row in rows
    }
