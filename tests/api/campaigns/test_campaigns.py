"""/v1/campaigns: made, read, changed, deleted; armed and disarmed."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_campaign, make_segment, make_template
from webapp import clock
from webapp.domain.campaigns import campaigns
from webapp.models import Campaign, CampaignRun, Organization, Segment, Template

FIELDS = [
    "id", "title", "description", "segment_id", "template_id", "schedule_type", "scheduled_at", "recurrence_interval",
    "recurrence_unit", "status", "sender_account_ids", "subject", "preview_text", "from_name", "from_email",
    "reply_to", "exclude_segment_ids", "utm",
    "tracking", "next_run_at", "last_run_at", "halted_reason",
    "schedule_note", "totals", "created_at",
    "updated_at",
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
        status, answer = await api.post("/v1/campaigns", body | fields)
        assert status == 201, answer
        made: dict[str, Any] = answer["data"]
        return made

    return make


async def test_a_campaign_needs_a_title_and_a_segment_and_is_manual(api: Api, segment: Segment) -> None:
    status, answer = await api.post("/v1/campaigns", {"title": " News ", "segment_id": str(segment.id)})
    assert status == 201
    assert list(answer["data"]) == FIELDS
    assert answer["data"] | {"id": 0, "created_at": 0, "updated_at": 0} == {
        "id": 0,
        "title": "News",
        "description": None,
        "segment_id": str(segment.id),
        "template_id": None,
        "schedule_type": "manual",
        "scheduled_at": None,
        "recurrence_interval": None,
        "recurrence_unit": None,
        "status": "draft",
        "sender_account_ids": None,
        **dict.fromkeys(("subject", "preview_text", "from_name", "from_email", "reply_to", "utm", "tracking")),
        "exclude_segment_ids": [],
        "next_run_at": None,
        "last_run_at": None,
        "halted_reason": None,
        "schedule_note": None,
        "totals": None,
        "created_at": 0,
        "updated_at": 0,
    }
    assert await api.get(f"/v1/campaigns/{answer['data']['id']}") == (200, answer)


NEW_CONTACTS = {"schedule_type": "recurring_new_contacts"}
BAD: list[tuple[list[str], list[dict[str, Any]]]] = [
    (["title"], [{"title": None}, {"title": " "}, {"title": "x" * 201}, {"title": "a\nb"}]),
    (["description"], [{"description": 1}, {"description": "x" * 10_001}]),
    (["segment_id"], [{"segment_id": None}, {"segment_id": "nonsense"}]),
    (["template_id"], [{"template_id": 7}, DAILY | {"template_id": None}, NEW_CONTACTS | {"template_id": None}]),
    (["schedule_type"], [{"schedule_type": "hourly"}, {"schedule_type": None}]),
    (
        ["scheduled_at"],
        [
            {"schedule_type": "scheduled_once"} | at
            for at in (
                {},
                {"scheduled_at": "soon"},
                {"scheduled_at": "2020-01-01T00:00:00Z"},
                {"scheduled_at": "9999-12-31T23:59:59Z"},
            )
        ],
    ),
    (["scheduled_at"], [{"scheduled_at": "0001-01-01T00:00:00Z"}]),
    (["recurrence_interval", "recurrence_unit"], [{"schedule_type": "recurring"}]),
    (["recurrence_interval"], [DAILY | {"recurrence_interval": value} for value in (0, 1.5, 2**40)]),
    (["recurrence_unit"], [DAILY | {"recurrence_unit": "year"}, NEW_CONTACTS | {"recurrence_interval": 2}]),
    (["template_id", "scheduled_at"], [{"schedule_type": "scheduled_once", "template_id": None}]),
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


async def test_what_a_type_does_not_use_is_kept(make: Make, api: Api) -> None:
    made = await make(description="For all\nof us", recurrence_interval=2, recurrence_unit="week", colour="red")
    assert (made["recurrence_interval"], made["recurrence_unit"], made["next_run_at"]) == (2, "week", None)
    status, answer = await api.patch(f"/v1/campaigns/{made['id']}", {"schedule_type": "recurring"})
    assert (status, answer["data"]["status"]) == (200, "scheduled")
    assert about(answer["data"]["next_run_at"], days=14)
    assert answer["data"]["description"] == "For all\nof us"


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


@pytest.mark.parametrize(
    ("kind", "fate"), [("scheduled_once", "sent"), ("recurring", "stopped"), ("recurring_new_contacts", "armed")]
)
async def test_a_campaigns_own_fields_sent_back_change_nothing(make: Make, api: Api, kind: str, fate: str) -> None:
    precise = (clock.now() + timedelta(hours=3)).replace(microsecond=123_456).isoformat()
    made = await make(**DAILY | {"schedule_type": kind, "scheduled_at": precise, "description": "x"})
    path = f"/v1/campaigns/{made['id']}"
    if fate == "sent":
        past = {"scheduled_at": clock.now().replace(microsecond=0), "next_run_at": None, "anchor_at": None}
        await Campaign.filter(id=made["id"]).update(status="sent", last_run_at=clock.now(), **past)
    elif fate == "stopped":
        assert (await api.post(f"{path}/stop"))[0] == 200
    before = (await api.get(path))[1]["data"]
    assert await api.patch(path, before | {"title": "Other"}) == (
        200,
        {"data": before | {"title": "Other", "updated_at": (await api.get(path))[1]["data"]["updated_at"]}},
    )
    if fate == "stopped":
        _, answer = await api.post(f"{path}/resume")
        assert (answer["data"]["status"], answer["data"]["next_run_at"]) == ("scheduled", made["next_run_at"])


async def test_a_halted_campaign_without_a_halted_run_is_armed_by_a_patch(make: Make, api: Api) -> None:
    made = await make(**DAILY)
    path = f"/v1/campaigns/{made['id']}"
    assert (await api.post(f"{path}/stop"))[1]["data"]["status"] == "halted"
    _, answer = await api.patch(path, {"recurrence_interval": 3})
    assert (answer["data"]["status"], answer["data"]["halted_reason"]) == ("scheduled", None)
    await Campaign.filter(id=made["id"]).update(status="halted", next_run_at=None)
    org = await Organization.get(name="Acme")
    await CampaignRun.create(org=org, campaign_id=made["id"], status="halted", trigger="api", trigger_key="x")
    _, answer = await api.patch(path, {"recurrence_interval": 4})
    assert (answer["data"]["status"], answer["data"]["next_run_at"]) == ("halted", None)
    _, answer = await api.post(f"{path}/resume")
    assert about(answer["data"]["next_run_at"], days=4)


@pytest.mark.parametrize("gone", ["segment", "template"])
async def test_a_deleted_segment_or_template_leaves_null_and_halts_what_is_armed(
    make: Make, api: Api, segment: Segment, template: Template, gone: str
) -> None:
    armed, manual = await make(**DAILY), await make()
    row = segment if gone == "segment" else template
    running = await make(**DAILY)
    await Campaign.filter(id=running["id"]).update(status="sending")
    assert (await api.delete(f"/v1/{gone}s/{row.id}"))[0] == 200
    _, answer = await api.get(f"/v1/campaigns/{running['id']}")
    assert answer["data"]["status"] == "sending"
    await Campaign.filter(id=running["id"]).update(status="scheduled")  # as a run that ends leaves it
    await campaigns.halt_incomplete()
    _, answer = await api.get(f"/v1/campaigns/{running['id']}")
    assert answer["data"]["status"] == "halted"
    _, answer = await api.get(f"/v1/campaigns/{armed['id']}")
    found = answer["data"]
    assert (found[f"{gone}_id"], found["status"], found["next_run_at"]) == (None, "halted", None)
    assert found["halted_reason"] == f"its {gone} was deleted"
    _, answer = await api.get(f"/v1/campaigns/{manual['id']}")
    assert (answer["data"][f"{gone}_id"], answer["data"]["status"]) == (None, "draft")
    path = f"/v1/campaigns/{armed['id']}"
    status, answer = await api.post(f"{path}/resume")
    assert (status, answer["error"]) == (409, "Conflict")
    status, answer = await api.patch(path, {"recurrence_interval": 2})
    assert (status, answer["message"]) == (400, f"{gone}_id is required")
    org = await Organization.get(name="Acme")
    other = await (make_segment(org) if gone == "segment" else make_template(org))
    status, answer = await api.patch(path, {f"{gone}_id": str(other.id)})
    assert (status, answer["data"]["status"]) == (200, "halted")
    assert answer["data"]["halted_reason"] == "the deleted segment or template was replaced; resume to continue"
    status, answer = await api.post(f"{path}/resume")
    assert (status, answer["data"]["status"]) == (200, "scheduled")


@pytest.mark.parametrize("gone", ["segment", "template"])
async def test_a_deletion_halts_nothing_of_another_organization(
    api: Api, segment: Segment, template: Template, rival: Organization, gone: str
) -> None:
    theirs = await make_campaign(rival, status="scheduled", next_run_at=clock.now() + timedelta(days=1))
    row = segment if gone == "segment" else template
    assert (await api.delete(f"/v1/{gone}s/{row.id}"))[0] == 200
    await theirs.refresh_from_db()
    assert theirs.status == "scheduled"


async def test_of_two_that_were_deleted_the_one_that_is_missing_is_told(
    make: Make, api: Api, acme: Organization, segment: Segment, template: Template
) -> None:
    path = f"/v1/campaigns/{(await make(**DAILY))['id']}"
    for row in (segment, template):
        assert (await api.delete(f"/v1/{type(row).__name__.lower()}s/{row.id}"))[0] == 200
    _, answer = await api.patch(path, {"title": "Other"})
    assert answer["data"]["halted_reason"] == "its segment was deleted"
    _, answer = await api.patch(path, {"segment_id": str((await make_segment(acme)).id)})
    assert answer["data"]["halted_reason"] == "its template was deleted"
    change = {"template_id": str((await make_template(acme)).id), "recurrence_interval": 2}
    _, answer = await api.patch(path, change)  # a schedule that changes is armed anew
    assert (answer["data"]["status"], answer["data"]["halted_reason"]) == ("scheduled", None)
