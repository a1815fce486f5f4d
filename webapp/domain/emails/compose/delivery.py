"""The messages of one compose, under way."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from uuid import UUID

from webapp import clock
from webapp.domain.delivery import deliver, retry_policy
from webapp.domain.delivery.account_queue import Lane, Turn
from webapp.domain.delivery.deliver import Claimed, Courier, Delivery, Message, Settlement
from webapp.domain.emails.compose.draft import ComposeDraft, ComposeMaker
from webapp.errors import NotFound
from webapp.models import Account
from webapp.models.account import AccountStatus
from webapp.models.mail_log import SENT
from webapp.sending.outcomes import Halted, Outcome, Phase, Unknown, within_limit

log = logging.getLogger(__name__)

LEASE_MARGIN = 30.0  # seconds by which a lease outlives the delivery
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0  # seconds between tries while the database is away


class Deadline:
    """When a compose must have ended: after some seconds, or as soon as the app stops."""

    def __init__(self, seconds: float, stopping: asyncio.Event) -> None:
        """Begin now."""
        self.seconds = seconds
        self._ends_at = clock.elapsed() + seconds
        self._stopping = stopping

    def left(self) -> float:
        """Seconds that are left; negative when it has passed."""
        return self._ends_at - clock.elapsed()

    def lease(self) -> float:
        """Seconds for which nobody else may judge the rows."""
        return self.left() + LEASE_MARGIN

    def may_start(self) -> bool:
        """Whether another message may go on its way."""
        return self.reason() is None

    def reason(self) -> str | None:
        """Why no other message may go, in words."""
        if self._stopping.is_set():
            return "the service was stopped before it was sent"
        return None if self.left() > 0 else f"it could not be sent within {self.seconds:g} seconds"


class ComposeDelivery:
    """Sends the messages of a draft over a few connections at a time, and keeps what becomes of each."""

    def __init__(self, draft: ComposeDraft, courier: Courier, deadline: Deadline) -> None:
        """Send with the courier until the deadline."""
        self._account, self._maker = draft.account, ComposeMaker(draft)
        self._courier, self._deadline = courier, deadline
        self._errors: dict[UUID, str | None] = {}
        self._trouble: str | None = None

    async def run(self, rows: Iterable[Claimed]) -> Mapping[UUID, str | None]:
        """The error of each row, None where it was sent; all of them are kept."""
        lane = Lane(self._account.concurrency, self._send, self._give_up)
        lane.add(Message(self._account, (row,), self._maker) for row in rows)
        while lane.tasks:
            done, _ = await asyncio.wait(lane.tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        return self._errors

    async def _send(self, turn: Turn) -> bool:
        """Send a message and keep its outcome; whether others may follow."""
        message = turn.message
        if not self._deadline.may_start():
            await self._give_up([message])
            return False
        delivery = await self._deliver(message)
        if not delivery.is_account_well:
            self._trouble = self._trouble or delivery.settlements[0].error  # what the rest fails for
        await self._keep(delivery.settlements)
        return delivery.is_account_well

    async def _deliver(self, message: Message) -> Delivery:
        """As a worker does, but the sending is cut at the deadline: what had come to DATA by then may have arrived.

        The deadline is not for taking note of an answer that was in time.
        """
        has_begun = False

        async def proceed() -> bool:
            nonlocal has_begun
            has_begun = self._deadline.may_start()
            return has_begun

        try:
            async with asyncio.timeout(self._deadline.left()):
                outcomes = await deliver.attempt(message, self._courier, proceed)
        except TimeoutError:
            words = f"no answer within {self._deadline.seconds:g} seconds"
            outcome: Outcome = Unknown(words, Phase.DOT) if has_begun else Halted()
            cut = {row.to_email: outcome for row in message.rows}
            return Delivery(deliver.settled(message, cut), is_account_well=False)
        return await deliver.conclude(message, self._courier, outcomes)

    async def _give_up(self, messages: Iterable[Message]) -> None:
        """Fail messages that were not started."""
        await self._keep([one for message in messages for one in deliver.give_back(message)])

    async def _keep(self, settlements: Sequence[Settlement]) -> None:
        """Commit outcomes, none of which leaves a row waiting; while the database is away, until the leases end."""
        pause = FIRST_PAUSE
        while True:
            try:
                final = await self._final(settlements)
                await deliver.keep_outcomes(final)
                await deliver.follow_up([one.row for one in final])
            except Exception:
                log.exception("%d outcomes of a compose could not be kept", len(settlements))
                if self._deadline.lease() < 0:
                    raise
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
            else:
                self._errors |= {one.row.id: one.error for one in final}
                return

    async def _final(self, settlements: Sequence[Settlement]) -> list[Settlement]:
        if all(one.error or one.status is SENT for one in settlements):
            return [retry_policy.without_waiting(one, "") for one in settlements]
        why = self._deadline.reason() or self._trouble or await self._account_trouble()
        return [retry_policy.without_waiting(one, why) for one in settlements]

    async def _account_trouble(self) -> str:
        """What keeps the account from sending, as it is now."""
        account = copy(self._account)
        try:
            await account.refresh()
        except NotFound:
            return "the account was deleted"
        return why_not(account)


def why_not(account: Account) -> str:
    """Why an account does not send, in words."""
    if account.status == AccountStatus.PAUSED:
        return "the account is paused"
    if account.last_error:
        return within_limit(account.last_error, "the account rests after trouble: ")
    return "the account could not send it just now"
