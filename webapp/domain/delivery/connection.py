"""The loop of one connection of an account, which sends one message after another."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace

from webapp.backoff import report_failure
from webapp.config import settings
from webapp.db.errors import is_outage
from webapp.domain.delivery import account_breaker, retry_policy, return_path, run_breaker, slowdowns
from webapp.domain.delivery.account_breaker import Suspicions
from webapp.domain.delivery.account_queue import AccountQueue
from webapp.domain.delivery.lease_keeper import LeaseKeeper
from webapp.domain.delivery.live_state import LiveState
from webapp.domain.delivery.message import Message
from webapp.domain.delivery.outcome_writer import OutcomeWriter
from webapp.domain.delivery.providers import MailSession, Providers
from webapp.domain.delivery.run_files import ContentError
from webapp.errors import ConfigError, KeyMissing, ServiceUnavailable
from webapp.fair_slots import FairSlot, FairSlots, slot_of
from webapp.loop_monitor import name_work
from webapp.models import Account
from webapp.models.outbox.settlements import Settlement
from webapp.sending.mx import RecipientProviders
from webapp.sending.outcomes import Blame, Delivered, Halted, Outcome, Phase, Refused, TryLater, clean
from webapp.sending.smtp.connect import Unreachable
from webapp.sending.smtp.session import Stale
from webapp.sending.smtp.transaction import Transaction

log = logging.getLogger(__name__)

SOCKETS = 512  # in use per process; at most half per organization
MEMORY_BYTES = 32 * 1024 * 1024  # of messages in flight; building takes about seven times a message's size
INTERNAL_ERROR = TryLater(None, "internal error; see the server log", Phase.MAIL, Blame.MESSAGE)

Outcomes = Mapping[str, Outcome] | None  # by recipient; None without an attempt, so the message is released


class ByteBudget:
    """Admits messages while their bytes fit into memory; one larger than the whole budget is admitted alone."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._reserved = 0
        self._freed = asyncio.Event()

    def reserving(self, size: int) -> AbstractAsyncContextManager[None]:
        """An async context that waits for `size` bytes and reserves them; free for the many messages that need none."""
        return self._reserving(min(size, self._total)) if size else nullcontext()

    @asynccontextmanager
    async def _reserving(self, size: int) -> AsyncIterator[None]:
        while self._reserved + size > self._total:
            self._freed.clear()
            await self._freed.wait()  # with all others, because a smaller message may fit where the first does not
        self._reserved += size
        try:
            yield
        finally:
            self._reserved -= size
            self._freed.set()


@dataclass
class DeliveryContext:
    """State shared by all connections of a process; after `is_cut`, servers are not blamed for failures."""

    providers: Providers
    live_state: LiveState
    leases: LeaseKeeper
    writer: OutcomeWriter
    wake: asyncio.Event  # makes the dispatcher claim more
    sockets: FairSlots[FairSlot]
    recipient_providers: RecipientProviders = field(default_factory=RecipientProviders)
    suspicions: Suspicions = field(default_factory=Suspicions)
    memory: ByteBudget = field(default_factory=lambda: ByteBudget(MEMORY_BYTES))
    is_stopping: bool = False
    is_cut: bool = False


class Connection:
    def __init__(self, queue: AccountQueue, context: DeliveryContext) -> None:
        self._queue, self._context = queue, context
        self._session: MailSession | None = None
        self._pipelined: Message | None = None  # to be sent behind the one in flight

    async def run(self) -> None:
        """Commits each outcome before writing the next body, so that at most one is unknown if this process dies."""
        while (message := self._queue.pop()) is not None:
            async with slot_of(self._context.sockets, message.account.org_id):
                while message is not None:  # pipelined ones use the same session
                    async with self._context.memory.reserving(message.bytes_to_reserve):
                        outcomes = await self._try_send(message)
                        if outcomes is not None and message.untagged is not None:
                            outcomes = await self._without_tag(message, outcomes)
                    is_healthy = await self._save(message, outcomes)
                    message = await self._next_pipelined(is_healthy=is_healthy)
                self._release_session()

    async def _next_pipelined(self, *, is_healthy: bool) -> Message | None:
        message, self._pipelined = self._pipelined, None
        self._queue.record(is_healthy=is_healthy, is_next_pipelined=message is not None)
        if is_healthy:
            return message
        await self._queue.release_all(message)
        return None

    async def _without_tag(self, message: Message, outcomes: Mapping[str, Outcome]) -> Outcomes:
        """Sends a message again with its plain return path if the tag may be why it was refused."""
        refusal = return_path.refusal_of_tag(outcomes[message.rows[0].to_email])
        if refusal is None:
            return outcomes
        self._release_session()  # which closes it if the next message's commands are already written
        message.remove_tag()
        retried = await self._try_send(message)
        if retried is not None and any(isinstance(outcome, Delivered) for outcome in retried.values()):
            await return_path.record_refusal(message.account, refusal)
        return retried

    async def _try_send(self, message: Message) -> Outcomes:
        """Sends a message; errors become outcomes, or None if they are our own."""
        try:
            seconds_left = self._context.leases.seconds_left(message)
            if seconds_left is None:  # the common case; a time-out costs more than what it bounds
                return await self._send(message)
            async with asyncio.timeout(seconds_left) as expiry:
                return await self._send(message, expiry)
        except (TimeoutError, KeyMissing):  # a compose expired, or the password was re-encrypted since the claim
            return None
        except (Unreachable, ConfigError, ServiceUnavailable, ValueError) as error:
            return message.for_all(await _outcome_of(error, message))
        except Exception as error:
            if is_outage(error):  # our database is unavailable
                return None
            log.exception("a mail could not be sent for a reason of ours", extra={"mail_log": str(message.rows[0].id)})
            self._release_session()  # which may be closed, so that later errors are not the server's fault
            return message.for_all(INTERNAL_ERROR)

    async def _send(self, message: Message, expiry: asyncio.Timeout | None = None) -> Outcomes:
        """Sends a message unless it was stopped since its claim; its body must begin before `expiry`."""
        account = self._context.live_state.current_account(message.account)
        if account is None or self._context.is_stopping:
            return None
        if obstacle := await self._obstacle(message, account):
            return message.for_all(obstacle)
        name_work(message.rows[0].message_id)
        transaction, stale = message.transaction or await message.build(), None
        # It ends, because only reused sessions are stale, or once those of servers that discard input.
        while True:
            session = self._session = self._session or await self._context.providers.connect(account, stale)
            try:
                if await session.begin(transaction):
                    if self._may_send(message):
                        if expiry is not None:
                            expiry.reschedule(None)  # do not interrupt a body
                        await session.finish(transaction, self._pop_to_pipeline(session, account))
                    else:
                        await session.abandon(transaction)
            except Stale as error:
                self._session, stale = None, session
                self._context.providers.discard(session, error)
            else:
                return transaction.outcomes

    async def _obstacle(self, message: Message, account: Account) -> Outcome | None:
        if message.refusal is not None:
            return Halted(message.refusal)
        if not self._context.live_state.may_still_send(message.rows):
            return Halted()
        if account.slowed_until is None:  # the common case
            return None
        wait = await slowdowns.wait_for(account, message.rows, self._context.recipient_providers)
        return Halted(wait=wait) if wait else None

    def _may_send(self, message: Message) -> bool:
        """Checked before DATA: the rows are still ours, and neither run nor account was stopped."""
        is_current = self._context.live_state.current_account(message.account) is not None
        return is_current and self._context.leases.may_send(message)

    def _pop_to_pipeline(self, session: MailSession, account: Account) -> Transaction | None:
        is_slowed = slowdowns.is_slowed(account)

        def may_follow(message: Message) -> bool:
            return self._context.live_state.current_account(message.account) is account and not is_slowed

        if self._pipelined is not None:  # its session was stale, so it is sent next, on its own
            return None
        if self._context.is_stopping or not self._context.providers.may_pipeline(session):
            return None
        self._pipelined = self._queue.pop_if(may_follow, session.can_pipeline)
        return None if self._pipelined is None else self._pipelined.transaction

    async def _save(self, message: Message, outcomes: Outcomes) -> bool:
        """Settles and saves the outcomes; True if the account is healthy; commits."""
        try:
            settlements, is_account_healthy = await self._settle(message, outcomes)
            await self._context.writer.save(settlements)
        except Exception as error:  # noqa: BLE001 - logged; the leases expire
            report_failure(log, "a mail was left in flight", error, mail_log=str(message.rows[0].id))
            self._context.leases.drop(row.id for row in message.rows)
            return False
        if self._queue.has_slot_after_current:
            self._context.wake.set()
        return is_account_healthy

    async def _settle(self, message: Message, outcomes: Outcomes) -> tuple[list[Settlement], bool]:
        """Returns the rows' settlements, and if the account is healthy; saves a failure of the account; commits."""
        if outcomes is None or (self._context.is_cut and account_breaker.is_only_failure(outcomes.values())):
            return [retry_policy.release(row) for row in message.rows], False
        account, suspicions, hours = message.account, self._context.suspicions, settings().retry_hours
        is_accepted = all(isinstance(outcome, Delivered) for outcome in outcomes.values())
        if is_accepted and not account_breaker.is_degraded(account):
            suspicions.clear(account.id)  # the common case
            return retry_policy.settlements(message.rows, outcomes, hours), True
        is_first_try = all(row.attempts == 0 and row.seconds_waiting is None for row in message.rows)
        outcomes = await self._record_slowdowns(account, outcomes, is_first_try=is_first_try)
        outcomes = account_breaker.corroborated(outcomes, account, suspicions, is_first_try=is_first_try)
        try:
            await account_breaker.record_outcomes(account, outcomes.values())
        except Exception as error:  # noqa: BLE001 - logged; an accepted message must not be sent again
            report_failure(log, "an account's failure could not be saved", error, account=str(account.id))
        settlements = retry_policy.settlements(message.rows, outcomes, hours)
        if account.is_sandbox:  # simulated refusals; the address may be tried again
            settlements = [replace(settlement, suppresses=False) for settlement in settlements]
        return settlements, account_breaker.account_failure(outcomes.values()) is None

    async def _record_slowdowns(
        self, account: Account, outcomes: Mapping[str, Outcome], *, is_first_try: bool
    ) -> Mapping[str, Outcome]:
        providers = self._context.recipient_providers
        try:
            return await slowdowns.record(account, outcomes, providers, is_first_try=is_first_try)
        except Exception as error:  # noqa: BLE001 - logged; an accepted message must not be sent again
            report_failure(log, "a request to slow down could not be saved", error, account=str(account.id))
            return outcomes

    def _release_session(self) -> None:
        if self._session is not None:
            self._context.providers.release(self._session)
            self._session = None


async def _outcome_of(error: Unreachable | ConfigError | ServiceUnavailable | ValueError, message: Message) -> Outcome:
    match error:
        case Unreachable():
            return error.outcome
        case ConfigError():  # the account's stored password is damaged
            return TryLater(None, str(error), Phase.LOGIN, Blame.MISCONFIGURED)
        case ServiceUnavailable():  # the storage of attachments
            return TryLater(None, clean(str(error)), Phase.MAIL, Blame.MESSAGE)
        case ContentError() if await run_breaker.halt_for_content(message.rows[0], str(error)):
            return Halted()
        case _:  # from the builder: no message can carry the content
            return Refused(None, clean(str(error)), Phase.MAIL)
