"""A process's cursors in the rows that are due, from which its next claim goes on."""

from typing import Any
from uuid import UUID

from webapp import clock
from webapp.db import dialects

KEPT_SECONDS = 5.0  # what came back behind a mark waits so long at most for what is ahead of it
COLUMNS = {"owner": "uuid", "at": "timestamptz", "row_id": "uuid"}

Place = tuple[Any, Any]  # due time and id of a row, as the driver gives them


class Marks:
    """The last rows that were taken, of the emails of an account or of the rows of a run: its `owner`.

    A row that was taken stays in PostgreSQL's index of what is due as long as any transaction is open that began
    before: the hour of a dump of the database. Each look from the beginning would walk over all of them. Of an owner
    with fewer due rows than are asked for no mark is kept.
    """

    def __init__(self, kept_seconds: float = KEPT_SECONDS) -> None:
        """Look for everything from the beginning."""
        self._kept_seconds = kept_seconds
        self._kept: dict[UUID, tuple[Place, float]] = {}  # with when it was looked from the beginning

    def of(self, owner: UUID) -> Place | None:
        """Where to look on, None for from the beginning: that is every few seconds, whatever else."""
        kept = self._kept.get(owner)
        if kept is not None and clock.elapsed() - kept[1] >= self._kept_seconds:
            del self._kept[owner]
            return None
        return kept and kept[0]

    def move(self, owner: UUID, place: Place) -> None:
        """Look on behind this row the next time."""
        kept = self._kept.get(owner)
        self._kept[owner] = (place, clock.elapsed() if kept is None else kept[1])

    def drop(self, owner: UUID) -> None:
        """Look from the beginning: there is nothing more behind the mark."""
        self._kept.pop(owner, None)

    def clear(self) -> None:
        """Look for everything from the beginning again: what was taken last was not."""
        self._kept.clear()

    def records(self) -> str:
        """All of them as one parameter, for `COLUMNS`."""
        places = [(owner, place) for owner in list(self._kept) if (place := self.of(owner)) is not None]
        return dialects.json_records([{"owner": owner, "at": at, "row_id": row_id} for owner, (at, row_id) in places])
