"""A campaign to a million contacts: how soon it is accepted and leaves, how fast it goes on, and how it stops."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from tests.tools.bench.crowd import CONNECTIONS, Crowd, Service, analyse, forget_statistics, service
from tests.tools.bench.machine import Sink, cpu_seconds, peak_memory, server_processes, sink, until_received
from tests.tools.bench.verdicts import Verdicts
from webapp.models import Account, Campaign

BASE = 100_000  # contacts of the run that the large one is compared with, and mails that a rate is taken over
SHARE = 10  # with fewer contacts, the one in so many
ANSWER_SECONDS, FIRST_SECONDS, MEGABYTES, LOSS = 1.0, 3.0, 150.0, 0.15
MADE_SECONDS = 900.0
QUIET_SECONDS = 3.0  # in which what left before a stop has arrived


async def measure_million(folder: Path, database: str, contacts: int, verdicts: Verdicts) -> None:
    """Print how a campaign to so many contacts goes, twice: before PostgreSQL knows of them, and after."""
    window = min(BASE, max(contacts // SHARE, 1))
    async with service(folder, database) as running, sink(folder) as server:
        print(f"campaign   {contacts:,} contacts, 10 KB of html, {running.settings.dialect}, {CONNECTIONS} connections")
        print(f"{'':78}CPU s/1,000: of the worker, and of it and PostgreSQL")
        await forget_statistics()
        watch = _Watch(server, [running.worker.pid], database)
        async with Crowd.gathered(running.settings, window) as crowd:
            await crowd.send(await crowd.campaign(), await crowd.account(server.port))
            await until_received(server, 1)
            small = await watch.until(window)
        print(f"{f'rate of a run of {window:,} contacts':58}{small.rate:10,.0f} /s{'':10}{small.cpu}")
        began = time.monotonic()
        async with Crowd.gathered(running.settings, contacts) as crowd:
            print(f"{'contacts inserted':58}{time.monotonic() - began:10.0f} s")
            measured = _Measured(crowd, watch, verdicts, window, small.rate)
            await measured.while_made(contacts)
            await crowd.until_made(MADE_SECONDS)
            await analyse()
            await measured.once_made(contacts)
        verdicts.most("worker's peak memory", _memory(running), MEGABYTES, "MB")


def _memory(running: Service) -> float:
    return peak_memory(running.worker.pid)


@dataclass(frozen=True)
class _Pace:
    """Mails a second, and what they cost; where others use the machine as well, compare the cost."""

    rate: float
    cpu: str


@dataclass(frozen=True)
class _Watch:
    """The receiver, and the processes whose use of the machine is counted."""

    server: Sink
    worker: list[int]
    database: str

    async def until(self, wanted: int) -> _Pace:
        """How fast mails arrive until there are so many."""
        before, began = self.server.count, time.monotonic()
        worker, every = self._used()
        await until_received(self.server, wanted)
        thousands, seconds = (self.server.count - before) / 1000, time.monotonic() - began
        now_worker, now_every = self._used()
        cost = f"{(now_worker - worker) / thousands:.3f} and {(now_every - every) / thousands:.3f}"
        return _Pace(1000 * thousands / seconds, f"CPU s/1,000: {cost}")

    def _used(self) -> tuple[float, float]:
        """CPU seconds of the worker, and of all with the database."""
        worker = cpu_seconds(self.worker)
        return worker, worker + cpu_seconds(server_processes(self.database))


@dataclass
class _Measured:
    """The runs of the large campaign."""

    crowd: Crowd
    watch: _Watch
    verdicts: Verdicts
    window: int
    usual: float  # mails a second of the small run

    async def while_made(self, contacts: int) -> None:
        """The first run, right after its contacts were written."""
        campaign, _, before = await self._begin(contacts, "not analysed")
        await self._rate("while rows are made")
        await self._stop(campaign, before)

    async def once_made(self, contacts: int) -> None:
        """The second, once PostgreSQL knows its tables; it goes on once all its rows are made."""
        campaign, account, before = await self._begin(contacts, "analysed")
        await self.crowd.stand(account, "paused")
        began = time.monotonic()
        await self.crowd.until_made(MADE_SECONDS)
        print(f"{'the rest of the rows made in':58}{time.monotonic() - began:10.1f} s")
        waiting = self.watch.server.count
        await self.crowd.stand(account, "active")
        await until_received(self.watch.server, waiting + 1)
        await self._rate("once rows are made")
        await self._stop(campaign, before)

    async def _begin(self, contacts: int, when: str) -> tuple[Campaign, Account, int]:
        account, before = await self.crowd.account(self.watch.server.port), self.watch.server.count
        campaign = await self.crowd.campaign()
        seconds, queued = await self.crowd.send(campaign, account)
        answered = time.monotonic()
        await until_received(self.watch.server, before + 1)
        first = time.monotonic() - answered
        self.verdicts.most(f"send answers, {when}", seconds, ANSWER_SECONDS, "s")
        self.verdicts.equal(f"queued, {when}", queued, contacts)
        self.verdicts.most(f"first mail after the answer, {when}", first, FIRST_SECONDS, "s")
        return campaign, account, before

    async def _rate(self, when: str) -> None:
        pace = await self.watch.until(self.watch.server.count + self.window)
        kind = "made" if await self.crowd.is_made() else "under way"
        self.verdicts.within(f"rate over {self.window:,} mails, {when} ({kind})", pace.rate, self.usual, LOSS, "/s")
        print(f"{'':78}{pace.cpu}")

    async def _stop(self, campaign: Campaign, before: int) -> None:
        """Stop it, and count what arrives after the answer (P5) and what arrived in all."""
        seconds = await self.crowd.stop(campaign)
        stopped = self.watch.server.count
        print(f"{'stop answers':58}{seconds:10.3f} s")
        await asyncio.sleep(QUIET_SECONDS)
        arrived = self.watch.server.count - before
        self.verdicts.most("mails after stop has answered", self.watch.server.count - stopped, CONNECTIONS + 1, "")
        self.verdicts.equal("mails received, and rows sent", arrived, await self.crowd.count(campaign, "sent"))
