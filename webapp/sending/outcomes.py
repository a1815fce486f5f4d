"""What an SMTP answer means, as values: pure, and the same for every transport.

| outcome   | the message                          | the account                                   |
|-----------|--------------------------------------|-----------------------------------------------|
| Delivered | accepted: the server answers for it  |                                               |
| Refused   | failed for good                      |                                               |
| TryLater  | waits                                | `blame` says whose trouble it is              |
| Unknown   | may or may not have been accepted    |                                               |
| Halted    | stopped by us before DATA            |                                               |
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

TEXT_LIMIT = 1_000  # characters of a server's words that are kept

DONE, GO_AHEAD, CLOSING, SLOW_DOWN = 250, 354, 421, 454
SUCCESS, TEMPORARY, PERMANENT, REFUSALS = range(200, 300), range(400, 500), range(500, 600), range(400, 600)

QUOTA = re.compile(
    r"\b(daily|hourly|monthly|per[- ](day|hour|month))\b.*\b(quota|limit)"
    r"|\b(quota|limit)\b.*\b(per|a) (day|hour|month)\b"
    r"|\b(sending|sender|outgoing|outbound)\b.*\b(quota|limit)",
    re.IGNORECASE,
)
THROTTLING = re.compile(r"throttl|too many|too fast|\brates?\b|slow down", re.IGNORECASE)
RECIPIENTS_MAILBOX = re.compile(r"[45]\.2\.\d")  # RFC 3463, 3.3: status of the mailbox, not of the sender
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
QUOTA_CODES = frozenset({SLOW_DOWN, *PERMANENT})
LOGIN_CODES = frozenset({530, 534, 535, 538})  # RFC 4954, section 6


class Phase(StrEnum):
    """How far a message had come; `data` lasts until the final dot is written, `dot` from then on."""

    CONNECT = "connect"
    TLS = "tls"
    LOGIN = "login"
    MAIL = "mail"
    RCPT = "rcpt"
    DATA = "data"
    DOT = "dot"


class Blame(StrEnum):
    """Whose trouble a delay is: the message's (an attempt is counted), or the account's, and of which kind."""

    MESSAGE = "message"
    THROTTLED = "throttled"  # too fast: halve the rate
    FULL = "full"  # the sender's own quota is used up: wait for the next day
    REST = "rest"  # cannot be reached just now: rest with backoff
    BROKEN = "broken"  # a person must act


class Delivered(NamedTuple):
    """Accepted after the final dot; `text` is the server's words, where its queue id stands."""

    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Refused for good; `text` is the server's own words with the code, or ours where `code` is None."""

    code: int | None
    text: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class TryLater:
    """Not accepted, and worth another try; `text` is a sentence, or the server's words with the code."""

    code: int | None
    text: str
    phase: Phase
    blame: Blame


@dataclass(frozen=True, slots=True)
class Unknown:
    """The final dot was written and no answer came: the server may have the message or not (RFC 1047)."""

    text: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Halted:
    """Stopped by us before DATA: nothing was handed over. `text` says why where it is the message's own reason."""

    text: str | None = None


Outcome = Delivered | Refused | TryLater | Unknown | Halted


def classify(code: int, text: str, phase: Phase, host: str = "the server") -> Outcome:
    """What the answer `code text` of `host` means in `phase` (RFC 5321, 4.2.1; RFC 3463; RFC 4954, section 6)."""
    text = clean(text)
    if phase is Phase.DOT and code in SUCCESS:
        return Delivered(code, text)
    words = f"{code} {text}".strip()
    if code not in REFUSALS:
        return lost(f"{host} gave an answer that does not fit: {words}", phase)
    if phase in (Phase.CONNECT, Phase.TLS, Phase.LOGIN):
        return TryLater(code, _sentence(host, phase, words), phase, _blame_before_mail(code, text, phase))
    blame = _blame(code, text)
    return TryLater(code, words, phase, blame) if blame else Refused(code, words, phase)


def clean(text: str) -> str:
    """A server's words fit to be kept and shown: one line without control characters, at most 1,000 characters."""
    if text.isascii() and text.isprintable() and len(text) <= TEXT_LIMIT and "  " not in text:
        return text.strip(" ")  # as nearly all are: nothing below would change them
    text = " ".join(CONTROL.sub(" ", text[: 4 * TEXT_LIMIT]).split())
    return text.encode("utf-8", "replace").decode()[:TEXT_LIMIT]


def lost(text: str, phase: Phase) -> TryLater | Unknown:
    """What a drop, a time-out or an answer that is no SMTP means in `phase`; `text` is a sentence that names the host.

    While the body travels it is the message that counts an attempt: one that a server's filter hangs up on would
    otherwise make its account rest for ever.
    """
    if phase is Phase.DOT:
        return Unknown(clean(text), phase)
    return TryLater(None, clean(text), phase, Blame.MESSAGE if phase is Phase.DATA else Blame.REST)


def _sentence(host: str, phase: Phase, words: str) -> str:
    verb = {
        Phase.CONNECT: "turned the connection away",
        Phase.TLS: "would not start TLS",
    }.get(phase, "refused the login")
    return clean(f"{host} {verb}: {words}")


def _blame_before_mail(code: int, text: str, phase: Phase) -> Blame:
    if code in PERMANENT:
        return Blame.BROKEN
    if phase is Phase.LOGIN and (code == CLOSING or THROTTLING.search(text)):
        return Blame.THROTTLED
    return Blame.REST


def _blame(code: int, text: str) -> Blame | None:
    """Who is to blame for a refused MAIL, RCPT, DATA or message; None where it is refused for good."""
    status = text.partition(" ")[0]
    if code in LOGIN_CODES:
        return Blame.BROKEN
    if _is_about_own_quota(code, text, status):
        return Blame.FULL
    if code in PERMANENT:
        return None
    is_slow_down = code == SLOW_DOWN and THROTTLING.search(text)
    if code == CLOSING or (code, status) == (450, "4.2.1") or is_slow_down:
        return Blame.THROTTLED
    return Blame.MESSAGE


def _is_about_own_quota(code: int, text: str, status: str) -> bool:
    """Gmail's 550 5.4.5 and its like; Amazon says 454 "Daily message quota exceeded". A full mailbox is 5.2.x."""
    if RECIPIENTS_MAILBOX.fullmatch(status):
        return False
    return status == "5.4.5" or (code in QUOTA_CODES and QUOTA.search(text) is not None)
