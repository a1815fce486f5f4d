"""The log of API requests: buffered in memory, and written in batches."""

import logging
from collections import deque
from itertools import islice

from webapp.db.errors import is_outage
from webapp.logs import RateLimitedLogger
from webapp.models.api_request import NewRequest, log_requests

__all__ = ["NewRequest", "RequestLog"]

log = logging.getLogger(__name__)

BATCH = 500
ROOM = 50_000  # about 30 MB; beyond it entries are lost during an outage


class RequestLog:
    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._waiting: deque[NewRequest] = deque()
        self._complaints = RateLimitedLogger(log)

    def note(self, request: NewRequest) -> None:
        """Drops the request, and logs that, while the buffer is full."""
        if len(self._waiting) >= self._room:
            self._complaints.warn("%d requests wait for the database, and no more are logged", self._room)
            return
        self._waiting.append(request)

    async def write(self) -> None:
        """Rows wait during an outage; those that the database refuses are dropped and logged."""
        size = BATCH
        while self._waiting:
            batch = list(islice(self._waiting, size))
            try:
                await log_requests(batch)
            except Exception as error:
                if is_outage(error):
                    self._complaints.warn("the request log waits: %s", str(error) or type(error).__name__)
                    return
                if len(batch) > 1:
                    size = len(batch) // 2  # until the refused row is found
                    continue
                log.exception("a request is not logged")
            for _ in batch:
                self._waiting.popleft()
            size = min(2 * size, BATCH)
