"""Supervises arq's worker, which ends when Redis goes away, and restarts it when Redis is back."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

from arq import cron, func
from arq.cron import CronJob
from arq.typing import WorkerCoroutine
from arq.worker import Function, Worker
from redis.exceptions import RedisError

from jobs.periodic import Periodic
from jobs.reader_mail import mail_readers
from webapp.backoff import Backoff
from webapp.config import Settings
from webapp.domain.auth import one_time_links
from webapp.domain.bounces import reading
from webapp.domain.campaigns import run_rows
from webapp.domain.contacts import bulk
from webapp.domain.from_checks import checking
from webapp.domain.imports import worker as imports
from webapp.domain.segments import google_sheet_sync
from webapp.queue import Job, enqueue
from webapp.redis.client import ANSWER_SECONDS, Redis, connected_redis, deserialize, serialize
from webapp.tasks import run_to_completion

log = logging.getLogger(__name__)

POLL_SECONDS = 0.1
JOB_SECONDS = 60
ROWS_SECONDS = 3600  # to create the rows of all runs
RESTART_PAUSE = 2.0
PING_SECONDS = 2.0
CANCEL_SECONDS = 1.0  # before tasks that have not ended are cancelled again
MINUTE = 60

Fire = Callable[[Periodic], Awaitable[None]]


class ArqSupervisor:
    def __init__(self, settings: Settings, table: Sequence[Periodic], wake: Callable[[], None], fire: Fire) -> None:
        self._settings = settings
        self._functions = functions(wake)
        self._cron_jobs = [cron_job(piece, fire) for piece in table]
        self.is_up = False
        self._was_up = False
        self._failures: Backoff[str] = Backoff(log, "running arq", first=RESTART_PAUSE)

    async def run(self) -> None:
        while True:
            try:
                async with connected_redis(self._settings) as redis:
                    await self._run_on(redis)
            except (RedisError, OSError) as error:
                if self._was_up:
                    log.warning("redis went away, polling until it is back: %s", str(error) or type(error).__name__)
                self._was_up = False
                await asyncio.sleep(RESTART_PAUSE)
            except Exception as error:  # noqa: BLE001 - logged and retried
                await asyncio.sleep(self._failures.record_failure("", error))

    async def _run_on(self, redis: Redis) -> None:
        worker = Worker(
            self._functions,
            redis_pool=redis,
            queue_name=redis.default_queue_name,
            cron_jobs=self._cron_jobs,
            handle_signals=False,
            poll_delay=POLL_SECONDS,
            job_timeout=JOB_SECONDS,
            keep_result=0,
            log_results=False,
            job_serializer=serialize,
            job_deserializer=deserialize,
        )
        running = asyncio.create_task(worker.async_run())
        try:
            await self._watch(running, redis)
        finally:
            self.is_up = False
            await run_to_completion(_end(worker, running))

    async def _watch(self, running: "asyncio.Task[None]", redis: Redis) -> None:
        while not running.done():
            async with asyncio.timeout(ANSWER_SECONDS):
                await redis.ping()
            if not self._was_up:
                log.info("redis is there, jobs arrive at once")
                self._failures.record_success("")
            self.is_up = self._was_up = True
            await asyncio.wait([running], timeout=PING_SECONDS)
        running.result()


async def _end(worker: Worker, running: "asyncio.Task[None]") -> None:
    """Ends arq, then its jobs, which may run again; arq's close() would call deprecated functions of redis-py."""
    await _cancel([running])
    await _cancel(worker.tasks.values())


async def _cancel(tasks: Iterable["asyncio.Task[None]"]) -> None:
    left = set(tasks)
    while left:  # redis-py's clean-up may wait again for a hanging Redis
        for task in left:
            task.cancel()
        ended, left = await asyncio.wait(left, timeout=CANCEL_SECONDS)
        for task in ended:
            if not task.cancelled():
                task.exception()  # Redis went away, which run() logs: arq itself handles what a job raises


def functions(wake: Callable[[], None]) -> list[Function]:
    failures: Backoff[Job] = Backoff(log, "a job")

    async def wake_dispatcher() -> None:
        wake()

    return [
        _function(failures, Job.WAKE, wake_dispatcher),
        _function(failures, Job.MATERIALISE, run_rows.create_pending_rows, timeout=ROWS_SECONDS),
        _function(failures, Job.IMPORT, imports.process_pending, timeout=ROWS_SECONDS),
        _function(failures, Job.CHANGE_CONTACTS, bulk.process_pending, timeout=ROWS_SECONDS),
        _function(failures, Job.MAIL_LINKS, one_time_links.send_requested_links),
        _function(failures, Job.MAIL_READERS, mail_readers),
        _function(failures, Job.READ_SHEETS, google_sheet_sync.read_due),
        _function(failures, Job.READ_MAILBOXES, reading.read_due),
        _function(failures, Job.CHECK_FROM, checking.check_due),
    ]


def _function(
    failures: Backoff[Job], job: Job, work: Callable[[], Awaitable[object]], timeout: int = JOB_SECONDS
) -> Function:
    """Runs one job at a time for everything that is due, because all jobs share arq's few slots."""
    running, missed = asyncio.Lock(), set[UUID]()

    async def run(ctx: dict[str, Any], row_id: str) -> None:  # noqa: ARG001 - arq's signature
        if running.locked():
            missed.add(UUID(row_id))
            return
        async with running:
            missed.clear()
            if failures.is_due(job):  # else periodic work does it later
                await failures.attempt(job, work, job=job)
        if missed:
            enqueue(job, missed.pop())

    # A stored result makes arq drop further requests with the same id.
    return func(run, name=job, keep_result=0, timeout=timeout)


def cron_job(piece: Periodic, fire: Fire) -> CronJob:
    async def run(ctx: dict[str, Any]) -> None:  # noqa: ARG001 - arq's signature
        await fire(piece)

    work: WorkerCoroutine = run
    seconds = set(range(0, MINUTE, piece.seconds)) if piece.seconds < MINUTE else 0
    minutes = None if piece.seconds < MINUTE else set(range(0, MINUTE, piece.seconds // MINUTE))
    return cron(work, name=piece.name, minute=minutes, second=seconds, keep_result=0, max_tries=1)
