"""The sender loop: claims messages of every account that has some due, and sends them over a few connections at a time.

A message holds its connection until its outcome is committed. So at most `concurrency` messages of an account can be
accepted by its server and unknown to us when the process dies.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Coroutine, Iterable
from uuid import UUID

from webapp import clock
from webapp.domain.delivery import deliver, recovery
from webapp.domain.delivery.account_queue import Lane, Onward, Turn
from webapp.domain.delivery.campaign_content import Contents
from webapp.domain.delivery.claim_backoff import Backoff
from webapp.domain.delivery.deliver import Courier, Delivery, DueAccount, Marks, Message, Suspects
from webapp.domain.delivery.lease_keeper import Holdings
from webapp.domain.delivery.live_state import Served
from webapp.domain.delivery.load_messages import AHEAD_BYTES, Unread, claim_messages
from webapp.domain.delivery.outcome_writer import OutcomeWriter
from webapp.models.outbox import REFRESH_SECONDS
from webapp.sending.outcomes import Outcome
from webapp.sending.smtp.pool import SmtpPool
from webapp.sending.smtp.session import Proceed

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0
POLL_JITTER = 0.2
MESSAGES_AT_ONCE = 512  # per process: sockets; memory is bounded in bytes, by the courier
CLAIMED_AT_ONCE = 750  # messages
ERROR_PAUSE = 1.0


class Sender:
    """Sends until told to stop; what it claimed and did not start goes back."""

    def __init__(self, pool: SmtpPool, lease_seconds: float) -> None:
        self._served = Served()
        self._courier = Courier(pool, served=self._served)
        self._contents = Contents()
        self._marks = Marks()
        self._backoff = Backoff()
        self._lease_seconds = lease_seconds
        self._holdings = Holdings(lease_seconds, self._served)
        self._writer = OutcomeWriter(self._holdings, self._under_way)
        self._lanes: dict[UUID, Lane] = {}
        self._returns: set[asyncio.Task[None]] = set()
        self._at_once = asyncio.Semaphore(MESSAGES_AT_ONCE)
        self._woken = asyncio.Event()
        self._claiming = asyncio.Lock()  # what is committed and not in the holdings yet is ours all the same
        self._stopping = False

    def wake(self) -> None:
        """Look for due mail now."""
        self._woken.set()

    async def reclaim(self) -> None:
        """Take back the rows of dead workers, never those this process holds, however long it or its clock slept."""
        async with self._claiming:
            await recovery.reclaim(self._lease_seconds, self._holdings.ids())

    def work(self) -> list[Coroutine[None, None, None]]:
        """What goes on until it is cancelled: leases are lengthened, accounts and runs are looked at."""
        return [self._holdings.keep(), self._look()]

    async def _look(self) -> None:
        """See every moment how accounts and runs are; what must not be sent any more goes back, until cancelled."""
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            try:
                await self._holdings.look()
                for lane in self._lanes.values():
                    if found := lane.withdraw(self._is_stopped):
                        self._return(found)
            except Exception:
                log.exception("accounts and runs could not be looked at")

    def _return(self, messages: Iterable[Message]) -> None:
        """Give these back, while nobody waits for a locked account or for the database."""
        task = asyncio.create_task(self._give_back(messages))
        self._returns.add(task)
        task.add_done_callback(self._returns.discard)

    def _is_stopped(self, message: Message) -> bool:
        return not self._served.goes_on(message.rows) or self._served.is_lowered(message.account)

    async def claim(self) -> None:
        """Claim what is due and let it be sent, until `finish` is called."""
        while not self._stopping:
            self._woken.clear()
            claimed = await self._claim_round_safely()
            if claimed is None:
                await asyncio.sleep(ERROR_PAUSE)
            if not claimed:
                await self._wait_for_work()

    async def _claim_round_safely(self) -> int | None:
        try:
            return await self._claim_round()
        except Exception:
            log.exception("looking for due mail failed")
            return None

    async def _claim_round(self) -> int:
        """Claim once for each account that has something due, room and its turn; returns the messages claimed."""
        self._lanes = {account_id: lane for account_id, lane in self._lanes.items() if lane.is_used}
        due = await deliver.due_accounts(self._marks)
        self._backoff.begin({account.id for account in due})
        random.shuffle(due)  # nobody is always first
        return sum([await self._claim_safely(account) for account in due if self._backoff.may_ask(account.id)])

    async def _claim_safely(self, account: DueAccount) -> int:
        """Claim for one account; what goes wrong with it is nobody else's trouble."""
        try:
            return await self._claim_for(account)
        except Exception:
            self._backoff.note(account.id, has_given=False)
            log.exception("claiming failed", extra={"account": str(account.id)})
            return 0

    async def _claim_for(self, account: DueAccount) -> int:
        lane = self._lanes.get(account.id)
        if lane is not None:
            lane.allow(account.concurrency)  # which people change, and which is less while it is throttled
        room = lane.room if lane is not None else account.concurrency
        if account.is_probe:
            room = min(room, 1 - (lane.size if lane else 0))
        if self._stopping or room <= 0:
            return 0
        async with self._claiming:
            messages = await self._claim_messages(account.id, lane, min(room, CLAIMED_AT_ONCE))
        self._backoff.note(account.id, has_given=bool(messages))
        if lane is None:
            onward = Onward(self._may_follow, self._conclude)
            lane = self._lanes[account.id] = Lane(account.concurrency, self._send, self._give_back, onward)
        if messages:
            lane.bound(messages[0].account.daily_mail_limit)
            lane.add(messages)
        return len(messages)

    async def _claim_messages(self, account_id: UUID, lane: Lane | None, limit: int) -> list[Message]:
        """Claim for one account, and hold what was claimed."""
        asked_at = clock.elapsed()
        try:
            messages = await claim_messages(
                account_id,
                self._contents,
                limit=limit,
                lease_seconds=self._lease_seconds,
                marks=self._marks,
                ahead=AHEAD_BYTES - sum(one.held for one in self._lanes.values()),
                suspects=self._suspects(lane),
            )
        except Unread as error:
            self._holdings.add(error.held.rows, asked_at)
            self._return([error.held])
            raise
        rows = [row for message in messages for row in message.rows]
        self._holdings.add(rows, asked_at)
        if messages:
            self._served.add(messages[0].account, rows)
        return messages

    def _suspects(self, lane: Lane | None) -> Suspects:
        """What a claim for the account of a lane does with mail that workers seem to die of: one goes at a time."""
        if any(other.is_alone and other.size for other in self._lanes.values() if other is not lane):
            return Suspects.PASS
        return Suspects.AWAIT if lane is not None and lane.size else Suspects.TAKE

    def _may_follow(self, turn: Turn, message: Message) -> bool:
        """Whether a message may be offered over the connection of a turn: its account has not changed since."""
        return not self._stopping and self._served.account_for(message.account) is turn.account

    def _proceed(self, turn: Turn) -> Proceed:
        """Make the question asked right before DATA."""

        async def may_send() -> bool:
            message = turn.message
            is_usable = turn.is_well and self._served.account_for(message.account) is not None
            return is_usable and self._holdings.may_send(message)

        return may_send

    async def _send(self, turn: Turn) -> bool:
        """Send messages over one connection and keep the outcome of the last; whether its account is well."""
        if self._stopping:
            await self._give_back([turn.message])
            return False
        async with self._at_once:
            return await self._keep(turn, deliver.deliver(turn, self._courier, self._proceed(turn)))

    async def _conclude(self, turn: Turn, outcomes: dict[str, Outcome]) -> bool:
        """Keep the outcome of a message behind which another is offered already; whether its account is well."""
        return await self._keep(turn, deliver.conclude(turn.message, self._courier, outcomes))

    async def _keep(self, turn: Turn, delivering: Awaitable[Delivery]) -> bool:
        try:
            delivery = await delivering
            await self._writer.keep(delivery.settlements)
        except Exception:  # the leases run out by themselves
            log.exception("a mail was left under way", extra={"mail_log": str(turn.message.rows[0].id)})
            self._holdings.drop({row.id for row in turn.message.rows})
            return False
        lane = self._lanes.get(turn.message.account.id)
        if lane is None or lane.will_have_room:
            self._woken.set()
        return delivery.is_account_well

    def _under_way(self, account_id: UUID) -> int:
        lane = self._lanes.get(account_id)
        return len(lane.tasks) if lane is not None else 0

    async def _give_back(self, messages: Iterable[Message]) -> None:
        await self._writer.keep([one for message in messages for one in deliver.give_back(message)])

    async def _wait_for_work(self) -> None:
        pause = POLL_SECONDS * random.uniform(1 - POLL_JITTER, 1 + POLL_JITTER)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._backoff.seconds(pause)):
                await self._woken.wait()

    async def finish(self, claimer: "asyncio.Task[None]", grace: float) -> None:
        """Give back what is not started, and let the rest end; after `grace` seconds cut its connections.

        What was after DATA is unknown then. A claim under way ends first: cut, it might be committed all the same.
        """
        deadline = clock.elapsed() + grace
        self._stopping = True
        self._woken.set()
        await asyncio.wait([claimer], timeout=grace)
        for lane in self._lanes.values():
            await lane.empty()
        if await self._all_ended(deadline - clock.elapsed()):
            await self._courier.close()
            return
        self._courier.is_cut = True
        await self._courier.close(0)
        if not await self._all_ended(ERROR_PAUSE):
            log.warning("stopped with mail under way; its leases run out by themselves")
            for task in self._tasks():
                task.cancel()

    async def tell(self) -> None:
        """Tell of what was settled and not told yet: the last that is done."""
        await self._writer.finish()

    async def _all_ended(self, seconds: float) -> bool:
        tasks = self._tasks()
        if tasks:
            await asyncio.wait(tasks, timeout=max(seconds, 0))
        return not self._tasks()

    def _tasks(self) -> list["asyncio.Task[None]"]:
        return [*self._returns, *(task for lane in self._lanes.values() for task in lane.tasks)]
