"""Contacts as a CSV file that an import reads back into the same contacts."""

from collections.abc import AsyncIterator

from webapp import db
from webapp.domain.audit.audit import record_export
from webapp.domain.contacts.columns import CUSTOM, as_text, column_title
from webapp.domain.contacts.search import ContactFilters, iter_contacts
from webapp.domain.csv_writer import BOM, csv_lines
from webapp.errors import ValidationError
from webapp.models import Contact, Organization

COLUMNS = ("email", "first_name", "last_name", "phone", "status")
MAX_CUSTOM_FIELDS = 400


async def export_contacts(org: Organization, filters: ContactFilters) -> AsyncIterator[bytes]:
    """Raises NotFound for an unknown segment, ValidationError for more custom fields than a table can show."""
    names: dict[str, None] = {}  # in the order of their first use
    async for part in iter_contacts(org, filters):
        names |= dict.fromkeys(name for contact in part for name in contact.custom_fields)
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
    titles = [CUSTOM + name if name in COLUMNS else column_title(name) for name in names]
    yield BOM + csv_lines([[*COLUMNS, *titles]])
    async for part in iter_contacts(org, filters):
        yield csv_lines(_cells(contact, names) for contact in part)


def _cells(contact: Contact, names: list[str]) -> list[str]:
    standard = [getattr(contact, name) or "" for name in COLUMNS]
    return [*standard, *(as_text(contact.custom_fields.get(name)) for name in names)]
