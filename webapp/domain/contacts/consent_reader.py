"""Reads from the rows of a table who may get campaigns: less mail wins, and unknown words are asked about."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from webapp.domain.contacts.consent_columns import (
    FEW_WORDS,
    LINK_OR_ADDRESS,
    STATUS,
    UNSUBSCRIBED,
    asks_for_consent,
    consent_field,
    is_of_another_way,
)
from webapp.domain.contacts.known_exports import known_export
from webapp.domain.contacts.status_words import (
    EMPTY,
    LONGEST_WORD,
    TIME,
    has_tag_of_leaving,
    plain_word,
    says_left,
    says_yes,
    status_in,
)
from webapp.models.contact import ContactStatus

SUBSCRIBED, LEFT, SKIPPED = ContactStatus.SUBSCRIBED.value, ContactStatus.UNSUBSCRIBED.value, "skip"
NOTHING, UNKNOWN = "nothing", ""  # a cell says nothing; somebody has to say what it means
MEANINGS = (SUBSCRIBED, LEFT, SKIPPED)  # that may be answered for a word that is not known
MOST_WORDS = 50  # of a column of statuses that are counted each by itself, if they are not known
MOST_KNOWN = 200
DATE, MORE = "*date", "*more"  # keys of all dates, and of the words beyond the most; no word has a star

Words = dict[str, dict[str, tuple[str, int]]]  # the text and the rows of each word, by its key, by a column's number
Answers = Mapping[str, Mapping[str, str]]  # a meaning by a word's key, by a column's number


class ConsentColumn(NamedTuple):
    id: str  # its number, as a key of JSON
    number: int
    heading: str
    kind: str  # STATUS or UNSUBSCRIBED; empty for a column that is imported as something else
    hint: str | None  # the kind that its heading suggests
    needs_yes: bool


class Word(NamedTuple):
    """A word in a column and its meaning for the rows that have it; UNKNOWN asks for an answer."""

    column: ConsentColumn
    key: str
    text: str
    rows: int
    meaning: str


class ConsentReader:
    """Reads the status of each row and counts the words; `words` has the counts of earlier rows."""

    def __init__(
        self,
        header: Sequence[str],
        kinds: Mapping[int, str],
        *,
        has_left: bool = False,
        answers: Answers | None = None,
        words: Words | None = None,
    ) -> None:
        """`kinds` has STATUS, UNSUBSCRIBED, or an empty text for another column, by number."""
        self._has_left, self._answers, self.words = has_left, answers or {}, words or {}
        export = known_export(header)
        self._own_words = export.words if export else {}
        headings = {number: header[number] if number < len(header) else "" for number in sorted(kinds)}
        columns = [
            ConsentColumn(
                str(number), number, heading, kinds[number], consent_field(heading, ()), asks_for_consent(heading)
            )
            for number, heading in headings.items()
        ]
        self._consent = [column for column in columns if column.kind]
        self._others = [column for column in columns if not column.kind and not is_of_another_way(column.heading)]

    def read(self, cells: Sequence[str]) -> ContactStatus | None:
        """The status that the row gives; None if it says nothing. Raises ValueError for a row that is left out."""
        if self._has_left:
            return ContactStatus.UNSUBSCRIBED
        readings = [(column, text, self._read(column, text)) for column, text in _cells_of(self._consent, cells)]
        if all(meaning != LEFT for *_, meaning in readings):
            readings += [(column, text, self._read(column, text)) for column, text in _cells_of(self._others, cells)]
        meanings = {meaning for *_, meaning in readings}
        if LEFT in meanings:
            return ContactStatus.UNSUBSCRIBED
        for column, text, meaning in readings:
            if meaning in (SKIPPED, UNKNOWN):
                raise ValueError(_reason(column, text, meaning))
        return ContactStatus.SUBSCRIBED if SUBSCRIBED in meanings else None

    def report(self) -> list[Word]:
        """The words that were counted and what they mean, the most frequent of each column first."""
        return [
            self._word(column, key, text, rows)
            for column in (*self._consent, *self._others)
            if self._is_of_consent(column)
            for key, (text, rows) in sorted(self._counted(column).items(), key=lambda word: (-word[1][1], word[0]))
        ]

    def _counted(self, column: ConsentColumn) -> dict[str, tuple[str, int]]:
        return self.words.get(column.id, {})

    def _is_of_consent(self, column: ConsentColumn) -> bool:
        """True also for another column in which any cell says that somebody left, or was asked about."""
        is_asked = bool(self._answers.get(column.id))
        return (
            bool(column.kind) or is_asked or any(_has_left(column, text) for text, _ in self._counted(column).values())
        )

    def _word(self, column: ConsentColumn, key: str, text: str, rows: int) -> Word:
        answer = self._answers.get(column.id, {}).get(key)
        if key == MORE:
            meaning = {STATUS: SKIPPED, UNSUBSCRIBED: LEFT}.get(column.kind, NOTHING)
        elif column.kind:
            meaning = self._meaning(column, text)
        else:
            is_plain = not key or status_in(text) is ContactStatus.SUBSCRIBED or self._is_overfull(column)
            meaning = answer or (NOTHING if is_plain and not _has_left(column, text) else UNKNOWN)
        return Word(column, key, text, rows, meaning)

    def _is_overfull(self, column: ConsentColumn) -> bool:
        return MORE in self._counted(column)

    def _read(self, column: ConsentColumn, text: str) -> str:
        meaning = self._meaning(column, text)
        counted = self.words.setdefault(column.id, {})
        key = MORE if meaning == NOTHING and not column.kind and MORE in counted else key_of(text)
        if key not in counted and len(counted) >= _most_words(column, meaning):
            key, text = MORE, ""
        first, rows = counted.get(key, (text[:LONGEST_WORD], 0))
        counted[key] = (first, rows + 1)
        return meaning

    def _meaning(self, column: ConsentColumn, text: str) -> str:
        if column.kind == UNSUBSCRIBED:
            return LEFT if says_yes(text) else NOTHING
        answers = self._answers.get(column.id)
        answer = answers.get(key_of(text)) if answers else None
        if not column.kind:
            return answer or (LEFT if _has_left(column, text) else NOTHING)
        status = self._own_words.get(plain_word(text)) or status_in(text)
        if status is None and TIME.match(text) and column.needs_yes:
            status = ContactStatus.SUBSCRIBED  # the day on which somebody agreed
        if key_of(text):
            return status.value if status else answer or UNKNOWN
        return answer or (UNKNOWN if column.needs_yes else NOTHING)


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
    return MOST_WORDS if meaning == LEFT else FEW_WORDS


def _cells_of(columns: Sequence[ConsentColumn], cells: Sequence[str]) -> Iterator[tuple[ConsentColumn, str]]:
    for column in columns:
        text = cells[column.number].strip() if column.number < len(cells) else ""
        if text or column.kind == STATUS:
            yield column, text


def _has_left(column: ConsentColumn, text: str) -> bool:
    if says_left(text) or has_tag_of_leaving(text):
        return True
    if column.hint is None or len(text) > LONGEST_WORD or LINK_OR_ADDRESS.match(text):
        return False
    return says_yes(text) if column.hint == UNSUBSCRIBED else status_in(text) is ContactStatus.UNSUBSCRIBED


def _reason(column: ConsentColumn, text: str, meaning: str) -> str:
    if meaning == SKIPPED:
        return f"“{text[:40]}” in the column “{column.heading[:40]}” is skipped, as you chose"
    if not key_of(text):
        return f"is empty in the column “{column.heading[:40]}”"
    return f"“{text[:40]}” isn't recognized. Use subscribed or unsubscribed, or import the column as a custom field"
