"""Statuses of many contacts at once, without the rest of their rows."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.outbox.audience import WANTS_MAIL


class ContactState(NamedTuple):
    status: str
    bounced_at: datetime | None


async def unmailable_contacts(contacts: Iterable[tuple[UUID, UUID]]) -> dict[tuple[UUID, UUID], ContactState | None]:
    """The states of those (organization, contact) pairs that get no campaigns; None for a deleted contact."""
    asked = list(contacts)
    if not asked:
        return {}
    sql = db.dialect()
    # Looked up one by one: in a join all contacts might be read.
    wants = f"SELECT c.id FROM contacts c WHERE c.id = k.contact_id AND c.org_id = k.org_id AND {WANTS_MAIL}"
    pairs = sql.table({"org_id": "uuid", "contact_id": "uuid"})
    rows = await db.records(
        f"SELECT k.org_id, k.contact_id FROM {pairs} WHERE ({wants}) IS NULL", *sql.table_values(asked)
    )
    unwilling = [(dialects.as_uuid(org_id), dialects.as_uuid(contact_id)) for org_id, contact_id in rows]
    if not unwilling:
        return {}
    query = f"SELECT id, org_id, status, bounced_at FROM contacts WHERE id {sql.among('$1')}"
    found = await db.fetch(query, [contact_id for _, contact_id in unwilling])
    states = {
        (dialects.as_uuid(row["org_id"]), dialects.as_uuid(row["id"])): ContactState(row["status"], row["bounced_at"])
        for row in found
    }
    return {contact: states.get(contact) for contact in unwilling}


async def contacts_not_tracked(contact_ids: Iterable[UUID]) -> set[UUID]:
    """Those of these contacts who do not want their opens and clicks to be tracked."""
    asked = list(contact_ids)
    if not asked:
        return set()
    query = f"SELECT id FROM contacts WHERE id {db.dialect().among('$1')} AND do_not_track"
    return set(await db.fetch_ids(query, asked))
