"""POST /v1/campaigns/{id}/send: counting a large audience keeps no other organization waiting."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.api.conftest import Api
from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from webapp import db
from webapp.models import Campaign, CampaignRun, MailLog, Organization, Segment

IN_ROME = {"field": "custom_fields.town", "op": "is", "value": "rome"}


async def make_dynamic(org: Organization) -> Campaign:
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
    campaign = await make_dynamic(acme)
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
    campaign = await make_dynamic(acme)
    other = await make_segment(acme, await make_contact(acme))
    async with slow_reads(acme):
        sending = asyncio.create_task(api.post(f"/v1/campaigns/{campaign.id}/send", {}))
        await asyncio.sleep(0.2)
        assert (await api.patch(f"/v1/campaigns/{campaign.id}", {"segment_id": str(other.id)}))[0] == 200
    status, answer = await sending
    assert (status, answer["error"]) == (409, "Conflict")
    assert await CampaignRun.of(acme).count() == 0
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[1]["contacts_messaged"] == 1
