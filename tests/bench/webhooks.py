"""Delivery of a campaign with an endpoint for its events beside delivery without one, in turn in one run.

An endpoint for everything (`*`) hears of the run; one that names `email.sent` as well hears of each recipient.
"""

from pathlib import Path
from statistics import median

from tests.bench.delivery import measure_run
from tests.bench.machine import sink
from tests.bench.world import Audience, drop, world
from tests.factories import make_webhook
from tests.fakes.endpoint import Endpoint
from webapp.config import Settings

CONNECTIONS, ROUNDS = 50, 3
NOBODY: tuple[str, ...] = ()
LISTENERS = {"no endpoint": NOBODY, "everything": ("*",), "each recipient too": ("*", "email.sent")}


async def measure_webhooks(folder: Path, recipients: int) -> None:
    """Print messages a second, the worker's CPU, and the share of the rate without an endpoint; medians of rounds."""
    async with world(folder) as settings:
        audience = await Audience.make(recipients)
        print(f"webhooks   {recipients:,} recipients, {CONNECTIONS} connections, {settings.dialect}, {ROUNDS} rounds")
        found: dict[str, list[tuple[float, float]]] = {label: [] for label in LISTENERS}
        for _ in range(ROUNDS):
            for label, events in LISTENERS.items():
                found[label].append(await _measure_with(settings, audience, folder, recipients, events))
    await drop(settings)
    print(f"{'':24}{'messages/s':>24}{'median':>9}{'share':>8}{'CPU s/1,000':>13}")
    without = median(rate for rate, _ in found["no endpoint"])
    for label, runs in found.items():
        rate, cpu = (median(values) for values in zip(*runs, strict=True))
        each = " ".join(f"{one:,.0f}" for one, _ in runs)
        print(f"{label:24}{each:>24}{rate:9,.0f}{rate / without:8.2f}{cpu:13.3f}")


async def _measure_with(
    settings: Settings, audience: Audience, folder: Path, recipients: int, events: tuple[str, ...]
) -> tuple[float, float]:
    """The rate and the worker's CPU of a run while an endpoint is subscribed to these events."""
    async with Endpoint() as endpoint, sink(folder) as server:
        webhook = await make_webhook(audience.org, endpoint.url, events=list(events)) if events else None
        found = await measure_run(settings, audience, server, CONNECTIONS, recipients)
        if webhook is not None:
            await webhook.delete()
    return found.rate, found.worker_cpu
