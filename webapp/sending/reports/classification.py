"""Classifies a failure by its enhanced status (RFC 3463): the type and subtype of a bounce, and whose fault it is.

Types and subtypes are the ones that Amazon SES and Resend have:
docs.aws.amazon.com/ses/latest/dg/notification-contents.html#bounce-types
"""

import re
from typing import Literal, NamedTuple

BounceType = Literal["Permanent", "Transient", "Undetermined"]
BounceSubType = Literal[
    "Undetermined",
    "General",
    "NoEmail",
    "Suppressed",
    "MailboxFull",
    "MessageTooLarge",
    "ContentRejected",
    "AttachmentRejected",
]

STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)")
FAILURE = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)")
UNDEFINED = re.compile(r"[245]\.0\.0")

# x.7.x: security and policy. x.1.7, x.1.8: the sender's address. x.1.90: Exchange Online's daily limit of a sender.
OF_THE_SENDER = re.compile(r"[45]\.(7\.\d+|1\.(7|8|90))")
NO_MAILBOX = re.compile(r"5\.(1\.(1|2|3|6|10)|2\.1)")

# The first that fits. x.4.7: no server took it in time, which says nothing about the address.
MEANINGS: tuple[tuple[re.Pattern[str], BounceType, BounceSubType], ...] = (
    (NO_MAILBOX, "Permanent", "NoEmail"),
    (re.compile(r"[45]\.2\.2"), "Transient", "MailboxFull"),
    (re.compile(r"[45]\.(2\.3|3\.4)"), "Transient", "MessageTooLarge"),
    (re.compile(r"[45]\.6\.\d+"), "Transient", "ContentRejected"),
    (re.compile(r"4\..*|5\.4\.7"), "Transient", "General"),
    (re.compile(r"5\..*"), "Permanent", "General"),
    (re.compile(r".*"), "Undetermined", "Undetermined"),
)

# Words count where the status alone would misjudge the recipient: Sendmail reports every 550 as 5.1.1, Exchange Online
# reports a sender's own quota as a full mailbox, and SES calls an address that it suppresses unknown.
SENDER_WORDS = re.compile(r"\b(block(ed|list)|black ?list|deny ?list|spam\w*|dns[bw]l|rbl|reputation)", re.IGNORECASE)
SENDERS_QUOTA = re.compile(r"\bsubmission quota\b", re.IGNORECASE)
SUPPRESSION = re.compile(r"\bsuppress(ed|ion)\b", re.IGNORECASE)
CONTENT_WORDS = re.compile(r"\b(spam(my)?|content|virus|malware|phish\w*)\b", re.IGNORECASE)
ATTACHMENT = re.compile(r"\battach(ment|ed file)|\bfile (type|extension)", re.IGNORECASE)


class Bounce(NamedTuple):
    """The classification of a failure; `blames_sender`: for the sender's reputation or rights, not the address."""

    type: BounceType
    sub_type: BounceSubType
    status: str  # class, subject and detail; empty where nobody has said it
    blames_sender: bool = False

    @property
    def suppresses(self) -> bool:
        """True where the status says that there is no such mailbox."""
        return not self.blames_sender and NO_MAILBOX.fullmatch(self.status) is not None

    @property
    def is_mailbox_full(self) -> bool:
        return self.sub_type == "MailboxFull"


def classify(status: str, words: str) -> Bounce:
    """The classification by the status of a report, and the server's own `words` where the status is a general one."""
    said = FAILURE.search(words)
    if said is not None and (not status or UNDEFINED.fullmatch(status) or OF_THE_SENDER.fullmatch(said[0])):
        status = said[0]
    blame_in_words = (SENDER_WORDS if said is None else SENDERS_QUOTA).search(words)
    if OF_THE_SENDER.fullmatch(status) or blame_in_words:
        return Bounce("Transient", _rejection(words, "General"), status, blames_sender=True)
    if SUPPRESSION.search(words):
        return Bounce("Permanent", "Suppressed", status)
    kind, sub_type = next((kind, sub_type) for pattern, kind, sub_type in MEANINGS if pattern.fullmatch(status))
    return Bounce(kind, _rejection(words) if sub_type == "ContentRejected" else sub_type, status)


def _rejection(words: str, otherwise: BounceSubType = "ContentRejected") -> BounceSubType:
    if ATTACHMENT.search(words):
        return "AttachmentRejected"
    return "ContentRejected" if CONTENT_WORDS.search(words) else otherwise
