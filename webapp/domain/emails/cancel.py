"""Cancels emails that have not begun to be sent."""

import asyncio
from uuid import UUID

from webapp.domain.emails.emails import EmailView, find_email
from webapp.errors import Conflict
from webapp.models import Organization
from webapp.models.mail_log import FAILED, HALTED, SENDING, SENT, MailStatus
from webapp.models.outbox.emails import Halt, halt_email

CAUSE = "cancelled by the API"
TRIES = 50  # while a worker has its rows, which lasts milliseconds
PAUSE_SECONDS = 0.02
REASONS: dict[str, str] = {
    SENDING: "it is being sent",
    SENT: "it was sent",
    FAILED: "it has failed",
    HALTED: "it is halted already",
}
CANCELLABLE = tuple(status for status in MailStatus if status not in REASONS)


async def cancel_email(org: Organization, view: EmailView) -> EmailView:
    """Raises Conflict once a recipient is being sent to, was sent to or failed, and for a halted email."""
    halt = await _halt(view.email.id)
    found = await find_email(org, view.email.id)
    if halt is not Halt.DONE:
        raise Conflict(f"the email cannot be cancelled any more: {reason_not_cancellable(found)}")
    return found


def reason_not_cancellable(view: EmailView) -> str:
    return next((REASONS[row.status] for row in view.rows if row.status in REASONS), REASONS[SENDING])


async def _halt(email_id: UUID) -> Halt:
    for _ in range(TRIES):
        halt = await halt_email(email_id, CAUSE)
        if halt is not Halt.BUSY:
            break
        await asyncio.sleep(PAUSE_SECONDS)
    return halt
