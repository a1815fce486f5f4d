"""Exports all that is stored of a contact, some rows at a time."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from tortoise.queryset import QuerySet

from webapp import clock, db
from webapp.contact_fields import CONTACT_FIELDS
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.mail_logs.mail_logs import add_subjects, segments_of
from webapp.domain.personal_data.person import Person
from webapp.domain.topics.choices import list_choices
from webapp.json_encoder import encode
from webapp.models import Consent, Contact, Event, MailHit, MailLog, Organization, Suppression
from webapp.models.queries.rows_naming import mails_of_person

ROWS_AT_ONCE = 200
CONTACT = ("id", *(field.name for field in CONTACT_FIELDS), "created_at", "updated_at")
CONSENT = ("id", "kind", "created_at", "text", "form_id", "form_version", "network", "page_url", "topic_id")
CHOICE = ("subscription", "source", "changed_at")
EMAIL = ("id", "kind", "from_email", "to_email", "status", "error", "created_at", "sent_at", "campaign_id", "variables")
HIT = ("id", "mail_log_id", "created_at", "link_id", "agent", "verdict")
EVENT = ("id", "type", "created_at", "data")
SUPPRESSION = ("id", "email", "reason", "created_at")

Rows = list[dict[str, Any]]
Parts = Callable[[], AsyncIterator[Rows]]


async def export_contact(org: Organization, contact: Contact) -> dict[str, Parts]:
    """The lists by name, to be read in this order; recorded in the audit log."""
    async with db.write_transaction():
        await record(org, AuditAction.EXPORTED, contact.id, contact.email)
    return parts_of(org, contact)


def parts_of(org: Organization, contact: Contact) -> dict[str, Parts]:
    person = Person(org, contact.email, contact.id)

    async def suppressions() -> Rows:
        return [_row(entry, SUPPRESSION) for entry in await Suppression.with_keys(org.id, [person.key])]

    async def choices() -> Rows:
        return [
            {"id": choice.topic.id, "name": choice.topic.name, **_row(choice, CHOICE)}
            for choice in await list_choices(org, contact)
            if not choice.is_default
        ]

    async def segments() -> Rows:
        return [{"id": segment.id, "name": segment.name} for segment in await segments_of(org, contact)]

    return {
        "consents": lambda: _listed(Consent.of(org).filter(contact_id=contact.id), CONSENT),
        "topics": lambda: _whole(choices),
        "segments": lambda: _whole(segments),
        "suppressions": lambda: _whole(suppressions),
        "emails": lambda: _emails(person),
        "hits": lambda: _hits(person),
        "events": lambda: _listed(Event.of(org).filter(contact_id=contact.id), EVENT),
    }


def contact_row(contact: Contact) -> dict[str, Any]:
    return _row(contact, CONTACT)


async def json_of(contact: Contact, parts: dict[str, Parts]) -> AsyncIterator[bytes]:
    """One JSON document: the contact, and the lists."""
    yield b'{"data":{"contact":' + encode(contact_row(contact))
    for name, read in parts.items():
        yield b',"' + name.encode() + b'":['
        separator = b""
        async for rows in read():
            for row in rows:
                yield separator + encode(row)
                separator = b","
        yield b"]"
    yield b"}}"


def _row(row: Any, names: tuple[str, ...]) -> dict[str, Any]:
    values = {("at" if name == "created_at" and names is not CONTACT else name): getattr(row, name) for name in names}
    return {name: clock.timestamp(value) if isinstance(value, datetime) else value for name, value in values.items()}


async def _whole(read: Callable[[], Awaitable[Rows]]) -> AsyncIterator[Rows]:
    yield await read()


async def _listed(rows: QuerySet[Any], names: tuple[str, ...]) -> AsyncIterator[Rows]:
    last = UUID(int=0)
    while part := await rows.filter(id__gt=last).order_by("id").limit(ROWS_AT_ONCE):
        yield [_row(row, names) for row in part]
        last = part[-1].id


async def _mails(person: Person) -> AsyncIterator[list[MailLog]]:
    last = UUID(int=0)
    while ids := await mails_of_person(person.org.id, person.key, person.contact_id, last, ROWS_AT_ONCE):
        yield await MailLog.of(person.org).filter(id__in=ids).order_by("id")
        last = ids[-1]


async def _emails(person: Person) -> AsyncIterator[Rows]:
    async for rows in _mails(person):
        items = await add_subjects(person.org, rows)
        yield [{"subject": item.subject, **_row(item.row, EMAIL)} for item in items]


async def _hits(person: Person) -> AsyncIterator[Rows]:
    async for rows in _mails(person):
        hits = MailHit.of(person.org).filter(mail_log_id__in=[row.id for row in rows])
        async for part in _listed(hits, HIT):
            yield part
