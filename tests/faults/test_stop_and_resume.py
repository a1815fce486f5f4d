"""F19, F22 and F23: a campaign is sent twice, stopped, and resumed again and again while workers send it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from tests.factories import account_on, make_campaign, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.web import api_of, client_of, new_key, web_running, with_port
from tests.faults.support.world import all_are, until_received
from tests.figures import Figures
from tests.support.audiences import make_audience
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, Campaign, CampaignRun, MailLog, Organization
from webapp.models.mail_log import DEFERRED, HALTED, PENDING, SENDING, SENT

PATIENCE = 60.0  # seconds
CONCURRENCY = 8
pytestmark = pytest.mark.timeout(180)

SIZES = pytest.mark.parametrize(
    "contacts", [200, pytest.param(5_000, marks=[pytest.mark.soak, pytest.mark.timeout(900)])]
)


async def new_campaign(org: Organization, contacts: int) -> Campaign:
    segment, _ = await make_audience(org, contacts)
    return await make_campaign(org, segment=segment, template=await make_template(org))


async def is_over(campaign: Campaign) -> bool:
    await asyncio.sleep(0.1)
    return not await CampaignRun.of(campaign.org).exclude(status="completed").exists()


@asynccontextmanager
async def being_sent(
    org: Organization, settings: Settings, contacts: int
) -> AsyncIterator[tuple[httpx2.AsyncClient, Campaign, SmtpServer, Account]]:
    """A campaign that was just sent to so many contacts, over one account; no worker runs yet."""
    campaign = await new_campaign(org, contacts)
    async with SmtpServer() as server, api_of(settings, org) as api:
        server.delay("DOT", 0.03)
        account = await account_on(server, org, daily_mail_limit=2 * contacts, concurrency=CONCURRENCY)
        answer = await api.post(f"/campaigns/{campaign.id}/send", json={})
        assert (answer.status_code, answer.json()["contacts_messaged"]) == (200, contacts)
        yield api, campaign, server, account


async def test_f19_a_campaign_that_is_sent_fifty_times_at_once_runs_once(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures
) -> None:
    campaign, contacts = await new_campaign(acme, 40), 40
    await account_on(smtp_server, acme)
    key, one, other = await new_key(acme), with_port(settings), with_port(settings)
    async with web_running(one), web_running(other), client_of(one, key) as first, client_of(other, key) as second:
        path, clients = f"/campaigns/{campaign.id}/send", (first, second)
        answers = await asyncio.gather(*(clients[number % 2].post(path, json={}) for number in range(50)))
    refused = [answer.json()["error"] for answer in answers if answer.status_code == 409]
    figures("sends that succeeded", sum(answer.status_code == 200 for answer in answers), exactly=1)
    figures("sends that were refused with Conflict", refused.count("Conflict"), exactly=49)
    async with Fleet(settings) as fleet:
        await eventually(lambda: is_over(campaign), PATIENCE)
        await fleet.end()
    figures("runs", await CampaignRun.of(acme).count(), exactly=1)
    assert await check_invariants(acme, smtp_server, rows=contacts) == {SENT: contacts}
    figures("mails that arrived twice", duplicates(smtp_server), exactly=0)
    assert await MailLog.of(rival).count() == 0


@SIZES
async def test_f22_after_a_stop_only_what_is_past_data_goes_and_resume_sends_exactly_the_rest(
    acme: Organization, settings: Settings, figures: Figures, contacts: int
) -> None:
    async with being_sent(acme, settings, contacts) as (api, campaign, server, _):
        async with Fleet(settings, 2) as fleet:
            await until_received(server, contacts * 2 // 5, PATIENCE + contacts / 20)
            asked_at = clock.elapsed()
            assert (await api.post(f"/campaigns/{campaign.id}/stop")).is_success
            figures("seconds until the stop was answered", clock.elapsed() - asked_at, at_most=10)
            answered, answered_at = len(server.messages), clock.elapsed()
            await eventually(lambda: all_are(acme, SENT, HALTED), PATIENCE)
            figures("seconds until all others were halted", clock.elapsed() - answered_at, at_most=5)
            await asyncio.sleep(1)
            figures("accepted after the answer", len(server.messages) - answered, at_most=2 * CONCURRENCY)
            assert len(server.messages) < contacts
            assert (await api.post(f"/campaigns/{campaign.id}/resume")).is_success
            await eventually(lambda: is_over(campaign), PATIENCE + contacts / 20)
            await fleet.end()
        assert await check_invariants(acme, server, rows=contacts) == {SENT: contacts}
        figures("mails that arrived twice", duplicates(server), exactly=0)


@SIZES
async def test_f23_stops_and_resumes_in_a_row_lose_and_double_nobody(
    acme: Organization, settings: Settings, figures: Figures, contacts: int
) -> None:
    times = 3 if contacts < 5_000 else 20
    async with being_sent(acme, settings, contacts) as (api, campaign, server, account):
        async with Fleet(settings, 2) as fleet:
            for number in range(1, times + 1):
                await until_received(server, number * contacts // (times + 2), PATIENCE)
                assert (await api.post(f"/campaigns/{campaign.id}/stop")).is_success
                if number == times // 2:
                    await fleet.redeploy_one()
                if number == times // 2 + 1:
                    limit = {"daily_mail_limit": 3 * contacts}
                    assert (await api.patch(f"/accounts/{account.id}", json=limit)).is_success
                assert (await api.post(f"/campaigns/{campaign.id}/resume")).is_success
                assert not await is_over(campaign) or await is_done(acme)
            await eventually(lambda: is_over(campaign), PATIENCE + contacts / 20)
            assert await is_done(acme)
            await fleet.end()
        assert await check_invariants(acme, server, rows=contacts) == {SENT: contacts}
        figures("contacts who got it", len(set(server.recipients())), exactly=contacts)
        figures("mails that arrived twice", duplicates(server), exactly=0)
    await campaign.refresh_from_db()
    assert campaign.status == "sent"


async def is_done(org: Organization) -> bool:
    return not await MailLog.of(org).filter(status__in=[PENDING, SENDING, DEFERRED, HALTED]).exists()
