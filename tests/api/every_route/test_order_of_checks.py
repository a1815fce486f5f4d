"""What a request that is wrong in many ways is told first (the contract's "order of checks")."""

import json

import pytest

from tests.api.campaigns.test_runs import World, finish, world
from tests.api.conftest import Api
from tests.factories import make_account, make_campaign, make_template
from tests.plans import use_plans
from webapp.config import Settings
from webapp.models import CampaignRun, Organization

__all__ = ["world"]

MIB = 1024 * 1024
RANDOM = "019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a10"


@pytest.fixture
async def used_up(settings: Settings, acme: Organization) -> None:
    """Acme may mail three recipients a month, and make one campaign."""
    use_plans(settings, {"tiny": {"monthly_email_quota": 3, "max_campaigns_per_month": 1}})
    await Organization.filter(id=acme.id).update(plan="tiny")


async def told(client: Api, path: str, body: bytes, kind: str = "application/json") -> tuple[int, str]:
    """Status and name of the refusal."""
    status, answer = await client.answer("POST", path, data=body, headers={"Content-Type": kind})
    return status, answer.get("error", "")


@pytest.mark.usefixtures("used_up")
async def test_a_send_is_told_one_fault_after_the_other(
    api: Api, viewer_api: Api, sender_api: Api, keyless: Api, world: World, rival: Organization
) -> None:
    assert (await api.post(f"{world.path}/send", {}))[0] == 200  # which is under way, and uses the quota up
    path, stranger = f"{world.path}/send", f"/v1/campaigns/{(await make_campaign(rival)).id}/send"
    huge = b"x" * (40 * MIB + 1)
    unknown = json.dumps({"sender_account_ids": [RANDOM]}).encode()
    assert await told(keyless, stranger, huge, "text/plain") == (401, "Unauthorized")
    assert await told(viewer_api, stranger, huge, "text/plain") == (403, "Forbidden")
    assert await told(sender_api, stranger, huge, "text/plain") == (404, "Not found")
    assert await told(sender_api, path, huge, "text/plain") == (415, "UnsupportedMediaType")
    assert await told(sender_api, path, huge) == (413, "PayloadTooLarge")
    assert await told(sender_api, path, unknown.replace(b"{", b'{"send_now": 1, ')) == (400, "ValidationError")
    assert await told(sender_api, path, unknown) == (404, "Not found")
    assert await told(sender_api, path, b"{}") == (409, "Conflict")
    await finish(world)
    assert await told(sender_api, path, b"{}") == (403, "PlanLimitExceeded")


@pytest.mark.usefixtures("used_up")
async def test_a_retry_is_told_of_the_run_under_way_before_the_plan(api: Api, world: World) -> None:
    path = f"{world.path}/runs"
    assert (await api.post(f"{world.path}/send", {}))[0] == 200
    run = await CampaignRun.get()
    assert await told(api, f"{path}/{run.id}/retry", b"") == (409, "Conflict")
    await finish(world, "failed")
    assert await told(api, f"{path}/{run.id}/retry", b"") == (403, "PlanLimitExceeded")


@pytest.mark.usefixtures("used_up")
async def test_a_create_is_told_of_its_fields_then_of_what_it_names_then_of_the_plan(api: Api, world: World) -> None:
    right = {"title": "News", "segment_id": str(world.campaign.segment_id)}
    assert (await api.post("/v1/campaigns", right))[0] == 403  # the one there is counts
    for wrong, status, field in (
        ({"segment_id": RANDOM, "title": ""}, 400, "title"),
        ({"segment_id": RANDOM, "schedule_type": "scheduled_once", "template_id": RANDOM}, 400, "scheduled_at"),
        ({"segment_id": RANDOM}, 404, "segment_id"),
        ({"template_id": RANDOM}, 404, "template_id"),
    ):
        found, answer = await api.post("/v1/campaigns", right | wrong)
        assert (found, answer["message"].split()[0].rstrip(":")) == (status, field)


async def test_an_email_is_told_of_its_fields_before_what_it_names(
    api: Api, acme: Organization, rival: Organization
) -> None:
    await make_account(acme)
    theirs = await make_template(rival)
    mail = {"from": "hello@acme.example", "to": "nobody", "account_key": "acc_x", "template": {"id": str(theirs.id)}}
    assert (await api.post("/v1/emails", mail))[0] == 400
    assert (await api.post("/v1/emails", mail | {"to": "ada@example.org"}))[0] == 404
