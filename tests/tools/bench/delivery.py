"""Campaign mail by one worker process, with the load generator of postfix beside it as the limit.

The html of a mail has 10 KB, laid out as newsletters are, and a text part is made of it: the limit is measured with
messages of 10 KB, and with messages as long as ours, of which the receiver reads every byte as well. A run is
compared with the mean of the limits right before it and right after it: a shared machine is not equally fast for long.
A letter is measured last: as much html, nearly all of it text, which makes a message nearly twice as long.
Each recipient has a durable row; quota, stop and retries are on; every message is counted by the receiver. Everything
runs on this machine at once: compare within one run.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.support.processes import FROM_NOTHING, start, terminate
from tests.tools.bench.machine import (
    Sink,
    cpu_seconds,
    peak_memory,
    rate_of_smtp_source,
    server_processes,
    sink,
    until_received,
)
from tests.tools.bench.mails import BODY_BYTES
from tests.tools.bench.world import DATABASE, Audience, drop, world
from webapp.config import Settings

DELAY = 0.05
CONNECTIONS = (1, 4, 10, 50, 100)
ON_A_LONG_LINE = 10  # connections


@dataclass(frozen=True)
class Measured:
    """The figures of one run: messages a second, CPU seconds per 1,000 messages, MB."""

    rate: float
    worker_cpu: float
    all_cpu: float
    memory: float


async def measure_delivery(folder: Path, recipients: int, connections: Sequence[int]) -> None:
    """Print the table of deliveries, then the pipelined against the plain dialogue."""
    async with world(folder) as settings:
        audience = await Audience.make(recipients)
        print(f"delivery   {recipients:,} recipients, 10 KB of html, 3 merge tags, {settings.dialect}, one worker")
        await _print_table(settings, audience, folder, recipients, connections)
        print("a letter: 10 KB of html that are nearly all text")
        await _print_table(settings, await audience.with_letter(), folder, recipients, connections[-2:])
        await _compare_dialogues(settings, audience, folder, min(recipients, 2_000))
    await drop(settings)


async def _print_table(
    settings: Settings, audience: Audience, folder: Path, recipients: int, connections: Sequence[int]
) -> None:
    sizes = (BODY_BYTES, await audience.message_size())
    print(f"limit: smtp-source, 10 sessions, messages of {sizes[0]:,} bytes; of {sizes[1]:,}, as ours")
    print(f"{'':24}{'messages/s':>12}{'of limit':>16}{'CPU s/1,000: worker':>21}{'all':>8}{'MB':>6}")
    before = await _limits(folder, recipients, sizes)
    for count in connections:
        async with sink(folder) as server:
            found = await measure_run(settings, audience, server, count, recipients)
        after = await _limits(folder, recipients, sizes)
        _print(f"{count} connections", found, [_mean(pair) for pair in zip(before, after, strict=True)])
        before = after


async def _limits(folder: Path, messages: int, sizes: Sequence[int]) -> list[float | None]:
    limits = [await _limit(folder, messages, size) for size in sizes]
    print(f"{'limit':24}{'; '.join(f'{limit:,.0f}' if limit else '?' for limit in limits):>28}")
    return limits


async def _limit(folder: Path, messages: int, size: int) -> float | None:
    async with sink(folder) as server:
        return await rate_of_smtp_source(server.port, messages, size)


def _mean(pair: tuple[float | None, float | None]) -> float | None:
    return sum(filter(None, pair)) / 2 if all(pair) else None


def _print(label: str, found: Measured, limits: Sequence[float | None]) -> None:
    shares = "; ".join(f"{found.rate / limit:.0%}" if limit else "?" for limit in limits)
    print(f"{label:24}{found.rate:12,.0f}{shares:>16}{found.worker_cpu:21.3f}{found.all_cpu:8.3f}{found.memory:6.0f}")


async def _compare_dialogues(settings: Settings, audience: Audience, folder: Path, recipients: int) -> None:
    seconds = []
    for arguments in ((), ("--plain",)):
        async with sink(folder, ours=True, arguments=("--delay", str(DELAY), *arguments)) as server:
            found = await measure_run(settings, audience, server, ON_A_LONG_LINE, recipients)
            seconds.append(recipients / found.rate)
    print(f"{DELAY * 1000:.0f} ms per answer, {recipients:,} messages, {ON_A_LONG_LINE} connections")
    print(f"pipelined {seconds[0]:.1f} s, plain {seconds[1]:.1f} s, ratio {seconds[0] / seconds[1]:.2f}")


async def measure_run(
    settings: Settings, audience: Audience, server: Sink, connections: int, recipients: int, **fields: Any
) -> Measured:
    """Let a worker send a run over an account with these fields; from its first message at the receiver to the last."""
    account = await audience.queue(server.port, connections, recipients, **fields)
    worker = await start(settings, "worker", program=FROM_NOTHING)
    try:
        first = await until_received(server, 1)
        began, others = time.monotonic(), [*server_processes(DATABASE), server.pid]
        used, used_by_others = cpu_seconds([worker.pid]), cpu_seconds(others)
        await until_received(server, recipients)
        seconds, sent = time.monotonic() - began, (recipients - first) / 1000
        used = cpu_seconds([worker.pid]) - used
        used_by_others = cpu_seconds({*server_processes(DATABASE), server.pid}) - used_by_others
        memory = peak_memory(worker.pid)
    finally:
        await terminate(worker, 100)
    if (kept := await audience.count_sent(account)) != recipients or server.count != recipients:
        raise RuntimeError(f"{recipients} recipients, {server.count} messages received, {kept} rows sent")
    return Measured(1000 * sent / seconds, used / sent, (used + used_by_others) / sent, memory)
