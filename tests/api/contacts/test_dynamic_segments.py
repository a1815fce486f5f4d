"""Segments whose members are whoever matches a filter: read, changed, sent to."""

from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.domain.segments.test_filters import CITY
from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.pages.campaigns.test_people import make_sent
from tests.support.audiences import make_audience
from webapp import clock
from webapp.domain.campaigns import run_rows
from webapp.domain.campaigns.scheduler import run_due_schedules
from webapp.domain.tracking.judging import judge_hits
from webapp.models import Campaign, CampaignRun, Contact, MailLog, Organization, Segment

ROME = {"field": "custom_fields.Town", "op": "is", "value": "ROME"}
DYNAMIC = {"name": "Berlin", "kind": "dynamic", "filter": CITY}


async def make(api: Api, **fields: Any) -> dict[str, Any]:
    return await api.create("/v1/segments", DYNAMIC | fields)


async def emails(api: Api, path: str) -> list[str]:
    status, body = await api.get(path)
    assert (status, body["meta"]["total"]) == (200, len(body["data"]))
    return [contact["email"] for contact in body["data"]]


async def test_its_members_are_whoever_matches_at_that_moment(
    api: Api, acme: Organization, rival: Organization
) -> None:
    made = await make(api)
    assert (made["kind"], made["filter"], made["contact_count"]) == ("dynamic", CITY, 0)
    path = f"/v1/segments/{made['id']}"
    await make_contact(rival, "theirs@example.org", custom_fields={"City": "Berlin"})
    _, ada = await api.post("/v1/contacts", {"email": "ada@example.org", "custom_fields": {"City": "BERLIN"}})
    await api.post("/v1/contacts", {"email": "bob@example.org", "custom_fields": {"City": "Bonn"}})
    assert await emails(api, f"{path}/contacts") == ["ada@example.org"]
    assert await emails(api, f"/v1/contacts?segment_id={made['id']}") == ["ada@example.org"]
    assert (await api.get(path))[1]["data"]["contact_count"] == 1
    await api.patch(f"/v1/contacts/{ada['data']['id']}", {"custom_fields": {"city": "Rome"}})
    assert await emails(api, f"{path}/contacts") == []
    assert [segment["contact_count"] for segment in (await api.get("/v1/segments"))[1]["data"]] == [0]


@pytest.mark.parametrize("op", ["opened", "not_opened", "clicked", "not_clicked"])
async def test_its_members_are_those_who_opened_or_clicked_a_campaign(
    api: Api, rival_api: Api, acme: Organization, op: str
) -> None:
    sent = await make_sent(acme)
    await sent.hit("ann")
    await sent.hit("ben", link=0)
    await judge_hits()
    condition = {"field": "campaign", "op": op, "value": str(sent.campaign.id)}
    made = await make(api, filter=condition)
    everyone = {"ann", "ben", "cid", "dan", "eve", "fay"}  # gus is not tracked
    expected = {"opened": {"ann"}, "not_opened": everyone - {"ann", "ben"}}
    expected |= {"clicked": {"ben"}, "not_clicked": everyone - {"ben"}}
    names = {email.partition("@")[0] for email in await emails(api, f"/v1/segments/{made['id']}/contacts")}
    assert names == expected[op]
    assert (await rival_api.post("/v1/segments", DYNAMIC | {"filter": condition}))[0] == 404


async def test_its_filter_is_changed_alone_or_with_its_name(api: Api, acme: Organization) -> None:
    await make_contact(acme, "ada@example.org", custom_fields={"town": "Rome"})
    path = f"/v1/segments/{(await make(api))['id']}"
    status, changed = await api.patch(path, {"name": "Rome", "filter": ROME})
    assert (status, changed["data"]["filter"], changed["data"]["contact_count"]) == (200, ROME, 1)
    status, renamed = await api.patch(path, {"name": "All of Rome"})
    assert (status, renamed["data"]["name"], renamed["data"]["filter"]) == (200, "All of Rome", ROME)


async def test_what_is_no_filter_changes_nothing(api: Api, acme: Organization, rival: Organization) -> None:
    static, dynamic = await make_segment(acme), await make(api)
    theirs = await make_segment(rival)
    foreign = {"field": "segment", "op": "in", "value": str(theirs.id)}
    nested = {"field": "segment", "op": "in", "value": dynamic["id"]}
    answers = [
        await api.post("/v1/segments", {"name": "A", "kind": "dynamic"}),
        await api.post("/v1/segments", DYNAMIC | {"filter": {"field": "city", "op": "is", "value": "x"}}),
        await api.patch(f"/v1/segments/{static.id}", {"name": "A", "filter": CITY}),
        await api.patch(f"/v1/segments/{dynamic['id']}", {"name": "A", "filter": {"and": []}}),
        await api.post("/v1/segments", DYNAMIC | {"filter": nested}),
    ]
    assert [(status, body["error"]) for status, body in answers] == [(400, "ValidationError")] * 5
    assert answers[1][1]["details"][0]["message"].startswith("filter at field must be one of email, first_name")
    assert (await api.post("/v1/segments", DYNAMIC | {"filter": foreign}))[0] == 404
    assert (await api.patch(f"/v1/segments/{dynamic['id']}", {"name": "A", "filter": foreign}))[0] == 404
    assert await Segment.of(acme).order_by("name").values_list("name", flat=True) == ["Berlin", "Readers"]


async def test_nobody_is_added_to_it_or_taken_out(api: Api, acme: Organization) -> None:
    contact, segment_id = await make_contact(acme, custom_fields={"city": "Berlin"}), (await make(api))["id"]
    path = f"/v1/segments/{segment_id}/contacts"
    answers = [
        await api.post(path, {"email": "new@example.org"}),
        await api.post(path, {"contact_id": str(contact.id)}),
        await api.delete(f"{path}/{contact.id}"),
        await api.post("/v1/contacts", {"email": "new@example.org", "segments": [segment_id]}),
        await api.patch(f"/v1/contacts/{contact.id}", {"segments": [segment_id]}),
    ]
    assert [(status, body["error"]) for status, body in answers] == [(409, "Conflict")] * 5
    assert await Contact.of(acme).count() == 1


async def test_a_run_mails_whom_the_filter_matched_at_its_start(
    api: Api, acme: Organization, rival: Organization
) -> None:
    await make_audience(rival, 10)
    _, ids = await make_audience(acme, 2_500)
    await make_account(acme)
    for contact_id, changes in zip(ids, ({"status": "unsubscribed"}, {"bounced_at": clock.now()}), strict=False):
        await Contact.of(acme).filter(id=contact_id).update(**changes)
    await Contact.of(acme).filter(id=ids[2]).update(filter_values={})
    segment_id = (await make(api, filter=ROME))["id"]
    campaign = await make_campaign(acme, segment_id=segment_id, template=await make_template(acme))
    status, answer = await api.post(f"/v1/campaigns/{campaign.id}/send", {})
    assert (status, answer["contacts_messaged"]) == (200, 2_497)
    await api.patch(f"/v1/segments/{segment_id}", {"name": "Nobody", "filter": CITY})
    await run_rows.create_pending_rows()
    rows: Any = await MailLog.of(acme).filter(campaign_id=campaign.id).values_list("contact_id", flat=True)
    assert sorted(rows) == ids[3:]
    assert (await CampaignRun.of(acme).get()).materialised
    assert await MailLog.of(rival).count() == 0


async def test_each_new_match_is_mailed_once(api: Api, acme: Organization, rival: Organization) -> None:
    await make_contact(rival, custom_fields={"city": "Berlin"})
    await make_account(acme)
    segment = await Segment.get(id=(await make(api))["id"])
    ada, bob = [await make_contact(acme, custom_fields={"city": city}) for city in ("Berlin", "Bonn")]
    campaign = await make_campaign(
        acme, segment=segment, template=await make_template(acme), schedule_type="recurring_new_contacts"
    )

    async def mailed() -> list[Any]:
        due = {"anchor_at": clock.now(), "next_run_at": clock.now() - timedelta(seconds=1), "status": "scheduled"}
        await Campaign.of(acme).filter(id=campaign.id).update(**due)
        await run_due_schedules()
        await MailLog.of(acme).update(status="sent")
        await CampaignRun.of(acme).update(status="completed", materialised=True)
        return list(await MailLog.of(acme).order_by("id").values_list("contact_id", flat=True))

    assert await mailed() == [ada.id]
    assert await mailed() == [ada.id]
    await api.patch(f"/v1/contacts/{bob.id}", {"custom_fields": {"city": "Berlin"}})
    assert await mailed() == [ada.id, bob.id]
    assert await MailLog.of(rival).count() == 0


async def test_nobody_matches_once_a_named_segment_is_deleted_rather_than_everybody(
    api: Api, acme: Organization, rival: Organization
) -> None:
    await make_contact(rival)
    left_out, other = await make_contact(acme), await make_contact(acme)
    excluded = await make_segment(acme, left_out)
    made = await make(api, filter={"field": "segment", "op": "not_in", "value": str(excluded.id)})
    path = f"/v1/segments/{made['id']}"
    assert await emails(api, f"{path}/contacts") == [other.email]
    await api.delete(f"/v1/segments/{excluded.id}")
    assert await emails(api, f"{path}/contacts") == []
    assert (await api.get(path))[1]["data"]["contact_count"] == 0
