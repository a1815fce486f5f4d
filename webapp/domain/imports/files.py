"""The files of imports: taken in piece by piece, and read again part by part; never whole in memory."""

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.domain.contacts.columns import column_of
from webapp.domain.imports.csv_reader import (
    ROW_BYTES,
    TOO_LONG,
    UNCLOSED,
    EncodingGuess,
    Line,
    LineReader,
    Part,
    Unreadable,
    guess_delimiter,
    passed_over,
    read_rows,
    without_mark,
)
from webapp.errors import PayloadTooLarge
from webapp.models import ContactImport, ImportChunk

MOST_BYTES = 50 * 1024 * 1024
CHUNK_BYTES = 256 * 1024  # of each chunk but the last: so a byte's chunk is known
KEPT_BYTES = 8 * CHUNK_BYTES  # at once: each time the database is waited for, which large mails may hold for a second
PART_BYTES = 2 * ROW_BYTES  # a row ends within it
MOST_COLUMNS = 500
GUESSED_LINES = 200  # to guess the delimiter by
LONGEST_HEADING = 200  # characters that are kept of it
SAMPLE_ROWS = 200  # beside the header: who has left may be one of many
CELLS_SHOWN = 4


class Sample(NamedTuple):
    """The first rows of a file, without the header."""

    rows: list[list[str]]

    def of_column(self, number: int) -> list[str]:
        """Some of what stands in a column, where anything does."""
        return column_of(self.rows, number)[:CELLS_SHOWN]


async def take_in(row: ContactImport, pieces: AsyncIterator[bytes]) -> None:
    """Keep the file of a new import, and guess how it is written. Raises PayloadTooLarge, Unreadable."""
    guess, waiting, size, number = EncodingGuess(), bytearray(), 0, 0
    async for piece in pieces:
        size += len(piece)
        if size > MOST_BYTES:
            raise PayloadTooLarge(f"the file is larger than {MOST_BYTES // 1024 // 1024} MB: split it")
        guess.feed(piece)
        waiting += piece
        while len(waiting) >= KEPT_BYTES:
            number = await _keep(row.id, number, bytes(waiting[:KEPT_BYTES]))
            del waiting[:KEPT_BYTES]
    if size == 0:
        raise Unreadable("the file is empty")
    if waiting:
        await _keep(row.id, number, bytes(waiting))
    row.size_bytes, row.encoding = size, guess.encoding
    await read_head(row)


async def _keep(import_id: UUID, number: int, data: bytes) -> int:
    """Keep some chunks, of which the first has this number; the number of the next."""
    parts = [data[start : start + CHUNK_BYTES] for start in range(0, len(data), CHUNK_BYTES)]
    async with db.write_transaction():
        await ImportChunk.bulk_create(
            ImportChunk(contact_import_id=import_id, number=place, data=part)
            for place, part in enumerate(parts, number)
        )
    return number + len(parts)


async def read_head(row: ContactImport, delimiter: str | None = None) -> None:
    """Set the delimiter, guessed where none is given, and the header. Raises Unreadable."""
    row.next_byte = row.next_line = 0
    first = await ImportChunk.filter(contact_import_id=row.id, number=0).first()
    lines = await asyncio.to_thread(_first_lines, row.encoding, first.data if first else b"")
    row.delimiter = delimiter or guess_delimiter(lines)
    part, _ = await read_part(row, 1)
    if not part.rows:
        raise Unreadable("the file has no rows")
    header = part.rows[0]
    if header.fault in (TOO_LONG, UNCLOSED):
        raise Unreadable(f"its first row {header.fault}")
    if len(header.cells) > MOST_COLUMNS:
        raise Unreadable(f"it has {len(header.cells):,} columns, and {MOST_COLUMNS} are the most")
    row.header = [storable(cell.strip())[:LONGEST_HEADING] for cell in header.cells]


def _first_lines(encoding: str, data: bytes) -> list[Line]:
    """Some lines to guess by."""
    return without_mark(LineReader(encoding).feed(data[:PART_BYTES])[:GUESSED_LINES])


def storable(text: str) -> str:
    """The text as every database holds it."""
    return text.replace("\0", "\ufffd")


async def read_sample(row: ContactImport) -> Sample:
    """The first rows, to choose by what the columns mean."""
    row.next_byte = row.next_line = 0
    part, _ = await read_part(row, SAMPLE_ROWS + 1)
    return Sample([one.cells for one in part.rows[1:] if one.fault is None])


async def read_part(row: ContactImport, most: int) -> tuple[Part, bool]:
    """Up to `most` rows from where the import stands, and whether the file ends with them. Raises Unreadable."""
    reader, size, is_end = LineReader(row.encoding), 0, False
    lines = []
    number, begin = divmod(row.next_byte, CHUNK_BYTES)
    while size < PART_BYTES and not is_end:
        chunk = await ImportChunk.filter(contact_import_id=row.id, number=number).first()
        is_end = chunk is None
        new = reader.close() if chunk is None else await asyncio.to_thread(reader.feed, chunk.data[begin:])
        lines += new
        size += sum(line.size for line in new)
        number, begin = number + 1, 0
    if row.next_byte == 0:
        lines = passed_over(without_mark(lines))
    part = await asyncio.to_thread(read_rows, lines, row.delimiter, most, is_end=is_end)
    return part, is_end and part.lines == len(lines)
