"""Runs one of our scripts on untrusted input, in a separate process with resource limits."""

import asyncio
import contextlib
import os
import resource
import sys
from pathlib import Path
from typing import NamedTuple

from webapp.errors import ServiceUnavailable

STACK_BYTES = 8 * 1024 * 1024
NICENESS = 5


class ProcessBounds(NamedTuple):
    memory_bytes: int  # of address space; the interpreter takes 12 MB
    cpu_seconds: int
    seconds: float  # of wall-clock time, which is longer on a busy machine
    output_bytes: int


async def run_bounded(script: Path, *args: str, data: bytes, bounds: ProcessBounds) -> bytes | None:
    """Returns what the script writes for `data`, or None if it exceeds a bound or dies. Raises ServiceUnavailable.

    The script gets its input after the bounds are set.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(script), *args),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={},
        )
    except OSError as error:
        raise ServiceUnavailable("the server cannot start another process; try again in a moment") from error
    try:
        _set_bounds(process.pid, bounds)
        async with asyncio.timeout(bounds.seconds):
            output = await _exchange(process, data, bounds.output_bytes)
            return output if output is not None and await process.wait() == 0 else None
    except (TimeoutError, ProcessLookupError):
        return None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.communicate()  # asyncio's `wait` can hang while output is unread


def _set_bounds(pid: int, bounds: ProcessBounds) -> None:
    for resource_kind, limit in (
        (resource.RLIMIT_AS, bounds.memory_bytes),
        (resource.RLIMIT_CPU, bounds.cpu_seconds),
        (resource.RLIMIT_STACK, STACK_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),  # a crash writes no core dump
    ):
        resource.prlimit(pid, resource_kind, (limit, limit))
    os.setpriority(os.PRIO_PROCESS, pid, NICENESS)


async def _exchange(process: asyncio.subprocess.Process, data: bytes, limit: int) -> bytes | None:
    """The process's output; None if it is longer than `limit` bytes."""
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process has no pipes")
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it died
        process.stdin.write(data)
        await process.stdin.drain()
    process.stdin.close()
    try:
        await process.stdout.readexactly(limit + 1)
    except asyncio.IncompleteReadError as end:
        return end.partial
    return None
