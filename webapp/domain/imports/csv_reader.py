"""Reads CSV files as spreadsheets and people write them (RFC 4180 and worse), in parts of bounded size."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from webapp.errors import ApiError

ENCODINGS = {"utf-8": "UTF-8", "cp1252": "Windows-1252", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16, big-endian"}
DELIMITERS = {",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Pipe"}
ROW_BYTES = 64 * 1024  # a contact has at most 16 KiB of custom fields
MAX_UNCLOSED = 20  # per part, because each reads up to ROW_BYTES in vain
GUESSED_ROWS = 20
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
SAVE_AS = "Save it as CSV and upload that"
OTHER_FILES = {  # formats that are not text by their first bytes, and what to do with one
    b"PK\x03\x04": ("an Excel or ZIP file", SAVE_AS),
    b"\xd0\xcf\x11\xe0": ("an Excel or other Office file", SAVE_AS),
    b"\x1f\x8b": ("a compressed file", "Unpack it and upload the CSV file in it"),
    b"%PDF": ("a PDF file", "Choose a CSV file"),
    b"\x89PNG": ("an image", "Choose a CSV file"),
    b"\xff\xd8\xff": ("an image", "Choose a CSV file"),
    b"GIF8": ("an image", "Choose a CSV file"),
}
LINE_END = re.compile(r"\r\n|\n|\r(?=[^\n])")
TOO_LONG = f"is longer than {ROW_BYTES // 1024} KiB"
# Excel may write this line before the header.
STATED = re.compile(r'\s*"?sep *= *([,;|\t])"?[\s,;|"]*', re.IGNORECASE)
UNPAIRED = re.compile(r"[\ud800-\udfff]")  # how surrogateescape represents invalid UTF-8
UNCLOSED = f"has a quoted cell that isn't closed within {ROW_BYTES // 1024} KiB"


class Unreadable(ApiError):
    status = 422
    name = "Unreadable"


class CsvLine(NamedTuple):
    """A line with its end and size in bytes; without `text` if too long, with U+FFFD if damaged."""

    text: str | None
    size: int
    fault: str | None = None


class CsvRow(NamedTuple):
    line: int
    cells: list[str]
    fault: str | None = None


class CsvPart(NamedTuple):
    """Rows, with the numbers of lines and bytes that they and blank lines take."""

    rows: list[CsvRow]
    lines: int
    size: int


class EncodingGuess:
    def __init__(self) -> None:
        self._head = b""
        self._utf8 = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._line = ""  # the unfinished one, if it is not ASCII
        self._votes = 0  # lines of UTF-8, less those that are not

    def feed(self, piece: bytes) -> None:
        """Counts the next bytes. Raises Unreadable if they are not text."""
        if len(self._head) < ROW_BYTES:
            self._head += piece[:ROW_BYTES]
            for beginning, (what, advice) in OTHER_FILES.items():
                if self._head.startswith(beginning):
                    raise Unreadable(f"this looks like {what}. {advice}")
        text = self._utf8.decode(piece)
        if self._line or not text.isascii():
            *lines, line = (self._line + text.replace("\r", "\n")).split("\n")
            self._line = "" if line.isascii() else line[:ROW_BYTES]
            self._votes += sum(map(_vote, lines))

    @property
    def encoding(self) -> str:
        """UTF-16 by mark or zeros; UTF-8 if most non-ASCII lines are, so one damaged row cannot decide; else cp1252."""
        for mark, name in BOMS:
            if self._head.startswith(mark):
                return name
        even, odd = self._head[::2].count(0), self._head[1::2].count(0)
        if max(even, odd) * 4 > len(self._head):
            return "utf-16-le" if odd > even else "utf-16-be"
        last = self._line + len(self._utf8.getstate()[0]) * "\udc80"  # for bytes of an unfinished character
        return "utf-8" if self._votes + _vote(last) >= 0 else "cp1252"


def _vote(line: str) -> int:
    """1 for a line of UTF-8, -1 for one of which most characters beyond ASCII are not, 0 for ASCII."""
    if line.isascii():
        return 0
    return 1 if 2 * len(UNPAIRED.findall(line)) <= len(line) - len(line.encode("ascii", "ignore")) else -1


class LineReader:
    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        # Encoding the text again returns the same bytes.
        self._errors = "surrogatepass" if encoding.startswith("utf-16") else "surrogateescape"
        self._decoder = codecs.getincrementaldecoder(encoding)(self._errors)
        self._rest = ""
        self._dropped = 0  # bytes of an overlong line

    def feed(self, piece: bytes) -> list[CsvLine]:
        return self._split(self._decoder.decode(piece))

    def _split(self, text: str) -> list[CsvLine]:
        text, lines, start = self._rest + text, [], 0
        for end in LINE_END.finditer(text):
            lines.append(self._line(text[start : end.end()]))
            start = end.end()
        self._rest = text[start:]
        if len(self._rest) > ROW_BYTES:
            self._dropped += len(self._bytes_of(self._rest[:-1]))
            self._rest = self._rest[-1]  # may be half of a line end
        return lines

    def close(self) -> list[CsvLine]:
        lines = self._split(self._decoder.decode(b"", final=self._errors == "surrogateescape"))
        return [*lines, self._line(self._rest)] if self._rest or self._dropped else lines

    def _line(self, text: str) -> CsvLine:
        data = self._bytes_of(text)
        size, self._dropped = self._dropped + len(data), 0
        if size > ROW_BYTES:
            return CsvLine(None, size)
        if text.isascii() or not UNPAIRED.search(text):
            return CsvLine(text, size)
        fault = f"has characters that aren't {ENCODINGS[self._encoding]}"
        return CsvLine(data.decode(self._encoding, "replace"), size, fault)

    def _bytes_of(self, text: str) -> bytes:
        return text.encode(self._encoding, self._errors)


def read_rows(lines: Sequence[CsvLine], delimiter: str, limit: int, *, is_end: bool) -> CsvPart:
    """Up to `limit` rows; unless `is_end`, an unfinished row is left for later. Raises Unreadable."""
    rows: list[CsvRow] = []
    next_line, unclosed = 0, 0
    while next_line < len(lines) and len(rows) < limit:
        feed = _BoundedLines(lines, next_line, is_end=is_end)
        try:
            for cells in csv.reader(feed, delimiter=delimiter):
                if feed.has_run_out:  # within this row
                    break
                if cells:
                    rows.append(CsvRow(feed.start, cells, feed.fault))
                feed.begin_row()
                if len(rows) >= limit:
                    break
            next_line = feed.start
            if feed.has_run_out:
                break
        except _Fault as fault:
            rows.append(CsvRow(feed.start, [(lines[feed.start].text or "")[:200].rstrip("\r\n")], str(fault)))
            next_line = feed.start + 1
            unclosed += str(fault) == UNCLOSED
            if unclosed > MAX_UNCLOSED:
                raise Unreadable(
                    "quoted cells aren't closed. Check the quotation marks or choose another delimiter"
                ) from None
    return CsvPart(rows, next_line, sum(line.size for line in lines[:next_line]))


class _Fault(Exception):
    pass


class _BoundedLines:
    """Lines for the parser from `start` on. Raises _Fault in a row that becomes too long."""

    def __init__(self, lines: Sequence[CsvLine], start: int, *, is_end: bool) -> None:
        self._lines, self._is_end = lines, is_end
        self._next = start
        self.has_run_out = False
        self.begin_row()

    def begin_row(self) -> None:
        self.start, self._size = self._next, 0
        self.fault: str | None = None

    def __iter__(self) -> "_BoundedLines":
        return self

    def __next__(self) -> str:
        if self._next == len(self._lines):
            if self._is_end and self._size:
                raise _Fault(UNCLOSED)
            self.has_run_out = True
            raise StopIteration
        line = self._lines[self._next]
        self._next += 1
        self._size += line.size
        if line.text is None and self._next - 1 == self.start:
            raise _Fault(TOO_LONG)
        if line.text is None or self._size > ROW_BYTES:
            raise _Fault(UNCLOSED)
        self.fault = self.fault or line.fault
        return line.text


def guess_delimiter(lines: Sequence[CsvLine]) -> str:
    """The stated delimiter of a file's first lines, or the one that makes even rows."""
    lines = _strip_bom(lines)
    if stated := STATED.fullmatch(_first_filled(lines)[1]):
        return stated[1]
    return max(DELIMITERS, key=lambda delimiter: _consistency(lines, delimiter))


def _consistency(lines: Sequence[CsvLine], delimiter: str) -> tuple[int, int]:
    try:
        rows = read_rows(lines, delimiter, GUESSED_ROWS, is_end=False).rows
    except Unreadable:
        return 0, 0
    widths = [len(row.cells) for row in rows if row.fault is None]
    if not widths or widths[0] == 1:
        return 0, 0
    return Counter(widths)[widths[0]], widths[0]


def strip_marks(lines: Sequence[CsvLine]) -> list[CsvLine]:
    """A file's first lines without the byte order mark and the text of the one that states the delimiter."""
    lines = _strip_bom(lines)
    number, text = _first_filled(lines)
    if STATED.fullmatch(text):
        return [line._replace(text="") for line in lines[: number + 1]] + lines[number + 1 :]
    return lines


def _strip_bom(lines: Sequence[CsvLine]) -> list[CsvLine]:
    if not lines or lines[0].text is None:
        return list(lines)
    return [lines[0]._replace(text=lines[0].text.removeprefix("\ufeff")), *lines[1:]]


def _first_filled(lines: Sequence[CsvLine]) -> tuple[int, str]:
    for number, line in enumerate(lines):
        if line.text is None or line.text.strip():
            return number, line.text or ""
    return 0, ""
