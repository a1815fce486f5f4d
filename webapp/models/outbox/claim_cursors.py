"""A process's cursors in the due rows, at which its next claim continues."""

from typing import Any
from uuid import UUID

from webapp import clock
from webapp.db import dialects

MAX_AGE_SECONDS = 5.0  # a row that came back behind a cursor waits so long at most for those ahead of it
COLUMNS = {"owner": "uuid", "at": "timestamptz", "row_id": "uuid"}

Position = tuple[Any, Any]  # due time and id of a row, as the driver gives them


class ClaimCursors:
    """The last rows claimed, of an account's emails or of a run's rows (the `owner`).

    A claimed row stays in PostgreSQL's index of due rows as long as any older transaction is open, such as the hour of
    a database dump: each scan from the beginning would walk over all of them. An owner with fewer due rows than a claim
    asks for has no cursor.
    """

    def __init__(self, max_age: float = MAX_AGE_SECONDS) -> None:
        self._max_age = max_age
        self._cursors: dict[UUID, tuple[Position, float]] = {}  # with the time of the last scan from the beginning

    def of(self, owner: UUID) -> Position | None:
        """The row behind which a scan continues; None for one from the beginning, due every few seconds."""
        cursor = self._cursors.get(owner)
        if cursor is not None and clock.elapsed() - cursor[1] >= self._max_age:
            del self._cursors[owner]
            return None
        return cursor and cursor[0]

    def move(self, owner: UUID, position: Position) -> None:
        cursor = self._cursors.get(owner)
        self._cursors[owner] = (position, clock.elapsed() if cursor is None else cursor[1])

    def drop(self, owner: UUID) -> None:
        self._cursors.pop(owner, None)

    def clear(self) -> None:
        self._cursors.clear()

    def records(self) -> str:
        """All cursors as one SQL parameter with `COLUMNS`."""
        positions = [(owner, found) for owner in list(self._cursors) if (found := self.of(owner)) is not None]
        return dialects.json_records(
            [{"owner": owner, "at": at, "row_id": row_id} for owner, (at, row_id) in positions]
        )
