"""Compose."""

from typing_extensions import TypedDict

from webapp.domain.emails.compose.compose import Composed as ComposeOutcome


class Refused(TypedDict):
    """A recipient who got no mail, and why."""

    email: str
    error: str


class Composed(TypedDict):
    """The result of a compose."""

    ok: bool
    sent: int
    failed: list[Refused]


def composed(outcome: ComposeOutcome) -> Composed:
    return {
        "ok": not outcome.failed,
        "sent": outcome.sent,
        "failed": [{"email": one.email, "error": one.error} for one in outcome.failed],
    }
