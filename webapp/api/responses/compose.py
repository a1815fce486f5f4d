"""Compose."""

from typing_extensions import TypedDict

from webapp.domain.emails.compose.compose import Composed as Outcomes


class Refused(TypedDict):
    """A recipient who got no mail, and why."""

    email: str
    error: str


class Composed(TypedDict):
    """What became of a compose."""

    ok: bool
    sent: int
    failed: list[Refused]


def composed(outcomes: Outcomes) -> Composed:
    """`ok` when nobody failed."""
    return {
        "ok": not outcomes.failed,
        "sent": outcomes.sent,
        "failed": [{"email": one.email, "error": one.error} for one in outcomes.failed],
    }
