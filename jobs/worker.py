"""The worker process: dispatcher, ticker, heartbeat, and arq under supervision. The order of its shutdown is here."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Collection

from jobs.arq_worker import QueueWorker
from jobs.periodic import periodic_work
from jobs.ticker import Ticker
from webapp.config import Settings
from webapp.domain.delivery import recovery
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.domain.instance import workers
from webapp.queue.redis_publisher import publishing_jobs
from webapp.sending.smtp.connect import Dialer
from webapp.sending.smtp.pool import SmtpPool

log = logging.getLogger(__name__)

DRAIN_SECONDS = 90.0  # the grace of `pennypost worker`; `up` gives less


def make_dispatcher(settings: Settings) -> Dispatcher:
    return Dispatcher(SmtpPool(Dialer.of(settings)), settings.lease_seconds)


async def run_worker(
    settings: Settings, stop: asyncio.Event, *, grace: float = DRAIN_SECONDS, dispatcher: Dispatcher | None = None
) -> None:
    """Delivers and schedules until `stop` is set, then drains for `grace` seconds; the database is connected."""
    if settings.is_sqlite:  # the data directory's lock says that no other worker lives
        await recovery.reclaim_all()
    dispatcher = dispatcher or make_dispatcher(settings)
    async with publishing_jobs(settings), surroundings(settings, dispatcher):
        log.info("the worker sends")
        await send(dispatcher, stop, grace)
    log.info("the worker has stopped")


@contextlib.asynccontextmanager
async def surroundings(settings: Settings, dispatcher: Dispatcher) -> AsyncIterator[None]:
    """Heartbeat, ticker and arq for the life of this block."""
    table = periodic_work(settings, dispatcher.reclaim)
    ticker = Ticker(table, is_arq_up=lambda: queue_worker.is_up)
    queue_worker = QueueWorker(settings, table, dispatcher.wake, ticker.fire)
    tasks = [asyncio.create_task(work) for work in (heartbeat(), ticker.run(), queue_worker.run())]
    try:
        yield
    finally:
        await _cancel(tasks)


async def send(dispatcher: Dispatcher, stop: asyncio.Event, grace: float) -> None:
    """Send until `stop` is set, then finish within `grace` seconds; what was claimed and not started goes back."""
    claimer, *others = (
        asyncio.create_task(work) for work in (dispatcher.claim_forever(), *dispatcher.background_tasks())
    )
    try:
        await stop.wait()
        await dispatcher.finish(claimer, grace)
    finally:
        await _cancel([claimer, *others])
        await dispatcher.flush()


async def _cancel(tasks: Collection["asyncio.Task[None]"]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def heartbeat() -> None:
    """Say that this worker lives, until cancelled. Without the database the instance is unready; the worker goes on."""
    worker_id = workers.new_worker_id()
    try:
        while True:
            try:
                await workers.beat(worker_id)
            except Exception as error:  # noqa: BLE001 - drivers raise many kinds
                log.warning("no heartbeat, the database is away: %s", error)
            await asyncio.sleep(workers.BEAT_SECONDS)
    finally:
        with contextlib.suppress(Exception):  # the row goes stale by itself
            await workers.remove_worker(worker_id)
