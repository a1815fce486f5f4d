"""Whether the sessions that watch something are still open: one look for all of this process."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from uuid import UUID

from webapp import clock
from webapp.domain.auth.sessions import open_among
from webapp.models import Organization

LOOK_EVERY = 2.0  # seconds


class SessionWatch:
    """The sessions that watch, and which of them were open at the last look."""

    def __init__(self) -> None:
        """Start with none."""
        self._watching: Counter[UUID] = Counter()
        self._open: set[tuple[UUID, UUID]] = set()
        self._next_at = 0.0
        self._lock = asyncio.Lock()

    @contextlib.contextmanager
    def watching(self, session_id: UUID, org: Organization) -> Iterator[None]:
        """Look at this session, too, which is open at the start, as long as the block lasts."""
        self._watching[session_id] += 1
        self._open.add((session_id, org.id))
        try:
            yield
        finally:
            self._watching[session_id] -= 1
            if not self._watching[session_id]:
                del self._watching[session_id]

    async def is_open(self, session_id: UUID, org: Organization) -> bool:
        """Whether the session may still look at `org`, as it was LOOK_EVERY ago at most."""
        async with self._lock:
            if clock.elapsed() >= self._next_at:
                asked = set(self._watching)
                found = await open_among(list(asked))
                self._open = found | {one for one in self._open if one[0] in self._watching.keys() - asked}  # meanwhile
                self._next_at = clock.elapsed() + LOOK_EVERY
        return (session_id, org.id) in self._open
