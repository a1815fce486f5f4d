"""Exports contacts as CSV that an import reads back into the same contacts."""

from collections.abc import AsyncIterator, Sequence
from uuid import UUID

from webapp import db
from webapp.contact_fields import CONTACT_FIELDS, FieldKind
from webapp.domain.audit.audit import record_export
from webapp.domain.contacts.columns import column_title
from webapp.domain.contacts.consent_columns import CUSTOM
from webapp.domain.contacts.known_exports import ADDED, TOPIC_COLUMNS
from webapp.domain.contacts.search import ContactFilters, iter_contacts
from webapp.domain.csv_writer import BOM, csv_lines, csv_part
from webapp.errors import ValidationError
from webapp.models import Contact, Organization, Segment, SegmentContact, Topic, TopicChoice
from webapp.models.topic import Subscription

NAMES = [field.name for field in CONTACT_FIELDS if field.kind is not FieldKind.CUSTOM]
FIRST = NAMES[: NAMES.index("unsubscribed_at")]  # before the columns of exports alone, as in older exports
HEADINGS = (*FIRST, *ADDED, *NAMES[len(FIRST) :])
MAX_CUSTOM_FIELDS = 400
MAX_SEGMENTS = 4_000  # characters of their names: an import reads 64 KiB of a row


async def export_contacts(org: Organization, filters: ContactFilters) -> AsyncIterator[bytes]:
    """Raises NotFound for an unknown segment, ValidationError for more custom fields than a table can show."""
    names: dict[str, None] = {}  # in the order of their first use
    async for part in iter_contacts(org, filters):
        for fields in dict.fromkeys(tuple(contact.custom_fields) for contact in part):
            names |= dict.fromkeys(fields)
        if len(names) > MAX_CUSTOM_FIELDS:
            raise ValidationError(
                f"these contacts have more than {MAX_CUSTOM_FIELDS} different custom fields, too many for one file; "
                "export one segment at a time"
            )
    async with db.write_transaction():
        await record_export(org, "contacts", **filters.to_json())
    return _lines(org, filters, list(names))


async def _lines(org: Organization, filters: ContactFilters, names: list[str]) -> AsyncIterator[bytes]:
    # Marked as custom, no import reads a field as one of the standard columns.
    topics = {topic.id: topic.name for topic in await Topic.in_order(org)}
    headings = (*HEADINGS, *TOPIC_COLUMNS) if topics else HEADINGS
    titles = [CUSTOM + name if name in headings else column_title(name) for name in names]
    yield BOM + csv_lines([[*headings, *titles]])
    segments: dict[UUID, str] = {}
    async for part in iter_contacts(org, filters):
        members = await _segments_of(org, part, segments)
        chosen = await _topics_of(org, part, topics) if topics else {}
        rows = ((contact, {"segments": members.get(contact.id, "")} | chosen.get(contact.id, {})) for contact in part)
        yield await csv_part(_cells(contact, more, headings, names) for contact, more in rows)


async def _segments_of(org: Organization, part: list[Contact], names: dict[UUID, str]) -> dict[UUID, str]:
    memberships = await SegmentContact.segments_of(org, [contact.id for contact in part])
    unknown = {segment_id for ids in memberships.values() for segment_id in ids} - names.keys()
    if unknown:
        names |= {segment.id: segment.name for segment in await Segment.of(org).filter(id__in=list(unknown))}
    cells = {}
    for contact_id, ids in memberships.items():
        text = "; ".join(sorted(names[segment_id] for segment_id in ids if segment_id in names))
        cells[contact_id] = text if len(text) <= MAX_SEGMENTS else f"{text[:MAX_SEGMENTS]}…"
    return cells


async def _topics_of(org: Organization, part: list[Contact], names: dict[UUID, str]) -> dict[UUID, dict[str, str]]:
    """The cells with the names of topics that contacts chose, and left, in the order of the topics."""
    own = {
        (choice.contact_id, choice.topic_id): choice.subscription
        for choice in await TopicChoice.of_contacts(org, [contact.id for contact in part])
    }
    return {
        contact.id: {
            column: "; ".join(
                name for topic_id, name in names.items() if own.get((contact.id, topic_id)) == subscription
            )
            for column, subscription in zip(TOPIC_COLUMNS, (Subscription.OPT_IN, Subscription.OPT_OUT), strict=True)
        }
        for contact in part
    }


def _cells(contact: Contact, more: dict[str, str], headings: Sequence[str], names: list[str]) -> list[object]:
    values = {name: getattr(contact, name) for name in NAMES} | {"added_at": contact.created_at} | more
    return [*(values[name] for name in headings), *(contact.custom_fields.get(name) for name in names)]
