"""Reads from other services' files why an address is suppressed."""

import re
from collections.abc import Iterator, Mapping, Sequence

from webapp.domain.contacts.status_words import plain_word, says_yes, spaced
from webapp.models.suppression import SuppressionReason

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
