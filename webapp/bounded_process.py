"""Runs one of our scripts on untrusted input, in a separate process with resource limits."""

import asyncio
import contextlib
import os
import resource
import sys
from pathlib import Path
from uuid import UUID

from webapp.errors import ServiceUnavailable
from webapp.fair_slots import FairSlot, FairSlots, slot_of

STACK_BYTES = 8 * 1024 * 1024
NICENESS = 5
AT_ONCE = 2  # each takes a core
MOST_WAITING = 16  # each holds its input
SECONDS = 30.0  # of wall-clock time, which is longer than CPU time on a busy machine


class BoundedScript:
    """A script of ours that runs in a process with bounds of memory, CPU time, time and output.

    At most AT_ONCE of its processes run, one of an organization, for which at most MOST_WAITING calls wait.
    """

    def __init__(self, path: Path, *, memory_bytes: int, cpu_seconds: int, output_bytes: int) -> None:
        """`memory_bytes` bounds the address space, of which the interpreter takes 12 MB."""
        self.path, self.output_bytes = path, output_bytes
        self.memory_bytes, self.cpu_seconds = memory_bytes, cpu_seconds
        self._slots: FairSlots[FairSlot] = FairSlots(AT_ONCE, limit_each=1, limit_waiting=MOST_WAITING)

    async def run(self, caller: UUID, *args: str, data: bytes) -> bytes | None:
        """Returns what the script writes for `data`, or None if it exceeds a bound or dies. Raises ServiceUnavailable.

        The script gets its input after the bounds are set.
        """
        async with slot_of(self._slots, caller):
            return await self._run(*args, data=data)

    async def _run(self, *args: str, data: bytes) -> bytes | None:
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", str(self.path), *args),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={},
            )
        except OSError as error:
            raise ServiceUnavailable("the server cannot start another process; try again in a moment") from error
        try:
            self._set_bounds(process.pid)
            async with asyncio.timeout(SECONDS):
                output = await _exchange(process, data, self.output_bytes)
                return output if output is not None and await process.wait() == 0 else None
        except (TimeoutError, ProcessLookupError):
            return None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.communicate()  # asyncio's `wait` can hang while output is unread

    def _set_bounds(self, pid: int) -> None:
        for resource_kind, limit in (
            (resource.RLIMIT_AS, self.memory_bytes),
            (resource.RLIMIT_CPU, self.cpu_seconds),
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
