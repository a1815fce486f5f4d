"""Campaign mail by a worker in one, two and four processes, which share the machine with PostgreSQL and the receiver."""

import time
from pathlib import Path

from tests.faults.support.processes import FROM_NOTHING, start, terminate
from tests.support.starter import children_of
from tests.tools.bench.machine import Sink, cpu_seconds, server_processes, sink, until_received
from tests.tools.bench.world import DATABASE, Audience, drop, world
from webapp.config import Settings

PROCESSES = (1, 2, 4)
ACCOUNTS, CONNECTIONS = 4, 10  # as one account's claims are taken in turns


async def measure_processes(folder: Path, recipients: int) -> None:
    async with world(folder) as settings:
        if settings.is_sqlite:
            print("processes  need PostgreSQL")
            return
        audience = await Audience.make(recipients)
        print(f"processes  {recipients:,} recipients, {ACCOUNTS} accounts with {CONNECTIONS} connections each")
        print(f"{'':24}{'messages/s':>12}{'CPU s/1,000: workers':>21}{'PostgreSQL':>12}")
        for number in PROCESSES:
            async with sink(folder) as server:
                await _measure(settings, audience, server, number, recipients)
    await drop(settings)


async def _measure(settings: Settings, audience: Audience, server: Sink, number: int, recipients: int) -> None:
    for _ in range(ACCOUNTS):
        await audience.queue(server.port, CONNECTIONS, recipients // ACCOUNTS)
    worker = await start(settings, "worker", "--processes", str(number), program=FROM_NOTHING)
    try:
        first = await until_received(server, 1)
        began, processes = time.monotonic(), [worker.pid, *children_of(worker.pid)]
        used, by_database = cpu_seconds(processes), cpu_seconds(server_processes(DATABASE))
        await until_received(server, recipients)
        seconds, thousands = time.monotonic() - began, (recipients - first) / 1000
        used, by_database = (
            (now - before) / thousands
            for now, before in (
                (cpu_seconds(processes), used),
                (cpu_seconds(server_processes(DATABASE)), by_database),
            )
        )
    finally:
        await terminate(worker, 100)
    print(f"{f'{number} processes':24}{1000 * thousands / seconds:12,.0f}{used:21.3f}{by_database:12.3f}")
