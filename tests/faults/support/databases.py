"""A database of the test's own, which can crash and run out of disk."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from webapp import config, db
from webapp.config import Settings
from webapp.db.migrate import migrate


@asynccontextmanager
async def connected_to(settings: Settings, **changes: object) -> AsyncIterator[Settings]:
    """The settings with another database, which is migrated; this process is connected to it for the block."""
    found = replace(settings, **changes)  # type: ignore[arg-type]  # the caller names fields of Settings
    config.configure(found)
    await migrate(found)
    await db.connect(found.database_url)
    try:
        yield found
    finally:
        await db.disconnect()
