"""The `pennypost` command as people run it: a process with an environment, an exit code and two streams."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest

from tests.conftest import SECRET_KEY, free_port
from tests.support.starter import PENNYPOST, Started, children_of, starter

PATIENCE = 60  # seconds; on a busy machine a start takes a while
PASSWORD = "correct horse battery staple"
OTHER_KEY = "u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s="


@dataclass
class Process:
    """A running command and what it has said so far."""

    running: subprocess.Popen[bytes] | Started
    output: Path
    url: str

    @property
    def said(self) -> str:
        return self.output.read_text()

    @property
    def children(self) -> list[int]:
        return children_of(self.running.pid)

    def wait_for(self, text: str) -> "Process":
        wait_until(lambda: re.search(text, self.said) or self.running.poll() is not None)
        assert re.search(text, self.said), self.said
        return self

    def get(self, path: str, timeout: float = 10) -> httpx2.Response:
        return httpx2.get(self.url + path, timeout=timeout)

    def stop(self, number: int = signal.SIGTERM) -> float:
        """Send the signal, wait for the end and return how long it took."""
        started = time.monotonic()
        self.running.send_signal(number)
        wait_until(lambda: self.running.poll() is not None)
        return time.monotonic() - started


@dataclass
class Pennypost:
    """The command in one environment."""

    environ: dict[str, str]
    folder: Path
    stack: ExitStack = field(default_factory=ExitStack)

    def run(self, *words: str, stdin: str = "", **environ: str) -> "subprocess.CompletedProcess[str]":
        return starter().run(words, stdin=stdin, environ=self.environ | environ, folder=self.folder, seconds=PATIENCE)

    def prints(self, *words: str, stdin: str = "", **environ: str) -> str:
        """What a command that succeeds prints."""
        done = self.run(*words, stdin=stdin, **environ)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.strip()

    def refuses(self, *words: str, stdin: str = "", **environ: str) -> str:
        """The one line of a command that fails as it should."""
        done = self.run(*words, stdin=stdin, **environ)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.startswith("pennypost: ")
        return done.stderr.removeprefix("pennypost: ").strip()

    def start(self, *words: str, ulimit: str = "", **environ: str) -> Process:
        return self.stack.enter_context(self._started(words, ulimit, self.environ | environ))

    @contextmanager
    def _started(self, words: tuple[str, ...], ulimit: str, environ: Mapping[str, str]) -> Iterator[Process]:
        output = self.folder / f"{'-'.join(words)}-{time.monotonic_ns()}.log"
        with output.open("wb") as file:
            running: subprocess.Popen[bytes] | Started
            if ulimit:
                command = ["sh", "-c", f'ulimit {ulimit} && exec "$0" "$@"', str(PENNYPOST), *words]
                running = subprocess.Popen(command, env=environ, cwd=self.folder, stdout=file, stderr=file)
            else:
                running = starter().start(words, environ=environ, folder=self.folder, output=file)
        process = Process(running, output, f"http://127.0.0.1:{environ['PENNYPOST_PORT']}")
        try:
            yield process
        finally:
            process.stop(signal.SIGKILL)


def make_org(pennypost: Pennypost, name: str = "Acme") -> str:
    """The id of a new organization, as its creation prints it; Ada owns it."""
    words = ("create-org", name, "--owner", "ada@acme.example", "--timezone", "Europe/Paris", "--password-stdin")
    return pennypost.prints(*words, stdin=f"{PASSWORD}\n")


def wait_until(is_so: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Look until it is so; a test that waits longer has failed."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Pennypost]:
    """The command with nothing set but ports of its own and an empty data directory."""
    with fresh_in(tmp_path) as found:
        yield found


@pytest.fixture
def fresh_too(tmp_path: Path) -> Iterator[Pennypost]:
    """The same on another machine, as it were."""
    (tmp_path / "other").mkdir()
    with fresh_in(tmp_path / "other") as found:
        yield found


@contextmanager
def fresh_in(folder: Path) -> Iterator[Pennypost]:
    environ = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")} | {
        "PENNYPOST_DATA_DIR": str(folder / "data"),
        "PENNYPOST_PORT": str(free_port()),
        "PENNYPOST_SANDBOX_PORT": str(free_port()),
        "PENNYPOST_ALLOW_PRIVATE_HOSTS": "1",
    }
    found = Pennypost(environ, folder)
    with found.stack:
        yield found


@pytest.fixture
def pennypost(fresh: Pennypost, database_url: str) -> Pennypost:
    """The command on the migrated, empty database of this run."""
    fresh.environ |= {"DATABASE_URL": database_url, "PENNYPOST_SECRET_KEYS": SECRET_KEY}
    return fresh
