"""Rows of imports that were refused, and imported ones with values that do not fit the types of their fields."""

from collections.abc import AsyncIterator, Mapping
from typing import NamedTuple
from uuid import UUID

from webapp.domain.contacts.custom_fields import DECIMAL, UNCLEAR, UNFIT
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import RowResult, RowStatus
from webapp.domain.imports.csv_reader import Unreadable
from webapp.domain.inputs import storable
from webapp.models import ContactImport, ImportRefusal
from webapp.models.topic import Subscription

MAX_REFUSED = 100_000
AT_ONCE = 500
MISFITS = {"unfit": UNFIT, "unclear": UNCLEAR, "decimal": DECIMAL}  # kinds, by words of their reasons


class ReadRow(NamedTuple):
    line: int  # from 1
    cells: list[str]
    contact: NewContact | None
    fault: str = ""
    misfits: tuple[str, ...] = ()
    topics: Mapping[UUID, Subscription] = {}


async def save_refusals(held: ContactImport, read: list[ReadRow], results: list[RowResult]) -> None:
    """Raises Unreadable if too many rows are refused; of those that do not fit, only as many are saved."""
    remaining, saved, room = iter(results), [], MAX_REFUSED - held.misfit_count
    for row in read:
        result = next(remaining) if row.contact is not None else RowResult(RowStatus.REFUSED, reason=row.fault)
        if result.status is RowStatus.REFUSED:
            held.refused_count += 1
            saved.append(_refusal(held, row, result.reason or ""))
        elif row.misfits and (held.overwrites or result.status is RowStatus.CREATED):
            held.misfit_count += len(row.misfits)
            if (room := room - 1) >= 0:
                saved.append(_refusal(held, row, "; ".join(row.misfits), is_imported=True))
    if held.refused_count > MAX_REFUSED:
        example = next(refusal.reason for refusal in saved if not refusal.is_imported)
        raise Unreadable(f"more than {MAX_REFUSED:,} rows can't be imported, for example: {example}")
    await ImportRefusal.bulk_create(saved)


def _refusal(held: ContactImport, row: ReadRow, reason: str, *, is_imported: bool = False) -> ImportRefusal:
    cells, reason = [storable(cell) for cell in row.cells], storable(reason)[:500]
    about = {"contact_import_id": held.id, "line": row.line}
    return ImportRefusal(**about, reason=reason, cells=cells, is_imported=is_imported)


async def list_refusals(
    row: ContactImport, count: int = AT_ONCE, after_line: int = 0, *, is_imported: bool = False
) -> list[ImportRefusal]:
    """The first `count` of the rows below a line that were refused, or imported although a value does not fit."""
    below = ImportRefusal.filter(contact_import_id=row.id, line__gt=after_line, is_imported=is_imported)
    return await below.order_by("line").limit(count)


async def kinds_of_misfits(row: ContactImport) -> list[str]:
    """The kinds of misfits (keys of MISFITS) in the saved rows of an import."""
    saved = ImportRefusal.filter(contact_import_id=row.id, is_imported=True)
    return [kind for kind, words in MISFITS.items() if await saved.filter(reason__contains=words).exists()]


async def iter_refusals(row: ContactImport, *, is_imported: bool) -> AsyncIterator[list[ImportRefusal]]:
    line = 0
    while refusals := await list_refusals(row, after_line=line, is_imported=is_imported):
        yield refusals
        line = refusals[-1].line
