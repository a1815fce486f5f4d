"""Empties the PostgreSQL database of the tests before each of them."""

import asyncio
from typing import Self

import asyncpg

GONE = (asyncpg.InterfaceError, asyncpg.PostgresConnectionError, asyncpg.AdminShutdownError, ConnectionError)


class Emptier:
    """Removes all rows, over one connection for all tests: a new one would first read how every table is made."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()  # of its own: each test has another
        self._server: asyncpg.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._loop.run_until_complete(self._server.close())
        self._loop.close()

    def empty(self) -> None:
        """Remove every row but those of aerich."""
        self._loop.run_until_complete(self._empty_again())

    async def _empty_again(self) -> None:
        try:
            await self._empty()
        except GONE:  # a test has ended all sessions of the database
            self._server = None
            await self._empty()

    async def _empty(self) -> None:
        if self._server is None:
            self._server = await asyncpg.connect(self._url)
        tables = await self._server.fetch(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'aerich'"
        )
        looks = [
            f"SELECT '{row['tablename']}' AS name WHERE EXISTS (SELECT 1 FROM \"{row['tablename']}\")" for row in tables
        ]
        filled = await self._server.fetch(" UNION ALL ".join(looks))
        if filled:
            deletions = ", ".join(f'd{number} AS (DELETE FROM "{row["name"]}")' for number, row in enumerate(filled))
            await self._server.execute(
                f"WITH {deletions} SELECT 1"
            )  # one statement: its order is no matter of foreign keys
