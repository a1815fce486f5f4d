"""Sends by the Gmail API: one request per message, and one outcome for all its recipients.

Gmail takes the recipients from To, Cc and Bcc, and removes Bcc from what it delivers
(developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/send).
"""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from email.utils import getaddresses

from webapp.addresses import Address
from webapp.sending.http_client import HttpClient, HttpResponse, NoAnswer, object_of, objects_of
from webapp.sending.mime.headers import address_field
from webapp.sending.outcomes import (
    PERMANENT,
    SUCCESS,
    Blame,
    Delivered,
    Halted,
    Outcome,
    Phase,
    Refused,
    TryLater,
    clean,
    lost,
)
from webapp.sending.smtp.session import Stale
from webapp.sending.smtp.transaction import Transaction

SEND = "/gmail/v1/users/me/messages/send"
UPLOAD = f"/upload{SEND}?uploadType=media"
UPLOAD_FROM = 1024 * 1024  # bytes; smaller messages are sent as base64 in JSON
LARGEST = 36_700_160  # bytes, Gmail's limit for uploads
SIGNED_OUT = 401
SLOW_DOWN = 429
TIMED_OUT = 408

# developers.google.com/workspace/gmail/api/guides/handle-errors
RATE_EXCEEDED = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})
DAY_USED_UP = frozenset({"dailyLimitExceeded", "quotaExceeded"})
# The mailbox does not exist yet or any more; occasionally a single request fails so for no reason.
PRECONDITION_FAILED = frozenset({"failedPrecondition", "FAILED_PRECONDITION"})
DAILY = re.compile(r"\b(daily|(per|a)[- ]day)\b", re.IGNORECASE)  # in the message of a 429
ABOUT_THE_MESSAGE = (400, 413, 422)

NAMED = re.compile(rb"^(?:To|Cc):(.*(?:\r\n[ \t].*)*)\r\n", re.MULTILINE | re.IGNORECASE)


class GmailSession:
    """Sends with one access token and has the interface of an SMTP session without pipelining."""

    def __init__(self, http: HttpClient, api_url: str, token: str, *, is_renewed: bool = False) -> None:
        """`is_renewed`: the token is fresh, so a rejection means that the account must be reconnected."""
        self.token = token
        self._http, self._api_url, self._is_renewed = http, api_url, is_renewed

    async def begin(self, transaction: Transaction) -> bool:
        transaction.start({})
        return True

    async def abandon(self, transaction: Transaction) -> None:
        transaction.end_for_accepted(Halted())

    async def finish(self, transaction: Transaction, following: Transaction | None = None) -> None:  # noqa: ARG002
        """Raises Stale if the token may have expired; a renewed one may send the message."""
        message = addressed(transaction.message, transaction.envelope.recipients)
        if len(message) > LARGEST:
            words = f"the message has {len(message):,} bytes, but Gmail accepts at most {LARGEST:,}"
            transaction.end_for_accepted(Refused(None, words, Phase.MAIL))
            return
        path, content_type, content = UPLOAD, b"message/rfc822", message
        if len(message) < UPLOAD_FROM:
            raw = json.dumps({"raw": urlsafe_b64encode(message).decode()})
            path, content_type, content = SEND, b"application/json", raw.encode()
        headers = {b"Authorization": b"Bearer " + self.token.encode(), b"Content-Type": content_type}
        try:
            outcome = classify(await self._http.ask(self._api_url + path, headers, content))
        except NoAnswer as error:
            outcome = lost(str(error), error.phase)
        if not self._is_renewed and isinstance(outcome, TryLater) and outcome.code == SIGNED_OUT:
            raise Stale
        transaction.end_for_accepted(outcome)


def addressed(message: bytes, recipients: Iterable[str]) -> bytes:
    """Makes the headers name exactly these recipients; those not in To or Cc are added as Bcc."""
    wanted = list(recipients)
    head, gap, body = message.partition(b"\r\n\r\n")
    head += b"\r\n"
    values = [match[1].decode("utf-8", "replace").replace("\r\n", "") for match in NAMED.finditer(head)]
    named = {address.lower() for _, address in getaddresses(values) if "@" in address}
    hidden = [address for address in wanted if address.lower() not in named]
    if named - {address.lower() for address in wanted}:
        head = NAMED.sub(b"", head) + _field("To", [address for address in wanted if address not in hidden])
    return head + _field("Bcc", hidden) + gap[2:] + body


def _field(name: str, addresses: list[str]) -> bytes:
    return address_field(name, [Address("", address) for address in addresses]) if addresses else b""


def classify(answer: HttpResponse) -> Outcome:
    if answer.status in SUCCESS:
        message_id = answer.json().get("id")
        if isinstance(message_id, str) and message_id:
            return Delivered(answer.status, clean(message_id))
        return lost("Gmail's response has no message id", Phase.DOT)
    reasons, message = read_error(answer)
    words = clean(f"{answer.status} {message}")
    if answer.status in ABOUT_THE_MESSAGE and not reasons & PRECONDITION_FAILED:
        return Refused(answer.status, words, Phase.DATA)
    blame = _blame(answer.status, reasons, message)
    if answer.status == SIGNED_OUT:
        return TryLater(answer.status, clean(f"Google rejected the login: {words}"), Phase.LOGIN, blame)
    return TryLater(answer.status, words, Phase.DATA, blame)


def _blame(status: int, reasons: frozenset[str], message: str) -> Blame:
    if status in PERMANENT or status == TIMED_OUT:
        return Blame.UNREACHABLE
    if reasons & DAY_USED_UP or (status == SLOW_DOWN and DAILY.search(message)):
        return Blame.QUOTA_EXHAUSTED
    if status == SLOW_DOWN or reasons & RATE_EXCEEDED:
        return Blame.THROTTLED
    return Blame.NOT_READY if reasons & PRECONDITION_FAILED else Blame.MISCONFIGURED


def read_error(answer: HttpResponse) -> tuple[frozenset[str], str]:
    """The reasons and the message of {"error": {"message", "status", "errors" and "details": [{"reason"}]}}."""
    error = object_of(answer.json().get("error"))
    items = objects_of(error.get("errors")) + objects_of(error.get("details"))
    stated = (*(item.get("reason") for item in items), error.get("status"))
    reasons = frozenset(reason for reason in stated if isinstance(reason, str))
    message = error.get("message")
    return reasons, message if isinstance(message, str) and message else ", ".join(sorted(reasons)) or "no reason given"
