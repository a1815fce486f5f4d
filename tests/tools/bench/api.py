"""Measures the API beside a bare handler of its framework, and among few and many rows: `make bench-api`.

A part, or some routes: `make bench-api ARGS="one --rounds 1 --seconds 3 --only get-contact"`. It needs PostgreSQL.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import uvloop

from tests.conftest import POSTGRES
from tests.fakes.redis_server import RedisServer
from tests.faults.support.web import client_of
from tests.tools.bench.api_figures import MISSED, QUIET, Figures, Round, growth_line
from tests.tools.bench.api_service import (
    BARE,
    ROUTES,
    Filled,
    Route,
    Web,
    bare_handler,
    filled,
    knows_processes,
    web_of,
)
from tests.tools.bench.load import Load, LoadClient
from tests.tools.bench.machine import busy_seconds, cpu_seconds, family, server_processes

PARTS = ("one", "two", "growth", "sync")
Fill = Callable[[], AbstractAsyncContextManager[Filled]]
SYNCED, SYNCED_AT_ONCE = 10_000, 1_000
IDLE_CORES, IDLE_SECONDS, PATIENCE = 0.1, 0.3, 60.0


@dataclass
class Bench:
    """A measurement: it remembers whether a bound was missed, and the most that others took."""

    client: LoadClient
    bare_port: int
    databases: Sequence[str]
    routes: Sequence[Route]
    rounds: int
    seconds: int
    missed: int = 0
    others: float = 0.0

    @property
    def shared(self) -> list[Route]:
        return [route for route in self.routes if route.growth is None]

    async def share(self, web: Web, route: Route, label: str = "") -> None:
        """Measure a route beside the bare handler, in turns, and print its line."""
        await self._warm(web, route)
        rounds = [await self._beside_bare(web, route) for _ in range(self.rounds)]
        self._print([figures := Figures(rounds)], figures.line(label or route.label, route.share))

    async def compare(self, small: Web, large: Web, route: Route) -> None:
        """Measure a route among few rows and many, in turns, and print its line."""
        for web in (small, large):
            await self._warm(web, route)
        pairs = [(await self._round(small, route), await self._round(large, route)) for _ in range(self.rounds)]
        few, many = map(Figures, zip(*pairs, strict=True))
        self._print([few, many], growth_line(route.label, few, many, route.p99, route.growth))

    def _print(self, figures: Sequence[Figures], line: str) -> None:
        print(line, flush=True)
        self.missed += MISSED in line
        self.others = max(self.others, *(one.others for one in figures))

    async def _warm(self, web: Web, route: Route) -> None:
        await self.client.ask(web.port, web.filled.requests(route), 1)

    async def _beside_bare(self, web: Web, route: Route) -> Round:
        bare, others = await self._ask(self.bare_port, [BARE])
        if not bare.answered:
            raise RuntimeError("the bare handler has answered nothing: others take the whole machine")
        found = await self._round(web, route)
        return replace(found, bare=bare.rate, others=max(found.others, others))

    async def _round(self, web: Web, route: Route) -> Round:
        before = cpu_seconds(family(web.process_id))
        load, others = await self._ask(web.port, list(web.filled.requests(route)))
        return Round(load, cpu_seconds(family(web.process_id)) - before, others)

    async def _ask(self, port: int, requests: Sequence[bytes]) -> tuple[Load, float]:
        """Ask, once what was asked before is done; returns the cores that other programs took as well."""
        await self._until_idle()
        began, busy, own = time.monotonic(), busy_seconds(), self._used()
        load = await self.client.ask(port, requests, self.seconds)
        seconds = time.monotonic() - began
        others = busy_seconds() - busy - (self._used() - own)
        return load, max(others / seconds, 0)

    async def _until_idle(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            before = self._used()
            await asyncio.sleep(IDLE_SECONDS)
            if self._used() - before < IDLE_CORES * IDLE_SECONDS:
                return

    def _used(self) -> float:
        """CPU seconds of this measurement: of the processes it has started, those that ended, and PostgreSQL's."""
        own = family(os.getpid()).union(*map(server_processes, self.databases))
        ended = os.times()
        return cpu_seconds(own) + ended.children_user + ended.children_system


async def main() -> int:
    """Measure; the exit code says whether every bound was kept."""
    chosen = _read_arguments()
    if (own := asyncio.current_task()) is not None:  # so that no process and no database outlives a SIGTERM
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, own.cancel)
    try:
        await (await asyncpg.connect(POSTGRES, timeout=3)).close()
    except (OSError, asyncpg.PostgresError):
        print("PostgreSQL does not answer: nothing is measured")
        return 2
    names = chosen.database, f"{chosen.database}_many"
    routes = [route for route in ROUTES if not chosen.only or route.name in chosen.only]
    with tempfile.TemporaryDirectory() as name, RedisServer() as redis:
        client = LoadClient(Path(name), chosen.connections, ours=chosen.client == "ours")
        few = partial(filled, Path(name), names[0], chosen.rows, redis.url)
        many = partial(filled, Path(name), names[1], chosen.many, redis.url)
        print(f"PostgreSQL, {chosen.connections} connections, {client.name}, {chosen.rows:,} rows; medians of ", end="")
        print(
            f"{chosen.rounds} rounds of {chosen.seconds} s, milliseconds, the cores taken by others in each", flush=True
        )
        async with bare_handler() as port:
            bench = Bench(client, port, names, routes, chosen.rounds, chosen.seconds)
            if "one" in chosen.what:
                await _one(bench, few)
            if "two" in chosen.what:
                await _two(bench, few)
            if "growth" in chosen.what:
                print(f"{chosen.rows:,} rows against {chosen.many:,}", flush=True)
                await _growth(bench, few, many)
            if "sync" in chosen.what:
                await _sync(many)
    if bench.others > QUIET:
        print(f"others took up to {bench.others:.2f} cores: only below {QUIET} do the figures count")
    print(f"{bench.missed} MISSED" if bench.missed else "every bound is kept")
    return int(bool(bench.missed))


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.api", description=__doc__)
    parser.add_argument("what", nargs="*", default=PARTS, help=", ".join(PARTS))
    parser.add_argument("--only", nargs="+", choices=[route.name for route in ROUTES], help="these routes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5, help="of a round")
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--client", choices=("wrk", "ours"), default="wrk", help="ours as well where wrk is missing")
    parser.add_argument("--rows", type=int, default=10_000, help="contacts, and as many rows of mail")
    parser.add_argument("--many", type=int, default=1_000_000, help="what growth compares them with")
    parser.add_argument("--database", default="pennypost_bench_api", help="its name on PostgreSQL, made anew")
    return parser.parse_args()


async def _one(bench: Bench, few: Fill) -> None:
    print("one process, shares of a bare handler's rate", flush=True)
    async with few() as found, web_of(found) as web:
        for route in bench.routes:
            if route.name == "list-emails":
                await bench.share(web, route, f"{route.label}, never analysed")
        await found.analyse()
        for route in bench.shared:
            await bench.share(web, route)


async def _two(bench: Bench, few: Fill) -> None:
    async with few() as found:
        if not await knows_processes(found.settings):
            print("two processes: pennypost web has no --processes", flush=True)
            return
        print("two processes, shares of the rate of a bare handler in one", flush=True)
        await found.analyse()
        async with web_of(found, "--processes", "2") as web:
            for route in bench.shared:
                await bench.share(web, replace(route, share=None))


async def _growth(bench: Bench, few: Fill, many: Fill) -> None:
    async with few() as one, many() as other:
        for found in (one, other):
            await found.analyse()
        async with web_of(one) as small, web_of(other) as large:
            for route in bench.routes:
                await bench.compare(small, large, route)


async def _sync(many: Fill) -> None:
    """Upsert the users of an app, as many as SYNCED, 1,000 at once: new ones, and the same again."""
    async with many() as found, web_of(found) as web:
        await found.analyse()
        async with client_of(web.filled.settings, web.filled.key) as client:
            for label in ("new", "unchanged"):
                began, statuses = time.monotonic(), Counter[str]()
                for first in range(0, SYNCED, SYNCED_AT_ONCE):
                    users = [new_user(number) for number in range(first, first + SYNCED_AT_ONCE)]
                    answer = (await client.post("/contacts/batch", json=users)).raise_for_status()
                    statuses.update(row["status"] for row in answer.json()["data"])
                print(
                    f"sync of {SYNCED:,} users, {label}: {time.monotonic() - began:.1f} s, {dict(statuses)}", flush=True
                )


def new_user(number: int) -> dict[str, Any]:
    fields = {"plan": "pro", "seats": number % 9, "city": "Berlin"}
    return {
        "email": f"user{number}@app.example",
        "first_name": "Ann",
        "last_name": f"User {number}",
        "custom_fields": fields,
    }


if __name__ == "__main__":
    sys.exit(uvloop.run(main()))
