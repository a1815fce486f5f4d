"""A command whose output is closed ends, as `pennypost doctor | head -3` should: by SIGPIPE, like other programs."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from tests.cli.conftest import PATIENCE, Pennypost
from tests.support.starter import Started, starter


@contextmanager
def reading(pennypost: Pennypost, *words: str, until: bytes) -> Iterator[Started]:
    """The command, after the reader of both its streams has gone once it has read this."""
    readable, writable = os.pipe()
    with os.fdopen(writable, "wb") as output:
        running = starter().start(words, environ=pennypost.environ, folder=pennypost.folder, output=output)
    try:
        said = b""
        while until not in said:
            more = os.read(readable, 4096)
            assert more, said
            said += more
        os.close(readable)
        yield running
    finally:
        running.kill()


def test_a_doctor_ends_in_the_middle_of_its_report(pennypost: Pennypost) -> None:
    with reading(pennypost, "doctor", until=b"data directory") as running:
        assert running.poll(PATIENCE) == -signal.SIGPIPE


def test_a_service_ends(pennypost: Pennypost) -> None:
    with reading(pennypost, "up", until=b"ready") as running:
        assert running.poll(PATIENCE) == -signal.SIGPIPE
