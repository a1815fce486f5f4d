"""The contract's "Representation" for every resource at once: conventions, ids, times, request ids."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.api.conftest import Api
from tests.api.every_route.test_every_body import ACCOUNT, body_of
from tests.api.mails import MAIL
from tests.factories import make_account, make_contact, make_one_of_each, make_segment, make_template
from webapp import clock
from webapp.models import Account, Campaign, CampaignRun, Contact, Email, MailLog, Organization

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
EVERY = {"created_at", "updated_at"}
# Where each resource is shown, and its times.
TIMES = {
    "/v1/accounts/{account_id}": EVERY | {"last_used_at"},
    "/v1/contacts/{contact_id}": EVERY | {"unsubscribed_at", "bounced_at"},
    "/v1/segments/{segment_id}": EVERY,
    "/v1/forms/{form_id}": EVERY,
    "/v1/templates/{template_id}": EVERY,
    "/v1/campaigns/{campaign_id}": EVERY | {"scheduled_at", "next_run_at", "last_run_at"},
    "/v1/campaigns/{campaign_id}/runs/{run_id}": {"created_at", "started_at", "finished_at"},
    "/v1/emails/{email_id}": {"created_at", "scheduled_at", "sent_at"},
    "/v1/mail-logs/{mail_log_id}": {"created_at", "sent_at"},
    "/v1/events/{event_id}": {"created_at"},
    "/v1/webhooks/{webhook_id}": EVERY,
    "/v1/media/{media_id}": {"created_at"},
    "/v1/suppressions/{suppression_id}": {"created_at"},
}


@pytest.fixture
async def ids(acme: Organization) -> dict[str, str]:
    """One of everything."""
    return await make_one_of_each(acme, await make_account(acme))


async def create(api: Api, path: str, body: dict[str, Any]) -> str:
    status, answer = await api.post(path, body)
    assert status in (200, 201), answer
    made: str = (answer if path == "/v1/emails" else answer["data"])["id"]
    return made


async def test_ids_are_uuids_of_version_7_in_the_order_in_which_rows_were_made(api: Api, acme: Organization) -> None:
    contact, template = await make_contact(acme), await make_template(acme)
    segment = await make_segment(acme, contact)
    campaign = {"title": "News", "segment_id": str(segment.id), "template_id": str(template.id)}
    account = ACCOUNT | {"from_email": "hello@acme.example"}
    bodies = {"accounts": account, "segments": {"name": "x"}, "templates": {"name": "x"}, "campaigns": campaign}
    made: dict[str, list[str]] = {noun: [] for noun in (*bodies, "emails", "contacts")}
    for number in range(3):
        for noun, body in (*bodies.items(), ("emails", MAIL), ("contacts", {"email": f"a{number}@example.org"})):
            made[noun].append(await create(api, f"/v1/{noun}", body))
        status, answer = await api.post(f"/v1/campaigns/{made['campaigns'][-1]}/send", {})
        assert (status, answer.get("contacts_messaged")) == (200, 1), answer
    made["runs"] = [str(row.id) for row in await CampaignRun.of(acme).order_by("created_at")]
    made["mail logs"] = [str(row.id) for row in await MailLog.of(acme).order_by("created_at", "id")]
    for noun, ids in made.items():
        assert len(ids) in (3, 6)
        assert ids == sorted(ids), noun
        for row_id in ids:
            assert (UUID(row_id).version, str(UUID(row_id))) == (7, row_id), noun


async def fill_in_times(ids: dict[str, str]) -> None:
    """Give every row all the times that it can have."""
    now = clock.now()
    await Account.across_orgs().filter(id=ids["account_id"]).update(last_used_at=now)
    await Contact.across_orgs().filter(id=ids["contact_id"]).update(unsubscribed_at=now, bounced_at=now)
    campaigns = Campaign.across_orgs().filter(id=ids["campaign_id"])
    await campaigns.update(scheduled_at=now, next_run_at=now, last_run_at=now)
    await CampaignRun.across_orgs().filter(id=ids["run_id"]).update(started_at=now, finished_at=now)
    await Email.across_orgs().filter(id=ids["email_id"]).update(scheduled_at=now)
    await MailLog.across_orgs().all().update(status="sent", sent_at=now)


def times_in(shown: Any) -> Iterator[tuple[str, Any]]:
    """The fields called after a time, at any depth."""
    if isinstance(shown, dict):
        for name, value in shown.items():
            if name.endswith("_at"):
                yield name, value
            yield from times_in(value)
    elif isinstance(shown, list):
        for item in shown:
            yield from times_in(item)


async def test_every_time_is_iso_8601_in_utc_with_milliseconds(api: Api, ids: dict[str, str]) -> None:
    await fill_in_times(ids)
    for path, names in TIMES.items():
        status, body = await api.get(path.format(**ids))
        assert status == 200
        found = dict(times_in(body))
        assert {name for name, value in found.items() if value is not None} == names, path
        assert all(TIME.fullmatch(value) for value in found.values() if value is not None), found


async def test_a_time_with_an_offset_is_converted_and_one_without_is_utc(api: Api, ids: dict[str, str]) -> None:
    at = clock.now().replace(microsecond=0, tzinfo=None) + timedelta(days=3)
    for offset, hours in {"": 0.0, "Z": 0.0, "+05:30": 5.5, "-11:00": -11.0}.items():
        given, shown = f"{at.isoformat()}{offset}", f"{(at - timedelta(hours=hours)).isoformat()}.000Z"
        once = {"schedule_type": "scheduled_once", "scheduled_at": given}
        status, body = await api.patch(f"/v1/campaigns/{ids['campaign_id']}", once)
        assert (status, body["data"]["scheduled_at"], body["data"]["next_run_at"]) == (200, shown, shown)
        email_id = await create(api, "/v1/emails", MAIL | {"scheduled_at": given})
        assert (await api.get(f"/v1/emails/{email_id}"))[1]["data"]["scheduled_at"] == shown


async def test_every_response_has_a_request_id(keyless: Api) -> None:
    for path in ("/", "/v1", "/v1/accounts", "/v1/nothing", "/nothing", "/healthz", "/openapi.json", "/sign-in", "/home",
                 "/static/app.css", "/static/nothing"):  # fmt: skip
        first, second = [await keyless.send("GET", path) for _ in range(2)]  # which looks for the header
        assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"], path


REQUIRED = {
    "accounts": ["name", "provider_type"],  # and more by provider_type: test_accounts.py
    "segments": ["name"],
    "contacts": ["email"],
    "forms": ["name"],
    "templates": ["name"],
    "campaigns": ["title", "segment_id"],
}


@pytest.mark.parametrize("noun", REQUIRED)
async def test_the_conventions_hold_for(api: Api, acme: Organization, noun: str) -> None:
    body = body_of(f"POST /{noun}", {"segment_id": str((await make_segment(acme)).id)})
    before = (await api.get(f"/v1/{noun}"))[1]["meta"]["total"]
    status, created = await api.post(f"/v1/{noun}", body)
    assert (status, set(created)) == (201, {"data"})
    place = f"/v1/{noun}/{created['data']['id']}"
    assert await api.get(place) == (200, created)
    status, listed = await api.get(f"/v1/{noun}?page=1&page_size=101")
    assert (status, set(listed)) == (200, {"data", "meta"})
    assert listed["meta"] == {"page": 1, "page_size": 100, "total": before + 1}
    assert created["data"] in listed["data"]
    assert await api.delete(place) == (200, {"ok": True})
    for method in ("GET", "DELETE"):
        answer = await api.send(method, place)
        assert (answer.status_code, await answer.get_data()) == (404, b'{"error":"Not found"}')


@pytest.mark.parametrize("noun", REQUIRED)
async def test_what_a_create_lacks_is_named_and_nothing_else_is_required_of(api: Api, noun: str) -> None:
    status, refused = await api.post(f"/v1/{noun}", {})
    assert (status, refused["error"]) == (400, "ValidationError")
    assert refused["message"] == f"{REQUIRED[noun][0]} is required"
    assert refused["details"] == [{"field": name, "message": f"{name} is required"} for name in REQUIRED[noun]]
