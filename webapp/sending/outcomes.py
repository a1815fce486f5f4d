"""Outcomes: the meaning of an SMTP reply as a value, the same for every transport.

| outcome   | the message                             | the account                       |
|-----------|-----------------------------------------|-----------------------------------|
| Delivered | the server has taken responsibility     |                                   |
| Refused   | failed for good                         |                                   |
| TryLater  | waits                                   | `blame` says whose problem it is  |
| Unknown   | may have been accepted                  |                                   |
| Halted    | stopped by us before DATA, or left for another transaction |                |

A refusal of MAIL, RCPT, DATA or a message has the meaning of the first line in `MEANINGS` that fits. Enhanced statuses
(RFC 3463) count before words, which only count where the status says nothing and the provider's text is known.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from webapp.sending.reports.classification import Bounce, after_message
from webapp.sending.reports.classification import classify as classify_bounce
from webapp.sending.reports.wordings import OWN_QUOTA

TEXT_LIMIT = 1_000  # characters of a server's reply that are stored
DELIVERY_UNKNOWN = "may have been delivered: "

DONE, GO_AHEAD, CLOSING = 250, 354, 421
SUCCESS, TEMPORARY, PERMANENT, REFUSALS = range(200, 300), range(400, 500), range(500, 600), range(400, 600)

STATUS = re.compile(r"[#(\[]?[245]\.(\d{1,3}\.\d{1,3})(?!\.?\d)")  # it opens the text (RFC 2034, 4)
POLICY = re.compile(r"4\d\d[ -][#(\[]?4\.7\.\d{1,3}\b")  # behind the code
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
CONTROL_IN_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Phase(StrEnum):
    """The progress of a message; `data` lasts until the final dot is written."""

    CONNECT = "connect"
    TLS = "tls"
    LOGIN = "login"
    MAIL = "mail"
    RCPT = "rcpt"
    DATA = "data"
    DOT = "dot"


class Blame(StrEnum):
    MESSAGE = "message"
    THROTTLED = "throttled"  # halve the rate
    PROVIDER = "provider"  # halve the rate towards the recipient's provider
    QUOTA_EXHAUSTED = "full"  # the account's quota is used up: wait for the next day
    QUOTA_SUSPECTED = "quota"  # judged by words alone: blames the message until others are refused too
    SIGN_IN = "sign in"  # wanted for one recipient or message: blames the message until others are refused too
    UNREACHABLE = "rest"  # retry with backoff
    CONNECTION = "connection"  # out of step with the server: send over another connection
    NOT_READY = "not ready"  # MISCONFIGURED unless it passes within a few tries
    MISCONFIGURED = "broken"  # a person must act


class Delivered(NamedTuple):
    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """`text` is ours if `code` is None."""

    code: int | None
    text: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class TryLater:
    """`text` is ours if `code` is None."""

    code: int | None
    text: str
    phase: Phase
    blame: Blame
    wait: float = 0.0  # seconds that the server asks for if THROTTLED


@dataclass(frozen=True, slots=True)
class Unknown:
    """No reply came after the final dot, so the server may have the message (RFC 1047)."""

    text: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Halted:
    """Not sent: stopped before DATA, one recipient too many at once, or held by the pace towards a provider."""

    text: str | None = None
    wait: float | None = None  # seconds


Outcome = Delivered | Refused | TryLater | Unknown | Halted

OF_RECIPIENT = re.compile(r"5\.[12]\.\d+")
NOTHING_SAID = r"|[03457]\.0|7\.1"  # no status, "other or undefined", and the one that policies refuse with
PROTOCOL = r"|0\.0|5\.\d+"  # no status, or about the dialogue (RFC 3463, 3.6)
SIGN_IN_FIRST = r"|0\.0|5\.[01]|7\.([0189]|11)"  # no status, Gmail's, Exchange's, and those of RFC 4954, 6


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(f".*(?:{pattern})", re.IGNORECASE)


TOO_FAST = _words(r"throttl|too many|too much mail|too fast|\brates?\b|\brate-?limit|slow down")
RELAY_LIMIT = _words("smtp relay (sending )?limit exceeded")
SUBMISSION_QUOTA = _words("submission ?quota")
SES_DAILY = _words("throttling failure: daily")
ANYTHING = _words("")

# At MAIL the server knows only the sender.
MAIL, AFTER_MAIL = (Phase.MAIL,), (Phase.RCPT, Phase.DATA, Phase.DOT)


class Meaning(NamedTuple):
    """Replies with this code, status (without its class) and words; a `blame` of None leaves it to the code."""

    source: str
    blame: Blame | None
    code: str = "..."
    status: str = ".*"
    words: re.Pattern[str] = ANYTHING
    phases: tuple[Phase, ...] = MAIL + AFTER_MAIL

    def fits(self, code: int, status: str, text: str, phase: Phase) -> bool:
        return (
            phase in self.phases
            and re.fullmatch(self.code, str(code)) is not None
            and re.fullmatch(self.status, status) is not None
            and self.words.match(text) is not None
        )


MEANINGS = (
    Meaning("RFC 4954, 6: sign in first", Blame.MISCONFIGURED, "53[0458]", r"|0\.0|[57]\.\d+", phases=MAIL),
    Meaning("The same, of one recipient or message", Blame.SIGN_IN, "53[0458]", SIGN_IN_FIRST, phases=AFTER_MAIL),
    Meaning("RFC 5321, 4.2.2: bad sequence of commands", Blame.CONNECTION, "503", PROTOCOL),
    Meaning("RFC 5321, 4.3.2: no answers to MAIL", Blame.CONNECTION, "50[0-2]", PROTOCOL, phases=MAIL),
    Meaning("RFC 5321, 4.3.2: no answers to DATA", Blame.CONNECTION, "50[02]", PROTOCOL, phases=(Phase.DATA,)),
    Meaning("aiosmtpd, whose handler raised: no verdict", Blame.MESSAGE, "50[02]", PROTOCOL, phases=(Phase.DOT,)),
    Meaning("Gmail: daily user sending limit exceeded", Blame.QUOTA_EXHAUSTED, "5..", r"4\.5"),
    Meaning("Exchange Online: daily limits of mailbox and tenant", Blame.QUOTA_EXHAUSTED, "5..", r"1\.90|7\.23[23]"),
    Meaning("Amazon SES: daily message quota exceeded", Blame.QUOTA_EXHAUSTED, "454", NOTHING_SAID, SES_DAILY),
    Meaning("Exchange Online's mailboxes, by statuses", Blame.QUOTA_SUSPECTED, "5..", r"|2\.[02]", SUBMISSION_QUOTA),
    Meaning("Gmail's relay: peak limit exceeded", Blame.THROTTLED, "4..", r"2\.1|7\.[01]", words=RELAY_LIMIT),
    Meaning("Gmail's relay: daily limit exceeded", Blame.QUOTA_SUSPECTED, "5..", r"7\.[01]", words=RELAY_LIMIT),
    Meaning("RFC 3463, 3.3: the recipient's mailbox", None, status=r"2\.\d+"),
    Meaning("RFC 5321, 3.8: closing, mostly for too much at once", Blame.THROTTLED, "421"),
    Meaning("Amazon SES: maximum sending rate exceeded", Blame.THROTTLED, "454", NOTHING_SAID, words=TOO_FAST),
    Meaning("Outlook.com: rate limited by the IP's reputation", Blame.THROTTLED, "451", r"7\.65[01]", phases=MAIL),
    Meaning("Exchange Online: concurrent connections limit exceeded", Blame.THROTTLED, "432", r"3\.2", phases=MAIL),
    Meaning("Exim, Postfix's policies: no status for it", Blame.QUOTA_SUSPECTED, "...", NOTHING_SAID, OWN_QUOTA),
    Meaning("Postfix: too much mail, and others' words", Blame.THROTTLED, "4..", NOTHING_SAID, TOO_FAST, phases=MAIL),
)

TOO_MANY = (
    Meaning("RFC 3463, 3.6: too many recipients", None, status=r"5\.3"),
    Meaning("RFC 5321, 4.5.3.1.10: with the codes for a full store", None, "[45]52", r"|0\.0"),
    Meaning("Gmail: several domains in a transaction", None, "4..", NOTHING_SAID, _words("per transaction")),
    Meaning("others that have no status for it", None, status=NOTHING_SAID, words=_words("too many recipients")),
)


def classify(code: int, text: str, phase: Phase, host: str = "the server") -> Outcome:
    """The meaning of the reply `code text` in `phase` (RFC 5321, 4.2.1; RFC 3463; RFC 4954, section 6)."""
    if phase is Phase.DOT and code in SUCCESS:
        return Delivered(code, clean(text))
    words = clean(f"{code} {text}")
    if code not in REFUSALS:
        return lost(f"{host} sent an unexpected response: {words}", phase)
    if phase in (Phase.CONNECT, Phase.TLS, Phase.LOGIN):
        verb = {Phase.CONNECT: "rejected the connection", Phase.TLS: "could not start TLS"}
        sentence = clean(f"{host} {verb.get(phase, 'rejected the login')}: {words}")
        if code in PERMANENT:
            return TryLater(code, sentence, phase, Blame.MISCONFIGURED)
        is_throttled = phase is Phase.LOGIN and (code == CLOSING or TOO_FAST.match(words))
        return TryLater(code, sentence, phase, Blame.THROTTLED if is_throttled else Blame.UNREACHABLE)
    reply = clean(text)
    status = _status_of(reply)
    blame = next((meaning.blame for meaning in MEANINGS if meaning.fits(code, status, reply, phase)), None)
    if blame is None and code in PERMANENT:
        return Refused(code, words, phase)
    return TryLater(code, words, phase, blame or Blame.MESSAGE)


def asks_to_slow_down(outcome: Outcome) -> bool:
    """True for a temporary refusal that is about the recipients' provider: 421, or 4.7.x (RFC 3463, 3.8)."""
    if not isinstance(outcome, TryLater) or outcome.phase not in AFTER_MAIL or outcome.code is None:
        return False
    if outcome.code == CLOSING and outcome.blame is Blame.THROTTLED:
        return RELAY_LIMIT.match(outcome.text) is None
    return outcome.blame is Blame.MESSAGE and POLICY.match(outcome.text) is not None


def bounce_of(refusal: Refused) -> Bounce | None:
    """The bounce if the recipient is the reason; None if message or sender are."""
    if refusal.code is None or refusal.phase is Phase.MAIL:  # the server has not seen the recipient yet
        return None
    bounce = classify_bounce("", refusal.text)
    is_at_recipient = refusal.phase is Phase.RCPT
    names_recipient = OF_RECIPIENT.fullmatch(bounce.status) is not None if bounce.status else is_at_recipient
    if bounce.type != "Permanent" and (bounce.blames_sender or not names_recipient):
        return None
    return bounce if is_at_recipient else after_message(bounce)


def is_one_too_many(code: int, text: str) -> bool:
    """True if RCPT is refused for the number of recipients, so that another transaction may succeed."""
    return any(meaning.fits(code, _status_of(text), text, Phase.RCPT) for meaning in TOO_MANY) and code in REFUSALS


def clean(text: str) -> str:
    """One line of at most TEXT_LIMIT characters without control characters."""
    if text.isascii() and text.isprintable() and len(text) <= TEXT_LIMIT and "  " not in text:
        return text.strip(" ")  # the common case
    text = " ".join(CONTROL.sub(" ", text[: 4 * TEXT_LIMIT]).split())
    return text.encode("utf-8", "replace").decode()[:TEXT_LIMIT]


def clean_text(text: str) -> str:
    """Keeps lines but drops other control characters, which PostgreSQL or a terminal may reject."""
    return CONTROL_IN_TEXT.sub("", text).encode("utf-8", "replace").decode()


def within_limit(text: str, before: str = "", after: str = "") -> str:
    return before + text[: TEXT_LIMIT - len(before) - len(after)] + after


def lost(text: str, phase: Phase) -> TryLater | Unknown:
    """The outcome after a drop, time-out or invalid reply.

    In DATA the message is blamed: one that a filter hangs up on must not suspend its account.
    """
    if phase is Phase.DOT:
        return Unknown(clean(text), phase)
    return TryLater(None, clean(text), phase, Blame.MESSAGE if phase is Phase.DATA else Blame.UNREACHABLE)


def _status_of(text: str) -> str:
    status = STATUS.match(text)
    return "" if status is None else status[1]
