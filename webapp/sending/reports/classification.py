"""Judges a permanent failure by the server's words: the type of bounce, and whose fault it is.

The first of `RULES` that fits decides. Signs of a living recipient come before signs against the address, and words
before statuses (RFC 3463), because many servers send a general or wrong status: Sendmail reports every 550 as 5.1.1,
Exchange Online a sender's quota as a full mailbox, and Amazon SES calls addresses that it suppresses unknown.
Types and subtypes are those of docs.aws.amazon.com/ses/latest/dg/notification-contents.html#bounce-types
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from webapp.sending.reports import wordings

STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)")
FAILURE = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)")
REPLY_CODE = re.compile(r"(?<![\w.])([45])\d\d(?![\w.])")
ANY_STATUS = re.compile(".*")
FINAL = re.compile(r"|5\..*")

# Undefined, or only the subject is: more specific words count. x.5.x is about the dialogue.
GENERAL = re.compile(r"[245]\.([0-3]\.0|4\.0|5\.\d+)")
# x.7.x: security and policy. x.1.7, x.1.8: the sender's address. x.1.90: Exchange Online's daily limit per sender.
OF_THE_SENDER = re.compile(r"[45]\.(7\.\d+|1\.(7|8|90))")
NO_ADDRESS = re.compile(r"5\.1\.(1|6|10)")  # 5.1.10 also stands for a null MX (RFC 7505)


class Bounce(NamedTuple):
    """Permanent ones are about the address: its contact gets no more campaigns.

    `blames_sender` is true if the sender's reputation, rights or quota is the reason.
    """

    type: str
    sub_type: str
    status: str  # class, subject and detail; empty if the server sent none
    blames_sender: bool = False

    @property
    def suppresses(self) -> bool:
        """True if no mail can ever reach this address."""
        return self.sub_type in ("NoEmail", "Suppressed")

    @property
    def is_mailbox_full(self) -> bool:
        return self.sub_type == "MailboxFull"

    def shown(self, diagnostics: Iterable[str]) -> dict[str, Any]:
        """The members of a bounce in events and mail logs."""
        about = {"type": self.type, "subType": self.sub_type, "status": self.status or None}
        return about | {"diagnosticCode": list(diagnostics)}


class Rule(NamedTuple):
    """Fits if the words match anywhere and the status as a whole."""

    reason: str
    kind: tuple[str, str]
    words: re.Pattern[str] | None = None
    status: re.Pattern[str] = ANY_STATUS
    blames_sender: bool = False

    def fits(self, status: str, text: str) -> bool:
        return self.status.fullmatch(status) is not None and (self.words is None or bool(self.words.search(text)))


NO_EMAIL = ("Permanent", "NoEmail")
PERMANENT = ("Permanent", "General")
TRANSIENT = ("Transient", "General")
UNDETERMINED = ("Undetermined", "Undetermined")


RULES = (
    Rule("the sender's own quota is used up", TRANSIENT, wordings.OWN_QUOTA, blames_sender=True),
    Rule("a provider no longer delivers to the address", ("Permanent", "Suppressed"), wordings.SUPPRESSED, FINAL),
    Rule("the mailbox is full", ("Transient", "MailboxFull"), wordings.FULL),
    Rule("the message is too large", ("Transient", "MessageTooLarge"), wordings.SIZE),
    Rule("too much mail for this recipient or from this sender", TRANSIENT, wordings.RATE),
    Rule("taken for spam", ("Transient", "ContentRejected"), wordings.SPAM, blames_sender=True),
    Rule("a forbidden content", ("Transient", "ContentRejected"), wordings.CONTENT),
    Rule("the sender's address or domain is refused", TRANSIENT, wordings.SENDERS_ADDRESS, blames_sender=True),
    Rule("the same, by the status", TRANSIENT, status=re.compile(r"[45]\.1\.(7|8|90)"), blames_sender=True),
    Rule("the sender may not relay or must sign in", TRANSIENT, wordings.RELAYING, blames_sender=True),
    Rule("the sender's server or domain is blocked or not proven", TRANSIENT, wordings.BLOCKED, blames_sender=True),
    Rule("the recipient asks for a confirmation first", TRANSIENT, wordings.CHALLENGE),
    Rule("the message went round in circles", TRANSIENT, wordings.LOOP),
    Rule("no server took it in time", TRANSIENT, wordings.TOO_LONG),
    Rule("a temporary trouble", TRANSIENT, wordings.TEMPORARY),
    Rule("the domain accepts no mail", NO_EMAIL, wordings.NULL_MX, FINAL),
    Rule("the mailbox is closed for now", PERMANENT, wordings.CLOSED_FOR_NOW, FINAL),
    Rule("the mailbox is closed", NO_EMAIL, wordings.CLOSED, status=re.compile(r"5\.(1\.1|2\.1)")),
    Rule("the mailbox is closed, perhaps for now", PERMANENT, wordings.CLOSED, FINAL),
    Rule("no such user", NO_EMAIL, wordings.NO_SUCH_USER, FINAL),
    Rule("no such domain", NO_EMAIL, wordings.DOMAIN_UNKNOWN, status=re.compile(r"5\.1\.2")),
    Rule("no such domain, of which a resolver may be guilty", PERMANENT, wordings.DOMAIN_UNKNOWN, FINAL),
    Rule("the address is refused", PERMANENT, wordings.BAD_ADDRESS, re.compile(r"|5\.[0-5]\.0|5\.4\.1|5\.5\.\d+")),
    Rule("a policy", TRANSIENT, wordings.POLICY, blames_sender=True),
    Rule("the mailbox is unavailable", PERMANENT, wordings.UNAVAILABLE, status=re.compile(r"|5\.[0-25]\.\d+")),
    Rule("a policy, by the status", TRANSIENT, status=OF_THE_SENDER, blames_sender=True),
    Rule("out of space, by the code (RFC 5321, 4.2.3)", TRANSIENT, re.compile(r"^552\b"), re.compile(r"5\.1\.\d+")),
    Rule("no such address, by the status", NO_EMAIL, status=re.compile(r"5\.1\.(1|2|6|10)")),
    Rule("a bad address, by the status", PERMANENT, status=re.compile(r"5\.1\.3")),
    Rule("a disabled mailbox, by the status alone", NO_EMAIL, re.compile(r"^[\W\d]*$"), status=re.compile(r"5\.2\.1")),
    Rule("a full mailbox, by the status", ("Transient", "MailboxFull"), status=re.compile(r"[45]\.2\.2")),
    Rule("too large, by the status", ("Transient", "MessageTooLarge"), status=re.compile(r"[45]\.(2\.3|3\.4)")),
    Rule("content, by the status", ("Transient", "ContentRejected"), status=re.compile(r"[45]\.6\.\d+")),
    Rule("temporary, or of the network, by the status", TRANSIENT, status=re.compile(r"4\..*|5\.4\.\d+")),
    Rule("no reason that says anything of the address", UNDETERMINED),
)  # fmt: skip


def classify(status: str, words: str) -> Bounce:
    """Judges the server's own `words`, with the status that the report gives, if any."""
    effective, text = _status_of(status, words), wordings.plain(words)
    rule = _first_rule(effective, text)
    kind, sub_type = rule.kind
    if rule.kind == NO_EMAIL and _is_derived(status, words) and rule.words is None:
        return Bounce(*PERMANENT, effective)  # derived from the reply code, as Sendmail does; the server did not say so
    if sub_type == "ContentRejected" and wordings.ATTACHMENT.search(text):
        sub_type = "AttachmentRejected"
    is_policy = kind != "Permanent" and OF_THE_SENDER.fullmatch(effective) is not None and sub_type != "MailboxFull"
    return Bounce(kind, sub_type, effective, blames_sender=rule.blames_sender or is_policy)


def after_message(bounce: Bounce) -> Bounce:
    """Doubts a refusal that came after the message: some mobile networks then call filtered recipients unknown."""
    is_doubtful = bounce.suppresses and not NO_ADDRESS.fullmatch(bounce.status)
    return bounce._replace(sub_type="General") if is_doubtful else bounce


@lru_cache(maxsize=2_048)  # a server gives many recipients the same reply
def _first_rule(status: str, text: str) -> Rule:
    return next(rule for rule in RULES if rule.fits(status, text))


def _status_of(status: str, words: str) -> str:
    """The status in the words, unless it is general and the report has a better one; the mildest if several."""
    written: list[str] = FAILURE.findall(words)
    precise = [text for text in written if not GENERAL.fullmatch(text)]
    if precise:
        return min(
            precise, key=lambda text: (NO_ADDRESS.fullmatch(text) is not None, not OF_THE_SENDER.fullmatch(text))
        )
    chosen = status if status and not GENERAL.fullmatch(status) else next(iter(written), status)
    codes = REPLY_CODE.findall(words)
    is_temporary = bool(codes) and "5" not in codes and not written
    return f"4{chosen[1:] or '.0.0'}" if is_temporary else chosen


def _is_derived(status: str, words: str) -> bool:
    """True if the report's status is not in the words, which say something else."""
    return (
        bool(status and words)
        and status not in FAILURE.findall(words)
        and re.search(r"[^\W\d]{3}", wordings.plain(words)) is not None
    )
