"""Periodic work goes on where arq does not run it, and one piece holds up no other."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

from jobs.periodic import FallbackCron, Periodic
from tests.faults.support.world import until


@contextlib.asynccontextmanager
async def running(table: Sequence[Periodic]) -> AsyncIterator[FallbackCron]:
    """A cron without arq, for the life of this block."""
    cron = FallbackCron(table, is_arq_up=lambda: False)
    task = asyncio.create_task(cron.run())
    try:
        yield cron
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_piece_that_takes_long_holds_up_no_other_and_is_not_done_twice_at_once() -> None:
    begun = {"long": 0, "quick": 0}

    async def take_long() -> None:
        begun["long"] += 1
        await asyncio.Event().wait()

    async def be_quick() -> None:
        begun["quick"] += 1

    long = Periodic("long", 1, take_long)
    async with running([long, Periodic("quick", 1, be_quick)]) as cron:
        await until(lambda: begun["quick"] >= 3, 20)
        await cron.fire(long)  # as arq does
    assert begun["long"] == 1


async def test_a_piece_that_fails_is_done_again_and_stops_no_other() -> None:
    begun = {"failing": 0, "well": 0}

    async def fail() -> None:
        begun["failing"] += 1
        raise ValueError("it does not work")

    async def be_well() -> None:
        begun["well"] += 1

    async with running([Periodic("failing", 1, fail), Periodic("well", 1, be_well)]):
        await until(lambda: min(begun.values()) >= 2, 20)
