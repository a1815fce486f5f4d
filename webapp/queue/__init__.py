"""The names of the jobs, and asking a worker for one: what is asked is passed on by whatever serves this process."""

import contextlib
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from webapp import db


class Job(StrEnum):
    """What a worker can be asked to do; each takes ids only."""

    WAKE = "wake"  # an account: it has something to send
    MATERIALISE = "materialise"  # a run: it lacks rows
    IMPORT = "import"  # an import of contacts: there is something to do for it
    MAIL_LINKS = "mail_links"  # a link about signing in that was asked for
    READ_SHEETS = "read_sheets"  # a sheet that a segment follows: it is to be read now


class Nudge(NamedTuple):
    """A job for one row; two alike waiting at once are one."""

    job: Job
    row_id: UUID

    @property
    def key(self) -> str:
        """The id that makes arq drop a second one while the first waits."""
        return f"{self.job}:{self.row_id}"


_carry: Callable[[Nudge], None] | None = None


@contextlib.contextmanager
def carried_by(carry: Callable[[Nudge], None]) -> Iterator[None]:
    """For the life of this block, `carry` is handed what `enqueue` is asked for; it must neither fail nor wait."""
    global _carry  # noqa: PLW0603 - one per process, set and unset by what serves
    _carry = carry
    try:
        yield
    finally:
        _carry = None


def enqueue(job: Job, row_id: UUID) -> None:
    """Ask a worker for `job` on a row, once the transaction around has committed. It never fails and never waits."""
    db.after_commit(lambda: _add(Nudge(job, row_id)))


def _add(nudge: Nudge) -> None:
    if _carry is not None:
        _carry(nudge)
