"""The attachments of runs, read and encoded once for all accounts and recipients."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from uuid import UUID

from webapp.domain.media.attachments import read_attachment
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.models import ContentFile
from webapp.sending.mime.message import encode_files

CACHE_BYTES = 32 * 1024 * 1024  # encoded; those of one run have up to 7 MB


class ContentError(ValueError):
    """The content cannot be rendered with any values."""


class EncodedFiles:
    """Keeps the latest runs' encoded files in memory."""

    def __init__(self) -> None:
        self._encoded: OrderedDict[UUID, bytes] = OrderedDict()  # by content id
        # One per organization, so that connections that begin a run together read its files once.
        self._locks = defaultdict[UUID, asyncio.Lock](asyncio.Lock)

    async def of(self, files: Sequence[ContentFile]) -> bytes:
        """Raises ContentError if a file is lost, ServiceUnavailable."""
        async with self._locks[files[0].org_id]:
            content_id = files[0].content_id
            if content_id not in self._encoded:
                self._encoded[content_id] = await _encode(files)
            self._encoded.move_to_end(content_id)
            while len(self._encoded) > 1 and sum(map(len, self._encoded.values())) > CACHE_BYTES:
                self._encoded.popitem(last=False)
            return self._encoded[content_id]


class RunFiles:
    """The attachments of one run, which its contents of all accounts share; `size` is in bytes before encoding."""

    def __init__(self, files: Sequence[ContentFile], encoded: EncodedFiles) -> None:
        self.size = sum(file.size for file in files)
        self._files, self._encoded = files, encoded

    async def encoded(self) -> bytes:
        return await self._encoded.of(self._files)


async def _encode(files: Sequence[ContentFile]) -> bytes:
    try:
        return await run_in_render_pool(files[0].org_id, encode_files, [await read_attachment(file) for file in files])
    except ValueError as error:
        raise ContentError(str(error)) from None
