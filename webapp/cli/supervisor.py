"""Runs several processes of a service, forked before there is a loop or a thread, and restarts those that end."""

import contextlib
import gc
import logging
import math
import os
import select
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple, NoReturn

from webapp.cli import output
from webapp.errors import PennypostError

log = logging.getLogger(__name__)

SIGNALS = (
    signal.SIGTERM,
    signal.SIGINT,
    *({signal.SIGHUP} if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN else ()),
)
POLL_SECONDS = 0.1
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # before restarting a process that ran for less than the longest pause


class Parent(NamedTuple):
    """The process that forked this one; it writes to `pipe` to stop this one, and closes it when it dies."""

    pipe: int
    ready: int

    def is_alive(self) -> bool:
        """Waits for the pipe. False if the parent died."""
        return bool(os.read(self.pipe, 1))

    async def report_ready(self) -> None:
        os.write(self.ready, b".")


@dataclass
class _Child:
    work: Callable[[Parent], None]
    process_id: int | None = None
    started_at: float = 0.0
    pause: float = 0.0

    @property
    def is_due(self) -> bool:
        return self.process_id is None and monotonic() >= self.started_at + self.pause

    def end(self) -> None:
        self.process_id, now = None, monotonic()
        is_new = now - self.started_at < LONGEST_PAUSE
        self.pause = min(max(2 * self.pause, FIRST_PAUSE), LONGEST_PAUSE) if is_new else 0.0
        self.started_at = now


class Supervisor:
    """Runs each work in its own process; after a signal it calls `stop`, and the processes have `within` seconds."""

    def __init__(self, works: Sequence[Callable[[Parent], None]], within: float, stop: Callable[[], None]) -> None:
        self._children = [_Child(work) for work in works]
        self._within, self._stop = within, stop
        self._kill_at = math.inf
        self._is_stopping = self._has_failed = False
        (pipe, self._commands), (self._reports, ready) = os.pipe(), os.pipe()
        self._as_parent = Parent(pipe, ready)

    def run(self, greeting: str) -> bool:
        """Prints the greeting once all are ready; returns after a signal, with False if a process failed."""
        gc.collect()
        gc.freeze()  # so that the processes share memory
        for number in SIGNALS:
            signal.signal(number, self._on_signal)
        awaited = len(self._children)
        while not self._is_stopping or any(child.process_id for child in self._children):
            self._reap()
            if not self._is_stopping and output.is_closed():
                self._on_signal()
            self._kill() if monotonic() > self._kill_at else self._start()
            if select.select([self._reports], [], [], POLL_SECONDS)[0]:
                was_awaited, awaited = awaited > 0, awaited - len(os.read(self._reports, len(self._children)))
                if was_awaited and awaited <= 0:
                    output.announce(greeting)
        return not self._has_failed

    def _on_signal(self, *_: Any) -> None:
        if self._is_stopping:
            self._signal(signal.SIGTERM)  # their second, after which they drop their work
            return
        self._is_stopping, self._kill_at = True, monotonic() + self._within
        os.write(self._commands, b"." * len(self._children))  # each reads one byte
        self._stop()

    def _signal(self, number: int) -> None:
        for child in self._children:
            if child.process_id is not None:
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    os.kill(child.process_id, number)

    def _kill(self) -> None:
        log.error("something still hangs after %.0f s: ended without it", self._within)
        self._kill_at = math.inf
        self._signal(signal.SIGKILL)

    def _reap(self) -> None:
        for child in self._children:
            if child.process_id is None:
                continue
            ended, status = os.waitpid(child.process_id, os.WNOHANG)
            if not ended:
                continue
            child.end()
            code = os.waitstatus_to_exitcode(status)
            if self._is_stopping:
                self._has_failed |= code != 0
            else:
                log.warning("process %d ended with code %d, and is started again", ended, code)

    def _start(self) -> None:
        for child in self._children:
            if child.is_due and not self._is_stopping:
                try:
                    child.started_at, child.process_id = monotonic(), os.fork() or self._become(child)
                except OSError as error:  # too many processes
                    log.warning("a process cannot be started just now: %s", error)
                    child.end()

    def _become(self, child: _Child) -> NoReturn:
        code = 1
        try:
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            os.close(self._commands)  # so that the pipe closes with the parent
            child.work(self._as_parent)
            code = 0
        except PennypostError as error:
            log.error("%s", error)  # noqa: TRY400 - a person can fix it without a traceback
        except Exception:
            log.exception("a process failed")
        finally:
            os._exit(code)  # never returns into the parent's code
