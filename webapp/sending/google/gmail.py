"""The Gmail API (developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/send)."""

import json
import re
from base64 import urlsafe_b64encode

from webapp.sending.api_session import SIGNED_OUT, MailApi, MailRequest
from webapp.sending.http_client import HttpResponse, object_of, objects_of
from webapp.sending.outcomes import (
    PERMANENT,
    SUCCESS,
    Blame,
    Delivered,
    Outcome,
    Phase,
    Refused,
    TryLater,
    clean,
    lost,
)

SEND = "/gmail/v1/users/me/messages/send"
UPLOAD = f"/upload{SEND}?uploadType=media"
UPLOAD_FROM = 1024 * 1024  # bytes; smaller messages are sent as base64 in JSON
LARGEST = 36_700_160  # bytes, Gmail's limit for uploads
SLOW_DOWN = 429
TIMED_OUT = 408

# developers.google.com/workspace/gmail/api/guides/handle-errors
RATE_EXCEEDED = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})
DAY_USED_UP = frozenset({"dailyLimitExceeded", "quotaExceeded"})
# The mailbox does not exist yet or any more; occasionally a single request fails so for no reason.
PRECONDITION_FAILED = frozenset({"failedPrecondition", "FAILED_PRECONDITION"})
DAILY = re.compile(r"\b(daily|(per|a)[- ]day)\b", re.IGNORECASE)  # in the message of a 429
ABOUT_THE_MESSAGE = (400, 413, 422)


def _request(message: bytes) -> MailRequest:
    if len(message) >= UPLOAD_FROM:
        return MailRequest(UPLOAD, b"message/rfc822", message)
    raw = json.dumps({"raw": urlsafe_b64encode(message).decode()})
    return MailRequest(SEND, b"application/json", raw.encode())


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
    return TryLater(answer.status, words, Phase.DATA, blame, answer.retry_after)


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


GMAIL = MailApi("Gmail", LARGEST, _request, classify)
