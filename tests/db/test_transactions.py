"""Transactions survive cancellation whole or not at all, and never wedge the process."""

import asyncio
import random

import pytest

from tests.factories import make_org
from webapp import db
from webapp.models import Content, Organization


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
    firsts, seconds = ({name.split()[0] for name in names if name.endswith(end)} for end in "ab")
    assert firsts == seconds
    assert len(names) >= 200  # half of the tasks were never cancelled


async def test_a_cancelled_write_of_many_rows_ends_its_transaction(acme: Organization) -> None:
    rows = [[str(number)] for number in range(3_000)]
    for number in range(5):
        task = asyncio.create_task(db.run_many("UPDATE organizations SET name = $1", rows))
        await asyncio.sleep(number / 1_000)
        task.cancel()
        await asyncio.wait([task])
        await Organization.filter(id=acme.id).update(name=f"{number} again")
        async with db.read_connection():  # which sees only what is committed
            assert (await Organization.get(id=acme.id)).name == f"{number} again"


async def test_what_waits_for_the_commit_is_called_after_the_outermost_one(database: str) -> None:
    called: list[str] = []
    async with db.write_transaction():
        async with db.write_transaction():
            await make_org("inner")
            db.after_commit(lambda: called.append("inner"))
        db.after_commit(lambda: called.append("outer"))
        assert called == []
    assert called == ["inner", "outer"]
    db.after_commit(lambda: called.append("at once"))
    assert called[-1] == "at once"


async def test_a_transaction_that_is_rolled_back_calls_nothing(database: str) -> None:
    called: list[str] = []

    async def fail() -> None:
        async with db.write_transaction():
            await make_org("lost")
            db.after_commit(lambda: called.append("lost"))
            raise ZeroDivisionError

    async with db.write_transaction():
        with pytest.raises(ZeroDivisionError):
            await fail()
        await make_org("kept")
        db.after_commit(lambda: called.append("kept"))
    assert called == ["kept"]
    assert [org.name for org in await Organization.all()] == ["kept"]


@pytest.mark.postgres
async def test_no_statement_is_compiled_before_it_runs(database: str) -> None:
    assert await db.fetch("SHOW jit") == [{"jit": "off"}]
    async with db.write_transaction():
        assert await db.fetch("SHOW jit") == [{"jit": "off"}]


@pytest.mark.postgres
async def test_long_texts_are_compressed_by_lz4_where_the_server_has_it(database: str, acme: Organization) -> None:
    has_lz4 = "SELECT 'lz4' = ANY(enumvals) FROM pg_settings WHERE name = 'default_toast_compression'"
    await Content.create(org=acme, subject="Long", text="A long text. " * 1_000)
    used = await db.fetch_value("SELECT pg_column_compression(text) FROM contents")
    assert used == ("lz4" if await db.fetch_value(has_lz4) else "pglz")
