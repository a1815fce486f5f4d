"""Transactions survive cancellation whole or not at all, and never wedge the process."""

import asyncio
import random

from tests.factories import make_org
from webapp import db
from webapp.models import Organization


async def test_a_transaction_is_kept_whole(database: str) -> None:
    async with db.write_transaction():
        await make_org("one")
    assert await Organization.all().count() == 1


async def test_random_cancellations_leave_the_database_usable(database: str) -> None:
    async def write_two(number: int) -> None:
        async with db.write_transaction():
            await make_org(f"{number} a")
            await asyncio.sleep(0)
            await make_org(f"{number} b")

    for round_number in range(20):
        tasks = [asyncio.create_task(write_two(round_number * 10 + i)) for i in range(10)]
        await asyncio.sleep(random.random() * 0.01)
        for task in random.sample(tasks, 5):
            task.cancel()
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 20)
    names = [org.name for org in await Organization.all()]
    assert {name.split()[0] for name in names if name.endswith("a")} == {
        name.split()[0] for name in names if name.endswith("b")
    }
    assert len(names) >= 200  # half of the tasks were never cancelled
