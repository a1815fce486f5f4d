"""The library's files: named by content, and stored while an organization has a row with their hash."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

from webapp import db
from webapp.config import settings
from webapp.errors import Busy, ConfigError, NotFound, ServiceUnavailable
from webapp.media_store import StorageFailed, media_store, read_whole
from webapp.models import MediaFile
from webapp.models.media import LEASE_SECONDS

log = logging.getLogger(__name__)

TRIES, PAUSE_SECONDS = 20, 0.25  # while the same file is being deleted
SAMPLE = 5  # pictures; a single missing one is tolerated
DROP_SECONDS = LEASE_SECONDS / 2


@contextmanager
def _available() -> Iterator[None]:
    try:
        yield
    except StorageFailed as error:
        log.error("%s", error)  # noqa: TRY400 - no bug of ours
        raise ServiceUnavailable("the storage of media is not available; try again in a moment") from error


async def read_file(hash_: str) -> AsyncIterator[bytes]:
    """The pieces of a file. Raises NotFound if it is lost, ServiceUnavailable."""
    try:
        with _available():
            return await media_store().read(hash_)
    except FileNotFoundError:
        raise NotFound from None


async def read_whole_file(hash_: str) -> bytes:
    """Raises NotFound if it is lost, ServiceUnavailable."""
    try:
        with _available():
            return await read_whole(hash_)
    except FileNotFoundError:
        raise NotFound from None


async def require_stored() -> None:
    """Raises ConfigError if all of the latest pictures lack their file, as in an empty folder; StorageFailed."""
    latest = await MediaFile.newest(SAMPLE)
    for name in latest:
        with suppress(FileNotFoundError):
            await read_whole(name)
            return
    if latest:
        raise ConfigError(
            f"{settings().media} has none of the latest images in the database: check PENNYPOST_MEDIA_URL, "
            "or move the files there"
        )


@asynccontextmanager
async def stored(hash_: str, data: bytes) -> AsyncIterator[None]:
    """Saves a file, then runs the block, which names it, in a transaction. Raises Busy, ServiceUnavailable.

    The block never runs while the file is being deleted.
    """
    for _ in range(TRIES):
        if await MediaFile.register(hash_):
            with _available():
                await media_store().put(hash_, data)
            async with db.write_transaction():
                if await MediaFile.lock_to_name(hash_):
                    yield
                    return
        await asyncio.sleep(PAUSE_SECONDS)
    raise Busy("the same file is being deleted; try again in a moment", 1)


async def drop_unnamed() -> None:
    """Deletes files that no organization names; commits. Safe to call from several processes."""
    async with db.write_transaction():
        dropped = await MediaFile.mark_unnamed()
    if not dropped:
        return
    try:
        async with asyncio.timeout(DROP_SECONDS):  # afterwards, another process may delete them
            for hash_ in dropped.values():
                await media_store().delete(hash_)
    except (StorageFailed, TimeoutError) as error:
        log.warning("%d deleted files stay until they can be deleted: %s", len(dropped), error)
        async with db.write_transaction():
            await MediaFile.give_up(dropped)
        return
    async with db.write_transaction():
        await MediaFile.delete_among(dropped)
