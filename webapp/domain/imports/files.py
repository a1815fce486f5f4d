"""Saves and reads import files in chunks, never whole in memory."""

import asyncio
import re
from collections.abc import AsyncIterator
from uuid import UUID

from webapp import db
from webapp.domain.imports.csv_reader import (
    ROW_BYTES,
    TOO_LONG,
    UNCLOSED,
    CsvPart,
    EncodingGuess,
    LineReader,
    Unreadable,
    guess_delimiter,
    read_rows,
    strip_marks,
)
from webapp.domain.inputs import storable
from webapp.errors import PayloadTooLarge
from webapp.models import ContactImport, ImportChunk

MAX_BYTES = 50 * 1024 * 1024
CHUNK_BYTES = 256 * 1024  # of each chunk but the last, so that positions map to chunks
SAVED_BYTES = 8 * CHUNK_BYTES  # per transaction, because each may wait a second while large mails are saved
PART_BYTES = 2 * ROW_BYTES  # at least one whole row
MAX_COLUMNS = 500
GUESSED_LINES = 200  # read to guess the delimiter
HEADING_LENGTH = 200  # longer headings are cut
NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f]")
SAMPLE_ROWS = 200  # without the header; many, because unsubscribed contacts may be rare


async def save_file(row: ContactImport, pieces: AsyncIterator[bytes]) -> None:
    """Saves a new import's file and guesses encoding and delimiter. Raises PayloadTooLarge, Unreadable."""
    guess, waiting, size, number = EncodingGuess(), bytearray(), 0, 0
    async for piece in pieces:
        size += len(piece)
        if size > MAX_BYTES:
            raise PayloadTooLarge(f"the file is larger than {MAX_BYTES // 1024 // 1024} MB. Split it into parts")
        guess.feed(piece)
        waiting += piece
        while len(waiting) >= SAVED_BYTES:
            number = await _save_chunks(row.id, number, bytes(waiting[:SAVED_BYTES]))
            del waiting[:SAVED_BYTES]
    if size == 0:
        raise Unreadable("the file is empty")
    if waiting:
        await _save_chunks(row.id, number, bytes(waiting))
    row.size_bytes, row.encoding = size, guess.encoding
    await read_head(row)
    if NO_TEXT.search("".join(row.header)):
        raise Unreadable("the first row isn't text. Save the table as CSV and upload that")


async def _save_chunks(import_id: UUID, number: int, data: bytes) -> int:
    parts = [data[start : start + CHUNK_BYTES] for start in range(0, len(data), CHUNK_BYTES)]
    async with db.write_transaction():
        await ImportChunk.bulk_create(
            ImportChunk(contact_import_id=import_id, number=index, data=part)
            for index, part in enumerate(parts, number)
        )
    return number + len(parts)


async def read_head(row: ContactImport, delimiter: str | None = None) -> None:
    """Sets delimiter (guessed by default) and header. Raises Unreadable."""
    row.next_byte = row.next_line = 0
    first = await ImportChunk.filter(contact_import_id=row.id, number=0).first()
    data = first.data[:PART_BYTES] if first else b""
    lines = await asyncio.to_thread(LineReader(row.encoding).feed, data)
    row.delimiter = delimiter or guess_delimiter(lines[:GUESSED_LINES])
    part, _ = await read_part(row, 1)
    if not part.rows:
        raise Unreadable("the file has no rows")
    header = part.rows[0]
    if header.fault in (TOO_LONG, UNCLOSED):
        raise Unreadable(f"the first row {header.fault}")
    if len(header.cells) > MAX_COLUMNS:
        raise Unreadable(f"the file has {len(header.cells):,} columns; the maximum is {MAX_COLUMNS}")
    row.header = [storable(cell.strip())[:HEADING_LENGTH] for cell in header.cells]


async def read_sample(row: ContactImport) -> list[list[str]]:
    position = row.next_byte, row.next_line
    row.next_byte = row.next_line = 0
    part, _ = await read_part(row, SAMPLE_ROWS + 1)
    row.next_byte, row.next_line = position
    return [row.cells for row in part.rows[1:] if row.fault is None]


async def read_part(row: ContactImport, limit: int) -> tuple[CsvPart, bool]:
    """Up to `limit` rows from the import's position on, and True if the file ends there. Raises Unreadable."""
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
        lines = strip_marks(lines)
    part = await asyncio.to_thread(read_rows, lines, row.delimiter, limit, is_end=is_end)
    return part, is_end and part.lines == len(lines)
