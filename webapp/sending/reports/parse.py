"""Reads bounces and complaints from the bytes of a message, in linear time and without failing on any input.

RFC 3464 (delivery status), RFC 6533 (addresses beyond ASCII), RFC 5965 (feedback reports), Outlook.com's complaints
and `prose`. Anything else, such as an out-of-office reply, yields nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from webapp.addresses import normalize
from webapp.sending.outcomes import clean
from webapp.sending.reports.classification import GENERAL, STATUS, Bounce, after_message, classify
from webapp.sending.reports.mime_parts import Fields, MimePart, first, header_of, read_fields, read_parts
from webapp.sending.reports.prose import MAX_RECIPIENTS, UNNAMED, read_prose, returned_fields
from webapp.sending.return_path import tags_in

MAX_IDS = 50
MAX_DIAGNOSTICS = 5

MAILER = re.compile(
    r"\b(mailer-daemon|postmaster|mail[ .]delivery[ .](sub)?system|microsoftexchange[0-9a-f]{32})\b", re.IGNORECASE
)
FEEDBACK_SENDER = re.compile(r"\bstaff@hotmail\.", re.IGNORECASE)
MESSAGE_ID = re.compile(r"<[^<>\s]{1,998}>")
EMPTY_LINES = re.compile(rb"\n(?:[ \t]*\r?\n)+")
ADDRESS_TYPE = re.compile(r"\s*([\w-]+)\s*;\s*")
ESCAPED = re.compile(r"\\x\{(10[0-9A-F]{4}|[0-9A-F]{1,5})\}", re.IGNORECASE)  # RFC 6533, 3

STATUS_TYPES = ("message/delivery-status", "message/global-delivery-status")
FEEDBACK_TYPE = "message/feedback-report"
RETURNED_TYPES = ("message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers")
RETURN_PATHS = (  # in the report itself, in a feedback report (RFC 5965, 3.2), in the returned message
    *("delivered-to", "x-delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to"),
    *("original-mail-from", "return-path"),
)
COMPLAINED = "x-hmxmroriginalrecipient"  # the reporting user's address in Outlook.com's complaints (JMRP)
FAILED = ("failed", "error")  # OpenSMTPD writes "error"
FIELDS_IN_TEXT = re.compile(r"^Final-Recipient:", re.MULTILINE | re.IGNORECASE)  # Amazon WorkMail writes them so
AFTER_MESSAGE = re.compile(r"\b(in\s+reply\s+to|after)\s+end\s+of\s+data\b", re.IGNORECASE)  # Postfix and Exim
TAGS_OF_HTML = re.compile(r"<[^<>]{0,2000}>")
COMPLAINTS = ("abuse", "fraud", "opt-out", "opt-out-list")  # not "not-spam", nor "auth-failure" (RFC 6591)


class Kind(StrEnum):
    BOUNCE = "bounce"
    COMPLAINT = "complaint"
    DELIVERED = "delivered"


class Verdict(NamedTuple):
    """A report about one recipient; Message-IDs have angle brackets."""

    kind: Kind
    recipient: str | None  # as the reporter knows it; None if the provider withholds it
    original_recipient: str | None = None  # as it was addressed, if the report says so
    bounce: Bounce | None = None
    diagnostics: tuple[str, ...] = ()  # words of the server that refused it
    feedback_type: str = ""
    message_ids: tuple[str, ...] = ()  # of the returned message
    references: tuple[str, ...] = ()  # In-Reply-To and References of the report
    reporter: str = ""  # the server or program that wrote the report
    tags: tuple[str, ...] = ()  # of return paths, possibly ours

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, (self.original_recipient, self.recipient))))


def parse(message: bytes) -> list[Verdict]:
    """Returns the verdicts that a message reports; delays are ignored. Never raises."""
    parts = read_parts(message)
    top = parts[0].fields
    feedback = next((part for part in parts if part.content_type == FEEDBACK_TYPE), None)
    returned = next(
        (read_fields(header_of(part.content().lstrip())) for part in parts[1:] if part.content_type in RETURNED_TYPES),
        {},
    )
    about = read_fields(feedback.content().strip()) if feedback is not None else {}
    verdicts: Iterable[Verdict] = ()
    if feedback is not None:
        verdicts = _complaints(about, returned)
    elif COMPLAINED in returned:
        verdicts = _complaints({"feedback-type": ["abuse"], "original-rcpt-to": returned[COMPLAINED]}, returned)
    else:
        text = _text_of(parts)
        status = next((part for part in parts if part.content_type in STATUS_TYPES), None)
        is_mailers = any(MAILER.search(value) for value in top.get("from", []))
        if status is not None:
            verdicts = _deliveries(status.content(), text)
        elif is_mailers and FIELDS_IN_TEXT.search(text):
            returned = returned or returned_fields(text)
            verdicts = _deliveries(text.encode("utf-8", "replace"))
        elif is_mailers:
            returned = returned or returned_fields(text)
            verdicts = _failures(top, text, returned, is_tagged=bool(_tags(top, about, returned)))
    tags = _tags(top, about, returned)
    ids = _message_ids(returned.get("message-id", []))
    references = _message_ids(top.get("in-reply-to", []) + top.get("references", []))
    return [verdict._replace(message_ids=ids, references=references, tags=tags) for verdict in verdicts]


def may_be_report(fields: Fields) -> bool:
    """True if the header suggests a report: from a mailer, a report by type, or sent by a program."""
    return (
        any(MAILER.search(value) or FEEDBACK_SENDER.search(value) for value in fields.get("from", []))
        or first(fields, "content-type").lower().startswith("multipart/report")
        or first(fields, "auto-submitted").lower().startswith("auto-")
        or "x-failed-recipients" in fields
    )


def may_be_read(fields: Fields, subjects: Iterable[str]) -> bool:
    """True for possible reports and for messages whose subject contains one of `subjects`."""
    subject = first(fields, "subject")
    return may_be_report(fields) or any(words in subject for words in subjects)


def _deliveries(content: bytes, text: str = "") -> Iterator[Verdict]:
    """The verdicts of a delivery status (RFC 3464, 2.1); `text` fills in what a recipient's group leaves out."""
    groups = [read_fields(group) for group in EMPTY_LINES.split(content.strip(), MAX_RECIPIENTS + 1)]
    is_after_message = AFTER_MESSAGE.search(text) is not None
    reporter = clean(next((mta.partition(";")[2] for group in groups for mta in group.get("reporting-mta", [])), ""))
    for group in groups[: MAX_RECIPIENTS + 1]:
        recipient = _recipient(group.get("final-recipient", []))
        original = _recipient(group.get("original-recipient", []))
        action = first(group, "action").partition(" ")[0].partition(";")[0].lower()
        if recipient is None and original is None:
            continue
        verdict = Verdict(Kind.DELIVERED, recipient or original, original, reporter=reporter)
        if action == "delivered":
            yield verdict
        elif action in FAILED:
            diagnostics = tuple(map(_words, group.get("diagnostic-code", [])[:MAX_DIAGNOSTICS]))
            match = STATUS.search(first(group, "status"))
            status = match[0] if match else ""
            if not diagnostics and (not status or GENERAL.fullmatch(status)):
                failures = read_prose({"x-failed-recipients": [recipient or original or ""]}, text, has_message_id=True)
                diagnostics = tuple(clean(failure.judged) for failure in failures[:1])
            bounce = classify(status, " ".join(diagnostics))
            bounce = after_message(bounce) if is_after_message else bounce
            yield verdict._replace(kind=Kind.BOUNCE, bounce=bounce, diagnostics=diagnostics)


def _tags(*headers: Fields) -> tuple[str, ...]:
    """The tags of return paths: of the report, and of the email it is about."""
    return tags_in(value for fields in headers for name in RETURN_PATHS for value in fields.get(name, []))


def _failures(top: Fields, text: str, returned: Fields, *, is_tagged: bool) -> Iterator[Verdict]:
    for failure in read_prose(top, text, is_tagged=is_tagged, has_message_id="message-id" in returned):
        recipient = _normalized(failure.address)
        if recipient is not None or failure.address == UNNAMED:
            bounce = classify(failure.status, clean(failure.judged))
            bounce = after_message(bounce) if AFTER_MESSAGE.search(failure.words) else bounce
            yield Verdict(Kind.BOUNCE, recipient, bounce=bounce, diagnostics=(clean(failure.words),))


def _complaints(feedback: Fields, returned: Fields) -> Iterator[Verdict]:
    """The verdicts of a feedback report (RFC 5965, 3), which may withhold the recipient."""
    kind = first(feedback, "feedback-type").lower()
    if kind not in COMPLAINTS:
        return
    named = feedback.get("original-rcpt-to", []) or feedback.get("removal-recipient", [])
    to = _addresses(returned.get("to", []))
    recipients: Sequence[str | None] = _addresses(named) or (to if len(to) == 1 else (None,))
    reporter = clean(first(feedback, "user-agent"))
    for recipient in recipients:
        yield Verdict(Kind.COMPLAINT, recipient, feedback_type=kind, reporter=reporter)


def _text_of(parts: list[MimePart]) -> str:
    if len(parts) == 1:  # also a multipart message with its boundaries missing
        return TAGS_OF_HTML.sub(" ", parts[0].text()) if parts[0].content_type == "text/html" else parts[0].text()
    text = next((part.text() for part in parts if part.content_type == "text/plain"), "")
    html = next((part.text() for part in parts if part.content_type == "text/html"), "")
    return text if text.strip() else TAGS_OF_HTML.sub(" ", html)


def _recipient(values: list[str]) -> str | None:
    """The address of a `type; address` field (RFC 3464, 2.3.2; RFC 6533, 3)."""
    for value in values:
        address = value[match.end() :] if (match := ADDRESS_TYPE.match(value)) else value
        if match is not None and match[1].lower() == "utf-8":
            address = ESCAPED.sub(lambda match: chr(int(match[1], 16)), address)
        normalized = _normalized(address.partition(" (")[0])
        if normalized is not None:
            return normalized
    return None


def _words(diagnostic: str) -> str:
    """A diagnostic without its type, usually `smtp;`."""
    return clean(diagnostic[match.end() :] if (match := ADDRESS_TYPE.match(diagnostic)) else diagnostic)


def _addresses(values: Iterable[str]) -> tuple[str, ...]:
    """The addresses without names; a comma in a quoted name yields no address."""
    written = [piece for value in values for piece in value.split(",")][:MAX_RECIPIENTS]
    addresses = (_normalized(piece.rpartition("<")[2].partition(">")[0]) for piece in written)
    return tuple(dict.fromkeys(filter(None, addresses)))


def _normalized(text: str) -> str | None:
    try:
        return normalize(text.strip().strip("<>"))
    except ValueError:
        return None


def _message_ids(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match for value in values for match in MESSAGE_ID.findall(value)))[:MAX_IDS]
