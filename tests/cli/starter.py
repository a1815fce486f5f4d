"""Runs the `pennypost` command many times: what it imports is imported once.

Each run is a process with its own environment, folder and streams, forked from one that has done nothing but imports.
"""

import gc
import json
import os
import runpy
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

MODULES = (
    "tortoise.backends.asyncpg",
    "tortoise.backends.sqlite",
    "uvloop",
    "webapp.cli.backup",
    "webapp.cli.doctor",
    "webapp.cli.hold",
    "webapp.domain.auth.owners",
    "webapp.domain.auth.sign_up",
    "webapp.domain.instance.restore",
)
KEEP = ("PATH", "HOME", "LANG")
LONGEST = 200_000  # bytes of a wish, and of the socket's buffer on Linux
STREAMS = 3


class Starter:
    """Runs a program of the environment's folder of programs as often as it is asked to."""

    def __init__(self, program: Path) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._running = subprocess.Popen(
                [sys.executable, __file__, str(program), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={name: os.environ[name] for name in KEEP if name in os.environ},
            )

    def run(
        self, words: Sequence[str], *, stdin: str, environ: Mapping[str, str], folder: Path, seconds: float
    ) -> "subprocess.CompletedProcess[str]":
        """What `subprocess.run` gives; a TimeoutError after `seconds`."""
        wish = json.dumps({"words": words, "environ": dict(environ), "folder": str(folder)}).encode()
        with ExitStack() as stack:
            given, printed, said = (stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(STREAMS))
            given.write(stdin)
            given.seek(0)
            socket.send_fds(self._ours, [wish], [stream.fileno() for stream in (given, printed, said)])
            self._ours.settimeout(seconds)
            code = int(self._ours.recv(LONGEST))
            printed.seek(0)
            said.seek(0)
            return subprocess.CompletedProcess(list(words), code, printed.read(), said.read())

    def stop(self) -> None:
        """End it, and wait for it."""
        self._ours.close()
        self._running.wait()


def serve(program: str, channel: socket.socket) -> None:
    """Fork for each wish and tell the exit code; in the fork, become the program."""
    for module in MODULES:
        import_module(module)
    gc.freeze()  # what is shared with the forks stays so
    while True:
        wish, streams, _, _ = socket.recv_fds(channel, LONGEST, STREAMS)
        if not wish:
            return
        child = os.fork()
        if not child:
            channel.close()
            become(program, streams, **json.loads(wish))
            return
        for stream in streams:
            os.close(stream)
        channel.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def become(program: str, streams: list[int], *, words: list[str], environ: dict[str, str], folder: str) -> None:
    """Go on as a process that was started with these."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv, sys.path[0] = [program, *words], str(Path(program).parent)
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    serve(sys.argv[1], socket.socket(fileno=int(sys.argv[2])))
