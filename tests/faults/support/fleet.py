"""Workers of the service as processes of their own, to be killed, stopped and started again."""

import asyncio
import random
from dataclasses import replace
from typing import Self

from tests.faults.support.processes import Process, kill, start, terminate
from webapp import clock
from webapp.config import Settings

LAST_WORDS = 5_000  # characters
GRACE = 95.0  # seconds that a worker may take to end, 90 of them for what is under way


class Fleet:
    """`size` workers for the life of the block; one on SQLite, which has no place for two.

    What still runs at its end is killed.
    """

    def __init__(self, settings: Settings, size: int = 1, *, program: str | None = None, **environment: str) -> None:
        """`program` is Python that is run instead of the `pennypost` command, with the same arguments."""
        self._settings = settings
        self._program = program
        self._environment = environment
        self._size = 1 if settings.is_sqlite else size
        self.workers: list[Process] = []
        self.longest_end = 0.0  # seconds that a worker took which was asked to end

    async def __aenter__(self) -> Self:
        for _ in range(self._size):
            await self.add()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill_all()

    async def add(self, *, is_plain: bool = False) -> None:
        """Start one more worker; a plain one whatever program the others run."""
        program = None if is_plain else self._program
        self.workers.append(await start(self._settings, "worker", program=program, **self._environment))

    async def kill_one(self) -> None:
        """End a random worker as a power cut would, and start another."""
        worker = self.workers.pop(random.randrange(len(self.workers)))
        await kill(worker)
        await self.add()

    async def kill_all(self) -> None:
        """End all as a power cut would."""
        workers, self.workers = self.workers, []
        await asyncio.gather(*(kill(worker) for worker in workers))

    async def redeploy_one(self) -> None:
        """Ask a random worker to end, as a deployment does, and start another when it has."""
        worker = self.workers.pop(random.randrange(len(self.workers)))
        await self._end(worker)
        await self.add()

    async def end(self) -> None:
        """Ask all to end and wait until they have."""
        workers, self.workers = self.workers, []
        try:
            for worker in workers:
                await self._end(worker)
        finally:
            await asyncio.gather(*(kill(worker) for worker in workers))

    async def _end(self, worker: Process) -> None:
        began = clock.elapsed()
        assert await terminate(worker, GRACE) == 0, self._last_words()
        self.longest_end = max(self.longest_end, clock.elapsed() - began)

    def _last_words(self) -> str:
        """What the workers wrote last."""
        return (self._settings.data_dir / "worker.log").read_text()[-LAST_WORDS:]


def impatient(settings: Settings) -> Settings:
    """The settings with time-outs of SMTP so short that a test can wait for them."""
    return replace(settings, smtp_timeouts=(1, 1, 1, 1, 5))


def with_lease(settings: Settings, seconds: int) -> Settings:
    """The settings with leases so short that a test can wait for their end."""
    return replace(settings, lease_seconds=seconds)
