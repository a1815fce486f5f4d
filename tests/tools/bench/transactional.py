"""How long transactional mail takes while a campaign to many is under way, on the campaign's account and on another."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from uuid import UUID

from tests.tools.bench.crowd import CONNECTIONS, Crowd, service
from tests.tools.bench.machine import sink
from tests.tools.bench.verdicts import Verdicts
from webapp.models import Account, MailLog

CONTACTS = 200_000  # at most
MAILS = 100
A_SECOND = 10
WARM = 50  # the campaign is under way when one in so many is mailed
PATIENCE = 60.0
ASK_EVERY = 0.02
BOUND = 2.0  # seconds


async def measure_transactional(folder: Path, database: str, contacts: int, verdicts: Verdicts) -> None:
    """Print the latency of mails posted to the API, from the request to the receiver's yes."""
    contacts, arrivals = min(contacts, CONTACTS), folder / "arrivals"
    arrivals.touch()
    async with (
        service(folder, database) as running,
        sink(folder) as server,
        sink(folder, ours=True, arguments=("--arrivals", str(arrivals))) as noting,
        Crowd.gathered(running.settings, contacts) as crowd,
    ):
        print(f"campaign   {contacts:,} contacts on {CONNECTIONS} connections; {MAILS} mails on each of two accounts")
        same, other = await crowd.account(server.port), await crowd.account(noting.port, 4)
        campaign = await crowd.campaign()
        await crowd.send(campaign, same)
        await _until(lambda: server.count >= contacts // WARM)
        began, before = time.monotonic(), server.count
        on_same, on_other = await asyncio.gather(_post(crowd, same, "same"), _post(crowd, other, "other"))
        await _until(lambda: noting.count >= MAILS)
        rate = (server.count - before) / (time.monotonic() - began)
        print(f"{'rate of the campaign meanwhile':58}{rate:10,.0f} /s")
        is_under_way = await crowd.count(campaign, "pending") > 0
        verdicts.equal("the campaign was under way until the last mail", int(is_under_way), 1)
        _print("another account, at its receiver", on_other, _read(arrivals), verdicts)
        _print("the campaign's account, by its rows", on_same, await _until_sent(on_same), verdicts)


async def _post(crowd: Crowd, account: Account, name: str) -> dict[str, tuple[float, UUID]]:
    """Post mails at an even pace; returns when each was, by the machine's clock, and its id by its address."""
    posted: dict[str, tuple[float, UUID]] = {}

    async def post(number: int) -> None:
        await asyncio.sleep(number / A_SECOND)
        address, at = f"{name}{number}@example.org", time.time()
        answer = await crowd.post("/emails", _mail(account, address))
        posted[address] = at, UUID(answer["id"])

    await asyncio.gather(*(post(number) for number in range(MAILS)))
    return posted


def _mail(account: Account, address: str) -> dict[str, str]:
    return {
        "from": "Bench <bench@example.com>",
        "to": address,
        "account_key": account.account_key,
        "subject": "Your code",
        "html": "<p>It is 1234.</p>",
    }


def _read(arrivals: Path) -> dict[str, float]:
    """When the mail to each address was accepted, by the machine's clock."""
    lines = [line.split() for line in arrivals.read_text().splitlines()]
    return {address: float(at) for address, at in lines}


async def _until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110 - another process does it
            await asyncio.sleep(ASK_EVERY)


async def _until_sent(posted: dict[str, tuple[float, UUID]]) -> dict[str, float]:
    """The same by the rows, which say when the outcome was kept: at the receiver it was a moment before."""
    ids = [row_id for _, row_id in posted.values()]
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        rows = await MailLog.across_orgs().filter(email_id__in=ids, status="sent")
        if len(rows) == len(ids):
            return {row.to_email: row.sent_at.timestamp() for row in rows if row.sent_at is not None}
        await asyncio.sleep(ASK_EVERY)
    raise TimeoutError(f"{len(rows)} of {len(ids)} mails were sent")


def _print(label: str, posted: dict[str, tuple[float, UUID]], arrived: dict[str, float], verdicts: Verdicts) -> None:
    seconds = [arrived[address] - at for address, (at, _) in posted.items()]
    cuts = quantiles(seconds, n=100)
    print(f"{f'p50, {label}':58}{cuts[49]:10.3f} s")
    verdicts.most(f"p95, {label}", cuts[94], BOUND, "s")
