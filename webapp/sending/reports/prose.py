"""Reads reports that servers write for people: qmail's format, and free text that says who failed and why.

qmail's format is documented (cr.yp.to/proto/qsbmf.txt). In free text, a permanent reply code or enhanced status counts
for the recipient named before it, or for our return path. If our Message-ID is returned, a final failure is enough.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from webapp.sending.reports.classification import FAILURE
from webapp.sending.reports.mime_parts import Fields, first, header_of, read_fields

MAX_RECIPIENTS = 100
QSBMF = "Hi. This is the"
PARAGRAPH = re.compile(r"\n(?:[ \t]*\n)+")
RECIPIENT = re.compile(r'[<"]([^<>"\s]{1,320})[>"]:')
ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w-]{1,63}\.){1,9}[\w-]{2,63}")
# The line before the returned message, as qmail, Exim, Gmail, GMX, Exchange, OpenSMTPD and DragonFly write it.
RETURNED = re.compile(
    r"^[ \t]*(?:-{2,}[ \t]*(?:Below this line|Enclosed|This is a copy|The headers? of"
    r"|(?:Original|Returned|Undelivered) message)|(?:Original )?message headers(?: follow|:)"
    r"|Below is a copy of the (?:original )?message).*\n",
    re.MULTILINE | re.IGNORECASE,
)
# The first line of a returned message without such an announcement (Zoho, Yahoo).
RETURNED_FIELD = re.compile(
    r"^(?=(?:Return-Path|Received|DKIM-Signature|Message-ID|MIME-Version):)", re.MULTILINE | re.IGNORECASE
)
# A reply code, or a status that follows one, a number sign or the beginning of a line: other numbers with dots may be
# versions, and other three digits anything.
REPLY = re.compile(r"(?<![\w.-])([45])[0-57]\d[\s:,;'\"-]{1,4}(?=[^\s\d]|[245]\.\d|[45]\d\d)")
IN_PROSE = re.compile(
    r"(?:\b([45])\d\d[\s:,;'\"-]{1,4}(?:[45]\d\d[ -])?#?(?=\1\.)|#|^[ \t]*|code ?:[ \t]*)"
    r"([45]\.\d{1,3}\.\d{1,3})(?!\.?\d)",
    re.MULTILINE | re.IGNORECASE,
)
DELAYED = re.compile(
    r"\bdelayed\b|\bwill (?:be retried|(?:keep|continue) (?:on )?(?:try|for))|\bstill (?:trying|being|undelivered)"
    r"|\bnot yet been delivered|\bwarning only|\bdo not need to resend|\bno action is required"
    r"|\battempts will continue|\bonly a temporary failure|\bwill retry\b|\bwill be attempted again"
    r"|\bnoch nicht zugestellt|\bweiter(?:hin)? versucht|\bpas encore|\bnouvelles? tentatives?\b|\btodavía\b|\baún no\b"
    r"|\bse volverá a intentar|\bancora (?:stat|consegn|recapit)|\baltri tentativi|\bainda não|\bnog niet\b",
    re.IGNORECASE,
)
NOT = r"(?:could not|couldn't|cannot|can't|can not|was not|wasn't|were not|not be|unable to|failed to|not able to)"
FINAL = re.compile(
    rf"permanent(?:ly)?[ -](?:error|fail|fatal)|failed permanently|{NOT} (?:be )?(?:deliver|sen[dt])"
    r"|(?:delivery|sending) (?:has |of .{1,80} )?failed|undeliverable|undelivered|did(?:n't| not) reach"
    r"|error (?:has )?occurred while (?:attempting|trying) to deliver|(?:error|problem) delivering|giv(?:ing|en) up"
    r"|returned to (?:you|sender)"
    r"|nicht zugestellt|unzustellbar|n'a pas (?:pu|été)|non (?:è stat|recapit|consegn)"
    r"|no (?:se ha podido|pudo|se pudo) (?:entreg|ser)",
    re.IGNORECASE,
)

QUOTED = {"[": re.compile("]"), "(": re.compile(r"\)\s"), "'": re.compile("'(?![a-z])"), '"': re.compile('"')}

UNNAMED = ""  # the address if the text names no recipient


class ProseFailure(NamedTuple):
    address: str
    status: str
    words: str

    @property
    def judged(self) -> str:
        """The refusing server's reply, or else all words without numbers that may be versions."""
        reply = REPLY.search(self.words)
        if reply is None:
            return self.words if self.status else FAILURE.sub(" ", self.words)
        start = reply.start()
        end = PARAGRAPH if start == 0 else QUOTED.get(self.words[start - 1], PARAGRAPH)
        return end.split(self.words[start:], maxsplit=1)[0]


def read_prose(
    fields: Fields, text: str, *, is_tagged: bool = False, has_message_id: bool = False
) -> list[ProseFailure]:
    """The failures in a mailer's message; delays are ignored.

    If it `is_tagged`, the recipient need not be named; if it returns our Message-ID, no reason is needed.
    """
    words = _split(text)[0].lstrip()
    line = " ".join(words.split())
    if DELAYED.search(line):
        return []
    paragraphs = PARAGRAPH.split(words)
    if words.startswith(QSBMF):
        return [ProseFailure(address, _status(words), words) for address, words in _by_paragraph(paragraphs[1:])]
    listed = [address.strip(" <>") for value in fields.get("x-failed-recipients", []) for address in value.split(",")]
    if any(listed):
        named = _by_mention(words, listed)
    else:
        named = _by_paragraph(paragraphs) or _by_mention(words, _addresses(fields, words))
    failures = [ProseFailure(address, _status(reason), reason) for address, reason in named]
    explicit = [failure for failure in failures if failure.status or REPLY.search(failure.words)]
    if explicit:
        return explicit
    if is_tagged and not any(listed) and _status(words).startswith("5"):  # one of class 4 may be a warning
        reason = next(paragraph for paragraph in paragraphs if _status(paragraph))
        return [ProseFailure(UNNAMED, _status(reason), reason)]
    if has_message_id and FINAL.search(line):
        return failures or [ProseFailure(UNNAMED, "", words)]
    return []


def returned_fields(text: str) -> Fields:
    """The header of the message that the text returns, or empty."""
    return read_fields(header_of(_split(text)[1].lstrip("\n").encode("utf-8", "replace")))


def _split(text: str) -> tuple[str, str]:
    """Splits a text into its own words and the returned message."""
    text = text.replace("\r\n", "\n")
    marks = [mark for mark in (RETURNED.search(text), RETURNED_FIELD.search(text)) if mark]
    if not marks:
        return text, ""
    start = min(marks, key=lambda mark: mark.start())
    return text[: start.start()], text[start.end() :]


def _by_paragraph(paragraphs: Iterable[str]) -> list[tuple[str, str]]:
    """The recipients whose address opens a paragraph, with its text."""
    matches = [(RECIPIENT.match(paragraph.lstrip()), paragraph.lstrip()) for paragraph in paragraphs]
    return [(match[1], paragraph[match.end() :]) for match, paragraph in matches if match][:MAX_RECIPIENTS]


def _by_mention(text: str, listed: list[str]) -> list[tuple[str, str]]:
    """The listed recipients that the text mentions, each with the text up to the next mention."""
    recipients = list(dict.fromkeys(filter(None, listed)))[:MAX_RECIPIENTS]
    starts = sorted((start, address) for address in recipients if (start := text.find(address)) >= 0)
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return [(address, text[start:end]) for (start, address), end in zip(starts, ends, strict=False)]


def _addresses(fields: Fields, words: str) -> list[str]:
    """The addresses in a text, without those of the report itself."""
    own = f"{first(fields, 'from')} {first(fields, 'to')}".lower()
    return [address for address in ADDRESS.findall(words) if address.lower() not in own]


def _status(words: str) -> str:
    """The status in the words; empty if there is none or several differ."""
    statuses = {match[2] for match in IN_PROSE.finditer(words)}
    return statuses.pop() if len(statuses) == 1 else ""
