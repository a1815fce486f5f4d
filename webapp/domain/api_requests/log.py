"""The log of API requests: buffered in memory, and written in batches."""

import logging
from collections import deque
from itertools import islice

from webapp.db.errors import is_outage
from webapp.logs import RateLimitedLogger
from webapp.models.api_request import NewRequest, log_requests

log = logging.getLogger(__name__)

BATCH = 500
BUFFER_SIZE = 50_000  # about 30 MB; beyond it entries are lost during an outage


class RequestLog:
    def __init__(self, buffer_size: int = BUFFER_SIZE) -> None:
        self._buffer_size = buffer_size
        self._waiting: deque[NewRequest] = deque()
        self._warnings = RateLimitedLogger(log)

    def record(self, request: NewRequest) -> None:
        """Drops the request, and logs that, while the buffer is full."""
        if len(self._waiting) >= self._buffer_size:
            self._warnings.warn("%d requests wait for the database, and no more are logged", self._buffer_size)
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
                    self._warnings.warn("the request log waits: %s", str(error) or type(error).__name__)
                    return
                if len(batch) > 1:
                    size = len(batch) // 2  # until the refused row is found
                    continue
                log.exception("a request is not logged")
            for _ in batch:
                self._waiting.popleft()
            size = min(2 * size, BATCH)
