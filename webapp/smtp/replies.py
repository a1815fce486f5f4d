"""The replies to commands (RFC 5321, 4.2) with enhanced status codes (RFC 3463)."""

import re

from webapp.domain.emails.mime_message import BareLineEnd
from webapp.errors import (
    ApiError,
    Forbidden,
    IdempotencyConflict,
    IdempotencyInProgress,
    NotFound,
    PlanLimitExceeded,
    RateLimitExceeded,
    ServiceUnavailable,
    ValidationError,
)

LONGEST = 400  # characters; a reply line has 512 octets at most (RFC 5321, 4.5.3.1.5)
UNSAFE = re.compile(r"[^ -~]+")
CLOSING = "421"
CODES: tuple[tuple[type[ApiError], str], ...] = (
    (RateLimitExceeded, "421 4.7.0"),
    (PlanLimitExceeded, "452 4.2.2"),
    (IdempotencyConflict, "550 5.7.0"),
    (IdempotencyInProgress, "451 4.3.0"),
    (ServiceUnavailable, "451 4.3.2"),
    (Forbidden, "550 5.7.1"),
    (NotFound, "550 5.7.1"),
)
ABOUT_THE_SENDER = ("from", "account_key")
AWAY = "451 4.3.0 the service cannot save email just now, try again later"


class Refused(ValueError):
    """A command is refused; the text is the reply."""


def reply_to(error: ApiError) -> str:
    """The reply to a message that is not accepted."""
    text = str(error)
    if isinstance(error, ValidationError):
        is_sender = bool(error.details) and error.details[0].field in ABOUT_THE_SENDER
        code = "550 5.6.11" if isinstance(error, BareLineEnd) else "550 5.7.1" if is_sender else "550 5.6.0"
        return line(code, text.removeprefix("message: "))
    return line(next((code for kind, code in CODES if isinstance(error, kind)), "451 4.3.0"), text)


def line(code: str, text: str) -> str:
    return f"{code} {UNSAFE.sub(' ', text)[:LONGEST]}"
