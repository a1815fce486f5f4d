"""Records events and a delivery for each webhook that wants them, in the transaction that causes them.

Events of single campaign recipients and of single members of segments, of which there may be millions, are only
recorded if a webhook names their type.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.db.dialects import as_uuid
from webapp.models.event import EventType

SUBJECTS = ("email_id", "mail_log_id", "contact_id", "campaign_id", "account_id")
COLUMNS = {
    "id": "uuid",
    "org_id": "uuid",
    "type": "text",
    **dict.fromkeys(SUBJECTS, "uuid"),
    "is_of_run": "boolean",
    "data": "jsonb",
}
MAIL_COLUMNS = {"id": "uuid", "mail_log_id": "uuid", "type": "text", "data": "jsonb"}
BY_ACCEPTANCE = (EventType.EMAIL_DELIVERED, {"delivered": {"by": "acceptance"}})
EVERYTHING = "'*'"  # in a webhook's list; excludes events of single recipients and members
RECORDED_AT_ONCE = 1_000  # preparing their values blocks the event loop for some milliseconds


class NewEvent(NamedTuple):
    org_id: UUID
    type: EventType
    data: Mapping[str, Any]
    contact_id: UUID | None = None
    campaign_id: UUID | None = None
    account_id: UUID | None = None
    is_of_run: bool = False


class MailChange(NamedTuple):
    """An event about a mail log; its subjects are taken from the row."""

    mail_log_id: UUID
    type: EventType
    data: Mapping[str, Any] = {}


async def record_events(events: Sequence[NewEvent]) -> None:
    """Call it in the transaction that causes the events."""
    source = f"SELECT {', '.join(COLUMNS)} FROM {db.dialect().table(COLUMNS)} WHERE true"
    rows = [(uuid7(), org_id, kind, None, None, *about, _as_text(data)) for org_id, kind, data, *about in events]
    await _record(source, rows)


async def record_mail_events(changes: Sequence[MailChange]) -> None:
    """Call it in the transaction that causes these changes of mail logs."""
    sql = db.dialect()
    matching = sql.with_each("mail_logs", "m", "m.id = k.mail_log_id")
    source = f"""SELECT k.id, m.org_id, k.type, m.email_id, m.id, m.contact_id, m.campaign_id, m.account_id,
        m.campaign_run_id IS NOT NULL, k.data FROM {sql.table(MAIL_COLUMNS)} {matching}
        WHERE m.id IS NOT NULL AND (m.campaign_run_id IS NULL OR {_is_heard("m.org_id", "k.type")})"""
    await _record(source, [(uuid7(), change.mail_log_id, change.type, _as_text(change.data)) for change in changes])


async def is_heard(org_id: UUID, kind: EventType) -> bool:
    """True if a webhook names this type."""
    return bool(await db.fetch_value(f"SELECT {_is_heard('$1', '$2')}", org_id, kind.value))


async def newest_of_emails(org_id: UUID, email_ids: Sequence[UUID]) -> list[tuple[UUID, str]]:
    """The emails that have events, each with the type of its newest one."""
    if not email_ids:
        return []
    newest = """SELECT e.type FROM events e WHERE e.email_id = k.id AND e.org_id = k.org_id
        ORDER BY e.email_id DESC, e.id DESC LIMIT 1"""
    query = f"SELECT k.id, ({newest}) FROM {db.dialect().table({'id': 'uuid', 'org_id': 'uuid'})}"
    rows = await db.records(query, *db.dialect().table_values([(email_id, org_id) for email_id in email_ids]))
    return [(as_uuid(email_id), kind) for email_id, kind in rows if kind is not None]


def are_recipients_heard(org_id: str) -> str:
    """A condition on the organization (SQL of its ID): a webhook names events of single recipients."""
    return f"EXISTS (SELECT 1 FROM webhooks w WHERE w.org_id = {org_id} AND {_names_some('email')})"


async def are_members_heard(org_id: UUID) -> bool:
    """True if a webhook names events of single members of segments."""
    query = f"SELECT EXISTS (SELECT 1 FROM webhooks w WHERE w.org_id = $1 AND {_names_some('segment')})"
    return bool(await db.fetch_value(query, org_id))


async def organizations_hearing_members() -> list[UUID]:
    return await db.fetch_ids(f"SELECT DISTINCT w.org_id FROM webhooks w WHERE {_names_some('segment')}")


def record_sent(saved: str, *, has_delivered: bool = False) -> str:
    """On PostgreSQL, further parts of a WITH whose `saved` has the sent mail logs with an `event_id` each.

    With `has_delivered`, those with a `delivered_id` were also delivered.
    """
    kind, data = BY_ACCEPTANCE
    source = _of_each(saved, "event_id", EventType.EMAIL_SENT, {})
    if has_delivered:
        source += f" UNION ALL {_of_each(saved, 'delivered_id', kind, data)} AND delivered_id IS NOT NULL"
    return f"new AS ({_insert_events(source)} RETURNING id, org_id, type, is_of_run), told AS ({_deliver('new')})"


def _of_each(saved: str, event_id: str, kind: EventType, data: Mapping[str, Any]) -> str:
    return f"""SELECT {event_id}, org_id, '{kind}', email_id, id, contact_id, campaign_id, account_id,
        campaign_run_id IS NOT NULL, '{_as_text(data)}'::jsonb FROM {saved}
        WHERE (campaign_run_id IS NULL OR {_is_heard("org_id", f"'{kind}'")})"""


def _as_text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, default=str) if data else "{}"


def _names(kind: str) -> str:
    """A condition: the webhook `w` is enabled and names this type, an SQL expression."""
    quoted = f"""'"' || CAST({kind} AS TEXT) || '"'"""
    return f"w.status = 'enabled' AND {db.dialect().contains('CAST(w.events AS TEXT)', quoted)}"


def _names_some(subject: str) -> str:
    """A condition: the webhook `w` is enabled and names a type of this subject."""
    named = db.dialect().contains("CAST(w.events AS TEXT)", f"'\"{subject}.'")
    return f"w.status = 'enabled' AND {named}"


def _is_heard(org_id: str, kind: str) -> str:
    return f"EXISTS (SELECT 1 FROM webhooks w WHERE w.org_id = {org_id} AND {_names(kind)})"


def _insert_events(source: str) -> str:
    return f"INSERT INTO events ({', '.join(COLUMNS)}, created_at) SELECT s.*, {db.dialect().now} FROM ({source}) s"


def _deliver(events: str) -> str:
    sql, wants_all = db.dialect(), f"NOT n.is_of_run AND {_names(EVERYTHING)}"
    return f"""INSERT INTO webhook_deliveries (id, created_at, org_id, webhook_id, event_id, status, attempts, due_at)
        SELECT {sql.id_beside("n.id")}, {sql.now}, n.org_id, w.id, n.id, 'pending', 0, {sql.now}
        FROM {events} n JOIN webhooks w ON w.org_id = n.org_id AND ({_names("n.type")} OR {wants_all})"""


async def _record(source: str, rows: Sequence[Sequence[Any]]) -> None:
    """Inserts the events that `source` selects from the rows, which begin with event IDs, and their deliveries."""
    sql = db.dialect()
    for first in range(0, len(rows), RECORDED_AT_ONCE):
        batch = rows[first : first + RECORDED_AT_ONCE]
        values = sql.table_values(batch)
        if sql.has_one_writer:
            await db.fetch(f"{_insert_events(source)} RETURNING id", *values)
            ids = [event_id for event_id, *_ in batch]
            await db.fetch(f"{_deliver('events')} WHERE n.id {sql.among('$1')} RETURNING id", ids)
        else:
            new = f"WITH new AS ({_insert_events(source)} RETURNING id, org_id, type, is_of_run)"
            await db.records(f"{new} {_deliver('new')}", *values)
