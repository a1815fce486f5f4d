"""Reading what takes long: beside what is written, and a few at once for each organization."""

import asyncio

import pytest

from tests.factories import make_contact
from webapp import db
from webapp.domain.contact_lists import ContactFilters, list_contacts
from webapp.domain.lists import Page
from webapp.models import Contact, Organization


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


async def test_an_organization_searches_twice_at_once_and_keeps_no_other_waiting(
    acme: Organization, rival: Organization
) -> None:
    async with db.searching(acme.id), db.searching(acme.id):  # one inside another is no second one
        assert await found_by(acme, "x") == 0
    may_end, begun = asyncio.Event(), list[int]()

    async def search(number: int) -> None:
        async with db.searching(acme.id):
            begun.append(number)
            await may_end.wait()

    searches = [asyncio.create_task(search(number)) for number in range(3)]
    assert await asyncio.wait_for(found_by(rival, "x"), 5) == 0
    assert begun == [0, 1]
    searches[2].cancel()
    with pytest.raises(asyncio.CancelledError):
        await searches[2]
    may_end.set()
    await asyncio.gather(*searches[:2])
    assert await asyncio.wait_for(found_by(acme, "x"), 5) == 0


async def test_a_search_in_a_transaction_sees_what_it_has_written(acme: Organization) -> None:
    async with db.write_transaction():
        await make_contact(acme, email="ada@example.org")
        assert await found_by(acme, "ada") == 1
