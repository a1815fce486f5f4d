"""Hits are judged after a minute, counted by recipient, told of to webhooks, and judged again when more come."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import uuid4

import pytest

from tests.api.conftest import Api
from tests.factories import make_campaign, make_run, make_segment, make_webhook
from webapp import clock
from webapp.domain.tracking.engagement import Figure, engagement_of
from webapp.domain.tracking.judging import judge_hits
from webapp.models import CampaignRun, Event, MailHit, MailLog, Organization, TrackedLink
from webapp.models.queries.mail_hits import NewHit, save_hits

BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36"
GOOGLE = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"


class Asked(NamedTuple):
    recipient: int
    link: int | None = None
    seconds_ago: float = 600.0
    agent: str = BROWSER
    network: str = ""
    is_head: bool = False
    is_prefetch: bool = False


class Tracked(NamedTuple):
    """A run that is tracked, with its rows and links."""

    run: CampaignRun
    rows: list[MailLog]
    links: list[TrackedLink]

    async def ask(self, asked: Sequence[Asked]) -> None:
        now = clock.now()
        await save_hits(
            [
                NewHit(
                    id=uuid4(),
                    created_at=now - timedelta(seconds=one.seconds_ago),
                    mail_log_id=self.rows[one.recipient].id,
                    link_id=None if one.link is None else self.links[one.link].id,
                    org_id=self.rows[one.recipient].org_id if one.link is None else None,
                    agent=one.agent,
                    network=one.network or f"home-{one.recipient}",
                    is_head=one.is_head,
                    is_prefetch=one.is_prefetch,
                    repeats=0,
                )
                for one in asked
            ]
        )


@pytest.fixture
async def tracked(acme: Organization) -> Tracked:
    run, _ = await make_run(acme, [], 30)
    run.tracking = {"opens": True, "clicks": True}
    await run.save()
    await MailLog.filter(campaign_run_id=run.id).update(status="sent")
    urls = [f"https://x.example/{number}" for number in range(4)]
    links = [
        await TrackedLink.create(org=acme, content_id=run.content_id, number=number, url=url)
        for number, url in enumerate(urls)
    ]
    return Tracked(run, await MailLog.filter(campaign_run_id=run.id).order_by("id"), links)


async def verdicts() -> set[str | None]:
    return set(await MailHit.across_orgs().values_list("verdict", flat=True))


async def test_people_are_counted_once_and_machines_by_what_told_them(
    acme: Organization, rival: Organization, tracked: Tracked
) -> None:
    await make_webhook(acme, events=["email.opened", "email.clicked"])
    await tracked.ask(
        [
            *(Asked(0, ago_link, seconds_ago=ago) for ago, ago_link in ((900, None), (890, None), (860, 0), (840, 1))),
            Asked(1, agent=GOOGLE, network="google"),
            Asked(2, agent="Mozilla/5.0", network="apple"),
            Asked(3, 0, is_prefetch=True),
            Asked(4, 0, agent="Barracuda Sentinel (EE)", is_head=True),
            *(Asked(5, link, seconds_ago=600 - link / 2) for link in range(3)),
            *(Asked(10 + number, 0, network="provider") for number in range(12)),
        ]
    )
    before = await engagement_of(acme, tracked.run)
    assert (before.opens.people, before.opens.left_out["waiting"]) == (0, before.opens.fetched)
    await judge_hits()
    found = await engagement_of(acme, tracked.run)
    assert (found.opens.people, found.opens.fetched, found.opens.left_out["proxy"]) == (2, 3, 1)
    left_out = {rule: recipients for rule, recipients in found.clicks.left_out.items() if recipients}
    assert (found.clicks.people, left_out) == (1, {"prefetch": 1, "head": 1, "burst": 1, "sweep": 12})
    for figure in (found.opens, found.clicks, *(link.clicks for link in found.links)):
        assert figure.people + sum(figure.left_out.values()) == figure.fetched
    events = await Event.of(acme).filter(type__in=["email.opened", "email.clicked"])
    assert len(events) == await MailHit.across_orgs().count()
    assert {event.data["is_machine"] for event in events} == {True, False, None}
    assert (await engagement_of(rival, tracked.run)).opens == Figure()
    await MailHit.across_orgs().update(verdict=None)  # the rules can be run again over what is stored
    await judge_hits()
    assert await engagement_of(acme, tracked.run) == found


async def test_hits_are_judged_after_a_minute_and_corrected_later(
    acme: Organization, api: Api, tracked: Tracked
) -> None:
    await tracked.ask([Asked(20, 0, seconds_ago=30)])
    await judge_hits()
    assert await verdicts() == {None}
    await MailHit.across_orgs().delete()
    await tracked.ask([Asked(number, 0, seconds_ago=70, network="one") for number in range(9)])
    await judge_hits()
    assert await verdicts() == {"person"}
    await tracked.ask([Asked(9, 0, seconds_ago=65, network="one")])
    await judge_hits()
    assert await verdicts() == {"sweep"}
    await make_campaign(acme, segment=await make_segment(acme), template=None, id=tracked.run.campaign_id)
    status, shown = await api.get(f"/v1/campaigns/{tracked.run.campaign_id}/runs/{tracked.run.id}/engagement")
    assert (status, shown["data"]["clicks"]["people"], shown["data"]["clicks"]["left_out"]["sweep"]) == (200, 0, 10)
