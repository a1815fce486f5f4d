"""A command whose output is closed ends, as `pennypost doctor | head -3` should: by SIGPIPE, like other programs."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

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


@pytest.mark.parametrize("words", [("migrate",), ("invite", "a@b.example")], ids=lambda words: words[0])
def test_a_command_that_prints_ends(pennypost: Pennypost, words: tuple[str, ...]) -> None:
    pennypost.environ |= {"PENNYPOST_SIGN_UP": "invite"}
    with reading(pennypost, *words, until=b"") as running:
        assert running.poll(PATIENCE) == -signal.SIGPIPE


def test_a_backup_is_whole_although_nobody_reads_of_it(fresh: Pennypost) -> None:
    fresh.prints("migrate")
    with reading(fresh, "backup", "copy.db", until=b"") as running:
        assert running.poll(PATIENCE) == -signal.SIGPIPE
    assert "restored" in fresh.prints("restore", "copy.db")


def test_a_doctor_ends_in_the_middle_of_its_report(pennypost: Pennypost) -> None:
    with reading(pennypost, "doctor", until=b"data directory") as running:
        assert running.poll(PATIENCE) == -signal.SIGPIPE


@pytest.mark.parametrize("command", ["up", "worker"])
def test_a_service_ends(pennypost: Pennypost, command: str) -> None:
    with reading(pennypost, command, until=b"ready") as running:
        assert running.poll(PATIENCE) == -signal.SIGPIPE
