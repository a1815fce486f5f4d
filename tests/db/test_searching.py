"""Reading what takes long: beside what is written, and a few at once for each organization."""

import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.factories import make_contact
from webapp import db
from webapp.db.dialects import Sqlite
from webapp.domain.contacts.search import ContactFilters, list_contacts
from webapp.domain.pagination import Page
from webapp.models import Contact, Organization

LONG, SHORT = 3_000_000, 10  # numbers to count: half a second or more, and no time


async def counted(numbers: int) -> int:
    """Count so many numbers one by one, in a statement."""
    until = f"SELECT 1 AS i UNION ALL SELECT i + 1 FROM numbers WHERE i < {numbers}"
    return int((await db.fetch(f"WITH RECURSIVE numbers AS ({until}) SELECT COUNT(*) AS n FROM numbers"))[0]["n"])


async def counted_by(org: Organization, numbers: int) -> int:
    async with db.searching(org.id):
        return await counted(numbers)


async def found_by(org: Organization, q: str) -> int:
    return (await list_contacts(org, ContactFilters(q=q), Page())).total


async def test_a_search_waits_for_no_writer_and_sees_what_is_committed(acme: Organization) -> None:
    await make_contact(acme, email="ada@example.org")
    is_written, may_end = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with db.write_transaction():
            await Contact.of(acme).update(search_text="nobody")
            is_written.set()
            await may_end.wait()

    writing = asyncio.create_task(write())
    await is_written.wait()
    assert await asyncio.wait_for(found_by(acme, "ada"), 5) == 1
    may_end.set()
    await writing
    assert await found_by(acme, "ada") == 0


async def test_an_organization_has_a_share_of_the_searches_and_keeps_no_other_waiting(
    acme: Organization, rival: Organization
) -> None:
    at_once = 1 if isinstance(db.dialect(), Sqlite) else 2  # there, one of two connections
    async with db.searching(acme.id), db.searching(acme.id):  # one inside another is no second one
        assert await found_by(acme, "x") == 0
    may_end, begun = asyncio.Event(), list[int]()

    async def search(number: int) -> None:
        async with db.searching(acme.id):
            begun.append(number)
            await may_end.wait()

    searches = [asyncio.create_task(search(number)) for number in range(3)]
    assert await asyncio.wait_for(found_by(rival, "x"), 5) == 0
    assert begun == [0, 1][:at_once]
    searches[2].cancel()
    with pytest.raises(asyncio.CancelledError):
        await searches[2]
    may_end.set()
    await asyncio.gather(*searches[:2])
    assert await asyncio.wait_for(found_by(acme, "x"), 5) == 0


@pytest.fixture
async def complaints() -> AsyncIterator[list[dict[str, Any]]]:
    """The exceptions that nobody retrieved: there are none at the end.

    asyncpg leaves one where a connection is given up while it is opened, which is not ours.
    """
    found = list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, complaint: found.append(complaint))
    yield found
    gc.collect()
    assert [one for one in found if not isinstance(one.get("exception"), ConnectionError)] == []


@pytest.mark.usefixtures("complaints")
async def test_who_hangs_up_again_and_again_keeps_nobody_waiting(acme: Organization, rival: Organization) -> None:
    await make_contact(rival, email="ada@example.org")
    assert await counted_by(acme, SHORT) == SHORT
    for seconds in (0.02, 0.001) * 10:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(counted_by(acme, LONG), seconds)
    assert await asyncio.wait_for(found_by(rival, "ada"), 1.5) == 1
    assert await asyncio.wait_for(counted_by(acme, SHORT), 1.5) == SHORT


@pytest.mark.postgres
async def test_no_statement_is_left_when_its_caller_has_gone(acme: Organization) -> None:
    for _ in range(5):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(counted_by(acme, LONG), 0.05)
        running = "SELECT COUNT(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'WITH RECURSIVE %'"
        assert await db.fetch(f"{running} AND datname = current_database()") == [{"n": 0}]
