"""Entries from a file: a table with an email column, or one address a line."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from webapp import db
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts.columns import guess_columns
from webapp.domain.csv_writer import plain_cell
from webapp.domain.imports.csv_reader import (
    CsvRow,
    EncodingGuess,
    LineReader,
    Unreadable,
    guess_delimiter,
    read_rows,
    strip_bom,
    strip_stated_delimiter,
)
from webapp.domain.suppressions import suppressions
from webapp.domain.suppressions.inputs import normalize_entry
from webapp.errors import PayloadTooLarge
from webapp.models import Organization
from webapp.models.suppression import SuppressionReason

MAX_BYTES = 10 * 1024 * 1024
PART_BYTES = 256 * 1024  # parsed at once
GUESSED_LINES = 200
ROWS_AT_ONCE = 2_000  # in a transaction
FAULTS_KEPT = 100


class InvalidRow(NamedTuple):
    line: int  # from 1
    text: str
    reason: str


@dataclass
class ImportReport:
    """`existing` counts rows that were on the list, or earlier in the file; `faults` has the first of the `invalid`."""

    added: int = 0
    existing: int = 0
    invalid: int = 0
    faults: list[InvalidRow] = field(default_factory=list)


async def import_suppressions(org: Organization, name: str, pieces: AsyncIterator[bytes]) -> ImportReport:
    """Adds what a file has; commits batch by batch. Raises PayloadTooLarge and Unreadable before the first."""
    data = bytearray()
    async for piece in pieces:
        data += piece
        if len(data) > MAX_BYTES:
            raise PayloadTooLarge(f"the file is larger than {MAX_BYTES // 1024 // 1024} MB. Split it into parts")
    report, entries, rows = await asyncio.to_thread(_read, bytes(data))
    for start in range(0, len(entries), ROWS_AT_ONCE):
        batch = entries[start : start + ROWS_AT_ONCE]
        report.added += len((await suppressions.add(org, batch, SuppressionReason.IMPORT)).new)
    report.existing = rows - report.added
    if report.added:
        async with db.write_transaction():
            added = f"{report.added:,} address{'' if report.added == 1 else 'es'}"
            await record(org, AuditAction.SUPPRESSIONS_ADDED, None, added, file=name, reason=SuppressionReason.IMPORT)
    return report


def _read(data: bytes) -> tuple[ImportReport, list[str], int]:
    """The entries, each once, the number of rows that have one, and a report of the others."""
    report, entries, valid, column = ImportReport(), dict[str, None](), 0, -1
    for row in _rows(data):
        if column < 0:
            column, is_header = _email_column(row.cells)
            if is_header:
                continue
        cell = plain_cell(row.cells[column].strip()) if column < len(row.cells) else ""
        try:
            entries[_entry(cell, row.fault)] = None
            valid += 1
        except ValueError as error:
            report.invalid += 1
            if len(report.faults) < FAULTS_KEPT:
                report.faults.append(InvalidRow(row.line, cell, str(error)))
    if column < 0:
        raise Unreadable("the file has no rows")
    return report, list(entries), valid


def _entry(cell: str, fault: str | None) -> str:
    if fault is not None:
        raise ValueError(fault)
    return normalize_entry(cell)


def _rows(data: bytes) -> Iterator[CsvRow]:
    """The rows with their lines from 1. Raises Unreadable."""
    guess = EncodingGuess()
    guess.feed(data)
    reader, delimiter, lines, done = LineReader(guess.encoding), "", [], 0
    for start in range(0, len(data) + 1, PART_BYTES):
        is_end = start + PART_BYTES > len(data)
        lines += reader.feed(data[start : start + PART_BYTES])
        lines += reader.close() if is_end else []
        if not delimiter:
            lines = strip_bom(lines)
            delimiter = guess_delimiter(lines[:GUESSED_LINES])
            lines = strip_stated_delimiter(lines)
        part = read_rows(lines, delimiter, len(lines), is_end=is_end)
        yield from (row._replace(line=done + row.line + 1) for row in part.rows)
        done += part.lines
        del lines[: part.lines]


def _email_column(first: Sequence[str]) -> tuple[int, bool]:
    """The number of the column with addresses, and True where the first row names it. Raises Unreadable."""
    named = [number for number, meaning in guess_columns(first).items() if meaning == "email"]
    filled = [number for number, cell in enumerate(first) if "@" in cell]
    if not named and not filled:
        raise Unreadable(
            "the file has no email column. Name it email in the first row, or put one address on each line"
        )
    return (named or filled)[0], bool(named)
