"""Starts the `pennypost` command many times: what it imports is imported once.

Each start is a process with its own environment, folder, streams and session, forked from one that has done nothing
but imports.
"""

import asyncio
import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

PENNYPOST = Path(sys.executable).with_name("pennypost")
MODULES = (
    "jobs.worker",
    "tortoise.backends.asyncpg",
    "tortoise.backends.sqlite",
    "uvloop",
    "webapp.app",
    "webapp.cli.backup",
    "webapp.cli.doctor",
    "webapp.cli.serve",
    "webapp.domain.instance.restore",
    "webapp.redis.embedded",
    "webapp.sandbox_inbox",
    "webapp.server",
)
KEEP = ("PATH", "HOME", "LANG", "PYTHONPATH")
LONGEST = 200_000  # bytes of a wish, and of the socket's buffer on Linux
STREAMS = 3


def children_of(process_id: int) -> list[int]:
    """The processes that a process has started and that have not ended, oldest first (Linux)."""
    tasks = Path(f"/proc/{process_id}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def is_alive(process_id: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


class Started:
    """A process that was started, with what asyncio's have."""

    def __init__(self, report: int) -> None:
        """Read the process id, and later the exit code, from `report`."""
        self._report = report
        self._code: int | None = None
        self.pid = self._read()

    def _read(self) -> int:
        return int(b"".join(iter(lambda: os.read(self._report, 1), b"\n")))

    def poll(self, seconds: float = 0) -> int | None:
        """The exit code, None while it still runs after `seconds`."""
        if self._code is None and select.select([self._report], [], [], seconds)[0]:
            self._code = self._read()
            os.close(self._report)
        return self._code

    @property
    def returncode(self) -> int | None:
        return self.poll()

    async def wait(self) -> int:
        """The exit code, once it has ended."""
        while (code := self.poll()) is None:  # noqa: ASYNC110 - no loop is told of its end
            await asyncio.sleep(0.005)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Starter:
    """Starts the command as often as it is asked to."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._running = subprocess.Popen(
                [sys.executable, __file__, str(PENNYPOST), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={name: os.environ[name] for name in KEEP if name in os.environ},
            )

    def start(self, words: Sequence[str], *, environ: Mapping[str, str], folder: Path, output: IO[bytes]) -> Started:
        """Start it with nothing to read, and one file for all that it says."""
        with Path(os.devnull).open() as nothing:
            return self._fork(words, environ, folder, [nothing, output, output])

    def _fork(
        self, words: Sequence[str], environ: Mapping[str, str], folder: Path, streams: Sequence[IO[Any]]
    ) -> Started:
        wish = json.dumps({"words": words, "environ": dict(environ), "folder": str(folder)}).encode()
        ours, theirs = os.pipe()
        try:
            socket.send_fds(self._ours, [wish], [*(stream.fileno() for stream in streams), theirs])
        finally:
            os.close(theirs)
        return Started(ours)

    def run(
        self, words: Sequence[str], *, stdin: str, environ: Mapping[str, str], folder: Path, seconds: float
    ) -> "subprocess.CompletedProcess[str]":
        """Runs it to its end, as `subprocess.run` does. Raises TimeoutError after `seconds`."""
        with ExitStack() as stack:
            given, printed, said = (stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(STREAMS))
            given.write(stdin)
            given.seek(0)
            code = self._fork(words, environ, folder, [given, printed, said]).poll(seconds)
            if code is None:
                raise TimeoutError(f"{words} still runs after {seconds} seconds")
            printed.seek(0)
            said.seek(0)
            return subprocess.CompletedProcess(list(words), code, printed.read(), said.read())

    def stop(self) -> None:
        """End it, and wait for it."""
        self._ours.close()
        self._running.wait()


@cache
def starter() -> Starter:
    """The one of this process."""
    found = Starter()
    atexit.register(found.stop)
    return found


def serve(program: str, channel: socket.socket) -> None:
    """Fork for each wish; in the fork of the fork, become the program."""
    sys.path[0] = str(Path(program).parent)
    for module in MODULES:
        import_module(module)
    gc.freeze()  # what is shared with the forks stays so
    while True:
        wish, descriptors, _, _ = socket.recv_fds(channel, LONGEST, STREAMS + 1)
        if not wish:
            return
        if not os.fork():
            channel.close()
            *streams, report = descriptors
            if start(report):
                become(program, streams, **json.loads(wish))
                return
            os._exit(0)
        for one in descriptors:
            os.close(one)
        reap()


def reap() -> None:
    """Wait for the forks that have ended by now."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


def start(report: int) -> bool:
    """Fork once more; True in the fork. Elsewhere report its id, wait for it, and report its exit code."""
    child = os.fork()
    if not child:
        os.close(report)
        os.setsid()
        return True
    os.write(report, b"%d\n" % child)
    os.write(report, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    return False


def become(program: str, streams: list[int], *, words: list[str], environ: dict[str, str], folder: str) -> None:
    """Go on as a process that was started with these."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = [program, *words]
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    serve(sys.argv[1], socket.socket(fileno=int(sys.argv[2])))
