"""Imports suppressions from a table, ours or another service's, or from one address per line."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple

from webapp import db
from webapp.addresses import email_key
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts.address_cells import addresses_in
from webapp.domain.contacts.columns import address_column
from webapp.domain.contacts.status_words import plain_word, says_yes, spaced
from webapp.domain.csv_writer import plain_cell
from webapp.domain.imports.csv_reader import (
    CsvRow,
    EncodingGuess,
    LineReader,
    Unreadable,
    guess_delimiter,
    read_rows,
    strip_marks,
)
from webapp.domain.suppressions import suppressions
from webapp.domain.suppressions.suppressions import normalize_entry
from webapp.errors import PayloadTooLarge, PlanLimitExceeded
from webapp.models import Organization, Suppression
from webapp.models.suppression import SuppressionReason

MAX_BYTES = 10 * 1024 * 1024
PART_BYTES = 256 * 1024  # parsed in one go
GUESSED_LINES = 200
ROWS_AT_ONCE = 2_000  # per transaction
SAMPLE_ROWS = 50  # used to find the addresses
FAULTS_KEPT = 100
BOUNCE, COMPLAINT = SuppressionReason.BOUNCE, SuppressionReason.COMPLAINT
MANUAL, IMPORT = SuppressionReason.MANUAL, SuppressionReason.IMPORT
STRONGEST = (COMPLAINT, BOUNCE, MANUAL, IMPORT)  # first, if a file has several reasons for an address
SOFT = "soft"  # a bounce that is not about the address, so it is skipped

# Headings and documented values of these services, in the form of `plain_word`.
REASON_HEADINGS = """
    reason reasons suppressionreason bouncereason unsubreason type bouncetype bouncesubtype subtype event eventtype
    status state statuscode code errorcode error bounceclass category classification source origin cause description
    emailmarketing emailstatus bouncecategory bounceclassification failurereason rejectreason rejectionreason
    errormessage diagnosticcode smtpcode smtpresponse grund motivo raison motif"""
REASON_COLUMNS = frozenset(REASON_HEADINGS.split())
FLAG_COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("complaint", "complaints", "complained", "spamcomplaint", "isspamcomplaining"), COMPLAINT),
    **dict.fromkeys(("bounced", "hardbounce", "hardbounced", "cleantime", "cleaned"), BOUNCE),
    **dict.fromkeys(("softbounce", "softbounced", "bouncesoft"), SOFT),
}
WORDS: Mapping[str, str] = {
    word: reason
    for reason, words in {
        # Postmark, SES, Mailjet, SparkPost, Mandrill, Brevo, SendGrid, Mailchimp, Sendy, Resend
        BOUNCE: """hardbounce hardbounced bounce bounced bouncerule bademailaddress permanent hard cleaned invalid
            invalidemail invalidemailaddress undeliverable suppressbounce manuallydeactivated""",
        COMPLAINT: """complaint complained spamcomplaint spam spamreport spamreports markedasspam contactflaggedasspam
            flaggedasspam abuse abusecomplaint abusereport junk feedbackloop fbl""",
        MANUAL: """manual manualsuppression manuallyadded manuallyblocked adminblocked blockedbyadmin admin customer
            custom""",
        SOFT: """softbounce softbounced soft transient temporary deferred deferral delayed delay mailboxfull dnserror
            autoresponder challengeverification spamnotification virusnotification dmarcpolicy greylisted
            throttled""",
    }.items()
    for word in words.split()
}
CODE = re.compile(r"([245])\d\d\b|([245])\.\d{1,3}\.\d{1,3}\b")
FULL_OR_LATER = re.compile(r"\b(?:full|quota|over ?quota|temporar\w*|try (?:again )?later|deferred|grey ?list\w*)\b")
TYPES = (  # for other words, the first match
    (SOFT, re.compile(r"\b(?:soft|transient|temporar\w+|deferr\w+)\b")),
    (COMPLAINT, re.compile(r"\b(?:complain\w*|spam|abuse)\b")),
    (BOUNCE, re.compile(r"\b(?:hard|permanent\w*|bounce\w*)\b")),
    (MANUAL, re.compile(r"\bmanual\w*\b")),
)
FILE_NAMES = (
    (SOFT, re.compile(r"\b(?:soft ?bounce\w*|suppression blocks)\b")),
    (COMPLAINT, re.compile(r"\b(?:complain\w*|spam ?reports?)\b")),
    (BOUNCE, re.compile(r"\b(?:\w*bounce[ds]?|bounce|cleaned|invalid emails?)\b")),
)


class InvalidRow(NamedTuple):
    line: int  # from 1
    text: str
    reason: str


@dataclass
class ImportReport:
    """`existing` were on the list or earlier in the file; `faults` are the first of the `invalid`."""

    added: int = 0
    existing: int = 0
    invalid: int = 0
    soft: int = 0  # skipped soft bounces
    refused: int = 0  # addresses beyond the plan
    refusal: str = ""
    faults: list[InvalidRow] = field(default_factory=list)


async def import_suppressions(org: Organization, name: str, pieces: AsyncIterator[bytes]) -> ImportReport:
    """Adds a file's entries in batches, as far as the plan allows; commits each.

    Raises PayloadTooLarge and Unreadable before the first.
    """
    data = bytearray()
    async for piece in pieces:
        data += piece
        if len(data) > MAX_BYTES:
            raise PayloadTooLarge(f"the file is larger than {MAX_BYTES // 1024 // 1024} MB. Split it into parts")
    report, entries, rows = await asyncio.to_thread(_read, bytes(data), name)
    for reason in STRONGEST:
        emails = [email for email, why in entries.items() if why == reason]
        for start in range(0, len(emails), ROWS_AT_ONCE):
            await _add(org, emails[start : start + ROWS_AT_ONCE], reason, report)
    report.existing = rows - report.added - report.refused
    if report.added:
        async with db.write_transaction():
            added = f"{report.added:,} address{'' if report.added == 1 else 'es'}"
            reasons = ", ".join(reason for reason in STRONGEST if reason in entries.values())
            await record(org, AuditAction.SUPPRESSIONS_ADDED, None, added, file=name, reason=reasons)
    return report


async def _add(org: Organization, emails: list[str], reason: str, report: ImportReport) -> None:
    try:
        report.added += len((await suppressions.add(org, emails, reason, is_bounded=True)).added)
    except PlanLimitExceeded as error:
        known = {
            entry.email_key for entry in await Suppression.with_keys(org.id, [email_key(email) for email in emails])
        }
        new = [email for email in emails if email_key(email) not in known]
        fitting = new[: max((error.maximum or 0) - (error.current or 0), 0)]
        report.refused, report.refusal = report.refused + len(new) - len(fitting), str(error)
        if fitting:
            await _add(org, fitting, reason, report)


def _read(data: bytes, name: str) -> tuple[ImportReport, dict[str, str], int]:
    """A report, the reason of each entry, and the number of mentions."""
    report, entries, valid = ImportReport(), dict[str, str](), 0
    rows = _rows(data)
    head = list(islice(rows, SAMPLE_ROWS + 1))
    if not head:
        raise Unreadable("the file has no rows")
    column, is_header = _email_column(head[0].cells, [row.cells for row in head[1:]])
    reasons = ReasonReader(head[0].cells if is_header else (), name)
    for row in chain(head[is_header:], rows):
        cells = [plain_cell(cell.strip()) for cell in row.cells]
        cell = cells[column] if column < len(cells) else ""
        reason = reasons.read(cells)
        try:
            in_cell = _entries(cell, row.fault)
        except ValueError as error:
            report.invalid += 1
            if len(report.faults) < FAULTS_KEPT:
                report.faults.append(InvalidRow(row.line, cell, str(error)))
            continue
        if reason == SOFT:
            report.soft += 1
            continue
        valid += len(in_cell)
        for entry in in_cell:
            entries[entry] = min(entries.get(entry, reason), reason, key=STRONGEST.index)
    return report, entries, valid


def _entries(cell: str, fault: str | None) -> list[str]:
    if fault is not None:
        raise ValueError(fault)
    return [normalize_entry(address.email) for address in addresses_in(cell)]


def _rows(data: bytes) -> Iterator[CsvRow]:
    guess = EncodingGuess()
    guess.feed(data)
    reader, delimiter, lines, done = LineReader(guess.encoding), "", [], 0
    for start in range(0, len(data) + 1, PART_BYTES):
        is_end = start + PART_BYTES > len(data)
        lines += reader.feed(data[start : start + PART_BYTES])
        lines += reader.close() if is_end else []
        if not delimiter:
            delimiter = guess_delimiter(lines[:GUESSED_LINES])
            lines = strip_marks(lines)
        part = read_rows(lines, delimiter, len(lines), is_end=is_end)
        yield from (row._replace(line=done + row.line + 1) for row in part.rows)
        done += part.lines
        del lines[: part.lines]


def _email_column(first: Sequence[str], sample: Sequence[Sequence[str]]) -> tuple[int, bool]:
    """The number of the column with addresses, and True if the first row is a header. Raises Unreadable."""
    filled = [number for number, cell in enumerate(first) if "@" in cell]
    if filled and address_column(first) is None:
        return filled[0], False
    column = address_column(first, sample)
    if column is None:
        raise Unreadable(
            "the file has no email column. Name it email in the first row, or put one address on each line"
        )
    return column, True


class ReasonReader:
    """Reads the reason of each row, by default from the file's name."""

    def __init__(self, header: Sequence[str], file_name: str) -> None:
        headings = [plain_word(heading) for heading in header]
        self._columns = [number for number, heading in enumerate(headings) if heading in REASON_COLUMNS]
        self._flags = {number: FLAG_COLUMNS[name] for number, name in enumerate(headings) if name in FLAG_COLUMNS}
        name = spaced(re.sub(r"\.\w+$", "", file_name))
        self._default = next((reason for reason, pattern in FILE_NAMES if pattern.search(name)), IMPORT)

    def read(self, cells: Sequence[str]) -> str:
        """A reason, or SOFT. A complaint outweighs all other reasons, and a soft bounce a bounce."""
        reasons = set(self._reasons(cells))
        return next((reason for reason in (COMPLAINT, SOFT, BOUNCE, MANUAL) if reason in reasons), self._default)

    def _reasons(self, cells: Sequence[str]) -> Iterator[str]:
        for number in self._columns:
            if number < len(cells) and (reason := _reason(cells[number])):
                yield reason
        flagged = {kind for number, kind in self._flags.items() if number < len(cells) and says_yes(cells[number])}
        yield from flagged - {SOFT} or flagged


def _reason(text: str) -> str | None:
    if reason := WORDS.get(plain_word(text)):
        return reason
    words = spaced(text)
    if code := CODE.match(text.strip()):
        kind = code[1] or code[2]
        return SOFT if kind == "4" or FULL_OR_LATER.search(words) else BOUNCE if kind == "5" else None
    return next((reason for reason, pattern in TYPES if pattern.search(words)), None)
