"""Reads the reports of servers that write for people: qmail's format, and texts that name who failed.

qmail's is documented (cr.yp.to/proto/qsbmf.txt) and counts as one for machines. Of any other text an enhanced status
counts, and only for a recipient who is named as failed, or by the return path that the text came to.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from webapp.sending.reports.mime_parts import Fields, header_of, read_fields

MAX_RECIPIENTS = 100
QSBMF = "Hi. This is the"
PARAGRAPH = re.compile(r"\n(?:[ \t]*\n)+")
RECIPIENT = re.compile(r"<([^<>\s]{1,320})>:")
# The line after which the returned message follows: qmail's, Exim's, Gmail's.
RETURNED = re.compile(
    r"^(?:--- (?:Below this line|Enclosed)|-{3,} (?:This is a copy|Original message)).*\n", re.MULTILINE
)
# In prose a status follows the code of SMTP, or a number sign: any other numbers with dots may be a version.
IN_PROSE = re.compile(r"(?:\b([45])\d\d[ -](?:[45]\d\d[ -])?#?(?=\1\.)|#)([45]\.\d{1,3}\.\d{1,3})(?!\.?\d)")


UNNAMED = ""  # the address of a recipient that a text does not name


class ProseFailure(NamedTuple):
    address: str
    status: str
    words: str


def read_prose(fields: Fields, text: str, *, is_tagged: bool = False) -> list[ProseFailure]:
    """The failures that the text of a mailer's message tells of; one that `is_tagged` need not name the recipient."""
    text = text.replace("\r\n", "\n").lstrip()
    returned = RETURNED.search(text)
    words = text[: returned.start()] if returned else text
    listed = [address.strip(" <>") for value in fields.get("x-failed-recipients", []) for address in value.split(",")]
    paragraphs = PARAGRAPH.split(words)
    if text.startswith(QSBMF):
        return [ProseFailure(address, _status(said), said) for address, said in _by_paragraph(paragraphs[1:])]
    named = _by_mention(words, listed) if any(listed) else _by_paragraph(paragraphs)
    found = [ProseFailure(address, status, said) for address, said in named if (status := _status(said))]
    return [_unnamed(paragraphs)] if is_tagged and not named and _is_final(words) else found


def returned_fields(text: str) -> Fields:
    """The header of the message that a text returns; empty without one."""
    text = text.replace("\r\n", "\n")
    returned = RETURNED.search(text)
    if returned is None:
        return {}
    return read_fields(header_of(text[returned.end() :].lstrip("\n").encode("utf-8", "replace")))


def _is_final(words: str) -> bool:
    """True for a permanent status: one of class 4 may be a warning that the server still tries."""
    return _status(words).startswith("5")


def _unnamed(paragraphs: Iterable[str]) -> ProseFailure:
    words = next(one for one in paragraphs if _status(one))
    return ProseFailure(UNNAMED, _status(words), words)


def _by_paragraph(paragraphs: Iterable[str]) -> list[tuple[str, str]]:
    """The recipients whose address opens a paragraph, and what it says of each."""
    found = [(match[1], one[match.end() :]) for one in paragraphs if (match := RECIPIENT.match(one.lstrip()))]
    return found[:MAX_RECIPIENTS]


def _by_mention(text: str, listed: list[str]) -> list[tuple[str, str]]:
    """The listed recipients that the text mentions, and what it says from there to the next one's mention."""
    recipients = list(dict.fromkeys(filter(None, listed)))[:MAX_RECIPIENTS]
    starts = sorted((start, address) for address in recipients if (start := text.find(address)) >= 0)
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return [(address, text[start:end]) for (start, address), end in zip(starts, ends, strict=False)]


def _status(words: str) -> str:
    """The one status in the words; empty where there is none, or where they are of two minds."""
    found = {match[2] for match in IN_PROSE.finditer(words)}
    return found.pop() if len(found) == 1 else ""
