"""What a worker knows of accounts and runs without asking for each message."""

import asyncio

from tests.factories import make_account, make_run
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.domain.delivery.live_state import LiveState
from webapp.domain.delivery.load_messages import load_messages
from webapp.models import Account, Content, MailLog, Organization
from webapp.models.outbox.claims import Claimed, claim


async def claimed(org: Organization, account: Account) -> list[Claimed]:
    await make_run(org, [account], 2)
    return await claim(account.id, messages=2, lease_seconds=60)


async def test_without_a_look_of_late_no_campaign_mail_goes(acme: Organization) -> None:
    account, live_state = await make_account(acme), LiveState(stale_seconds=0.05)
    rows = await claimed(acme, account)
    live_state.add(account, rows)
    await asyncio.sleep(0.1)
    assert not live_state.may_still_send(rows)  # a stop may have been answered meanwhile
    assert live_state.may_still_send(
        [row._replace(campaign_run_id=None) for row in rows]
    )  # nobody stops a mail of its own


async def test_a_message_has_the_content_of_its_own_organization_alone(acme: Organization, rival: Organization) -> None:
    account = await make_account(acme)
    rows = await claimed(acme, account)
    theirs = await Content.create(org=rival, subject="Theirs", html="<p>Theirs</p>", text=None)
    await MailLog.of(acme).update(content_id=theirs.id)
    contents = CampaignContentCache()
    (foreign, own) = await load_messages(account, [rows[0]._replace(content_id=theirs.id), rows[1]], contents)
    assert foreign.builder is None
    assert own.builder.size == len("<p>News</p>")
    assert "deleted" in (own.refusal or "")  # there is no such contact
