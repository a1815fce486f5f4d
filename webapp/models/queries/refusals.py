"""Rows that were not sent because of their address, known by the beginning of their error.

They count towards no plan limit, are no failures, and send the event `email.suppressed`.
"""

from webapp.models.queries.contacts.suppressed import SUPPRESSED
from webapp.models.queries.contacts.topic_state import OPTED_OUT
from webapp.models.suppression import ERASED

PREFIXES = (SUPPRESSED, OPTED_OUT, ERASED)


def is_refusal(error: str | None) -> bool:
    return (error or "").startswith(PREFIXES)


def was_refused(error: str) -> str:
    """A condition on the column `error`, false for null."""
    return "(" + " OR ".join(f"COALESCE({error}, '') LIKE '{prefix}%'" for prefix in PREFIXES) + ")"
