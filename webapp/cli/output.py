"""Prints what an operator must know, and detects that the reader of standard output or error, a pipe, is gone."""

import logging
import os
import select
import signal
import stat
from contextlib import suppress
from typing import NoReturn

import click

from webapp.logs import for_operator


def announce(text: str, level: int = logging.INFO) -> None:
    """Warnings and errors go to standard error."""
    click.echo(for_operator(text, level), err=level >= logging.WARNING)


def is_closed() -> bool:
    """True if the reader of a pipe is gone; sockets do not count, because systemd's may come back."""
    pipes = select.poll()
    for descriptor in (1, 2):
        with suppress(OSError):  # closed from the start
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                pipes.register(descriptor, 0)  # only errors
    return any(events & select.POLLERR for _, events in pipes.poll(0))


def end_like_others() -> NoReturn:
    """Ends the process as SIGPIPE ends other programs, even if threads are left."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGPIPE)
    os._exit(128 + signal.SIGPIPE)
