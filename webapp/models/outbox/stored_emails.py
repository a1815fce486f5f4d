"""Reads many stored transactional emails at once."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects

COLUMNS = """e.id, e.org_id, e.message_id, e.sender, e.addresses, e.headers, e.size, e.source,
    e.variables, c.subject, c.html, c.text"""


class StoredFile(NamedTuple):
    filename: str
    content_type: str
    data: bytes
    content_id: str | None


class StoredEmail(NamedTuple):
    id: UUID
    org_id: UUID
    message_id: str
    sender: str
    addresses: Mapping[str, list[str]]
    headers: Mapping[str, str]
    size: int
    source: bytes | None
    subject: str
    html: str | None
    text: str | None
    files: tuple[StoredFile, ...] = ()
    variables: Mapping[str, Any] = {}


async def read_emails(email_ids: Collection[UUID]) -> list[StoredEmail]:
    if not email_ids:
        return []
    sql = db.dialect()
    query = f"""SELECT {COLUMNS} FROM emails e JOIN contents c ON c.id = e.content_id AND c.org_id = e.org_id
        WHERE e.id {sql.among("$1")}"""
    rows = await db.records(query, list(email_ids))
    files = await _files(email_ids) if rows else {}
    emails = []
    for row in rows:
        email_id, org_id, message_id, sender, addresses, headers, size, source, variables, subject, html, text = row
        key, known = dialects.as_uuid(email_id), (dialects.as_json(addresses), dialects.as_json(headers))
        own, owner, filled = tuple(files.get(key, ())), dialects.as_uuid(org_id), dialects.as_json(variables)
        whole = None if source is None else bytes(source)
        head = (key, owner, message_id, sender)
        emails.append(StoredEmail(*head, *known, size, whole, subject, html, text, own, filled))
    return emails


async def _files(email_ids: Iterable[UUID]) -> dict[UUID, list[StoredFile]]:
    sql = db.dialect()
    query = f"""SELECT a.email_id, a.filename, a.content_type, a.data, a.content_id
        FROM attachments a JOIN emails e ON e.id = a.email_id AND e.org_id = a.org_id
        WHERE a.email_id {sql.among("$1")} ORDER BY a.email_id, a.position"""
    rows = await db.records(query, list(email_ids))
    files: dict[UUID, list[StoredFile]] = {}
    for email_id, filename, content_type, data, content_id in rows:
        files.setdefault(dialects.as_uuid(email_id), []).append(
            StoredFile(filename, content_type, bytes(data), content_id)
        )
    return files


class EmailOutline(NamedTuple):
    id: UUID
    org_id: UUID
    size: int
    topic_id: UUID | None


async def outlines_of(email_ids: Collection[UUID]) -> list[EmailOutline]:
    if not email_ids:
        return []
    query = f"SELECT id, org_id, size, topic_id FROM emails WHERE id {db.dialect().among('$1')}"
    rows = await db.records(query, list(email_ids))
    return [
        EmailOutline(dialects.as_uuid(row[0]), dialects.as_uuid(row[1]), row[2], row[3] and dialects.as_uuid(row[3]))
        for row in rows
    ]
