"""Imports with workers that die and workers that come together: each row counts once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from webapp import clock, db
from webapp.domain.imports import worker
from webapp.domain.imports.imports import ImportChoices, begin_run, begin_undo, choose_columns, store_upload
from webapp.models import Contact, ContactImport, ImportChange, Organization, Segment, User

ROWS = 1_300


async def file() -> AsyncIterator[bytes]:
    yield b"email,name\n"
    for number in range(ROWS):
        yield b"c%d@x.example,N\n" % number if number % 10 else b"bad %d,N\n" % number


async def running(org: Organization) -> ContactImport:
    """An import that a worker is to carry out."""
    row = await store_upload(org, await User.create(email="ada@acme.example", password_hash="!"), "a.csv", file())
    row = await choose_columns(org, row, ImportChoices(mapping={0: "email"}, new_segment="All"))
    await worker.process_pending()
    return await begin_run(org, row)


async def assert_done_once(org: Organization, row: ContactImport) -> None:
    await row.refresh_from_db()
    assert (row.status, row.created_count, row.changed_count, row.refused_count) == ("done", 1_170, 0, 130)
    assert await Contact.of(org).count() == await ImportChange.all().count() == 1_170
    assert (await Segment.of(org).get()).contact_count == 1_170


async def test_a_worker_that_dies_is_followed_by_another_where_it_stood(acme: Organization) -> None:
    row = await running(acme)
    assert await ContactImport.lease(row.id, 30)
    await worker.process_batch(row.id)  # and dies with the import in its hands
    await worker.process_pending()
    assert await Contact.of(acme).count() == 449  # of the first 500 rows, without the header
    await ContactImport.of(acme).update(lease_until=clock.now() - timedelta(seconds=1))
    await worker.process_pending()
    await assert_done_once(acme, row)


@pytest.mark.postgres
async def test_tables_that_were_empty_are_analyzed_after_an_import(acme: Organization) -> None:
    await db.fetch("ANALYZE contacts, segment_contacts")
    row = await running(acme)
    await worker.process_pending()
    await assert_done_once(acme, row)
    expected = "SELECT relname, reltuples FROM pg_class WHERE relname IN ('contacts', 'segment_contacts')"
    assert all(known["reltuples"] == 1_170 for known in await db.fetch(expected))


async def test_workers_that_come_together_do_each_row_once(acme: Organization) -> None:
    row = await running(acme)
    for _ in range(6):
        await asyncio.gather(*(worker.process_batch(row.id) for _ in range(3)))
    await assert_done_once(acme, row)
    await begin_undo(acme, row)
    for _ in range(8):
        await asyncio.gather(*(worker.process_batch(row.id) for _ in range(3)))
    await row.refresh_from_db()
    assert (row.status, row.created_count, await Contact.of(acme).count()) == ("undone", 1_170, 0)
    assert await Segment.of(acme).count() == 0


async def test_an_import_that_meets_a_fault_of_ours_ends_in_words(acme: Organization) -> None:
    row = await running(acme)
    await ContactImport.of(acme).update(mapping={"none": "email"})
    await worker.process_pending()
    await row.refresh_from_db()
    assert (row.status, row.lease_until) == ("failed", None)
    assert "on our side" in str(row.failure)
    await begin_undo(acme, row)
    await worker.process_pending()
    await row.refresh_from_db()
    assert row.status == "undone"
