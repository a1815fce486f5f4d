"""Plan limits over HTTP: never passed, however many come at once; given back by deletions; kept over changes of plan."""

import asyncio
import contextvars
from collections import Counter
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL
from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.figures import Figures
from tests.plans import use_plans
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.auth.owners import set_plan
from webapp.domain.plans import limits
from webapp.domain.plans.limits import start_of_month
from webapp.models import Account, Campaign, Contact, MailLog, Organization, OrgUsage, Template, Webhook
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import id_lower_bound
from webapp.models.usage import Metric, month_of

COUNTED = [metric for metric in Metric if metric is not Metric.API_REQUESTS]
PLANS = {"free": dict.fromkeys(COUNTED, 100) | {"allow_automation": False}, "basic": dict.fromkeys(COUNTED, 3)}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """With plans of a hundred, and of three, of everything."""
    return use_plans(settings, PLANS)


class Noun(NamedTuple):
    """What a plan limits: its path, a body for one more of it, and its rows."""

    metric: Metric
    path: str
    fields: dict[str, Any]
    model: type[OrgModel]

    async def body(self, org: Organization) -> dict[str, Any]:
        if self.model is Campaign:
            return self.fields | {"segment_id": str((await make_segment(org)).id)}
        if self.model is MailLog:
            account = await Account.of(org).first() or await make_account(org)
            return self.fields | {"account_key": account.account_key}
        return self.fields


ACCOUNT = {"name": "Main", "provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": 25}
WEBHOOK = {"url": "https://192.0.2.1/hooks", "events": ["*"]}
NOUNS = {
    "accounts": Noun(Metric.ACCOUNTS, "/v1/accounts", ACCOUNT, Account),
    "contacts": Noun(Metric.CONTACTS, "/v1/contacts", {"email": "ada@example.org"}, Contact),
    "webhooks": Noun(Metric.WEBHOOKS, "/v1/webhooks", WEBHOOK, Webhook),
    "templates": Noun(Metric.TEMPLATES, "/v1/templates", {"name": "Welcome"}, Template),
    "campaigns": Noun(Metric.CAMPAIGNS, "/v1/campaigns", {"title": "News"}, Campaign),
    "emails": Noun(Metric.EMAILS, "/v1/emails", MAIL, MailLog),
}
every_noun = pytest.mark.parametrize("noun", NOUNS.values(), ids=NOUNS)
times_at_once = pytest.mark.parametrize("times", [150, pytest.param(400, marks=pytest.mark.soak)])
every_lasting_noun = pytest.mark.parametrize(
    "noun", [NOUNS[name] for name in ("accounts", "contacts", "templates", "webhooks")], ids=lambda noun: noun.path
)


async def create(api: Api, noun: Noun, body: dict[str, Any], times: int) -> Counter[int]:
    """Make so many at once; how many were answered how."""
    fresh = [body | ({"email": f"{uuid4().hex}@example.org"} if noun.model is Contact else {}) for _ in range(times)]
    found = await asyncio.gather(*(api.send("POST", noun.path, json=one) for one in fresh))
    return Counter(response.status_code for response in found)


async def counted(org: Organization, metric: Metric) -> int:
    return (await OrgUsage.of(org).get(metric=metric)).used


@times_at_once
@every_noun
async def test_f21_of_many_creates_at_once_exactly_the_100_of_the_plan_succeed(
    api: Api, acme: Organization, rival: Organization, figures: Figures, noun: Noun, times: int
) -> None:
    body = await noun.body(acme)
    there = await noun.model.of(acme).count()
    await set_plan(acme, "free")
    found = await create(api, noun, body, times)
    made = 100 - (there if noun.metric in (Metric.ACCOUNTS, Metric.CONTACTS) else 0)
    assert found == {(201 if noun.model is not MailLog else 200): made, 403: times - made}
    figures(f"rows, where {noun.metric} is 100", await noun.model.of(acme).count(), exactly=100)
    figures(f"what {noun.metric} counts", await counted(acme, noun.metric), exactly=100)
    assert await noun.model.of(rival).count() == await OrgUsage.of(rival).count() == 0
    status, refusal = await api.post(noun.path, body)
    assert (status, refusal["error"], list(refusal)) == (
        403,
        "PlanLimitExceeded",
        ["error", "message", "limit", "max", "current"],
    )
    assert (refusal["limit"], refusal["max"], refusal["current"]) == (noun.metric, 100, 100)
    assert refusal["message"].startswith("the free plan allows 100 ")


@every_lasting_noun
async def test_a_deletion_gives_one_back_also_on_an_unlimited_plan(api: Api, acme: Organization, noun: Noun) -> None:
    await set_plan(acme, "basic")
    body = await noun.body(acme)
    await create(api, noun, body, 3)
    first, *others = await noun.model.of(acme)
    found = await asyncio.gather(*(api.send("DELETE", f"{noun.path}/{first.id}") for _ in range(5)))
    assert Counter(response.status_code for response in found) == {200: 1, 404: 4}
    assert await counted(acme, noun.metric) == 2
    await set_plan(acme, "enterprise")
    for row in others:
        assert (await api.delete(f"{noun.path}/{row.id}"))[0] == 200
    await set_plan(acme, "basic")
    assert await create(api, noun, body, 4) == {201: 3, 403: 1}


async def test_a_deleted_campaign_and_a_deleted_email_stay_used(api: Api, acme: Organization) -> None:
    await set_plan(acme, "basic")
    noun = NOUNS["campaigns"]
    body = await noun.body(acme)
    await create(api, noun, body, 3)
    for campaign in await Campaign.of(acme):
        assert (await api.delete(f"/v1/campaigns/{campaign.id}"))[0] == 200
    assert await create(api, noun, body, 1) == {403: 1}


@every_noun
async def test_what_was_made_on_a_larger_plan_counts_on_a_smaller_one(api: Api, acme: Organization, noun: Noun) -> None:
    body = await noun.body(acme)
    for plan, times in (("basic", 2), ("enterprise", 4)):
        await set_plan(acme, plan)
        assert (await create(api, noun, body, times))[403] == 0
    await set_plan(acme, "basic")
    status, refusal = await api.post(noun.path, await noun.body(acme))
    assert (status, refusal["current"]) == (403, 6)
    await set_plan(acme, "free")
    assert (await create(api, noun, body, 1))[403] == 0
    assert await counted(acme, noun.metric) == 7


@pytest.mark.parametrize("noun", [NOUNS["campaigns"], NOUNS["emails"]], ids=["campaigns", "emails"])
async def test_a_new_month_starts_at_nothing(api: Api, acme: Organization, noun: Noun) -> None:
    body = await noun.body(acme)
    await set_plan(acme, "basic")
    assert (await create(api, noun, body, 4))[403] == 1
    before = start_of_month(clock.now()) - timedelta(days=1)
    await OrgUsage.of(acme).filter(metric=noun.metric).update(period=month_of(before))
    for number, row in enumerate(await noun.model.of(acme)):  # and what was made then has an id of then
        older = UUID(int=id_lower_bound(before).int + number)
        await db.fetch(f"UPDATE {noun.model._meta.db_table} SET id = $1 WHERE id = $2 RETURNING id", older, row.id)
    assert (await create(api, noun, body, 4))[403] == 1
    assert sorted(await OrgUsage.of(acme).filter(metric=noun.metric).values_list("used", flat=True)) == [3, 3]


async def test_the_sandbox_counts_towards_nothing(api: Api, acme: Organization) -> None:
    sandbox = await sandbox_account(acme)
    await set_plan(acme, "basic")
    assert await create(api, NOUNS["accounts"], ACCOUNT, 4) == {201: 3, 403: 1}
    body = MAIL | {"account_key": sandbox.account_key}
    assert await create(api, NOUNS["emails"], body, 6) == {200: 6}
    account = await Account.of(acme).filter(is_sandbox=False).first()
    assert account is not None
    theirs = body | {"account_key": account.account_key, "from": "a@b.example"}
    assert await create(api, NOUNS["emails"], theirs, 4) == {200: 3, 403: 1}


@pytest.mark.parametrize("schedule_type", ["recurring", "recurring_new_contacts"])
async def test_a_plan_without_automation_lets_nothing_recur(api: Api, acme: Organization, schedule_type: str) -> None:
    segment, template = await make_segment(acme, await make_contact(acme)), await make_template(acme)
    recurring = {"schedule_type": schedule_type, "recurrence_interval": 1, "recurrence_unit": "day"}
    body = recurring | {"title": "News", "segment_id": str(segment.id), "template_id": str(template.id)}
    await set_plan(acme, "free")
    campaign = await make_campaign(acme, segment_id=segment.id, template_id=template.id)
    halted = await make_campaign(acme, **body, status="halted", anchor_at=clock.now())
    path, resume = f"/v1/campaigns/{campaign.id}", f"/v1/campaigns/{halted.id}/resume"
    refusals = [await api.post("/v1/campaigns", body), await api.patch(path, recurring), await api.post(resume)]
    for status, refusal in refusals:
        assert (status, refusal["error"], refusal["limit"]) == (403, "PlanLimitExceeded", "allow_automation")
        assert (refusal["max"], refusal["current"]) == (None, None)
    assert await Campaign.of(acme).order_by("id").values_list("schedule_type", flat=True) == ["manual", schedule_type]
    await set_plan(acme, "enterprise")
    assert (await api.post(resume))[0] == 200
    assert (await api.post("/v1/campaigns", body))[0] == 201
    assert (await api.patch(path, recurring))[0] == 200


@pytest.mark.postgres
async def test_writes_that_wait_for_a_counter_keep_no_other_organization_waiting(
    api: Api, rival_api: Api, acme: Organization
) -> None:
    body = await NOUNS["emails"].body(acme)
    await set_plan(acme, "free")
    for one in (api, rival_api):
        assert (await one.get("/v1/contacts"))[0] == 200
    async with db.write_transaction():
        await limits.consume(acme, Metric.EMAILS)  # as a large campaign does for all of its rows
        context = contextvars.Context()  # the requests' tasks have no part in this transaction
        keyed = [{"Idempotency-Key": f"key {number}"} if number % 2 else {} for number in range(16)]
        writes = [
            asyncio.create_task(api.send("POST", "/v1/emails", json=body, headers=headers), context=context.copy())
            for headers in keyed
        ]
        await asyncio.wait(writes, timeout=0.3)
        assert not any(write.done() for write in writes)
        reads = [asyncio.create_task(one.get("/v1/contacts"), context=context.copy()) for one in (api, rival_api)]
        creates = asyncio.create_task(rival_api.send("POST", "/v1/emails", json=body), context=context.copy())
        done, _ = await asyncio.wait([*reads, creates], timeout=30)
        assert len(done) == 3
    assert [(await read)[0] for read in reads] == [200, 200]
    assert {(await write).status_code for write in writes} == {200}
