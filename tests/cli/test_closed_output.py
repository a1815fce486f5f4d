"""A command whose output is closed ends, as `pennypost doctor | head -3` should: by SIGPIPE, like other programs."""

import os
import signal

import pytest

from tests.cli.conftest import PATIENCE, Pennypost
from tests.support.starter import starter


@pytest.mark.parametrize(("command", "until"), [("doctor", b"data directory"), ("up", b"ready")])
def test_a_command_ends_when_nobody_reads_on(pennypost: Pennypost, command: str, until: bytes) -> None:
    """After the reader of both its streams has gone, who has read this."""
    readable, writable = os.pipe()
    with os.fdopen(writable, "wb") as output:
        running = starter().start((command,), environ=pennypost.environ, folder=pennypost.folder, output=output)
    try:
        said = b""
        while until not in said:
            more = os.read(readable, 4096)
            assert more, said
            said += more
        os.close(readable)
        assert running.poll(PATIENCE) == -signal.SIGPIPE
    finally:
        running.kill()
