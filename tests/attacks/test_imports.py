"""Files that are no tables, or are made to fill memory, tables or time (S48)."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.memory import watched_memory
from webapp.domain.imports import worker
from webapp.domain.imports.csv_reader import TOO_LONG
from webapp.domain.imports.imports import ImportChoices, choose_columns, store_upload
from webapp.errors import PayloadTooLarge
from webapp.models import Contact, ContactImport, ImportChunk, ImportRefusal, Organization, User

PIECE = 64 * 1024
MIB = 1024 * 1024
MOST_GROWTH = 150e6  # bytes


@pytest.fixture
def bounded_memory() -> Iterator[None]:
    """The test makes this process grow by less than that."""
    with watched_memory() as found:
        yield
    assert max(found) - found[0] < MOST_GROWTH


async def pieces(*parts: tuple[bytes, int]) -> AsyncIterator[bytes]:
    """Each part so many times, as a connection brings them."""
    for part, times in parts:
        whole, rest = divmod(len(part) * times, PIECE)
        long = part * (PIECE // len(part) + 2)
        for number in range(whole):
            start = (number * PIECE) % len(part)
            yield long[start : start + PIECE]
        start = (whole * PIECE) % len(part)
        yield long[start : start + rest]


async def checked(org: Organization, *parts: tuple[bytes, int], name: str = "a.csv") -> ContactImport:
    """The import after its dry run, its first column an address."""
    user = await User.create(email="ada@acme.example", password_hash="!")
    row = await store_upload(org, user, name, pieces(*parts))
    await choose_columns(org, row, ImportChoices(mapping={0: "email"}))
    await worker.process_pending()
    await row.refresh_from_db()
    return row


@pytest.mark.usefixtures("bounded_memory")
async def test_a_cell_of_50_mb_is_a_refused_row(acme: Organization) -> None:
    row = await checked(acme, (b"email,x\na@x.example,", 1), (b"x", 49 * MIB), (b"\nb@x.example,1\n", 1))
    assert (row.status, row.created_count, row.refused_count) == ("checked", 1, 1)
    assert [(one.line, one.reason) for one in await ImportRefusal.all()] == [(2, TOO_LONG)]


@pytest.mark.usefixtures("bounded_memory")
async def test_100_mb_are_let_go_at_50(acme: Organization) -> None:
    with pytest.raises(PayloadTooLarge, match="50 MB"):
        await checked(acme, (b"email\n", 1), (b"ada@example.org\n", 100 * MIB // 16))
    assert await ContactImport.all().count() == await ImportChunk.all().count() == 0


async def test_each_bad_row_is_told_and_the_others_are_taken(acme: Organization) -> None:
    rows = [
        b"email,email,email\n",
        b"nul@x.example,A\0\n",
        b"wide@x.example" + b"," * 30_000 + b"x\n",
        b'open@x.example,"never closed\n',
        b"@x.example\n",
        b"=cmd|' /C calc'!A0@x.example\n",
        b"ada@x.example\n",
    ]
    row = await checked(acme, *((line, 1) for line in rows), name="../../etc/\0passwd")
    assert (row.status, row.file_name, row.created_count) == ("checked", "../../etc/\ufffdpasswd", 1)
    assert [one.line for one in await ImportRefusal.all().order_by("line")] == [2, 3, 4, 5, 6]
    assert await Contact.of(acme).count() == 0


async def test_quotes_without_end_stop_the_dry_run_in_words(acme: Organization) -> None:
    row = await checked(acme, (b"email\n", 1), (b'x","\n', 100_000))
    assert (row.status, row.refused_count) == ("uploaded", 0)
    assert row.failure.startswith("Quoted cells aren't closed")
