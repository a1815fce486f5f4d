"""`Idempotency-Key` on emails, batches and sends of campaigns: a request sent twice is done once."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.api.mails import MAIL
from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.locks import held
from webapp import clock
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.api_requests.idempotency import OTHER_REQUEST, forget_old_keys
from webapp.http.idempotency import WAIT_SECONDS
from webapp.models import Account, CampaignRun, Email, IdempotencyKey, MailLog, Organization

CONFLICT = {
    "error": "IdempotencyConflict",
    "message": OTHER_REQUEST,
}
IN_PROGRESS = {
    "error": "IdempotencyInProgress",
    "message": "a request with this Idempotency-Key is in progress: send it again in a moment",
}


async def ask(api: Api, path: str, body: Any, key: str = "once") -> tuple[int, Any, bool]:
    """Status, body, and whether the answer is a replayed one."""
    response = await api.send("POST", path, json=body, headers={"Idempotency-Key": key})
    replayed = response.headers.get("Idempotency-Replayed")
    assert replayed in (None, "true")
    return response.status_code, json.loads(await response.get_data()), replayed is not None


async def send(api: Api, key: str = "order-1", path: str = "/v1/emails", **fields: Any) -> tuple[int, Any, bool]:
    return await ask(api, path, MAIL | fields, key)


async def test_the_same_request_again_gets_the_stored_answer(api: Api, account: Account) -> None:
    status, body, _ = first = await send(api)
    assert (status, list(body), first[2]) == (200, ["id"], False)
    assert await send(api) == (200, body, True)
    assert await Email.all().count() == await MailLog.all().count() == await IdempotencyKey.all().count() == 1


async def test_another_body_under_the_key_is_a_conflict(api: Api, account: Account) -> None:
    await send(api)
    assert await send(api, subject="Other") == (409, CONFLICT, False)
    assert await MailLog.all().count() == 1


async def test_a_key_is_one_organizations(
    api: Api, rival_api: Api, sender_api: Api, account: Account, rival: Organization
) -> None:
    await make_account(rival)
    _, ours, _ = await send(api)
    _, theirs, is_replayed = await send(rival_api)
    assert ours != theirs
    assert not is_replayed
    assert await send(sender_api) == (200, ours, True)  # another key of the same organization


async def test_both_addresses_of_an_endpoint_are_one(api: Api, account: Account) -> None:
    _, body, _ = await send(api)
    assert await send(api, path="/api/v1/emails") == (200, body, True)


async def test_a_key_of_another_endpoint_is_another_key(api: Api, account: Account) -> None:
    assert (await send(api))[0] == 200
    response = await api.send("POST", "/v1/emails/batch", json=[MAIL], headers={"Idempotency-Key": "order-1"})
    assert response.status_code == 200
    assert await MailLog.all().count() == 2


async def test_a_failed_validation_is_not_stored(api: Api, acme: Organization) -> None:
    for fields, status in (
        ({"subject": ""}, 400),  # the body
        ({"account_key": "acc_none"}, 404),  # a reference
        ({}, 400),  # no account
    ):
        assert (await send(api, **fields))[::2] == (status, False)
        assert await IdempotencyKey.all().count() == 0
    await make_account(acme)
    assert (await send(api))[::2] == (200, False)


async def test_a_viewer_gets_no_stored_answer(api: Api, viewer_api: Api, account: Account) -> None:
    await send(api)
    assert (await send(viewer_api))[0] == 403


async def test_1_to_256_characters_are_a_key_and_anything_else_is_none(api: Api, account: Account) -> None:
    for key in ("x", "~" * 256, 'a"b;c,d', "é"):
        _, body, _ = await send(api, key)
        assert await send(api, key) == (200, body, True)
    for key in (" ", "x" * 257, "a\tb"):
        status, body = await api.post("/v1/emails", MAIL, headers={"Idempotency-Key": key})
        assert (status, body["details"][0]["field"]) == (400, "Idempotency-Key")
        assert body["message"] == "Idempotency-Key must be 1 to 256 characters without control characters"
    assert await MailLog.all().count() == 4


async def test_a_key_is_kept_for_24_hours(api: Api, account: Account) -> None:
    _, first, _ = await send(api)
    await age(timedelta(hours=23, minutes=59))
    assert await send(api) == (200, first, True)
    await age(timedelta(hours=24, minutes=1))
    _, second, is_replayed = await send(api, subject="Other")
    assert (second == first, is_replayed) == (False, False)
    await forget_old_keys()
    assert await send(api, subject="Other") == (200, second, True)
    await age(timedelta(hours=24, minutes=1))
    await forget_old_keys()
    assert await IdempotencyKey.all().count() == 0


async def age(by: timedelta) -> None:
    await IdempotencyKey.all().update(created_at=clock.now() - by)


LOCK = "SELECT id FROM accounts WHERE id = $1 FOR UPDATE"  # whose mail waits in the middle of being taken in


@pytest.mark.postgres  # on SQLite nobody is signed in while somebody holds the database for longer than a second
async def test_who_waits_5_seconds_for_the_first_is_told_that_it_still_runs(
    api: Api, app: Quart, settings: Settings, acme: Organization, account: Account
) -> None:
    assert WAIT_SECONDS == 5
    other = create_app(settings)  # as another process
    app.config["IDEMPOTENCY_WAIT"] = other.config["IDEMPOTENCY_WAIT"] = 0.2
    callers = [api, await make_api(other, acme)]
    await api.get("/v1/accounts")  # signs the key in
    async with held(LOCK, account.id):
        first = asyncio.create_task(send(api))
        await asyncio.sleep(1)
        for caller in callers:
            assert await send(caller) == await send(caller, subject="Other") == (409, IN_PROGRESS, False)
    status, body, _ = await first
    assert status == 200
    for caller in callers:
        assert await send(caller) == (200, body, True)


@pytest.fixture
async def path(acme: Organization, account: Account) -> str:
    """Where a campaign for two contacts is sent."""
    return await campaign_of(acme)


async def campaign_of(org: Organization) -> str:
    segment = await make_segment(org, await make_contact(org), await make_contact(org))
    campaign = await make_campaign(org, segment=segment, template=await make_template(org))
    return f"/v1/campaigns/{campaign.id}/send"


async def test_callers_at_once_wait_for_the_first_and_get_its_answer(api: Api, path: str) -> None:
    for where, body, rows in ((path, {}, 2), ("/v1/emails/batch", [MAIL] * 3, 3)):
        await MailLog.all().delete()
        answers = await asyncio.gather(*(ask(api, where, body) for _ in range(20)))
        assert {status for status, _, _ in answers} == {200}
        assert sum(not is_replayed for _, _, is_replayed in answers) == 1
        assert len({json.dumps(found) for _, found, _ in answers}) == 1
        assert await MailLog.all().count() == rows
    assert await CampaignRun.all().count() == 1


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
