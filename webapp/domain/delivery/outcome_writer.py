"""Saves outcomes in batches per account; those that arrive during a write form the next batch."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from uuid import UUID

from webapp import clock, db, metrics
from webapp.addresses import email_key
from webapp.backoff import Backoff, report_failure
from webapp.domain.campaigns import runs
from webapp.domain.delivery import run_breaker
from webapp.domain.delivery.lease_keeper import LeaseKeeper
from webapp.domain.suppressions import suppressions
from webapp.models import Contact, Organization
from webapp.models.outbox.settlements import Settlement, record_use, settle
from webapp.models.suppression import SuppressionReason
from webapp.tasks import wait_at_most

log = logging.getLogger(__name__)

FOLLOW_UP_EVERY = 0.2  # seconds, because after each commit would be too often
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between tries while the database is unavailable

# Outcomes wait for others, because a commit costs more than its rows.
MAX_BATCH_DELAY, LONGEST_BATCH_DELAY = 0.0002, 0.02  # seconds per message in flight, and in total
MIN_BATCH_SHARE = 4  # a batch is a quarter of the messages in flight, while the others are sent or written
WRITES_AT_ONCE = 2  # per account, so that connections need not wait for the previous batch
REFUNDS_AT_ONCE = 4  # database connections, because a quota to refund may be locked

InFlight = Callable[[UUID], int]  # an account's messages in flight or not yet saved
_Pending = tuple[Sequence[Settlement], "asyncio.Future[None]"]  # outcomes, and the end of their write


@dataclass(eq=False)
class _AccountBuffer:
    pending: list[_Pending] = field(default_factory=list)
    writes: int = 0
    timer: asyncio.TimerHandle | None = None


class OutcomeWriter:
    """Saves outcomes in batches; each account has its own buffer, so that locked rows delay no other account."""

    def __init__(self, leases: LeaseKeeper, in_flight: InFlight) -> None:
        self._leases = leases
        self._in_flight = in_flight
        self._buffers: dict[UUID, _AccountBuffer] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._settled: set[tuple[UUID, UUID | None]] = set()  # accounts and runs to follow up
        self._following_up: asyncio.Task[None] | None = None
        self._is_over = asyncio.Event()
        self._failures: Backoff[UUID] = Backoff(log, "saving outcomes", first=FIRST_PAUSE, longest=LONGEST_PAUSE)
        self._refunds = asyncio.Semaphore(REFUNDS_AT_ONCE)

    async def save(self, settlements: Sequence[Settlement]) -> None:
        """Commits the outcomes, all of one account, in its next batch."""
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        account_id = settlements[0].row.account_id
        buffer = self._buffers.get(account_id)
        if buffer is None:
            buffer = self._buffers[account_id] = _AccountBuffer()
        buffer.pending.append((settlements, committed))
        self._write_soon(account_id, buffer)
        await committed

    def _write_soon(self, account_id: UUID, buffer: _AccountBuffer) -> None:
        if buffer.writes >= WRITES_AT_ONCE or not buffer.pending:
            return
        in_flight = self._in_flight(account_id)
        if len(buffer.pending) * MIN_BATCH_SHARE >= in_flight:
            self._begin(account_id, buffer)
        elif buffer.timer is None:
            seconds = min(in_flight * MAX_BATCH_DELAY, LONGEST_BATCH_DELAY)
            buffer.timer = asyncio.get_running_loop().call_later(seconds, self._begin, account_id, buffer)

    def _begin(self, account_id: UUID, buffer: _AccountBuffer) -> None:
        buffer.timer = None
        if buffer.pending and buffer.writes < WRITES_AT_ONCE:
            batch, buffer.pending = buffer.pending, []
            buffer.writes += 1
            task = asyncio.create_task(self._write_batch(account_id, buffer, batch))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _write_batch(self, account_id: UUID, buffer: _AccountBuffer, batch: list[_Pending]) -> None:
        settlements = [item for outcomes, _ in batch for item in outcomes]
        async with self._refunds if any(item.refund_quota for item in settlements) else nullcontext():
            await self._write(account_id, settlements)
        self._leases.drop(item.row.id for item in settlements)
        for _, committed in batch:
            if not committed.done():
                committed.set_result(None)
        buffer.writes -= 1
        self._follow_up_soon(account_id, settlements)
        self._write_soon(account_id, buffer)

    async def _write(self, account_id: UUID, settlements: Sequence[Settlement]) -> None:
        """Retries until it succeeds, because a lost outcome means that its mail is sent twice."""
        while pause := await self._failures.attempt(account_id, lambda: save_outcomes(settlements)):  # noqa: ASYNC110 - no poll
            await asyncio.sleep(pause)

    def _follow_up_soon(self, account_id: UUID, settlements: Sequence[Settlement]) -> None:
        self._settled |= {(account_id, run_id) for run_id in {item.row.campaign_run_id for item in settlements}}
        if self._following_up is None or self._following_up.done():
            self._following_up = asyncio.create_task(self._follow_up())

    async def _follow_up(self) -> None:
        while self._settled:
            await self._flush()
            await wait_at_most(FOLLOW_UP_EVERY, self._is_over)
        used = {account_id: buffer for account_id, buffer in self._buffers.items() if buffer.pending or buffer.writes}
        self._buffers = used

    async def _flush(self) -> None:
        """Records the use of accounts, and finishes runs without rows that this process has leased; commits."""
        settled, self._settled = self._settled, set()
        try:
            await record_use({account_id for account_id, _ in settled})
        except Exception as error:  # noqa: BLE001 - logged; the next outcome repeats it
            report_failure(log, "when accounts were last used could not be saved", error)
        try:  # the periodic job repeats it
            unfinished = {row.campaign_run_id for row in self._leases.rows()}
            if run_ids := {run_id for _, run_id in settled if run_id is not None} - unfinished:
                await runs.finish_runs(run_ids)
        except Exception as error:  # noqa: BLE001 - logged
            report_failure(log, "the end of a run could not be saved", error)

    async def finish(self) -> None:
        """Processes the last outcomes; nothing may be saved afterwards."""
        self._is_over.set()
        if self._following_up is not None:
            await self._following_up  # it has rows that no other flush has
        await self._flush()


async def save_outcomes(settlements: Sequence[Settlement]) -> None:
    """Saves the outcomes of rows that are still leased; commits."""
    began = clock.elapsed()
    hard = [item for item in settlements if item.is_hard]
    async with db.write_transaction() if hard else nullcontext():
        saved = await settle(settlements)
        await _record_hard_bounces([item for item in hard if item.row.id in saved])
    if len(saved) < len(settlements):
        for item in settlements:
            if item.row.id not in saved:
                log.warning("an outcome came after its lease was lost", extra={"mail_log": str(item.row.id)})
    with metrics.harmless():
        metrics.settle_seconds.observe(clock.elapsed() - began)
        metrics.lost_leases.inc(len(settlements) - len(saved))
        outcomes = Counter((item.row.account_id, item.outcome) for item in settlements if item.row.id in saved)
        for (account_id, outcome), rows in outcomes.items():
            metrics.count_outcome(account_id, outcome, rows)
    await run_breaker.record(settlements, saved)


async def _record_hard_bounces(hard: Sequence[Settlement]) -> None:
    """The contacts get no more campaigns, and missing addresses are suppressed."""
    by_org = defaultdict[UUID, list[Settlement]](list)
    for settlement in hard:
        by_org[settlement.row.org_id].append(settlement)
    for org_id in sorted(by_org):
        rows = [item.row for item in by_org[org_id] if item.row.campaign_run_id is not None]
        keys = {row.contact_id: email_key(row.to_email) for row in rows if row.contact_id is not None}
        await Contact.record_bounces(org_id, keys)
        sources = {item.row.to_email: item.row.id for item in by_org[org_id] if item.suppresses}
        org = await Organization.get_or_none(id=org_id) if sources else None
        if org is not None:
            await suppressions.add(org, sources, SuppressionReason.BOUNCE, sources)
