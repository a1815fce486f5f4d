"""The dispatcher: claims due messages of every account and passes them to the accounts' queues."""

import asyncio
import logging
import math
import random
from collections.abc import Coroutine, Iterable
from uuid import UUID

from webapp import clock, metrics
from webapp.backoff import Backoff
from webapp.db.errors import is_outage
from webapp.domain.accounts.credentials import require_keys
from webapp.domain.delivery import recovery, retry_policy
from webapp.domain.delivery.account_queue import AccountQueue
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.domain.delivery.connection import SOCKETS, Connection, DeliveryContext
from webapp.domain.delivery.lease_keeper import LeaseKeeper
from webapp.domain.delivery.live_state import LiveState
from webapp.domain.delivery.load_messages import PREFETCH_BYTES, load_messages
from webapp.domain.delivery.message import Message
from webapp.domain.delivery.outcome_writer import OutcomeWriter
from webapp.domain.delivery.providers import Providers
from webapp.errors import KeyMissing
from webapp.fair_slots import FairSlot, FairSlots
from webapp.models import Account
from webapp.models.outbox.claims import claim
from webapp.models.outbox.due import ClaimCursors, DueAccount, due_accounts
from webapp.models.outbox.runs import REFRESH_SECONDS
from webapp.sending.http_client import HttpClient
from webapp.sending.smtp.pool import SmtpPool
from webapp.tasks import wait_at_most

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0
POLL_JITTER = 0.2
CLAIMED_AT_ONCE = 750  # messages
CUT_SECONDS = 1.0  # that cut connections have to end
KEY_PAUSE = 5.0  # for accounts whose password needs a key that this process lacks
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # seconds; another worker's claim ends soon, a held lock may not


class ClaimBackoff:
    """Doubles an account's pause after each empty claim, because claims block other accounts."""

    def __init__(self) -> None:
        self._pauses: dict[UUID, tuple[float, float]] = {}  # pause and its end by account
        self._now = clock.elapsed()

    def begin_round(self, due: set[UUID]) -> None:
        self._now = clock.elapsed()
        self._pauses = {account_id: pause for account_id, pause in self._pauses.items() if account_id in due}

    def is_due(self, account_id: UUID) -> bool:
        return self._pauses.get(account_id, (0.0, 0.0))[1] <= self._now

    def record(self, account_id: UUID, *, found_work: bool) -> None:
        if found_work:
            self._pauses.pop(account_id, None)
            return
        self.hold(account_id, min(2 * self._pauses.get(account_id, (FIRST_PAUSE / 2, 0.0))[0], LONGEST_PAUSE))

    def hold(self, account_id: UUID, seconds: float) -> None:
        self._pauses[account_id] = (seconds, self._now + seconds)

    def seconds(self, limit: float) -> float:
        """Seconds until an account is due again that pauses in this round, at most `limit`."""
        next_at = min((end for _, end in self._pauses.values() if end > self._now), default=math.inf)
        return min(limit, max(0.0, next_at - clock.elapsed()))


class Dispatcher:
    def __init__(self, pool: SmtpPool, lease_seconds: float, sockets: int = SOCKETS) -> None:
        self._lease_seconds = lease_seconds
        self._live_state = LiveState()
        self._leases = LeaseKeeper(lease_seconds, self._live_state)
        self._writer = OutcomeWriter(self._leases, self._in_flight)
        self._woken = asyncio.Event()
        providers = Providers(pool, HttpClient())
        shares = FairSlots[FairSlot](sockets, limit_each=sockets // 2)
        self._context = DeliveryContext(providers, self._live_state, self._leases, self._writer, self._woken, shares)
        self._contents = CampaignContentCache()
        self._cursors = ClaimCursors()
        self._backoff = ClaimBackoff()
        self._claim_failures: Backoff[UUID] = Backoff(log, "claiming mail")
        self._failures: Backoff[str] = Backoff(log, "the dispatcher", longest=POLL_SECONDS)
        self._queues: dict[UUID, AccountQueue] = {}
        self._release_tasks: set[asyncio.Task[None]] = set()
        self._claiming = asyncio.Lock()  # held from a claim's commit until its leases are registered

    @property
    def sending_rate(self) -> float:
        return sum(queue.rate for queue in self._queues.values())

    def wake(self) -> None:
        self._woken.set()

    async def reclaim(self) -> None:
        """Reclaims the rows of dead workers, but never this process's own; commits."""
        async with self._claiming:
            await recovery.reclaim(self._lease_seconds, self._leases.ids())

    def background_tasks(self) -> list[Coroutine[None, None, None]]:
        refreshing = self._failures.repeat("reading accounts and runs", self._refresh, REFRESH_SECONDS)
        return [self._leases.extend_forever(), refreshing]

    async def _refresh(self) -> None:
        await self._live_state.refresh(self._leases.rows())
        for queue in self._queues.values():
            if revoked := queue.remove_where(self._is_revoked):
                self._release_later(revoked)

    def _is_revoked(self, message: Message) -> bool:
        return not self._leases.may_send(message) or self._live_state.limit_was_lowered(message.account)

    async def claim_forever(self) -> None:
        """Claims due messages until `finish` is called; commits."""
        while not self._context.is_stopping:
            self._woken.clear()
            try:
                claimed = await self._claim_round()
                self._failures.record_success("looking for due mail")
            except Exception as error:  # noqa: BLE001 - logged and retried
                await asyncio.sleep(self._failures.record_failure("looking for due mail", error))
                continue
            if not claimed:
                await self._wait_for_work()

    async def _claim_round(self) -> int:
        self._queues = {account_id: queue for account_id, queue in self._queues.items() if queue.is_used}
        due = await due_accounts(self._cursors)
        self._backoff.begin_round({account.id for account in due})
        for account in due:
            if account.wait > 0:
                self._backoff.hold(account.id, min(account.wait, POLL_SECONDS))  # its pace may be changed
        random.shuffle(due)  # so that no account is always first
        return sum([await self._claim_safely(account) for account in due if self._backoff.is_due(account.id)])

    async def _claim_safely(self, account: DueAccount) -> int:
        try:
            claimed = await self._claim_for(account)
        except KeyMissing:  # the heartbeat reports it
            self._backoff.hold(account.id, KEY_PAUSE)
            return 0
        except Exception as error:  # noqa: BLE001 - logged and retried
            pause = self._claim_failures.record_failure(account.id, error, account=str(account.id))
            self._backoff.hold(account.id, pause)
            return 0
        self._claim_failures.record_success(account.id)
        return claimed

    async def _claim_for(self, account: DueAccount) -> int:
        queue = self._queues.get(account.id)
        if queue is None:
            queue = AccountQueue(account.concurrency, self._connect, self._release)
        queue.set_concurrency(account.concurrency)  # reduced while throttled
        slots = min(queue.free_slots, 1 - queue.size) if account.is_probe else queue.free_slots
        if self._context.is_stopping or slots <= 0:
            return 0
        async with self._claiming:
            messages = await self._claim_messages(account.id, queue, min(slots, CLAIMED_AT_ONCE))
        self._backoff.record(account.id, found_work=bool(messages))
        self._queues[account.id] = queue
        if messages:
            queue.limit_prefetch(messages[0].account.daily_mail_limit)
            queue.add(messages)
        return len(messages)

    async def _claim_messages(self, account_id: UUID, queue: AccountQueue, limit: int) -> list[Message]:
        """Raises KeyMissing, without claiming, if this process cannot sign in for the account; commits."""
        account = await Account.across_orgs().get_or_none(id=account_id)
        if account is None:
            return []
        require_keys(account)
        asked_at, queues = clock.elapsed(), self._queues.values()
        rows = await claim(
            account_id,
            messages=limit,
            lease_seconds=self._lease_seconds,
            cursors=self._cursors,
            takes_suspect=not queue.size and not any(other.is_exclusive and other.size for other in queues),
        )
        free_bytes = PREFETCH_BYTES - sum(queue.buffered_bytes for queue in queues)
        try:
            messages = await load_messages(account, rows, self._contents, free_bytes)
        except Exception as error:
            if is_outage(error):  # else their leases expire and count, so that unreadable rows fail eventually
                self._leases.add(rows, asked_at)
                self._release_later([Message(account, tuple(rows))])
            raise
        with metrics.harmless():
            metrics.claim_seconds.observe(clock.elapsed() - asked_at)
        self._leases.add(rows, asked_at)
        if rows:
            self._live_state.add(account, rows)
        return messages

    def _connect(self, queue: AccountQueue) -> Coroutine[None, None, None]:
        return Connection(queue, self._context).run()

    def _in_flight(self, account_id: UUID) -> int:
        queue = self._queues.get(account_id)
        return len(queue.connections) if queue is not None else 0

    async def _release(self, messages: Iterable[Message]) -> None:
        await self._writer.save([retry_policy.release(row) for message in messages for row in message.rows])

    def _release_later(self, messages: Iterable[Message]) -> None:
        """Releases messages in a task, because the account may be locked or the database unavailable."""
        task = asyncio.create_task(self._release(messages))
        self._release_tasks.add(task)
        task.add_done_callback(self._release_tasks.discard)

    async def _wait_for_work(self) -> None:
        pause = POLL_SECONDS * random.uniform(1 - POLL_JITTER, 1 + POLL_JITTER)
        await wait_at_most(self._backoff.seconds(pause), self._woken)

    async def finish(self, claimer: "asyncio.Task[None]", grace: float) -> None:
        """Releases what is not in flight, gives the others `grace` seconds, then cuts their connections; commits."""
        deadline = clock.elapsed() + grace
        self._context.is_stopping = True
        self._woken.set()
        await asyncio.wait([claimer], timeout=grace)  # if cancelled, its claim might still be committed
        for queue in self._queues.values():
            await queue.release_all()
        if await self._all_ended(deadline - clock.elapsed()):
            await self._context.providers.close()
            return
        self._context.is_cut = True
        await self._context.providers.close(0)
        if not await self._all_ended(CUT_SECONDS):
            log.warning("stopped with mail in flight; its leases run out by themselves")
            for task in self._tasks():
                task.cancel()

    async def flush(self) -> None:
        await self._writer.finish()

    async def _all_ended(self, seconds: float) -> bool:
        tasks = self._tasks()
        if tasks:
            await asyncio.wait(tasks, timeout=max(seconds, 0))
        return not self._tasks()

    def _tasks(self) -> list["asyncio.Task[None]"]:
        return [*self._release_tasks, *(task for queue in self._queues.values() for task in queue.connections)]
