"""A simulated crowd of recipients, people and machines, and what a campaign says of them."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest

from tests.api.conftest import make_api
from tests.factories import make_campaign, make_run, make_segment
from webapp import clock
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.tracking.engagement import Engagement, Figure, engagement_of
from webapp.domain.tracking.judging import judge_hits
from webapp.models import CampaignRun, Event, MailHit, Organization, TrackedLink, Webhook
from webapp.models.mail_log import MailLog
from webapp.models.queries.mail_hits import NewHit, save_hits

RECIPIENTS = 2_000
LINKS = 6
BROWSERS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
    "Mozilla/4.0 (compatible; ms-office; MSOffice 16)",
)
GMAIL = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"


class Asked(NamedTuple):
    seconds: float
    link: int | None
    agent: str
    network: str
    is_head: bool = False
    is_prefetch: bool = False


class Person:
    """Reads an hour or so, with a computer, a phone, or in Gmail; some read it twice, some block pictures."""

    def __init__(self, chance: random.Random, number: int) -> None:
        self._chance, self._network = chance, f"home-{number}"
        self.opens, self.clicks = chance.random() < 0.5, chance.random() < 0.15

    def asks(self) -> Iterator[Asked]:
        chance, at = self._chance, self._chance.expovariate(1 / 3_600)
        if self.opens:
            agent, network = chance.choice([(one, self._network) for one in BROWSERS] + [(GMAIL, "google")])
            for _ in range(chance.choice([1, 1, 2])):
                yield Asked(at, None, agent, network)
        if self.clicks:
            for link in chance.sample(range(LINKS), chance.choice([1, 1, 1, 2, 3])):
                at += chance.uniform(3, 60)
                yield Asked(at, link, BROWSERS[0], self._network)


def fetch_all(chance: random.Random, number: int) -> Iterator[Asked]:
    """A gateway that follows all links of an email at once, and fetches its pictures, as a browser."""
    at = chance.uniform(1, 20)
    yield Asked(at, None, BROWSERS[0], f"gateway-{number % 40}")
    for link in range(LINKS):
        yield Asked(at + link * 0.2, link, BROWSERS[0], f"gateway-{number % 40}")


def check_first(chance: random.Random, _: int) -> Iterator[Asked]:
    """A scanner that gives its name, and asks with HEAD and then for the whole."""
    at = chance.uniform(1, 300)
    yield Asked(at, 0, "Barracuda Sentinel (EE)", "barracuda", is_head=True)
    yield Asked(at + 1, 0, "Barracuda Sentinel (EE)", "barracuda")


def sweep(chance: random.Random, _: int) -> Iterator[Asked]:
    """A provider's scanner that looks at one link of each email, from one network, as a browser."""
    yield Asked(chance.uniform(1, 90), chance.randrange(LINKS), BROWSERS[0], "provider")


def protect(chance: random.Random, _: int) -> Iterator[Asked]:
    """Apple's proxy, which fetches all pictures at some time."""
    yield Asked(chance.uniform(1, 7_200), None, "Mozilla/5.0", f"apple-{chance.randrange(20)}")


def prefetch(chance: random.Random, number: int) -> Iterator[Asked]:
    yield Asked(chance.uniform(1, 7_200), 0, BROWSERS[0], f"home-{number}", is_prefetch=True)


MACHINES = (fetch_all, check_first, sweep, protect, prefetch)


class Crowd(NamedTuple):
    run: CampaignRun
    openers: int
    clickers: int
    machines: set[UUID]  # the rows that machines alone asked for


async def make_crowd(org: Organization, seed: int, start: datetime) -> Crowd:
    chance = random.Random(seed)
    run, row_ids = await make_run(org, [], RECIPIENTS)
    run.tracking = {"opens": True, "clicks": True}
    await run.save()
    await MailLog.filter(campaign_run_id=run.id).update(status="sent")
    links = [
        await TrackedLink.create(org=org, content_id=run.content_id, number=number, url=f"https://x.example/{number}")
        for number in range(LINKS)
    ]
    hits, openers, clickers, machines = list[NewHit](), 0, 0, set[UUID]()
    for number, row_id in enumerate(row_ids):
        person = Person(chance, number)
        asked = list(person.asks())
        openers, clickers = openers + person.opens, clickers + person.clicks
        if not asked:
            machines.add(row_id)
        if chance.random() < 0.6:
            asked += chance.choice(MACHINES)(chance, number)
        hits += [
            NewHit(
                id=uuid4(),
                created_at=start + timedelta(seconds=one.seconds),
                mail_log_id=row_id,
                link_id=None if one.link is None else links[one.link].id,
                org_id=org.id if one.link is None else None,
                agent=one.agent,
                network=one.network[:16],
                is_head=one.is_head,
                is_prefetch=one.is_prefetch,
                repeats=0,
            )
            for one in asked
        ]
    for first in range(0, len(hits), 500):
        await save_hits(hits[first : first + 500])
    return Crowd(run, openers, clickers, machines)


def is_within(counted: int, wanted: int, share: float = 0.03) -> bool:
    return abs(counted - wanted) <= share * wanted


def check(found: Engagement, crowd: Crowd) -> None:
    assert found.opens is not None
    assert found.clicks is not None
    assert is_within(found.opens.people, crowd.openers), (found.opens, crowd.openers)
    assert is_within(found.clicks.people, crowd.clickers), (found.clicks, crowd.clickers)
    for figure in (found.opens, found.clicks, *(link.clicks for link in found.links)):
        assert figure.people + sum(figure.left_out.values()) == figure.fetched
    assert found.opens.left_out["proxy"] > 50
    assert {rule for rule, recipients in found.clicks.left_out.items() if recipients} == {
        "prefetch",
        "head",
        "burst",
        "sweep",
    }


@pytest.mark.parametrize("seed", [1, 2])
async def test_people_are_counted_within_three_per_cent(
    acme: Organization, rival: Organization, settings: Settings, seed: int
) -> None:
    hook = {"url": "https://hooks.example.org", "events": ["email.opened", "email.clicked"], "secret": "x"}
    await Webhook.create(org=acme, **hook)
    crowd = await make_crowd(acme, seed, clock.now() - timedelta(days=1))
    before = await engagement_of(acme, crowd.run)
    assert before.opens is not None
    assert (before.opens.people, before.opens.left_out["waiting"]) == (0, before.opens.fetched)
    await judge_hits()
    found = await engagement_of(acme, crowd.run)
    check(found, crowd)
    wrong = await MailHit.across_orgs().filter(mail_log_id__in=list(crowd.machines), verdict="person")
    assert wrong == []
    events = await Event.across_orgs().filter(type__in=["email.opened", "email.clicked"])
    assert len(events) == await MailHit.across_orgs().count()
    assert {event.data["is_machine"] for event in events} == {True, False, None}
    assert all(event.data["link"].startswith("https://x.example/") for event in events if event.type == "email.clicked")
    assert (await engagement_of(rival, crowd.run)).opens == Figure()
    # The rules can be run again over what is stored.
    await MailHit.across_orgs().update(verdict=None)
    await Webhook.all().delete()
    await judge_hits()
    assert await engagement_of(acme, crowd.run) == found


async def test_hits_are_judged_after_a_minute_and_corrected_later(acme: Organization, settings: Settings) -> None:
    now = clock.now()
    crowd = await make_crowd(acme, 1, now + timedelta(hours=1))
    await judge_hits()
    assert not await MailHit.across_orgs().filter(verdict__not_isnull=True).exists()
    rows = await MailLog.across_orgs().order_by("id").limit(12)
    link = await TrackedLink.across_orgs().first()
    assert link is not None
    await MailHit.across_orgs().delete()

    def swept(number: int, seconds: float) -> NewHit:
        at = now - timedelta(seconds=seconds)
        return NewHit(uuid4(), at, rows[number].id, link.id, None, BROWSERS[0], "one", False, False, 0)

    await save_hits([swept(number, 70) for number in range(9)])
    await judge_hits()
    assert set(await MailHit.across_orgs().values_list("verdict", flat=True)) == {"person"}
    await save_hits([swept(9, 65)])
    await judge_hits()
    assert set(await MailHit.across_orgs().values_list("verdict", flat=True)) == {"sweep"}
    await make_campaign(acme, segment=await make_segment(acme), template=None, id=crowd.run.campaign_id)
    api = await make_api(create_app(settings), acme)
    status, shown = await api.get(f"/v1/campaigns/{crowd.run.campaign_id}/runs/{crowd.run.id}/engagement")
    assert (status, shown["data"]["clicks"]["people"], shown["data"]["clicks"]["left_out"]["sweep"]) == (200, 0, 10)
