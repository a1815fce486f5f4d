"""`Idempotency-Key` on POST /v1/emails/batch and on the send of a campaign: as on POST /v1/emails."""

import asyncio
import json
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL
from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from webapp.models import Account, CampaignRun, IdempotencyKey, MailLog, Organization


@pytest.fixture
async def path(acme: Organization, account: Account) -> str:
    """Where a campaign for two contacts is sent."""
    return await campaign_of(acme)


async def campaign_of(org: Organization) -> str:
    segment = await make_segment(org, await make_contact(org), await make_contact(org))
    campaign = await make_campaign(org, segment=segment, template=await make_template(org))
    return f"/v1/campaigns/{campaign.id}/send"


async def ask(api: Api, path: str, body: Any, key: str = "once") -> tuple[int, Any, bool]:
    """Status, body, and whether the answer is a replayed one."""
    response = await api.send("POST", path, json=body, headers={"Idempotency-Key": key})
    return response.status_code, json.loads(await response.get_data()), "Idempotency-Replayed" in response.headers


async def test_a_campaign_sent_twice_with_a_key_runs_once(api: Api, path: str) -> None:
    first = await ask(api, path, {})
    assert (first[0], first[1]["contacts_messaged"], first[2]) == (200, 2, False)
    assert await ask(api, path, {}) == (*first[:2], True)
    assert await CampaignRun.all().count() == 1
    assert (await ask(api, path, {}, "another"))[0] == 409  # a run is under way


async def test_callers_at_once_wait_for_the_first_and_get_its_answer(api: Api, path: str) -> None:
    for where, body, rows in ((path, {}, 2), ("/v1/emails/batch", [MAIL] * 3, 3)):
        await MailLog.all().delete()
        answers = await asyncio.gather(*(ask(api, where, body) for _ in range(20)))
        assert {status for status, _, _ in answers} == {200}
        assert sum(not is_replayed for _, _, is_replayed in answers) == 1
        assert len({json.dumps(found) for _, found, _ in answers}) == 1
        assert await MailLog.all().count() == rows


async def test_a_refused_send_of_a_campaign_is_not_stored(api: Api, path: str) -> None:
    await Account.all().update(status="paused")
    assert (await ask(api, path, {}))[0] == 400
    assert await IdempotencyKey.all().count() == 0
    await Account.all().update(status="active")
    assert (await ask(api, path, {}))[::2] == (200, False)


async def test_a_key_is_one_campaigns_and_one_organizations(
    api: Api, rival_api: Api, path: str, acme: Organization, rival: Organization
) -> None:
    await make_account(rival)
    asked = [(api, path), (api, await campaign_of(acme)), (rival_api, await campaign_of(rival))]
    for client, where in asked:
        assert (await ask(client, where, {}))[::2] == (200, False)
    assert (await ask(rival_api, path, {}))[0] == 404  # the stranger gets no stored answer of ours
    assert await CampaignRun.all().count() == 3
