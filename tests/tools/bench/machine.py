"""What a measurement needs of the machine: processes to receive mail, their counts, and what processes have used."""

import asyncio
import contextlib
import os
import re
import shutil
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from tests.conftest import free_port

COUNT = re.compile(rb"mesg=(\d+)")
TAIL = 100  # bytes of a receiver's output in which its latest count stands
TICKS = os.sysconf("SC_CLK_TCK")
SESSIONS = 10  # of smtp-source
START_SECONDS = 10
PATIENCE = 60.0  # seconds without a message
ASK_EVERY = 0.05  # seconds: asking takes a part of what is measured


class Sink:
    """A receiver and the messages that it has counted."""

    def __init__(self, port: int, output: Path, process: Process) -> None:
        self.port, self._output, self.pid = port, output, process.pid

    @property
    def count(self) -> int:
        """The messages so far."""
        with self._output.open("rb") as output:
            output.seek(max(0, output.seek(0, os.SEEK_END) - TAIL))
            found = COUNT.findall(output.read())
        return int(found[-1]) if found else 0


@contextlib.asynccontextmanager
async def sink(folder: Path, *, ours: bool = False, arguments: Iterable[str] = ()) -> AsyncIterator[Sink]:
    """A receiver for the life of this block: postfix's smtp-sink where there is one, unless `ours` is asked for."""
    port = free_port()
    output = folder / f"receiver-{port}.out"
    tool = None if ours else shutil.which("smtp-sink")
    command = [tool, "-c", f"127.0.0.1:{port}", "1000"] if tool else _our_receiver(port, arguments)
    if tool and os.getuid() == 0:
        command[1:1] = ["-u", "nobody"]
    with output.open("wb") as written:
        process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=written, stderr=DEVNULL)
    try:
        await until_it_listens(port)
        yield Sink(port, output, process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def until_received(server: Sink, wanted: int) -> int:
    """Wait until a receiver has counted as many messages, as long as some come; returns how many there are."""
    count, deadline = server.count, time.monotonic() + PATIENCE
    while (found := server.count) < wanted:
        if found > count:
            count, deadline = found, time.monotonic() + PATIENCE
        if time.monotonic() > deadline:
            raise TimeoutError(f"{found} of {wanted} messages arrived")
        await asyncio.sleep(ASK_EVERY)
    return found


def _our_receiver(port: int, arguments: Iterable[str]) -> list[str]:
    return [sys.executable, "-m", "tests.tools.bench.receiver", str(port), *arguments]


async def until_it_listens(port: int) -> None:
    """Wait until a program on this machine accepts connections."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            await writer.wait_closed()
            return
    raise TimeoutError(f"nothing listens on port {port}")


async def rate_of_smtp_source(port: int, messages: int, size: int) -> float | None:
    """Messages of `size` bytes a second from smtp-source over ten kept connections, None where it is not installed."""
    tool = shutil.which("smtp-source")
    if tool is None:
        return None
    command = f"{tool} -s {SESSIONS} -m {messages} -l {size} -d -f a@example.com -t b@example.org 127.0.0.1:{port}"
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(*command.split(), stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
    await process.wait()
    return messages / (time.monotonic() - began)


def cpu_seconds(process_ids: Iterable[int]) -> float:
    """What these processes have used of all cores so far, those that have ended left out (Linux)."""
    return sum(_cpu_seconds(one) for one in process_ids)


def _cpu_seconds(process_id: int) -> float:
    fields = _fields(process_id)
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def _fields(process_id: int) -> list[str]:
    """What Linux says of a process after its name: its state, its parent and so on; nothing once it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return []


def busy_seconds() -> float:
    """What everything has used of all cores so far, other machines on the same hardware included (Linux)."""
    user, nice, system, _, _, *interrupts, steal = Path("/proc/stat").read_text().split()[1:9]
    return sum(map(int, (user, nice, system, *interrupts, steal))) / TICKS


def family(process_id: int) -> set[int]:
    """A process, those that it has started, and those that they have."""
    parents = {int(folder.name): _fields(int(folder.name))[1:2] for folder in Path("/proc").glob("[0-9]*")}
    found, added = set[int](), {process_id}
    while added:
        found |= added
        added = {child for child, parent in parents.items() if parent and int(parent[0]) in added}
    return found


def server_processes(database: str) -> list[int]:
    """The processes of a PostgreSQL server on this machine that serve a database or write for all."""
    words = (f" {database} ", "walwriter", "checkpointer", "background writer", "autovacuum")
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            line = (folder / "cmdline").read_bytes().decode(errors="replace")
            if line.startswith("postgres: ") and any(word in line for word in words):
                found.append(int(folder.name))
    return found


def peak_memory(process_id: int) -> float:
    """The largest resident size so far, in MB (Linux)."""
    status = Path(f"/proc/{process_id}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")
