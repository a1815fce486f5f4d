"""Compose: mail whose outcomes are in the answer to its request (the specification's "Compose").

Its rows are sent like others, before all that wait for their account. Those that are not sent by a deadline, or cannot
be sent now, are withdrawn and fail.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from webapp import clock, db
from webapp.db.errors import is_outage
from webapp.domain.emails.compose.draft import ComposeDraft, ComposeRecipient, resolve
from webapp.domain.emails.compose.inputs import NewCompose
from webapp.domain.instance import workers
from webapp.domain.instance.suspension import require_sending
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.errors import NotFound, ServiceUnavailable
from webapp.models import Account, Organization
from webapp.models.account import AccountStatus
from webapp.models.mail_log import MailKind, RecipientType
from webapp.models.outbox import emails
from webapp.models.outbox.insert import NewRow, add_rows
from webapp.queue import Job, enqueue
from webapp.sending.outcomes import DELIVERY_UNKNOWN, within_limit

log = logging.getLogger(__name__)

COMPOSE_SECONDS = 55.0  # from the request until the body of its last mail is begun
IN_FLIGHT_SECONDS = 2.0  # after that, for the answer to the last body
ANSWER_SECONDS = 59.0  # the rest is for saving the last outcomes
STOP_SECONDS = 5.0  # for what is in flight when the app stops; requests have 8
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.25  # seconds between two queries of the outcomes


@dataclass(frozen=True)
class Failure:
    email: str
    error: str


@dataclass(frozen=True)
class Composed:
    """The number of mails sent, and the failures in the order of the request."""

    sent: int
    failed: list[Failure]


class ComposeService:
    """Sends composes and waits for their outcomes; one per app."""

    def __init__(
        self, *, seconds: float = COMPOSE_SECONDS, answer_within: float = ANSWER_SECONDS, grace: float = STOP_SECONDS
    ) -> None:
        self._seconds, self._answer_within, self._grace = seconds, answer_within, grace
        self._stopped_at: float | None = None

    def stop(self) -> None:
        self._stopped_at = clock.elapsed()

    async def compose(self, org: Organization, data: NewCompose) -> Composed:
        """Sends to every recipient and returns the outcomes; commits.

        Raises NotFound, ValidationError or PlanLimitExceeded before anything is sent, and ServiceUnavailable where
        nothing can be sent, or the outcomes are not saved in time.
        """
        began = clock.elapsed()
        deadline = began + self._seconds
        draft = await resolve(org, data)
        if not draft.deliverable:
            return _composed(draft, {})
        if self._stopped_at is not None:
            raise ServiceUnavailable("the service is being stopped; nothing was sent")
        await require_sending()
        if not await workers.is_worker_alive():
            raise ServiceUnavailable("no worker is running that could send it; nothing was sent")
        await _add_rows(org, draft, deadline - clock.elapsed())
        try:
            async with asyncio.timeout(began + self._answer_within - clock.elapsed()):
                return _composed(draft, await self._wait_for_outcomes(org, draft, deadline))
        except TimeoutError:
            raise ServiceUnavailable(
                "the outcomes cannot be saved just now: do not repeat it, the mail logs will tell"
            ) from None

    async def _wait_for_outcomes(
        self, org: Organization, draft: ComposeDraft, deadline: float
    ) -> Mapping[UUID, str | None]:
        """The error of each row, None where it was sent; waits while the database is away."""
        ids = [one.row_id for one in draft.deliverable]
        pause = FIRST_PAUSE
        while True:
            try:
                outcomes = await emails.final_outcomes(ids)
                if len(outcomes) == len(ids):
                    return outcomes
                await self._withdraw(org, draft, ids, deadline)
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("the outcomes of a compose cannot be read or saved: %s", error)
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)

    async def _withdraw(self, org: Organization, draft: ComposeDraft, ids: Collection[UUID], deadline: float) -> None:
        """Fails rows that cannot be sent any more, and those in flight at the end: these may have arrived."""
        now, end = clock.elapsed(), deadline + IN_FLIGHT_SECONDS
        reason: str | None
        unanswered = f"no answer within {self._seconds:g} seconds"
        if self._stopped_at is not None:
            end, reason = min(end, self._stopped_at + self._grace), "the service was stopped before it was sent"
            unanswered = "no answer before the service was stopped"
        elif now >= deadline:
            reason = emails.EXPIRED
        else:
            reason = await _reason_not_sending(org, draft.account)
        if reason is not None:
            await emails.withdraw(ids, reason)
        if now >= end:
            await emails.fail_in_flight(ids, DELIVERY_UNKNOWN + unanswered)


async def _reason_not_sending(org: Organization, account: Account) -> str | None:
    """The reason why the account cannot send now, in words; None where it can."""
    found = await Account.of(org).get_or_none(id=account.id)
    if found is None:
        return "the account was deleted"
    if found.status == AccountStatus.PAUSED:
        return "the account is paused"
    if found.rest_until is None or found.rest_until <= clock.now():
        return None
    if not found.last_error:
        return "the account could not send it just now"
    return within_limit(found.last_error, "the account rests after trouble: ")


async def _add_rows(org: Organization, draft: ComposeDraft, seconds: float) -> None:
    """Inserts rows that expire after `seconds`; locks the account; commits. Raises PlanLimitExceeded and NotFound."""
    account = draft.account
    async with db.write_transaction():
        if not await account.lock_against_deletion():
            raise NotFound("account_key names no account of this organization")
        if not account.is_sandbox:
            await limits.consume(org, Metric.EMAILS, len(draft.deliverable))
        await draft.content.save(force_create=True)
        due_at = await emails.compose_due_at(seconds)
        await add_rows([_row(draft, one, due_at) for one in draft.deliverable])
        enqueue(Job.WAKE, account.id)


def _row(draft: ComposeDraft, one: ComposeRecipient, due_at: datetime) -> NewRow:
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
        due_at=due_at,
        variables=dict(one.variables) if draft.content.is_template else {},
    )


def _composed(draft: ComposeDraft, errors: Mapping[UUID, str | None]) -> Composed:
    found = [(one.email, one.refusal or errors.get(one.row_id)) for one in draft.recipients]
    failed = [Failure(email, error) for email, error in found if error is not None]
    return Composed(len(found) - len(failed), failed)
