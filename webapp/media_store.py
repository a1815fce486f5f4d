"""The files of the media library by their hashes, in a folder or in a bucket of S3-compatible storage."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from webapp.config import settings
from webapp.config.media import MediaBucket
from webapp.db.sqlite_backup import sync
from webapp.errors import PennypostError

if TYPE_CHECKING:
    from obstore import BytesStream

PIECE_BYTES = 256 * 1024
SECONDS = 20  # for a request to a bucket, retries included
PROBE = "pennypost-probe"


class StorageFailed(PennypostError):
    """The storage is unreachable, full, or refuses the request."""


def media_store() -> "FolderStore | BucketStore":
    """The storage, whose methods raise StorageFailed."""
    place = settings().media
    return _bucket_store(place) if isinstance(place, MediaBucket) else FolderStore(place)


async def read_whole(name: str) -> bytes:
    """Raises FileNotFoundError, StorageFailed."""
    return b"".join([piece async for piece in await media_store().read(name)])


async def check_storage() -> str:
    """Writes and deletes a file, and returns the storage's location. Raises StorageFailed."""
    await media_store().put(PROBE, b"")
    await media_store().delete(PROBE)
    return str(settings().media)


@contextmanager
def _in_words(place: object) -> Iterator[None]:
    """Turns storage errors into StorageFailed."""
    try:
        yield
    except FileNotFoundError:
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise StorageFailed(f"the storage of images at {place} fails ({reason})") from error


class FolderStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, name: str, data: bytes) -> None:
        """Saves a file durably and atomically; replaces one with the same name."""
        with _in_words(self._folder):
            await asyncio.to_thread(self._write, self._path(name), data)

    async def read(self, name: str) -> AsyncIterator[bytes]:
        """The pieces of a file. Raises FileNotFoundError before the first."""
        with _in_words(self._folder):
            file = await asyncio.to_thread(self._path(name).open, "rb")

        async def pieces() -> AsyncIterator[bytes]:
            with file, _in_words(self._folder):
                while piece := await asyncio.to_thread(file.read, PIECE_BYTES):
                    yield piece

        return pieces()

    async def delete(self, name: str) -> None:
        """Deletes a file if it exists."""
        with _in_words(self._folder), suppress(FileNotFoundError):
            await asyncio.to_thread(self._path(name).unlink)

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / name

    def _write(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, written = tempfile.mkstemp(prefix=".", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(written).replace(path)
        except BaseException:
            Path(written).unlink(missing_ok=True)
            raise
        sync(path.parent)


class BucketStore:
    """Like FolderStore."""

    def __init__(self, bucket: MediaBucket) -> None:
        from obstore.store import S3Store  # takes 12 MB, which a folder does not need

        self._bucket = bucket
        is_plain = bucket.endpoint.startswith("http://")
        self._client = S3Store(
            bucket.name,
            prefix=bucket.prefix or None,
            config={
                "endpoint": bucket.endpoint,
                "region": bucket.region,
                "access_key_id": bucket.key,
                "secret_access_key": bucket.secret,
                "virtual_hosted_style_request": False,
            },
            client_options={"allow_http": is_plain, "timeout": timedelta(seconds=SECONDS)},
            retry_config={"max_retries": 2, "retry_timeout": timedelta(seconds=SECONDS)},
        )

    async def put(self, name: str, data: bytes) -> None:
        async with self._asking():
            await self._client.put_async(name, data)

    async def read(self, name: str) -> AsyncIterator[bytes]:
        async with self._asking():
            file = await self._client.get_async(name)
        return self._pieces(file.stream(min_chunk_size=PIECE_BYTES))

    async def delete(self, name: str) -> None:
        async with self._asking():
            with suppress(FileNotFoundError):
                await self._client.delete_async(name)

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        with _in_words(self._bucket):
            async with asyncio.timeout(SECONDS):
                yield

    async def _pieces(self, stream: "BytesStream") -> AsyncIterator[bytes]:
        with _in_words(self._bucket):
            async for piece in stream:
                yield bytes(piece)


_bucket_store = lru_cache(maxsize=4)(BucketStore)  # reuses the client's connections
