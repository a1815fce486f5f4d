"""Reads who may get campaigns from rows of a table: less mail wins, and the review asks about unknown words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from webapp.domain.contacts.consent_columns import (
    CONSENT,
    CUSTOM,
    FEW_WORDS,
    STATUS,
    UNSUBSCRIBED,
    Heading,
    Subject,
    read_heading,
)
from webapp.domain.contacts.heading_words import LINK_OR_ADDRESS
from webapp.domain.contacts.known_exports import is_our_export, known_export
from webapp.domain.contacts.status_words import (
    EMPTY,
    LONGEST_WORD,
    TIME,
    YES_OR_NO,
    may_say_left,
    plain_word,
    says_yes,
    status_in,
    word_of_leaving,
)
from webapp.models.contact import ContactStatus

SUBSCRIBED, LEFT, SKIPPED = ContactStatus.SUBSCRIBED.value, ContactStatus.UNSUBSCRIBED.value, "skip"
NOTHING, UNKNOWN = "nothing", ""  # the cell says nothing; a person must decide
MEANINGS = (SUBSCRIBED, LEFT, SKIPPED)  # possible answers for an unknown word
MOST_WORDS = 50  # unknown words that are counted separately per status column
MOST_KNOWN = 200
MOST_CACHED = 1_000  # cells per column
MOST_UNCOUNTED = 500  # rows
DATE, MORE = "*date", "*more"  # keys of all dates, and of words beyond MOST_WORDS

Words = dict[str, dict[str, tuple[str, int]]]  # (text, rows) by the word's key, by column number
Answers = Mapping[str, Mapping[str, str]]  # meaning by the word's key, by column number


class ConsentColumn(NamedTuple):
    id: str  # its number as a JSON key
    number: int
    heading: str
    kind: str  # STATUS, UNSUBSCRIBED or empty
    says: Heading


class CellReading(NamedTuple):
    column: ConsentColumn
    text: str
    meaning: str
    key: str


class Word(NamedTuple):
    """A word in a column and its meaning; UNKNOWN needs an answer."""

    column: ConsentColumn
    key: str
    text: str
    rows: int
    meaning: str


class ConsentReader:
    """Reads each row's status and counts words; `words` are the counts of earlier rows."""

    def __init__(
        self,
        header: Sequence[str],
        mapping: Mapping[int, str],
        *,
        has_left: bool = False,
        answers: Answers | None = None,
        words: Words | None = None,
    ) -> None:
        """Also reads columns that `mapping`, the fields by number, has as other fields, except in our exports."""
        self._has_left, self._answers, self._words = has_left, answers or {}, words or {}
        export, is_ours = known_export(header), is_our_export(header)
        self._own_words = export.words if export else {}
        columns = []
        for number, heading in enumerate(header):
            field = mapping.get(number, CUSTOM)
            kind = field if field in CONSENT else ""
            is_other = field.startswith(CUSTOM) and not heading.lstrip().startswith(CUSTOM)
            if kind or (is_other and not is_ours):
                columns.append(ConsentColumn(str(number), number, heading, kind, read_heading(heading)))
        self._consent = [column for column in columns if column.kind]
        others = [column for column in columns if not column.kind and not column.says.is_of_another_way]
        telling = {column.id for column in others if column.says.is_telling} | self._answers.keys()
        self._others = [column for column in others if column.id in telling]
        self._plain = [column for column in others if column.id not in telling]
        self._uncounted: list[list[str]] = [[] for _ in self._plain]  # cells of plain columns
        self._rows_uncounted = 0
        self._is_known_tool = export is not None  # whose empty times of consent mean nothing
        self._known: dict[str, dict[str, CellReading]] = {column.id: {} for column in columns}

    def read(self, cells: Sequence[str]) -> ContactStatus | None:
        """The row's status; None if it says nothing. Raises ValueError if the row is left out."""
        if self._has_left:
            return ContactStatus.UNSUBSCRIBED
        readings = self._read_all(self._consent, cells)
        if all(reading.meaning != LEFT for reading in readings):
            is_sure = self._is_known_tool or any(reading.meaning == SUBSCRIBED for reading in readings)
            readings += self._read_all(self._others, cells, needs_time=not is_sure)
            readings += self._read_plain(cells)
        meanings = {reading.meaning for reading in readings}
        if LEFT in meanings:
            return ContactStatus.UNSUBSCRIBED
        for reading in readings:
            if reading.meaning in (SKIPPED, UNKNOWN):
                raise ValueError(_reason(reading))
        return ContactStatus.SUBSCRIBED if SUBSCRIBED in meanings else None

    @property
    def words(self) -> Words:
        self._count_plain()
        return self._words

    def report(self) -> list[Word]:
        """The counted words and their meanings, most frequent first per column."""
        self._count_plain()
        return [
            self._word(column, key, text, rows)
            for column in (*self._consent, *self._others, *self._plain)
            if self._is_of_consent(column)
            for key, (text, rows) in sorted(self._counted(column).items(), key=lambda word: (-word[1][1], word[0]))
        ]

    def _counted(self, column: ConsentColumn) -> dict[str, tuple[str, int]]:
        return self._words.get(column.id, {})

    def _is_of_consent(self, column: ConsentColumn) -> bool:
        """Also true for another column if the review asks about a cell."""
        if column.kind or self._answers.get(column.id):
            return True
        return any(self._meaning_of_other(column, text) != NOTHING for text, _ in self._counted(column).values())

    def _word(self, column: ConsentColumn, key: str, text: str, rows: int) -> Word:
        if key == MORE:
            meaning = {STATUS: SKIPPED, UNSUBSCRIBED: LEFT}.get(column.kind, NOTHING)
        elif column.kind:
            meaning = self._meaning(column, text)
        else:
            is_plain = not key or status_in(text) is ContactStatus.SUBSCRIBED or MORE in self._counted(column)
            is_asked = self._meaning_of_other(column, text) != NOTHING or not (is_plain or column.says.subject)
            meaning = self._answers.get(column.id, {}).get(key) or (UNKNOWN if is_asked else NOTHING)
        return Word(column, key, text, rows, meaning)

    def _read_all(
        self, columns: Sequence[ConsentColumn], cells: Sequence[str], *, needs_time: bool = False
    ) -> list[CellReading]:
        readings = []
        for column in columns:
            text = cells[column.number].strip() if column.number < len(cells) else ""
            if text or column.kind == STATUS or (needs_time and column.says.subject is Subject.TIME_OF_CONSENT):
                reading = self._known[column.id].get(text) or self._read(column, text)
                self._count(reading)
                readings.append(reading)
        return readings

    def _read_plain(self, cells: Sequence[str]) -> list[CellReading]:
        """Reads columns that rarely say anything; one search usually shows that none does."""
        texts = [cells[column.number].strip() if column.number < len(cells) else "" for column in self._plain]
        if may_say_left("".join(texts)):
            return self._read_all(self._plain, cells)
        for uncounted, text in zip(self._uncounted, texts, strict=True):
            if text:
                uncounted.append(text)
        self._rows_uncounted += 1
        if self._rows_uncounted >= MOST_UNCOUNTED:
            self._count_plain()
        return []

    def _count_plain(self) -> None:
        self._rows_uncounted = 0
        for column, texts in zip(self._plain, self._uncounted, strict=True):
            remaining = len(texts)
            for text, rows in Counter(texts).items():
                if MORE in self._counted(column):
                    break
                self._count(CellReading(column, text, NOTHING, key_of(text)), rows)
                remaining -= rows
            if remaining:
                self._count(CellReading(column, "", NOTHING, MORE), remaining)
            texts.clear()

    def _read(self, column: ConsentColumn, text: str) -> CellReading:
        left = "" if column.kind else word_of_leaving(text)
        word = left or text
        reading = CellReading(column, word, self._meaning(column, word), key_of(word))
        known = self._known[column.id]
        # The meaning of an empty cell depends on the others.
        if text and len(text) <= LONGEST_WORD and len(known) < MOST_CACHED:
            known[text] = reading
        return reading

    def _count(self, reading: CellReading, rows: int = 1) -> None:
        column = reading.column
        counted = self._words.setdefault(column.id, {})
        is_one_of_many = reading.meaning == NOTHING and not column.kind and MORE in counted
        key = MORE if is_one_of_many else reading.key
        if key not in counted and len(counted) >= _most_words(column, reading.meaning):
            key = MORE
        first, earlier = counted.get(key) or ("" if key == MORE else reading.text[:LONGEST_WORD], 0)
        counted[key] = (first, earlier + rows)

    def _meaning(self, column: ConsentColumn, text: str) -> str:
        if column.kind == UNSUBSCRIBED:
            return LEFT if says_yes(text) else NOTHING
        answers = self._answers.get(column.id)
        answer = answers.get(key_of(text)) if answers else None
        if not column.kind:
            return answer or self._meaning_of_other(column, text)
        status = self._own_words.get(plain_word(text)) or status_in(text)
        if status is None and TIME.match(text) and column.says.needs_yes:
            status = ContactStatus.SUBSCRIBED  # the day of consent
        if column.says.is_either_way and (plain_word(text) in YES_OR_NO or TIME.match(text)):
            status = None
        if key_of(text):
            return status.value if status else answer or UNKNOWN
        return answer or (UNKNOWN if column.says.needs_yes or column.says.is_either_way else NOTHING)

    def _meaning_of_other(self, column: ConsentColumn, text: str) -> str:
        """LEFT for a cell that the review asks about, and until it is answered; UNKNOWN if it decides nothing."""
        kind, subject = column.says.kind, column.says.subject
        if subject is Subject.TIME_OF_CONSENT and not key_of(text):
            return UNKNOWN if any(map(bool, self._counted(column))) else NOTHING
        if column.says.is_either_way and plain_word(text) in YES_OR_NO:
            return UNKNOWN
        if word_of_leaving(text):
            return LEFT
        if len(text) > LONGEST_WORD or LINK_OR_ADDRESS.match(text):
            return NOTHING
        if kind == UNSUBSCRIBED or subject is Subject.ENDING:
            return (LEFT if kind else UNKNOWN) if says_yes(text) else NOTHING
        is_told = kind or subject in (Subject.FREQUENCY, Subject.TIME_OF_CONSENT)
        return LEFT if is_told and status_in(text) is ContactStatus.UNSUBSCRIBED else NOTHING


def key_of(text: str) -> str:
    """The same key for cells with the same word; empty for cells that say nothing."""
    if TIME.match(text):
        return DATE
    key = plain_word(text[:LONGEST_WORD])
    return "" if key in EMPTY else key


def _most_words(column: ConsentColumn, meaning: str) -> int:
    if column.kind == STATUS:
        return MOST_WORDS if meaning == UNKNOWN else MOST_KNOWN
    if column.kind == UNSUBSCRIBED:
        return FEW_WORDS if meaning == LEFT else MOST_KNOWN
    return FEW_WORDS if meaning == NOTHING else MOST_WORDS


def _reason(reading: CellReading) -> str:
    column, text, heading = reading.column, reading.text[:40], reading.column.heading[:40]
    if reading.meaning == SKIPPED:
        return f"“{text}” in the column “{heading}” is skipped, as you chose"
    if not key_of(text):
        return f"is empty in the column “{heading}”"
    if column.kind and not column.says.is_either_way:
        return f"“{text}” isn't recognized. Use subscribed or unsubscribed, or import the column as a custom field"
    return f"“{text}” in the column “{heading}” may mean that this contact unsubscribed. Use a column “Unsubscribed”"
