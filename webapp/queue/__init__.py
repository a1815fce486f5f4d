"""The jobs of the workers, and requests for them, which whatever serves this process publishes."""

import contextlib
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from webapp import db


class Job(StrEnum):
    """A worker's job; each takes an id only."""

    WAKE = "wake"  # an account: it has something to send
    MATERIALISE = "materialise"  # a run: it lacks rows
    IMPORT = "import"  # an import of contacts: there is something to do for it
    CHANGE_CONTACTS = "change_contacts"  # a change of all contacts that a search found
    MAIL_LINKS = "mail_links"  # a link about signing in that was asked for
    MAIL_READERS = "mail_readers"  # an email to a reader of an organization, which is still to be written
    READ_SHEETS = "read_sheets"  # a sheet that a segment follows: it is to be read now
    READ_MAILBOXES = "read_mailboxes"  # an account: bounces are to be read from its mailbox now
    CHECK_FROM = "check_from"  # an account: its From address is to be checked now


class JobRequest(NamedTuple):
    """A request for a job; of two equal ones that wait one is dropped."""

    job: Job
    row_id: UUID

    @property
    def key(self) -> str:
        """The id by which arq recognizes equal requests."""
        return f"{self.job}:{self.row_id}"


_publish: Callable[[JobRequest], None] | None = None


@contextlib.contextmanager
def publishing_with(publish: Callable[[JobRequest], None]) -> Iterator[None]:
    """Hands the requests made inside the block to `publish`, which must neither fail nor wait."""
    global _publish  # noqa: PLW0603 - one per process, set and unset by what serves
    _publish = publish
    try:
        yield
    finally:
        _publish = None


def enqueue(job: Job, row_id: UUID) -> None:
    """Requests a job once the surrounding transaction has committed; never fails and never waits."""

    def publish() -> None:
        if _publish is not None:
            _publish(JobRequest(job, row_id))

    db.after_commit(publish)
