"""POST /v1/campaigns/{id}/send, its runs, their retry, and the totals of all runs: each recipient once, by the best outcome."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import make_account, make_campaign, make_contact, make_run, make_segment, make_template
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.campaigns.runs import finish_runs
from webapp.models import (
    Account,
    Campaign,
    CampaignRun,
    CampaignRunAccount,
    Contact,
    Content,
    MailLog,
    Organization,
    OrgUsage,
    Segment,
    SegmentContact,
    Template,
)

FIELDS = [
    "id", "campaign_id", "status", "trigger", "started_at", "finished_at", "created_at", "total", "pending", "sending",
    "sent", "failed", "deferred", "halted", "skipped", "bounced", "complained",
]  # fmt: skip


@dataclass
class World:
    """A manual campaign of acme that can be sent, with three members in its segment."""

    campaign: Campaign
    template: Template
    account: Account
    members: list[Contact]

    @property
    def path(self) -> str:
        return f"/v1/campaigns/{self.campaign.id}"


@pytest.fixture
async def world(acme: Organization) -> World:
    members = [await make_contact(acme, f"c{number}@example.org", first_name=f"N{number}") for number in range(3)]
    template = await make_template(acme, subject="Hi {{ first_name }}", body="<p>Bye {{ email }}</p>")
    segment = await make_segment(acme, *members)
    campaign = await make_campaign(acme, segment=segment, template=template)
    return World(campaign, template, await make_account(acme), members)


async def send(api: Api, world: World, body: Any = None) -> tuple[int, Any]:
    return await api.post(f"{world.path}/send", body or {})


async def rows_of(world: World) -> list[MailLog]:
    return await MailLog.across_orgs().filter(campaign_id=world.campaign.id).order_by("id")


async def finish(world: World, status: str = "sent", **where: Any) -> None:
    """Let all rows of the campaign that wait be `status`, as a worker would."""
    await MailLog.across_orgs().filter(campaign_id=world.campaign.id, status="pending", **where).update(status=status)
    await finish_runs()


async def test_a_send_queues_one_row_for_each_subscribed_member(api: Api, world: World, acme: Organization) -> None:
    away = await make_contact(acme, status="unsubscribed", unsubscribed_at=clock.now())
    gone = await make_contact(acme, bounced_at=clock.now())
    await make_contact(acme)
    for contact in (away, gone):
        await SegmentContact.create(org=acme, segment_id=world.campaign.segment_id, contact=contact)
    await Segment.add_to_counts([world.campaign.segment_id], 2)
    answer = await send(api, world)
    assert answer == (
        200,
        {"ok": True, "campaign_id": str(world.campaign.id), "contacts_messaged": 3, "already_messaged": 0},
    )
    run = await CampaignRun.of(acme).get()
    for row, contact in zip(await rows_of(world), world.members, strict=True):
        assert (row.status, row.kind, row.campaign_run_id) == ("pending", "campaign", run.id)
        assert (row.contact_id, row.to_email) == (contact.id, contact.email)
        assert (row.account_id, row.message_id) == (None, f"<{row.id.hex}@acme.example>")
        assert row.variables == {"email": contact.email, "first_name": contact.first_name}
    assert [one.account_id for one in await CampaignRunAccount.filter(run_id=run.id)] == [world.account.id]
    _, shown = await api.get(world.path)
    assert (shown["data"]["status"], shown["data"]["last_run_at"] is not None) == ("sending", True)


async def test_a_row_shows_what_will_be_sent_with_its_unsubscribe_link(api: Api, world: World) -> None:
    await Template.filter(id=world.template.id).update(body='<p><a href="{{ unsubscribe_url }}">Leave</a></p>')
    await send(api, world)
    _, answer = await api.get(f"/v1/mail-logs?campaign_id={world.campaign.id}")
    (last, *_) = answer["data"]
    assert (last["subject"], last["campaign_id"]) == ("Hi N2", str(world.campaign.id))
    assert '<a href="http' in last["body_html"]
    assert "/unsubscribe/" in last["body_html"]


async def test_a_run_works_on_a_snapshot_and_a_change_during_it_is_for_later_runs_only(
    api: Api, world: World, acme: Organization
) -> None:
    await api.patch(world.path, {"from_email": "own@acme.example", "reply_to": "r@x.example"})
    await send(api, world)
    await api.patch(f"/v1/templates/{world.template.id}", {"subject": "Other", "body": "other"})
    others = await make_segment(acme, await make_contact(acme, "new@example.org", first_name="New"))
    template = await make_template(acme, subject="Other {{ first_name }}", body="other")
    change = {"segment_id": str(others.id), "template_id": str(template.id), "subject": "Own {{ first_name }}"}
    status, answer = await api.patch(world.path, change | {"from_email": None, "reply_to": None})
    assert (status, answer["data"]["status"], answer["data"]["template_id"]) == (200, "sending", str(template.id))
    _, answer = await api.get(f"/v1/mail-logs?campaign_id={world.campaign.id}")
    assert [(row["to_email"], row["subject"]) for row in answer["data"]] == [
        (f"c{number}@example.org", f"Hi N{number}") for number in (2, 1, 0)
    ]
    await finish(world)
    assert (await send(api, world))[1]["contacts_messaged"] == 1
    _, answer = await api.get(f"/v1/mail-logs?campaign_id={world.campaign.id}")
    assert (answer["data"][0]["to_email"], answer["data"][0]["subject"]) == ("new@example.org", "Own New")
    assert [(content.html, content.from_email, content.reply_to) for content in await Content.all().order_by("id")] == [
        ("<p>Bye {{ email }}</p>", "own@acme.example", "r@x.example"),
        (None, None, None),
    ]
    runs = await CampaignRun.of(acme).order_by("id")
    assert [run.sender_email for run in runs] == ["own@acme.example", None]


async def test_a_send_needs_no_body_and_no_content_type(api: Api, world: World) -> None:
    response = await api.send("POST", f"{world.path}/send")
    assert response.status_code == 200


@pytest.mark.parametrize(("now", "accounts"), [("send_now", "sender_account_ids"), ("sendNow", "senderAccountIds")])
async def test_named_accounts_are_used_and_kept_by_either_name(
    api: Api, world: World, acme: Organization, now: str, accounts: str
) -> None:
    other = await make_account(acme)
    named = [str(other.id)]
    status, answer = await send(api, world, {now: True, accounts: named * 2})
    assert (status, answer["contacts_messaged"]) == (200, 3)
    assert [str(one.account_id) for one in await CampaignRunAccount.all()] == named
    assert (await api.get(world.path))[1]["data"]["sender_account_ids"] == named


async def test_null_accounts_are_as_good_as_none_and_mean_every_active_one(
    api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    await make_account(rival)
    await sandbox_account(acme)
    for change in ({"status": "paused"}, {"status": "error"}, {"from_email": None}, {"provider_type": "google"}):
        await make_account(acme, **change)
    second = await make_account(acme)
    status, _ = await send(api, world, {"sender_account_ids": None})
    assert status == 200
    used = {one.account_id for one in await CampaignRunAccount.all()}
    assert used == {world.account.id, second.id}


@pytest.mark.parametrize("missing", ["segment_id", "template_id"])
async def test_a_send_needs_a_segment_and_a_template(api: Api, world: World, missing: str) -> None:
    await Campaign.filter(id=world.campaign.id).update(**{missing: None})
    status, answer = await send(api, world)
    assert (status, answer["message"]) == (400, f"{missing} is required to send")


@pytest.mark.parametrize(("change", "part"), [({"subject": ""}, "subject"), ({"body": " \n"}, "body")])
async def test_a_template_without_subject_or_body_is_not_sent(
    api: Api, world: World, change: dict[str, str], part: str
) -> None:
    await Template.filter(id=world.template.id).update(**change)
    for status, answer in (await send(api, world), await api.post(f"{world.path}/test", {"to": "me@acme.example"})):
        assert (status, answer["message"]) == (400, f"template_id: the template's {part} is empty")
    assert (await Content.all().count(), await MailLog.all().count()) == (0, 0)


async def test_without_a_usable_account_a_send_is_400(api: Api, world: World) -> None:
    usable = {"status": "active", "from_email": world.account.from_email, "provider_type": "smtp"}
    for change in ({"status": "paused"}, {"status": "error"}, {"from_email": None}, {"provider_type": "google"}):
        await Account.filter(id=world.account.id).update(**usable | change)
        for body, field in (({}, None), ({"sender_account_ids": [str(world.account.id)]}, "sender_account_ids")):
            status, answer = await send(api, world, body)
            assert (status, answer["error"]) == (400, "ValidationError"), change
            assert field in (None, answer["details"][0]["field"])
    await Account.filter(id=world.account.id).delete()
    assert (await send(api, world))[0] == 400
    assert await CampaignRun.all().count() == 0


async def test_a_second_send_during_a_run_is_409_and_so_is_one_of_a_halted_campaign(api: Api, world: World) -> None:
    assert (await send(api, world))[0] == 200
    status, answer = await send(api, world)
    assert (status, answer["error"], answer["message"]) == (409, "Conflict", "this campaign is already sending")
    assert (await api.post(f"{world.path}/stop"))[0] == 200
    status, answer = await send(api, world)
    assert (status, answer["message"]) == (409, "this campaign is halted; resume it first")
    assert len(await rows_of(world)) == 3


async def test_an_audience_of_nobody_makes_no_run(api: Api, world: World) -> None:
    await Contact.all().update(status="unsubscribed")
    assert await send(api, world) == (
        200,
        {"ok": True, "campaign_id": str(world.campaign.id), "contacts_messaged": 0, "already_messaged": 0},
    )
    assert await CampaignRun.all().count() == 0
    assert (await api.get(world.path))[1]["data"]["status"] == "draft"


@pytest.fixture
async def small_plan(settings: Settings, acme: Organization) -> None:
    """Acme may mail 4 recipients a month."""
    use_plans(settings, {"tiny": {"monthly_email_quota": 4}})
    await Organization.filter(id=acme.id).update(plan="tiny")


async def test_beyond_monthly_email_quota_a_send_is_403_and_nothing_is_queued(
    small_plan: None, api: Api, world: World, acme: Organization
) -> None:
    assert (await send(api, world))[0] == 200
    await finish(world)
    status, answer = await send(api, world)
    assert (status, answer["error"], answer["limit"]) == (403, "PlanLimitExceeded", "monthly_email_quota")
    assert (answer["max"], answer["current"]) == (4, 3)
    assert (await CampaignRun.all().count(), len(await rows_of(world))) == (1, 3)
    assert (await Content.all().count()) == 1
    sandbox = await sandbox_account(acme)
    assert (await send(api, world, {"sender_account_ids": [str(sandbox.id)]}))[0] == 200
    assert (await OrgUsage.get(metric="monthly_email_quota")).used == 3


async def test_send_now_false_arms_the_schedule(api: Api, world: World) -> None:
    status, answer = await send(api, world, {"send_now": False})
    assert (status, answer["details"][0]["field"]) == (400, "send_now")
    daily = {"schedule_type": "recurring", "recurrence_interval": 1, "recurrence_unit": "day"}
    await Campaign.filter(id=world.campaign.id).update(**daily)
    named = [str(world.account.id)]
    status, answer = await send(api, world, {"send_now": False, "sender_account_ids": named})
    assert (status, answer["contacts_messaged"]) == (200, 0)
    armed = (await api.get(world.path))[1]["data"]
    assert (armed["status"], armed["sender_account_ids"], armed["next_run_at"] is None) == ("scheduled", named, False)
    await asyncio.sleep(0.01)
    await send(api, world, {"send_now": False})
    assert (await api.get(world.path))[1]["data"]["next_run_at"] == armed["next_run_at"]
    assert await rows_of(world) == []
    await send(api, world)
    assert (await send(api, world, {"send_now": False}))[0] == 409
    sending = (await api.get(world.path))[1]["data"]
    assert (sending["status"], sending["next_run_at"]) == ("sending", armed["next_run_at"])
    await finish(world)
    assert (await api.get(world.path))[1]["data"]["status"] == "scheduled"


async def test_sending_an_armed_scheduled_once_now_disarms_it(api: Api, world: World) -> None:
    at = (clock.now() + timedelta(hours=1)).isoformat()
    await api.patch(world.path, {"schedule_type": "scheduled_once", "scheduled_at": at})
    assert (await send(api, world))[1]["contacts_messaged"] == 3
    found = (await api.get(world.path))[1]["data"]
    assert (found["status"], found["next_run_at"]) == ("sending", None)
    await api.post(f"{world.path}/stop")
    await api.post(f"{world.path}/resume")  # which arms nothing that was used up
    assert (await api.get(world.path))[1]["data"]["next_run_at"] is None
    await finish(world)
    assert (await api.get(world.path))[1]["data"]["status"] == "sent"


async def test_runs_are_listed_newest_first_with_counts_from_the_mail_logs(api: Api, world: World) -> None:
    await send(api, world)
    await finish(world)
    await send(api, world)
    newest, oldest = await CampaignRun.all().order_by("-id")
    statuses = ["sent", "failed", "deferred"]
    for row, status in zip(await MailLog.all().filter(campaign_run_id=newest.id), statuses, strict=True):
        await MailLog.filter(id=row.id).update(status=status)
    status, answer = await api.get(f"{world.path}/runs")
    assert (status, answer["meta"]) == (200, {"page": 1, "page_size": 50, "total": 2})
    first, second = answer["data"]
    assert list(first) == FIELDS
    assert [first["id"], second["id"]] == [str(newest.id), str(oldest.id)]
    counts = {"total": 3, "pending": 0, "sending": 0, "sent": 1, "failed": 1, "deferred": 1, "halted": 0}
    assert {name: first[name] for name in counts} == counts
    assert (first["status"], first["trigger"], first["finished_at"]) == ("sending", "api", None)
    assert (second["status"], second["sent"], second["finished_at"] is None) == ("completed", 3, False)
    assert (await api.get(f"{world.path}/runs/{newest.id}")) == (200, {"data": first})


async def test_frozen_counts_win_over_rows_that_were_pruned(api: Api, world: World, acme: Organization) -> None:
    frozen = {"trigger": "schedule", "trigger_key": "x", "frozen_counts": {"sent": 7, "failed": 2}}
    run = await CampaignRun.create(org=acme, campaign_id=world.campaign.id, **frozen)
    _, answer = await api.get(f"{world.path}/runs/{run.id}")
    assert (answer["data"]["total"], answer["data"]["sent"], answer["data"]["pending"]) == (9, 7, 0)


async def test_a_run_of_another_campaign_is_absent(api: Api, world: World, acme: Organization) -> None:
    other, _ = await make_run(acme, [world.account], 1)
    for method, path in (("GET", f"runs/{other.id}"), ("POST", f"runs/{other.id}/retry")):
        assert await api.answer(method, f"{world.path}/{path}") == (404, NOT_FOUND)


async def test_retry_is_a_new_run_of_those_who_failed_and_want_mail_still(api: Api, world: World) -> None:
    await send(api, world)
    fine, wrong, left = world.members
    await MailLog.filter(contact_id=fine.id).update(status="sent")
    await finish(world, "failed")
    run = await CampaignRun.get()
    await api.patch(f"/v1/contacts/{wrong.id}", {"email": "right@example.org"})
    await api.patch(f"/v1/contacts/{left.id}", {"status": "unsubscribed"})
    status, answer = await api.post(f"{world.path}/runs/{run.id}/retry")
    assert (status, list(answer["data"])) == (200, FIELDS)
    retried = answer["data"]
    assert (retried["trigger"], retried["status"], retried["total"], retried["pending"]) == ("retry", "sending", 1, 1)
    (row,) = await MailLog.filter(campaign_run_id=retried["id"])
    assert (row.to_email, row.content_id) == ("right@example.org", run.content_id)
    assert (await api.get(f"{world.path}/runs/{run.id}"))[1]["data"]["failed"] == 2
    status, answer = await api.post(f"{world.path}/runs/{run.id}/retry")
    assert (status, answer["message"]) == (409, "this campaign is already sending")
    await finish(world)
    status, answer = await api.post(f"{world.path}/runs/{run.id}/retry")
    assert (status, answer["message"]) == (409, "this run was already retried; retry the newer run instead")


@pytest.mark.parametrize("is_deleted", [True, False])
async def test_a_retry_goes_by_other_accounts_only_when_those_of_its_run_were_deleted(
    api: Api, world: World, acme: Organization, *, is_deleted: bool
) -> None:
    assert (await send(api, world))[0] == 200
    await finish(world, "failed")
    other = await make_account(acme)
    path = f"{world.path}/runs/{(await CampaignRun.get()).id}/retry"
    await Account.filter(id=world.account.id).update(status="paused")
    assert (await api.post(path))[1]["message"] == "none of this run's accounts can send right now"
    if is_deleted:
        assert (await api.delete(f"/v1/accounts/{world.account.id}"))[0] == 200
    await Account.filter(id=world.account.id).update(status="active")
    _, answer = await api.post(path)
    (serving,) = await CampaignRunAccount.filter(run_id=answer["data"]["id"])
    assert serving.account_id == (other if is_deleted else world.account).id


async def test_retry_is_409_where_nothing_failed_and_runs_once(api: Api, world: World) -> None:
    await send(api, world)
    run = await CampaignRun.get()
    path = f"{world.path}/runs/{run.id}/retry"
    assert (await api.post(path))[0] == 409
    await finish(world)
    status, answer = await api.post(path)
    assert (status, answer["message"].startswith("none of the failed recipients can be retried")) == (409, True)
    await MailLog.all().update(status="failed")
    statuses = [status for status, _ in await asyncio.gather(*(api.post(path) for _ in range(8)))]
    assert sorted(statuses) == [200] + [409] * 7


async def test_a_second_send_says_whom_the_first_reached_and_may_leave_them_out(
    api: Api, world: World, acme: Organization, rival: Organization
) -> None:
    await make_contact(rival)
    await send(api, world)
    failed, *_ = world.members
    await MailLog.of(acme).filter(contact_id=failed.id).update(status="failed")
    await finish(world)
    joined = await make_contact(acme)
    await SegmentContact.create(org=acme, segment_id=world.campaign.segment_id, contact=joined)
    await Segment.add_to_counts([world.campaign.segment_id], 1)
    status, answer = await send(api, world, {"audience": "new"})
    assert (status, answer["contacts_messaged"], answer["already_messaged"]) == (200, 2, 0)
    run = await CampaignRun.of(acme).order_by("-id").first()
    assert run
    mailed = await MailLog.of_run(run.id).order_by("contact_id").values_list("contact_id", flat=True)
    assert mailed == sorted([failed.id, joined.id])
    await finish(world)
    status, answer = await send(api, world)
    assert (status, answer["contacts_messaged"], answer["already_messaged"]) == (200, 4, 4)
    assert await MailLog.of(rival).count() == 0
    refused = await send(api, world, {"audience": "new", "send_now": False})
    assert (refused[0], refused[1]["details"][0]["field"]) == (400, "audience")


NONE = {"pending": 0, "sending": 0, "sent": 0, "failed": 0, "deferred": 0, "halted": 0}


def totals(runs: int, **counts: int) -> dict[str, int]:
    return {"runs": runs, "total": sum(counts.values()), **NONE, **counts}


async def shown(api: Api, world: World) -> Any:
    """As the campaign has them, which are those of the list."""
    _, one = await api.get(world.path)
    _, listed = await api.get("/v1/campaigns")
    assert [row["totals"] for row in listed["data"] if row["id"] == one["data"]["id"]] == [one["data"]["totals"]]
    return one["data"]["totals"]


async def settle(world: World, **outcomes: str) -> None:
    """Ends the run under way, with an outcome for each of c0, c1, c2."""
    for name, status in outcomes.items():
        await finish_one(world, f"{name}@example.org", status)
    await finish_runs()


async def finish_one(world: World, email: str, status: str) -> None:
    rows = MailLog.across_orgs().filter(campaign_id=world.campaign.id, status="pending", to_email=email)
    await rows.update(status=status)


async def test_a_retry_adds_to_the_result(api: Api, world: World) -> None:
    assert await shown(api, world) is None
    await send(api, world)
    assert await shown(api, world) == totals(1, pending=3)
    await settle(world, c0="sent", c1="sent", c2="failed")
    assert await shown(api, world) == totals(1, sent=2, failed=1)
    run = await CampaignRun.across_orgs().get()
    await api.post(f"{world.path}/runs/{run.id}/retry", {})
    assert await shown(api, world) == totals(2, sent=2, pending=1)
    await settle(world, c2="failed")
    assert await shown(api, world) == totals(2, sent=2, failed=1)
    retry = await CampaignRun.across_orgs().order_by("-id").first()
    assert retry
    await api.post(f"{world.path}/runs/{retry.id}/retry", {})
    await settle(world, c2="sent")
    assert await shown(api, world) == totals(3, sent=3)


async def test_who_got_it_twice_counts_once_by_the_better_outcome(api: Api, world: World) -> None:
    await send(api, world)
    await settle(world, c0="sent", c1="failed", c2="failed")
    await send(api, world)
    assert await shown(api, world) == totals(2, sent=1, pending=2)
    await settle(world, c0="failed", c1="sent", c2="failed")
    assert await shown(api, world) == totals(2, sent=2, failed=1)


async def test_a_deleted_retry_counts_for_whom_it_reached(api: Api, world: World) -> None:
    await send(api, world)
    await settle(world, c0="sent", c1="sent", c2="failed")
    run = await CampaignRun.across_orgs().get()
    await api.post(f"{world.path}/runs/{run.id}/retry", {})
    await settle(world, c2="sent")
    await MailLog.across_orgs().delete()
    await CampaignRun.across_orgs().filter(id=run.id).update(frozen_counts={"sent": 2, "failed": 1})
    await CampaignRun.across_orgs().exclude(id=run.id).update(frozen_counts={"sent": 1})
    assert await shown(api, world) == totals(2, sent=3)
    await send(api, world)
    assert await shown(api, world) == totals(3, sent=3, pending=3)
