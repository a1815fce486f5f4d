"""The log of API requests, buffered in memory and written in batches."""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from webapp.db.errors import is_outage
from webapp.domain.api_requests.masking import BodyStart, mask_body, mask_headers, mask_query
from webapp.logs import RateLimitedLogger
from webapp.models.api_request import NewRequest, NewRequestDetails, log_requests

log = logging.getLogger(__name__)

BATCH = 500
BUFFER_SIZE = 50_000  # about 30 MB; during an outage, further entries are lost
DETAIL_BYTES = 32 * 1024 * 1024  # in the buffer; further requests are logged without details
DETAIL_DAYS = 7
DETAIL_ROWS = 50_000  # per organization: at most 400 MB, pruned every ten minutes


class RawDetails(NamedTuple):
    """Unmasked; secrets are masked when they are written, outside of the request."""

    query: bytes
    headers: Sequence[tuple[str, str]]
    request_body: BodyStart | None
    response_body: BodyStart | None

    @property
    def size(self) -> int:
        bodies = sum(len(body.start) for body in (self.request_body, self.response_body) if body is not None)
        return len(self.query) + sum(len(name) + len(value) for name, value in self.headers) + bodies


def mask_details(raw: Iterable[tuple[NewRequest, RawDetails]]) -> list[NewRequestDetails]:
    return [
        NewRequestDetails(
            request.id,
            request.created_at,
            request.org_id,
            mask_query(details.query),
            mask_headers(details.headers),
            *mask_body(details.request_body),  # its text, and if it is cut
            *mask_body(details.response_body),
        )
        for request, details in raw
    ]


class _Entry(NamedTuple):
    request: NewRequest
    details: RawDetails | None
    size: int  # of the details, in bytes


class RequestLog:
    def __init__(self, buffer_size: int = BUFFER_SIZE, detail_bytes: int = DETAIL_BYTES) -> None:
        self._buffer_size, self._detail_bytes = buffer_size, detail_bytes
        self._waiting: deque[_Entry] = deque()
        self._waiting_bytes = 0
        self._warnings = RateLimitedLogger(log)

    def record(self, request: NewRequest, details: RawDetails | None = None) -> None:
        """Drops the request and logs that if the buffer is full."""
        if len(self._waiting) >= self._buffer_size:
            self._warnings.warn("%d requests wait for the database, and no more are logged", self._buffer_size)
            return
        size = 0 if details is None else details.size
        if self._waiting_bytes + size > self._detail_bytes:
            details, size = None, 0
        self._waiting_bytes += size
        self._waiting.append(_Entry(request, details, size))

    async def write(self) -> None:
        """Keeps rows during an outage; drops and logs those that the database rejects."""
        size = BATCH
        while self._waiting:
            batch = list(islice(self._waiting, size))
            try:
                await self._write(batch)
            except Exception as error:
                if is_outage(error):
                    self._warnings.warn("the request log waits: %s", str(error) or type(error).__name__)
                    return
                if len(batch) > 1:
                    size = len(batch) // 2  # until the rejected row is found
                    continue
                log.exception("a request is not logged")
            for entry in batch:
                self._waiting.popleft()
                self._waiting_bytes -= entry.size
            size = min(2 * size, BATCH)

    async def _write(self, batch: list[_Entry]) -> None:
        raw = [(entry.request, entry.details) for entry in batch if entry.details is not None]
        masked = await asyncio.to_thread(mask_details, raw) if raw else []
        await log_requests([entry.request for entry in batch], masked)
