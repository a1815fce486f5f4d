"""POST /v1/campaigns/{id}/send: counting a large audience keeps no other organization waiting."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

import pytest

from tests.api.conftest import Api
from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.figures import Figures
from tests.support.audiences import make_audience
from webapp import db
from webapp.models import Campaign, CampaignRun, MailLog, Organization, Segment

IN_ROME = {"field": "custom_fields.town", "op": "is", "value": "rome"}
NOBODY = {"field": "custom_fields.town", "op": "contains", "value": "x"}
CONTACTS, SENDS, PROBES = 300_000, 6, 40


async def make_dynamic(org: Organization, member_filter: dict[str, str], name: str = "In Rome") -> Campaign:
    segment = await Segment.create(
        org=org, name=name, name_key=name.casefold(), kind="dynamic", member_filter=member_filter
    )
    return await make_campaign(org, segment=segment, template=await make_template(org, name=name))


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
    campaign = await make_dynamic(acme, IN_ROME)
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
    campaign = await make_dynamic(acme, IN_ROME)
    other = await make_segment(acme, await make_contact(acme))
    async with slow_reads(acme):
        sending = asyncio.create_task(api.post(f"/v1/campaigns/{campaign.id}/send", {}))
        await asyncio.sleep(0.2)
        assert (await api.patch(f"/v1/campaigns/{campaign.id}", {"segment_id": str(other.id)}))[0] == 200
    status, answer = await sending
    assert (status, answer["error"]) == (409, "Conflict")
    assert await CampaignRun.of(acme).count() == 0
    assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[1]["contacts_messaged"] == 1


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(600)
async def test_six_sends_to_300000_contacts_delay_nobody_by_a_second(
    api: Api, rival_api: Api, acme: Organization, figures: Figures
) -> None:
    await make_account(acme)
    await make_audience(acme, CONTACTS)
    campaigns = [await make_dynamic(acme, NOBODY if number % 2 else IN_ROME, f"S{number}") for number in range(SENDS)]
    sends = [asyncio.create_task(api.post(f"/v1/campaigns/{one.id}/send", {})) for one in campaigns]
    seconds = []
    while len(seconds) < PROBES or not all(send.done() for send in sends):
        began = monotonic()
        assert (await rival_api.post("/v1/templates", {"name": f"T{len(seconds)}"}))[0] == 201
        seconds.append(monotonic() - began)
        await asyncio.sleep(0.05)
    assert [answer[0] for answer in await asyncio.gather(*sends)] == [200] * SENDS
    figures("95th percentile of another organization's POST, s", sorted(seconds)[len(seconds) * 95 // 100], at_most=1)
