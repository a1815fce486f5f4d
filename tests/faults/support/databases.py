"""A database of the test's own, which can crash and run out of disk."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from tests.faults.support.world import all_are
from webapp import config, db
from webapp.config import Settings
from webapp.db.errors import is_outage
from webapp.db.migrate import migrate
from webapp.models import Organization
from webapp.models.mail_log import SENT


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


async def are_sent(org: Organization) -> bool:
    """Whether every row is sent; while the database is away nobody knows."""
    try:
        return await all_are(org, SENT)
    except Exception as error:
        if not is_outage(error):
            raise
        return False
