"""Delivery of one campaign in several ways, in turn in one run: with listeners, of several letters, paced, by topic.

An endpoint for everything (`*`) hears of the run; one that names `email.sent` as well hears of each recipient.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from tests.factories import make_template, make_topic, make_webhook
from tests.fakes.endpoint import Endpoint
from tests.tools.bench.crowd import CONNECTIONS, Crowd, Service, analyse, service
from tests.tools.bench.delivery import measure_run
from tests.tools.bench.machine import Sink, cpu_seconds, sink, until_received
from tests.tools.bench.world import DAILY_LIMIT, DATABASE, Audience, drop, world
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns.content import campaign_content
from webapp.domain.campaigns.tracked_links import track
from webapp.domain.templates.inputs import NewTemplate
from webapp.domain.templates.starters import find_starter
from webapp.domain.templates.templates import add_template
from webapp.languages import LANGUAGES
from webapp.models import Campaign, Contact, Organization, Topic, TopicChoice, TrackedLink
from webapp.models.outbox.send_window import DAYS

ROUNDS = 6
PAIRS = 3
NOBODY: tuple[str, ...] = ()
LISTENERS = {"no endpoint": NOBODY, "everything": ("*",), "each recipient too": ("*", "email.sent")}

# As fast as without a pace, which is compared.
PACED = {
    "max_per_minute": 60_000_000,
    "max_per_hour": 2_000_000_000,
    "send_window": {"days": list(DAYS), "from": "00:00", "to": "24:00", "timezone": "Europe/Berlin"},
    "ramp": {"start": DAILY_LIMIT // 2, "step_percent": 20, "until": DAILY_LIMIT},
    "reserve_for_transactional": 50,
}

Run = Callable[[], Awaitable[tuple[float, float]]]


async def measure_webhooks(folder: Path, recipients: int) -> None:
    """Print messages a second, the worker's CPU, and the share of the rate without an endpoint; medians of rounds."""
    async with world(folder) as settings:
        audience = await Audience.make(recipients)
        runs = {
            label: partial(_with_listener, settings, audience, folder, recipients, events)
            for label, events in LISTENERS.items()
        }
        print(f"webhooks   {recipients:,} recipients, {CONNECTIONS} connections, {settings.dialect}, {ROUNDS} rounds")
        await _compare(runs)
    await drop(settings)


async def measure_letters(folder: Path, recipients: int) -> None:
    """Print the same of a starter's HTML pasted, of the blocks that it is made of, and with opens and clicks counted."""
    async with world(folder) as settings:
        audience = await Audience.make(recipients)
        runs = {
            label: partial(_sent, settings, one, folder, recipients)
            for label, one in (await _letters(audience)).items()
        }
        print(f"letters    {recipients:,} recipients, {CONNECTIONS} connections, {settings.dialect}, {ROUNDS} rounds")
        await _compare(runs)
    await drop(settings)


async def measure_pace(folder: Path, recipients: int) -> None:
    """Print the same of an account without a pace, and of one with all that a pace has."""
    async with world(folder) as settings:
        audience = await Audience.make(recipients)
        runs = {
            label: partial(_sent, settings, audience, folder, recipients, **fields)
            for label, fields in {"without a pace": {}, "with a pace": PACED}.items()
        }
        print(f"pace       {recipients:,} recipients, {CONNECTIONS} connections, {settings.dialect}, {PAIRS} rounds")
        await _compare(runs, PAIRS)
    await drop(settings)


async def measure_topics(folder: Path, recipients: int) -> None:
    """Print the same of campaigns sent over HTTP, whose rows are made meanwhile, without and with a topic.

    Half of the contacts have chosen that topic, and their languages are all that Pennypost has.
    """
    async with service(folder, DATABASE) as running, sink(folder) as server:
        settings = running.settings
        async with Crowd.gathered(settings, recipients) as plain, Crowd.gathered(settings, recipients) as reader:
            topic = await _topic_of(reader.org)
            runs = {
                "without a topic": partial(_campaign, plain, running, server, recipients),
                "topic and languages": partial(_campaign, reader, running, server, recipients, topic),
            }
            print(f"topics     {recipients:,} recipients each, {settings.dialect}, {PAIRS} rounds")
            await _compare(runs, PAIRS)


async def _topic_of(org: Organization) -> Topic:
    topic = await make_topic(org)
    ids = await Contact.of(org).order_by("id").values_list("id", flat=True)
    share = -(-len(ids) // len(LANGUAGES))  # in a row, so that the updated contacts are stored in the order of others
    for start, language in zip(range(0, len(ids), share), LANGUAGES, strict=True):
        await Contact.of(org).filter(id__in=ids[start : start + share]).update(language=language)
    fields = {"subscription": topic.default_subscription, "source": "api", "changed_at": clock.now()}
    await TopicChoice.insert_many(
        [TopicChoice(org=org, topic=topic, contact_id=row_id, **fields) for row_id in ids[::2]]
    )
    await analyse()
    return topic


async def _campaign(
    crowd: Crowd, running: Service, server: Sink, recipients: int, topic: Topic | None = None
) -> tuple[float, float]:
    """The rate and the worker's CPU of a campaign, from its first message at the receiver to the last."""
    before = server.count
    await crowd.send(await crowd.campaign(topic), await crowd.account(server.port))
    first = await until_received(server, before + 1)
    began, used = time.monotonic(), cpu_seconds([running.worker.pid])
    sent = await until_received(server, before + recipients) - first
    return sent / (time.monotonic() - began), 1000 * (cpu_seconds([running.worker.pid]) - used) / sent


async def _letters(audience: Audience) -> Mapping[str, Audience]:
    starter = find_starter("newsletter")
    blocks = await add_template(audience.org, NewTemplate.model_validate({"kind": "blocks", **starter.as_fields()}))
    pasted = await make_template(audience.org, name="Pasted", subject=blocks.subject, body=blocks.body)
    campaign = Campaign(org_id=audience.org.id, title="News")
    contents = [campaign_content(campaign, template) for template in (pasted, blocks, pasted)]
    links = track(contents[2], {"opens": True, "clicks": True})
    for content in contents:
        await content.save(force_create=True)
    await TrackedLink.insert_many(links)
    labels = ("pasted", "blocks", f"pasted, {len(links)} links tracked")
    return {label: audience.with_content(content) for label, content in zip(labels, contents, strict=True)}


async def _compare(runs: Mapping[str, Run], rounds: int = ROUNDS) -> None:
    found: dict[str, list[tuple[float, float]]] = {label: [] for label in runs}
    order = list(runs)
    for _ in range(rounds):
        for label in order:
            found[label].append(await runs[label]())
        order = [*order[1:], order[0]]  # each is in every place as often: the tables grow meanwhile
    print(f"{'':24}{'messages/s':>42}{'median':>9}{'share':>8}{'CPU s/1,000':>13}{'of first':>10}")
    first = next(iter(found.values()))
    for label, figures in found.items():
        rate, cpu = (median(values) for values in zip(*figures, strict=True))
        each = " ".join(f"{one:,.0f}" for one, _ in figures)
        pairs = list(zip(figures, first, strict=True))
        share, of_cpu = (median(own[which] / other[which] for own, other in pairs) for which in (0, 1))
        print(f"{label:24}{each:>42}{rate:9,.0f}{share:8.3f}{cpu:13.3f}{of_cpu:10.3f}")


async def _with_listener(
    settings: Settings, audience: Audience, folder: Path, recipients: int, events: tuple[str, ...]
) -> tuple[float, float]:
    """The rate and the worker's CPU of a run while an endpoint is subscribed to these events."""
    async with Endpoint() as endpoint:
        webhook = await make_webhook(audience.org, endpoint.url, events=list(events)) if events else None
        found = await _sent(settings, audience, folder, recipients)
        if webhook is not None:
            await webhook.delete()
    return found


async def _sent(
    settings: Settings, audience: Audience, folder: Path, recipients: int, **fields: Any
) -> tuple[float, float]:
    """`fields` are those of the account."""
    async with sink(folder) as server:
        found = await measure_run(settings, audience, server, CONNECTIONS, recipients, **fields)
    return found.rate, found.worker_cpu
