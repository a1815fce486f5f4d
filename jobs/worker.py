"""Runs the parts of the worker, and shuts them down in order."""

import asyncio
import contextlib
import logging

from jobs.arq_worker import ArqSupervisor
from jobs.periodic import FallbackCron, periodic_work
from webapp.backoff import Backoff
from webapp.config import Settings
from webapp.domain.delivery import recovery
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.domain.instance import workers
from webapp.domain.webhooks.deliver import WebhookDispatcher
from webapp.queue.redis_publisher import publishing_jobs
from webapp.sending.smtp.connect import Dialer
from webapp.sending.smtp.pool import SmtpPool
from webapp.tasks import in_background

log = logging.getLogger(__name__)

DRAIN_SECONDS = 90.0  # the grace of `pennypost worker`; `up` gives less


def make_dispatcher(settings: Settings) -> Dispatcher:
    return Dispatcher(SmtpPool(Dialer.of(settings)), settings.lease_seconds)


async def run_worker(
    settings: Settings, stop: asyncio.Event, *, grace: float = DRAIN_SECONDS, dispatcher: Dispatcher | None = None
) -> None:
    """Sends and schedules until `stop` is set, then drains for `grace` seconds; the database must be connected."""
    if settings.is_sqlite:  # the lock on the data directory proves that there is no other worker
        await recovery.reclaim_all()
    dispatcher = dispatcher or make_dispatcher(settings)
    table = periodic_work(settings, dispatcher.reclaim)
    fallback_cron = FallbackCron(table, is_arq_up=lambda: arq.is_up)
    arq = ArqSupervisor(settings, table, dispatcher.wake, fallback_cron.fire)
    keys = workers.KeyWatch()
    webhooks = WebhookDispatcher(lambda: dispatcher.sending_rate)
    async with publishing_jobs(settings):
        works = (heartbeat(keys), keys.run(), fallback_cron.run(), arq.run(), webhooks.run())
        async with in_background(*works):
            log.info("the worker sends")
            await asyncio.gather(send(dispatcher, stop, grace), _finish(webhooks, stop, grace))
    log.info("the worker has stopped")


async def _finish(webhooks: WebhookDispatcher, stop: asyncio.Event, grace: float) -> None:
    await stop.wait()
    await webhooks.finish(grace)


async def send(dispatcher: Dispatcher, stop: asyncio.Event, grace: float) -> None:
    """Sends until `stop` is set, then finishes within `grace` seconds and releases messages not started; commits."""
    try:
        async with in_background(dispatcher.claim_forever(), *dispatcher.background_tasks()) as (claimer, *_):
            await stop.wait()
            await dispatcher.finish(claimer, grace)
    finally:
        await dispatcher.flush()


async def heartbeat(keys: workers.KeyWatch) -> None:
    worker_id, failures = workers.new_worker_id(), Backoff[str](log, "the heartbeat", longest=workers.BEAT_SECONDS)
    try:
        await failures.repeat("", lambda: workers.beat(worker_id, keys.trouble), workers.BEAT_SECONDS)
    finally:
        with contextlib.suppress(Exception):  # the row expires by itself
            await workers.remove_worker(worker_id)
