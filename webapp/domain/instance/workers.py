"""Heartbeats of workers with their troubles; readiness needs a fresh one."""

import asyncio
import logging
from uuid import UUID

from tortoise.expressions import RawSQL
from tortoise.queryset import QuerySet
from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.backoff import Backoff
from webapp.domain.instance import secret_rotation
from webapp.errors import KeyMissing
from webapp.models import WorkerHeartbeat, instance

log = logging.getLogger(__name__)

BEAT_SECONDS = 3.0
ALIVE_SECONDS = 15.0
FORGOTTEN_SECONDS = 24 * 3600.0
KEY_SECONDS = 5.0  # between checks that this process has all keys
KEY_PAUSES, TROUBLE_PAUSES = 100, 10  # times the duration of a check, which reads every account


class KeyWatch:
    """Checks that this worker has the key of every stored secret; others do what it cannot decrypt."""

    trouble: str | None = None

    async def run(self) -> None:
        failures = Backoff[str](log, "checking the secret keys")
        while True:
            began = clock.elapsed()
            pause = await failures.attempt("", self.check)
            pauses = KEY_PAUSES if self.trouble is None else TROUBLE_PAUSES  # so that the end of a trouble shows soon
            await asyncio.sleep(max(KEY_SECONDS, pause, pauses * (clock.elapsed() - began)))

    async def check(self) -> None:
        """Logs each change of the trouble once."""
        before = self.trouble
        try:
            await secret_rotation.require_keys()
            self.trouble = None
        except KeyMissing as error:
            self.trouble = str(error)
        if self.trouble is not None and self.trouble != before:
            log.error("this worker sends nothing for accounts that it cannot sign in for: %s", self.trouble)
        elif self.trouble is None and before is not None:
            log.info("this worker has all secret keys again")


new_worker_id = uuid7
beat = instance.beat


async def remove_worker(worker_id: UUID) -> None:
    await WorkerHeartbeat.filter(id=worker_id).delete()


def _with_ages() -> QuerySet[WorkerHeartbeat]:
    return WorkerHeartbeat.annotate(seconds=RawSQL(db.dialect().since("seen_at")))


async def is_worker_alive() -> bool:
    return await _with_ages().filter(seconds__lt=ALIVE_SECONDS).exists()


async def count_alive() -> int:
    return await _with_ages().filter(seconds__lt=ALIVE_SECONDS).count()


async def worker_troubles() -> list[str]:
    """Sentences about live workers that cannot do all of their work."""
    troubled = await _with_ages().filter(seconds__lt=ALIVE_SECONDS, trouble__isnull=False).order_by("id")
    return [f"process {worker.process_id} on {worker.hostname}: {worker.trouble}" for worker in troubled]


async def forget_dead_workers() -> None:
    await _with_ages().filter(seconds__gt=FORGOTTEN_SECONDS).delete()
