"""Sends to many contacts answer at once and start mailing while the other rows are still being made."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from jobs.worker import send
from tests.api.conftest import Api
from tests.factories import account_on, make_account, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.world import until_received
from tests.plans import use_plans
from tests.support.audiences import make_audience
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.campaigns import run_rows
from webapp.domain.campaigns.runs import finish_runs
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.models import (
    Campaign,
    CampaignContact,
    CampaignRun,
    Contact,
    MailLog,
    Organization,
    OrgUsage,
    Segment,
    SegmentContact,
)
from webapp.sending.smtp.pool import SmtpPool

MANY = 12_000
SOME = 2_500
FIRST = run_rows.FIRST_ROWS
PATIENCE = 150


@dataclass
class World:
    """A campaign of acme whose segment has many members."""

    api: Api
    org: Organization
    campaign: Campaign
    segment: Segment
    members: list[UUID]

    @property
    def path(self) -> str:
        return f"/v1/campaigns/{self.campaign.id}"

    async def send(self) -> int:
        status, answer = await self.api.post(f"{self.path}/send", {})
        assert status == 200, answer
        return int(answer["contacts_messaged"])

    async def run(self) -> CampaignRun:
        run = await CampaignRun.of(self.org).order_by("-id").first()
        assert run is not None
        return run

    async def shown(self) -> dict[str, int]:
        """How many rows the API says are in which status."""
        _, answer = await self.api.get(f"{self.path}/runs/{(await self.run()).id}")
        names = ("pending", "sending", "sent", "failed", "deferred", "halted")
        counts = {name: answer["data"][name] for name in names if answer["data"][name]}
        assert answer["data"]["total"] == sum(counts.values())
        return counts

    async def mailed(self) -> list[UUID | None]:
        """The contacts of the newest run's rows, in order."""
        rows = MailLog.of(self.org).filter(campaign_run_id=(await self.run()).id)
        found: list[Any] = list(await rows.values_list("contact_id", flat=True))
        return sorted(found)

    async def is_made(self) -> bool:
        return (await self.run()).materialised


async def make_world(api: Api, org: Organization, count: int) -> World:
    segment, members = await make_audience(org, count)
    campaign = await make_campaign(org, segment=segment, template=await make_template(org))
    return World(api, org, campaign, segment, members)


@pytest.fixture
async def world(api: Api, acme: Organization, rival: Organization) -> World:
    """With more members than are made before a send answers; a stranger has as many contacts."""
    await make_audience(rival, 10)
    await make_account(acme)
    return await make_world(api, acme, SOME)


async def used(org: Organization) -> int:
    """How much of the month's quota is used."""
    return int((await OrgUsage.of(org).get(metric="monthly_email_quota")).used)


async def use_small_plan(settings: Settings, org: Organization, quota: int) -> None:
    use_plans(settings, {"small": {"monthly_email_quota": quota}})
    await Organization.filter(id=org.id).update(plan="small")


async def test_12000_contacts_get_one_row_each(api: Api, acme: Organization, rival: Organization) -> None:
    await make_account(acme)
    world = await make_world(api, acme, MANY)
    assert await world.send() == MANY
    assert await world.shown() == {"pending": FIRST}
    await finish_runs()
    assert (await world.run()).status == "sending"
    await run_rows.create_pending_rows()
    assert await world.is_made()
    assert await world.shown() == {"pending": MANY}
    assert await world.mailed() == world.members
    ledger = await CampaignContact.of(acme).filter(campaign_id=world.campaign.id).values_list("contact_id", flat=True)
    assert sorted(ledger) == world.members
    assert await MailLog.of(rival).count() == 0


async def test_the_first_mail_leaves_before_all_rows_are_made(
    api: Api, acme: Organization, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme, daily_mail_limit=10_000)
    world = await make_world(api, acme, FIRST + 200)
    await world.send()
    sender, stop = Dispatcher(SmtpPool(), lease_seconds=5), asyncio.Event()
    sending = asyncio.create_task(send(sender, stop, 5))
    try:
        await until_received(smtp_server, 1, PATIENCE)
        assert not await world.is_made()
        await run_rows.create_pending_rows()
        sender.wake()
        await until_received(smtp_server, FIRST + 200, PATIENCE)
    finally:
        stop.set()
        await sending
    assert len({mail.recipients[0] for mail in smtp_server.messages}) == FIRST + 200
    assert (await world.run()).status == "completed"


async def test_rows_made_after_a_stop_are_halted_and_a_resume_sends_exactly_the_rest(world: World) -> None:
    await world.send()
    run = await world.run()
    assert await run_rows.create_next_batch(run.id, 500)
    rows = MailLog.of(world.org).filter(campaign_run_id=run.id)
    sent = await rows.order_by("id").limit(700).values_list("id", flat=True)
    await MailLog.of(world.org).filter(id__in=sent).update(status="sent")
    assert (await world.api.post(f"{world.path}/stop"))[0] == 200
    assert await world.shown() == {"sent": 700, "halted": 800}
    assert await run_rows.create_next_batch(run.id, 500)
    assert await world.shown() == {"sent": 700, "halted": 1_300}
    assert (await world.api.post(f"{world.path}/resume"))[0] == 200
    assert await world.shown() == {"sent": 700, "pending": 1_300}
    await rows.update(status="sent")
    await finish_runs()
    assert (await world.run()).status == "sending"
    await run_rows.create_pending_rows()
    assert await world.shown() == {"sent": 2_000, "pending": 500}
    assert await world.mailed() == world.members


async def test_several_at_once_make_each_row_once(world: World) -> None:
    await world.send()
    run = await world.run()

    async def make_all() -> None:
        while await run_rows.create_next_batch(run.id, 100):
            pass

    await asyncio.gather(*(make_all() for _ in range(4)))
    assert await world.is_made()
    assert await world.mailed() == world.members


async def test_who_leaves_or_joins_before_rows_are_made_gets_none_and_the_quota_is_given_back(
    world: World, settings: Settings
) -> None:
    await use_small_plan(settings, world.org, SOME)
    early, late, later = world.members[0], world.members[-1], world.members[-2]
    assert await world.send() == SOME
    assert await used(world.org) == SOME
    joined = await make_contact(world.org)  # who gets none either
    await SegmentContact.create(org=world.org, segment=world.segment, contact=joined)
    assert (await world.api.patch(f"/v1/contacts/{early}", {"status": "unsubscribed"}))[0] == 200
    assert (await world.api.patch(f"/v1/contacts/{late}", {"status": "unsubscribed"}))[0] == 200
    assert (await world.api.delete(f"/v1/contacts/{later}"))[0] == 200
    await Contact.of(world.org).filter(id=world.members[-3]).update(bounced_at=clock.now())
    assert (await world.api.delete(f"/v1/segments/{world.segment.id}/contacts/{world.members[-4]}"))[0] == 200
    await run_rows.create_pending_rows()
    assert await world.is_made()
    assert await world.mailed() == world.members[:-4]
    assert await used(world.org) == SOME - 4


async def test_who_subscribes_again_takes_nobodys_place(world: World, settings: Settings) -> None:
    await use_small_plan(settings, world.org, SOME - 1)
    back = world.members[-3]
    await Contact.of(world.org).filter(id=back).update(status="unsubscribed")
    assert await world.send() == SOME - 1
    await Contact.of(world.org).filter(id=back).update(status="subscribed")
    await run_rows.create_pending_rows()
    assert await world.is_made()
    assert len(await world.mailed()) == await used(world.org) == SOME - 1


async def test_a_retry_of_many_is_made_by_and_by(world: World) -> None:
    await world.send()
    await run_rows.create_pending_rows()
    await MailLog.of(world.org).update(status="failed")
    await MailLog.of(world.org).filter(contact_id__in=world.members[:300]).update(status="sent")
    await finish_runs()
    status, answer = await world.api.post(f"{world.path}/runs/{(await world.run()).id}/retry")
    assert (status, answer["data"]["trigger"], answer["data"]["total"]) == (200, "retry", FIRST - 300)
    await run_rows.create_pending_rows()
    assert await world.is_made()
    assert await world.mailed() == world.members[300:]
    assert await CampaignContact.of(world.org).count() == SOME


IN_ROME = {"field": "custom_fields.town", "op": "is", "value": "rome"}


async def make_dynamic_campaign(org: Organization) -> Campaign:
    dynamic = {"kind": "dynamic", "member_filter": IN_ROME}
    segment = await Segment.create(org=org, name="In Rome", name_key="in rome", **dynamic)
    return await make_campaign(org, segment=segment, template=await make_template(org))


@asynccontextmanager
async def slow_reads(org: Organization) -> AsyncIterator[None]:
    """All slow reads that the organization may make at once are under way."""
    ended = asyncio.Event()

    async def read() -> None:
        async with db.searching(org.id):
            await ended.wait()

    reads = [asyncio.create_task(read()) for _ in range(1 if db.dialect().has_one_writer else 2)]
    await asyncio.sleep(0.05)
    yield
    ended.set()
    await asyncio.gather(*reads)


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "once"}])
@pytest.mark.parametrize("is_dynamic", [True, False])
async def test_others_write_while_an_audience_is_counted(
    api: Api, rival_api: Api, acme: Organization, headers: dict[str, str], *, is_dynamic: bool
) -> None:
    await make_account(acme)
    contact = await make_contact(acme, custom_fields={"town": "Rome"})
    campaign = await make_dynamic_campaign(acme)
    if not is_dynamic:
        campaign.segment = await make_segment(acme, contact)
        await campaign.save()
    async with slow_reads(acme):
        sending = asyncio.create_task(api.post(f"/v1/campaigns/{campaign.id}/send", {}, headers=headers))
        await asyncio.sleep(0.2)
        async with asyncio.timeout(5):
            assert (await rival_api.post("/v1/contacts", {"email": "ann@example.org"}))[0] == 201
        assert not sending.done()
    assert (await sending)[1]["contacts_messaged"] == 1
    assert await MailLog.of(acme).count() == 1


async def test_a_campaign_changed_while_its_audience_is_counted_is_not_sent(api: Api, acme: Organization) -> None:
    await make_account(acme)
    campaign = await make_dynamic_campaign(acme)
    other = await make_segment(acme, await make_contact(acme))
    async with slow_reads(acme):
        sending = asyncio.create_task(api.post(f"/v1/campaigns/{campaign.id}/send", {}))
        await asyncio.sleep(0.2)
        assert (await api.patch(f"/v1/campaigns/{campaign.id}", {"segment_id": str(other.id)}))[0] == 200
    status, answer = await sending
    assert (status, answer["error"]) == (409, "Conflict")
    assert await CampaignRun.of(acme).count() == 0
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[1]["contacts_messaged"] == 1
