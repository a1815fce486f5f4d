"""Open streams check every CHECK_SECONDS, in one query of the process, that their sessions are still open."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from uuid import UUID

from webapp import clock
from webapp.domain.auth.sessions import open_sessions
from webapp.models import Organization

CHECK_SECONDS = 2.0  # seconds


class SessionWatch:
    def __init__(self) -> None:
        self._watching: Counter[UUID] = Counter()
        self._open: set[tuple[UUID, UUID]] = set()
        self._next_at = 0.0
        self._lock = asyncio.Lock()

    @contextlib.contextmanager
    def watching(self, session_id: UUID, org: Organization) -> Iterator[None]:
        """Watches this session, which is open at the start, inside the block."""
        self._watching[session_id] += 1
        self._open.add((session_id, org.id))
        try:
            yield
        finally:
            self._watching[session_id] -= 1
            if not self._watching[session_id]:
                del self._watching[session_id]

    async def is_open(self, session_id: UUID, org: Organization) -> bool:
        """As of CHECK_SECONDS ago at most."""
        async with self._lock:
            if clock.elapsed() >= self._next_at:
                checked = set(self._watching)
                found = await open_sessions(list(checked))
                newer = self._watching.keys() - checked  # were added during the query
                self._open = found | {one for one in self._open if one[0] in newer}
                self._next_at = clock.elapsed() + CHECK_SECONDS
        return (session_id, org.id) in self._open
