"""Compose: mail that is delivered within the request that hands it in (the specification's "Compose").

A compose row never waits. It comes in claimed, under a lease that outlives its delivery, and each outcome is kept as
soon as it is known. Workers see nothing of it but the account's day, which both count on under one lock.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from webapp import db
from webapp.config import settings
from webapp.domain.delivery.deliver import Claimed, Courier
from webapp.domain.emails.compose.delivery import ComposeDelivery, Deadline, why_not
from webapp.domain.emails.compose.draft import Addressee, ComposeDraft, draft_of
from webapp.domain.emails.compose.inputs import NewCompose
from webapp.domain.instance.suspension import require_sending
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.errors import ApiError, NotFound, ServiceUnavailable
from webapp.models import Organization, outbox
from webapp.models.mail_log import MailKind, RecipientType
from webapp.models.outbox import NewRow
from webapp.queue import Job, enqueue
from webapp.sending.smtp.connect import Dialer
from webapp.sending.smtp.pool import SmtpPool

log = logging.getLogger(__name__)

__all__ = ["Composed", "Composer", "Failure", "NewCompose"]

SECONDS = 55.0  # from the request to the last outcome
ANSWER_SECONDS = 59.0  # from the request to its answer: the difference is for keeping the last outcomes
STOP_SECONDS = 5.0  # when the app stops; requests under way have 8
CUT_SECONDS = 1.0


@dataclass(frozen=True)
class Failure:
    """A recipient who gets no mail, and why."""

    email: str
    error: str


@dataclass(frozen=True)
class Composed:
    """How many mails were sent, and to whom none was, in the order of the request."""

    sent: int
    failed: list[Failure]


class Composer:
    """Delivers composes, over connections of its own; one per app.

    Each compose is a task that ends by itself and keeps every outcome, whether or not its caller still waits.
    """

    def __init__(
        self, *, seconds: float = SECONDS, answer_within: float = ANSWER_SECONDS, grace: float = STOP_SECONDS
    ) -> None:
        """Give each compose `seconds` to deliver, and what is under way `grace` seconds to end when the app stops."""
        self._seconds, self._answer_within, self._grace = seconds, answer_within, grace
        self._courier = Courier(SmtpPool(Dialer.of(settings())))
        self._tasks: set[asyncio.Task[Composed]] = set()
        self._stopping = asyncio.Event()

    async def compose(self, org: Organization, data: NewCompose) -> Composed:
        """Send to every recipient and tell what became of each.

        Raises NotFound, ValidationError or PlanLimitExceeded before anything is sent, and ServiceUnavailable where the
        database does not take the outcomes in time.
        """
        if self._stopping.is_set():
            raise ServiceUnavailable("the service is being stopped; nothing was sent")
        task = asyncio.create_task(self._compose(org, data, Deadline(self._seconds, self._stopping)))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        try:
            async with asyncio.timeout(self._answer_within):
                return await asyncio.shield(task)
        except TimeoutError:
            if task.done():  # it is the database's own
                raise
            raise ServiceUnavailable(
                "the outcomes cannot be kept just now: do not repeat it, the mail logs will tell"
            ) from None

    def _forget(self, task: "asyncio.Task[Composed]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, ApiError):  # its caller may be gone
            log.error("a compose failed", exc_info=error)

    async def _compose(self, org: Organization, data: NewCompose, deadline: Deadline) -> Composed:
        draft = await draft_of(org, data)
        claimed, refusal = await _take_in(org, draft, deadline.lease())
        delivery = ComposeDelivery(draft, self._courier, deadline)
        errors = await delivery.run(claimed)
        return _composed(draft, errors, refusal)

    async def close(self) -> None:
        """Start no more messages, give those under way the grace to end, and keep every outcome."""
        self._stopping.set()
        if not await self._all_ended(self._grace):
            self._courier.is_cut = True
            await self._courier.close(0)
            if not await self._all_ended(CUT_SECONDS):
                log.warning("stopped with composes under way; their rows fail when their leases have run out")
                for task in self._tasks:
                    task.cancel()
        await self._courier.close()

    async def _all_ended(self, seconds: float) -> bool:
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        return not self._tasks


async def _take_in(org: Organization, draft: ComposeDraft, lease_seconds: float) -> tuple[list[Claimed], str]:
    """Keep the rows: claimed as far as the account may still send today, the others failed for the reason returned.

    Raises PlanLimitExceeded; NotFound where the account was deleted meanwhile; ServiceUnavailable while the instance is
    held.
    """
    account, rows = draft.account, [_row(draft, one) for one in draft.reached]
    if not rows:
        return [], ""
    async with db.write_transaction():
        if not await account.lock_against_deletion():
            raise NotFound("account_key names no account of this organization")
        if not account.is_sandbox:
            await limits.take(org, Metric.EMAILS, len(rows))
        await draft.content.save(force_create=True)
        quota = await outbox.lock_quota(account.id, wait=True)
        enqueue(Job.WAKE, account.id)  # a worker that found the day locked meanwhile went away
        await account.refresh()
        if quota is None:
            await require_sending()
            claimed, refusal = [], why_not(account)
        else:
            claimed = await outbox.add_claimed(account.id, quota, rows[: quota.left], lease_seconds=lease_seconds)
            refusal = quota.refusal
        await outbox.add_failed(rows[len(claimed) :], refusal)
    return claimed, refusal


def _row(draft: ComposeDraft, one: Addressee) -> NewRow:
    return NewRow(
        id=one.row_id,
        org_id=draft.content.org_id,
        kind=MailKind.COMPOSE,
        content_id=draft.content.id,
        to_email=one.email,
        recipient_type=RecipientType.TO,
        message_id=f"<{one.row_id.hex}@{draft.sender.domain}>",
        account_id=draft.account.id,
        contact_id=one.contact_id,
        from_email=draft.sender.email,
        variables=dict(one.variables) if draft.content.is_template else {},
    )


def _composed(draft: ComposeDraft, errors: Mapping[UUID, str | None], refusal: str) -> Composed:
    """What became of everyone; who has no outcome was not taken in, for the reason `refusal`."""
    found = [(one.email, one.refusal or errors.get(one.row_id, refusal)) for one in draft.addressees]
    failed = [Failure(email, error) for email, error in found if error is not None]
    return Composed(len(found) - len(failed), failed)
