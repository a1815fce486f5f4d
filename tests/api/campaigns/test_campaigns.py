"""/v1/campaigns: made, read, changed, deleted; armed and disarmed."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_account, make_campaign, make_segment, make_template
from webapp import clock
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.campaigns import campaigns
from webapp.models import Campaign, Event, Organization, Segment, Template

FIELDS = [
    "id", "title", "description", "segment_id", "template_id", "schedule_type", "scheduled_at", "recurrence_interval",
    "recurrence_unit", "status", "sender_account_ids", "subject", "preview_text", "from_name", "from_email",
    "reply_to", "media_ids", "exclude_segment_ids", "topic_id", "utm", "tracking", "next_run_at", "last_run_at", "halted_reason",
    "schedule_note", "totals", "created_at", "updated_at",
]  # fmt: skip
DAILY = {"schedule_type": "recurring", "recurrence_interval": 1, "recurrence_unit": "day"}

Make = Callable[..., Awaitable[dict[str, Any]]]


def at(**ahead: float) -> str:
    """An instant from now in the form of the API."""
    return (clock.now() + timedelta(**ahead)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def about(text: str | None, **ahead: float) -> bool:
    """Whether an instant is that far from now, to half a minute."""
    assert text is not None
    return abs(datetime.fromisoformat(text) - clock.now() - timedelta(**ahead)) < timedelta(seconds=30)


@pytest.fixture
async def segment(acme: Organization) -> Segment:
    return await make_segment(acme)


@pytest.fixture
async def template(acme: Organization) -> Template:
    return await make_template(acme)


@pytest.fixture
def body(segment: Segment, template: Template) -> dict[str, Any]:
    """What makes a campaign of any schedule."""
    return {"title": "News", "segment_id": str(segment.id), "template_id": str(template.id)}


@pytest.fixture
def make(api: Api, body: dict[str, Any]) -> Make:
    async def make(**fields: Any) -> dict[str, Any]:
        return await api.create("/v1/campaigns", body | fields)

    return make


async def test_a_campaign_needs_a_title_and_a_segment_and_is_manual(api: Api, segment: Segment) -> None:
    status, answer = await api.post("/v1/campaigns", {"title": " News ", "segment_id": str(segment.id)})
    assert status == 201
    assert list(answer["data"]) == FIELDS
    assert answer["data"] == {
        **dict.fromkeys(FIELDS),
        **{name: answer["data"][name] for name in ("id", "created_at", "updated_at")},
        "title": "News",
        "segment_id": str(segment.id),
        "schedule_type": "manual",
        "status": "draft",
        "exclude_segment_ids": [],
        "media_ids": [],
    }
    assert await api.get(f"/v1/campaigns/{answer['data']['id']}") == (200, answer)


ONCE = {"schedule_type": "scheduled_once"}
NEW_CONTACTS = {"schedule_type": "recurring_new_contacts"}
BAD: list[tuple[list[str], list[dict[str, Any]]]] = [
    (["title"], [{"title": " "}, {"title": "x" * 201}, {"title": "a\nb"}]),
    (["description"], [{"description": "x" * 10_001}]),
    (["segment_id"], [{"segment_id": None}]),
    (["template_id"], [DAILY | {"template_id": None}, NEW_CONTACTS | {"template_id": None}]),
    (["schedule_type"], [{"schedule_type": "hourly"}]),
    (["scheduled_at"], [ONCE, ONCE | {"scheduled_at": "soon"}, ONCE | {"scheduled_at": "2020-01-01T00:00:00Z"}]),
    (["scheduled_at"], [{"scheduled_at": "0001-01-01T00:00:00Z"}, ONCE | {"scheduled_at": "9999-12-31T23:59:59Z"}]),
    (["recurrence_interval", "recurrence_unit"], [{"schedule_type": "recurring"}]),
    (["recurrence_interval"], [DAILY | {"recurrence_interval": value} for value in (0, 1.5, 2**40)]),
    (["recurrence_unit"], [DAILY | {"recurrence_unit": "year"}, NEW_CONTACTS | {"recurrence_interval": 2}]),
    (["template_id", "scheduled_at"], [ONCE | {"template_id": None}]),
]


async def test_what_a_schedule_lacks_is_named(api: Api, body: dict[str, Any], make: Make) -> None:
    made = await make()
    for fields, change in ((fields, change) for fields, changes in BAD for change in changes):
        for status, answer in (
            await api.post("/v1/campaigns", body | change),
            await api.patch(f"/v1/campaigns/{made['id']}", change),
        ):
            assert (status, [fault["field"] for fault in answer["details"]]) == (400, fields), change
    assert (await api.get(f"/v1/campaigns/{made['id']}"))[1]["data"] == made


async def test_words_of_time_are_read_in_the_organizations_timezone(api: Api, acme: Organization, make: Make) -> None:
    await Organization.filter(id=acme.id).update(timezone="Asia/Tokyo")
    tomorrow = clock.today("Asia/Tokyo") + timedelta(days=1)
    once = await make(schedule_type="scheduled_once", scheduled_at="tomorrow at 9am")
    assert once["scheduled_at"] == once["next_run_at"] == f"{tomorrow}T00:00:00.000Z"
    status, body = await api.patch(f"/v1/campaigns/{once['id']}", {"scheduled_at": "in 3 hours"})
    assert status == 200
    assert about(body["data"]["next_run_at"], hours=3)
    status, body = await api.patch(f"/v1/campaigns/{once['id']}", {"scheduled_at": "1 january 2300 9am"})
    message = "scheduled_at must be between the years 2000 and 2200: 1 january 2300 9am is 2300-01-01T00:00:00.000Z"
    assert (status, body["message"]) == (400, message)


async def test_a_schedule_is_armed_from_creation(make: Make) -> None:
    once = await make(schedule_type="scheduled_once", scheduled_at=at(hours=3))
    assert (once["status"], once["next_run_at"]) == ("scheduled", once["scheduled_at"])
    daily = await make(**DAILY)
    assert daily["status"] == "scheduled"
    assert about(daily["next_run_at"], days=1)
    starting = await make(**DAILY, scheduled_at=at(days=9))
    assert starting["next_run_at"] == starting["scheduled_at"]
    started = await make(**DAILY, scheduled_at=at(hours=-30))
    assert about(started["next_run_at"], hours=18)
    weekly = await make(**DAILY | {"recurrence_interval": 2, "recurrence_unit": "week"})
    assert about(weekly["next_run_at"], days=14)


async def test_new_contacts_are_looked_at_every_five_minutes_or_as_told(make: Make) -> None:
    plain = await make(schedule_type="recurring_new_contacts")
    assert (plain["status"], about(plain["next_run_at"], minutes=5)) == ("scheduled", True)
    told = await make(**DAILY | {"schedule_type": "recurring_new_contacts", "recurrence_interval": 3})
    assert about(told["next_run_at"], days=3)


async def test_a_recurrence_keeps_the_wall_clock_of_the_organization(make: Make, acme: Organization, api: Api) -> None:
    await Organization.filter(id=acme.id).update(timezone="Europe/Berlin")
    fields = {"recurrence_unit": "month", "scheduled_at": "2026-01-31T09:00:00+01:00"}
    made = await make(**DAILY | fields)
    due = datetime.fromisoformat(made["next_run_at"])
    assert made["scheduled_at"] == "2026-01-31T08:00:00.000Z"
    assert due.hour == (7 if 4 <= due.month <= 10 else 8)
    assert due > clock.now()


async def test_patch_changes_what_is_given_and_leaves_the_schedule(make: Make, api: Api) -> None:
    made = await make(**DAILY)
    status, answer = await api.patch(f"/v1/campaigns/{made['id']}", {"title": "Other", "description": "x", **DAILY})
    assert status == 200
    assert answer["data"] == made | {"title": "Other", "description": "x", "updated_at": answer["data"]["updated_at"]}
    status, answer = await api.patch(f"/v1/campaigns/{made['id']}", {"recurrence_interval": 2})
    assert about(answer["data"]["next_run_at"], days=2)
    status, answer = await api.patch(f"/v1/campaigns/{made['id']}", {})
    assert status == 200


async def test_patch_to_manual_disarms_and_back_arms(make: Make, api: Api) -> None:
    made = await make(**DAILY)
    _, answer = await api.patch(f"/v1/campaigns/{made['id']}", {"schedule_type": "manual"})
    assert (answer["data"]["status"], answer["data"]["next_run_at"]) == ("draft", None)
    _, answer = await api.patch(f"/v1/campaigns/{made['id']}", {"schedule_type": "recurring"})
    assert answer["data"]["status"] == "scheduled"
    await Campaign.filter(id=made["id"]).update(last_run_at=clock.now())
    _, answer = await api.patch(f"/v1/campaigns/{made['id']}", {"schedule_type": "manual"})
    assert answer["data"]["status"] == "sent"


async def test_a_title_can_change_long_after_the_time_has_passed(make: Make, api: Api) -> None:
    made = await make(schedule_type="scheduled_once", scheduled_at=at(hours=3))
    gone = {"scheduled_at": clock.now() - timedelta(days=2), "next_run_at": None, "anchor_at": None, "status": "sent"}
    await Campaign.filter(id=made["id"]).update(**gone)
    path = f"/v1/campaigns/{made['id']}"
    assert (await api.patch(path, {"title": "Other"}))[0] == 200
    status, answer = await api.patch(path, {"schedule_type": "scheduled_once"})
    assert (status, answer["data"]["status"], answer["data"]["next_run_at"]) == (200, "sent", None)
    status, answer = await api.patch(path, {"scheduled_at": at(hours=-1)})
    assert (status, answer["message"]) == (400, "scheduled_at must be in the future")
    status, answer = await api.patch(path, {"scheduled_at": at(hours=1)})
    assert (status, answer["data"]["status"]) == (200, "scheduled")


@pytest.mark.parametrize("is_sent", [True, False])
async def test_a_campaigns_own_fields_sent_back_change_nothing(make: Make, api: Api, *, is_sent: bool) -> None:
    precise = (clock.now() + timedelta(hours=3)).replace(microsecond=123_456).isoformat()
    made = await make(**ONCE, scheduled_at=precise)
    path = f"/v1/campaigns/{made['id']}"
    if is_sent:
        past = {"scheduled_at": clock.now().replace(microsecond=0), "next_run_at": None, "anchor_at": None}
        await Campaign.filter(id=made["id"]).update(status="sent", last_run_at=clock.now(), **past)
    before = (await api.get(path))[1]["data"]
    status, answer = await api.patch(path, before | {"title": "Other"})
    assert status == 200, answer
    assert answer["data"] == before | {"title": "Other", "updated_at": answer["data"]["updated_at"]}


@pytest.mark.parametrize("gone", ["segment", "template"])
async def test_a_deleted_segment_or_template_leaves_null_and_halts_what_is_armed(
    make: Make, api: Api, acme: Organization, rival: Organization, segment: Segment, template: Template, gone: str
) -> None:
    armed, manual, running = await make(**DAILY), await make(), await make(**DAILY)
    theirs = await make_campaign(rival, status="scheduled", next_run_at=clock.now() + timedelta(days=1))
    row = segment if gone == "segment" else template
    await Campaign.filter(id=running["id"]).update(status="sending")
    assert (await api.delete(f"/v1/{gone}s/{row.id}"))[0] == 200
    await theirs.refresh_from_db()
    assert theirs.status == "scheduled"
    assert (await api.get(f"/v1/campaigns/{running['id']}"))[1]["data"]["status"] == "sending"
    await Campaign.filter(id=running["id"]).update(status="scheduled")  # as a run that ends leaves it
    await campaigns.halt_incomplete()
    assert (await api.get(f"/v1/campaigns/{running['id']}"))[1]["data"]["status"] == "halted"
    _, answer = await api.get(f"/v1/campaigns/{manual['id']}")
    assert (answer["data"][f"{gone}_id"], answer["data"]["status"]) == (None, "draft")
    path = f"/v1/campaigns/{armed['id']}"
    shown = (await api.get(path))[1]["data"]
    assert (shown[f"{gone}_id"], shown["status"], shown["next_run_at"]) == (None, "halted", None)
    assert shown["halted_reason"] == f"its {gone} was deleted"
    assert (await api.post(f"{path}/resume"))[1]["error"] == "Conflict"
    other = await (make_segment(acme) if gone == "segment" else make_template(acme))
    status, answer = await api.patch(path, {f"{gone}_id": str(other.id)})
    assert (status, answer["data"]["status"]) == (200, "halted")
    assert answer["data"]["halted_reason"] == "the deleted segment or template was replaced; resume to continue"
    status, answer = await api.post(f"{path}/resume")
    assert (status, answer["data"]["status"]) == (200, "scheduled")


@pytest.mark.parametrize("named", ["none", "it", "it and the sandbox"])
async def test_a_deleted_account_halts_what_no_other_account_can_send(
    make: Make, api: Api, acme: Organization, rival: Organization, named: str
) -> None:
    account, sandbox = await make_account(acme), await sandbox_account(acme)
    await sandbox_account(rival)
    ids = {"none": None, "it": [account.id], "it and the sandbox": [account.id, sandbox.id]}[named]
    senders = {} if ids is None else {"sender_account_ids": [str(account_id) for account_id in ids]}
    armed, draft, running = await make(**DAILY, **senders), await make(**senders), await make(**DAILY, **senders)
    tomorrow = clock.now() + timedelta(days=1)
    theirs = await make_campaign(rival, status="scheduled", anchor_at=tomorrow, next_run_at=tomorrow)
    await Campaign.filter(id=running["id"]).update(status="sending")
    assert (await api.delete(f"/v1/accounts/{account.id}"))[0] == 200
    await theirs.refresh_from_db()
    assert theirs.status == "scheduled"
    assert (await api.get(f"/v1/campaigns/{draft['id']}"))[1]["data"] == draft
    path = f"/v1/campaigns/{armed['id']}"
    shown = (await api.get(path))[1]["data"]
    assert (shown["status"], shown["next_run_at"], shown["halted_reason"]) == (
        "halted",
        None,
        "its account was deleted",
    )
    shown = (await api.get(f"/v1/campaigns/{running['id']}"))[1]["data"]
    assert (shown["status"], shown["sender_account_ids"]) == ("sending", [str(account.id)])  # not the sandbox
    assert await Event.of(acme).filter(type="campaign.halted").count() == 1
    status, refused = await api.post(f"{path}/resume")
    assert (status, refused["message"]) == (409, "this campaign's account was deleted; choose another one first")
    _, answer = await api.patch(path, {"recurrence_interval": 2})
    assert (answer["data"]["status"], answer["data"]["halted_reason"]) == ("halted", "its account was deleted")
    other = await make_account(acme)
    _, answer = await api.patch(path, {"sender_account_ids": [str(other.id)]})
    assert answer["data"]["halted_reason"] == "the deleted account was replaced; resume to continue"
    status, answer = await api.post(f"{path}/resume")
    assert (status, answer["data"]["status"]) == (200, "scheduled")


async def test_a_deleted_account_leaves_scheduled_what_others_can_send(
    make: Make, api: Api, acme: Organization
) -> None:
    account, other = await make_account(acme), await make_account(acme)
    both = [str(account.id), str(other.id)]
    armed = [await make(**DAILY), await make(**DAILY, sender_account_ids=both)]
    assert (await api.delete(f"/v1/accounts/{account.id}"))[0] == 200
    assert [(await api.get(f"/v1/campaigns/{campaign['id']}"))[1]["data"] for campaign in armed] == armed


async def test_a_campaign_names_its_accounts(api: Api, acme: Organization, rival: Organization) -> None:
    account, other = await make_account(acme), await make_account(acme)
    segment = await make_segment(acme)
    body = {"title": "News", "segment_id": str(segment.id), "sender_account_ids": [str(account.id), str(account.id)]}
    made = await api.create("/v1/campaigns", body)
    assert made["sender_account_ids"] == [str(account.id)]
    path = f"/v1/campaigns/{made['id']}"
    for ids in ([str(other.id)], None):
        assert (await api.patch(path, {"sender_account_ids": ids}))[1]["data"]["sender_account_ids"] == ids
    stranger = await make_account(rival)
    for ids, status in (([str(stranger.id)], 404), ([], 400), (["x"], 400)):
        refused = await api.patch(path, {"sender_account_ids": ids})
        assert (refused[0], refused[1]["message"].startswith("sender_account_ids")) == (status, True)
    assert (await api.get(path))[1]["data"]["sender_account_ids"] is None
