"""The rows of a file as contacts."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from webapp.domain.contacts.columns import row_to_contact
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.csv_writer import plain_cell
from webapp.domain.imports.csv_reader import CsvRow
from webapp.errors import ValidationError
from webapp.models import Contact

FIELDS = ("email", "first_name", "last_name", "phone", "status")


class Read(NamedTuple):
    line: int  # from 1, as people count
    cells: list[str]
    contact: NewContact | None
    fault: str = ""


def read_contacts(
    rows: Sequence[CsvRow], lines_before: int, columns: int, mapping: Mapping[int, str], *, has_left: bool
) -> list[Read]:
    """The rows as contacts, all unsubscribed with `has_left`; rows of empty cells are skipped."""
    return [
        _read(row._replace(line=row.line + lines_before + 1), columns, mapping, has_left=has_left)
        for row in rows
        if row.fault or any(cell.strip() for cell in row.cells)
    ]


def _read(row: CsvRow, columns: int, mapping: Mapping[int, str], *, has_left: bool) -> Read:
    if row.fault:
        return Read(row.line, row.cells, None, row.fault)
    if any(cell.strip() for cell in row.cells[columns:]):
        return Read(row.line, row.cells, None, f"has {len(row.cells):,} cells, where the first row has {columns:,}")
    if any("\0" in cell for cell in row.cells):
        return Read(row.line, row.cells, None, "has a NUL, which is no text")
    try:
        cells = [plain_cell(cell) for cell in row.cells]
        return Read(row.line, row.cells, row_to_contact(cells, mapping, has_left=has_left))
    except ValidationError as error:
        return Read(row.line, row.cells, None, "; ".join(fault.message for fault in error.details))


def fields_of(contact: Contact) -> dict[str, Any]:
    return {name: getattr(contact, name) for name in FIELDS} | {"custom_fields": dict(contact.custom_fields)}
