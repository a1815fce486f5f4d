"""A stop reaches a worker, whatever else that one waits for."""

import asyncio

import pytest

from tests.factories import account_on, make_campaign, make_contact, make_run, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.locks import holding
from webapp.config import Settings
from webapp.domain.campaigns.stop import stop_campaign
from webapp.models import Account, Campaign, CampaignRun, MailLog, Organization
from webapp.models.mail_log import SENDING
from webapp.models.outbox import daily_quota, runs

SLOW = 2.5  # seconds: a message that was begun before the stop gets past DATA before the stop answers


async def start(org: Organization, account: Account) -> Campaign:
    """A campaign with a run of so many mails that some wait in the worker."""
    contacts = [await make_contact(org) for _ in range(12)]
    campaign = await make_campaign(
        org, segment=await make_segment(org), template=await make_template(org), status="sending"
    )
    run, ids = await make_run(org, [account], len(contacts))
    await CampaignRun.of(org).filter(id=run.id).update(campaign_id=campaign.id)
    for row_id, contact in zip(ids, contacts, strict=True):
        await (
            MailLog.of(org)
            .filter(id=row_id)
            .update(campaign_id=campaign.id, contact_id=contact.id, to_email=contact.email)
        )
    return campaign


async def run_of(campaign: Campaign) -> CampaignRun:
    return await CampaignRun.across_orgs().get(campaign_id=campaign.id)


async def are_held(account: Account) -> bool:
    """Whether the worker has one message under way and one that waits."""
    return await MailLog.across_orgs().filter(account_id=account.id, status=SENDING).count() == 2


async def next_message(server: SmtpServer) -> None:
    """Wait until one more has arrived: the one after it has just been begun."""
    before = len(server.messages)

    async def has_come() -> bool:
        return len(server.messages) > before

    await eventually(has_come)


@pytest.mark.postgres
async def test_a_stop_is_seen_although_rows_of_another_one_cannot_be_given_back(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    async with SmtpServer() as ours, SmtpServer() as theirs:
        for server in (ours, theirs):
            server.delay("RCPT", SLOW)
        account, their_account = (
            await account_on(ours, acme, concurrency=1),
            await account_on(theirs, rival, concurrency=1),
        )
        campaign, their_campaign = await start(acme, account), await start(rival, their_account)

        async with working(settings):
            await next_message(theirs)
            await eventually(lambda: are_held(their_account))
            async with holding(lambda: daily_quota.block_claims(their_account.id)):
                await runs.halt_run((await run_of(their_campaign)).id, "stopped by ada@acme.example")
                await asyncio.sleep(1.0)  # their rows are on their way back by now; if not, the test shows nothing
                await next_message(ours)
                await eventually(lambda: are_held(account))
                await stop_campaign(acme, campaign, "stopped by ada@acme.example")
                arrived = len(ours.messages)
                await asyncio.sleep(2 * SLOW)
                assert len(ours.messages) == arrived
