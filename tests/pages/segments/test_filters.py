"""Dynamic segments on the pages: built condition by condition, counted, saved, changed and refused."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.domain.segments.test_filters import CITY
from tests.factories import make_campaign, make_contact, make_segment, make_topic
from tests.fakes.worker import eventually
from tests.pages.conftest import Page, Visitor
from webapp import clock
from webapp.domain.contacts.search import COUNTED_AT_ONCE
from webapp.models import Organization, Segment

NEW = "/segments/new/dynamic"
HTMX = {"HX-Request": "true"}


async def make_dynamic(org: Organization, tree: dict[str, Any]) -> Segment:
    return await Segment.create(org=org, name="Berlin", name_key="berlin", kind="dynamic", member_filter=tree)


def matches(page: Page) -> str:
    return " ".join(page.soup.find(id="matches").get_text(" ").split())


async def test_a_segment_is_built_condition_by_condition(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_contact(acme, "ada@example.org", custom_fields={"City": "Berlin"})
    await make_contact(acme, "bob@example.org", custom_fields={"City": "Bonn"})
    await make_contact(rival, "theirs@example.org", custom_fields={"City": "Berlin", "Secret": "x"})
    page = await owner.get(NEW)
    assert matches(page) == "Complete the conditions to see who matches."
    offered = [option.text for option in page.soup.select("#f-add option")]
    assert offered[:2] == ["Select a field", "Email address"]
    assert offered[-1] == "City"
    page = await owner.submit(page, NEW, name="Berliners", add="custom_fields.City", do="add")
    assert (page.status, page.title) == (200, "New dynamic segment")
    page = await owner.submit(page, NEW, **{"value-0": "berlin"}, add="created_at", do="add")
    page = await owner.submit(page, NEW, **{"op-1": "in_last_days", "days-1": "7"}, do="preview")
    assert matches(page) == "1 contact matches now: ada@example.org"
    page = await owner.submit(page, NEW, do="save")
    segment = await Segment.of(acme).get()
    assert (page.path, page.title) == (f"/segments/{segment.id}", "Berliners")
    assert segment.member_filter == {
        "and": [
            {"field": "custom_fields.City", "op": "is", "value": "berlin"},
            {"field": "created_at", "op": "in_last_days", "value": 7},
        ]
    }
    assert "City is “berlin” and Date added is in the last 7 days" in page.text
    assert [row[0] for row in page.rows] == ["ada@example.org"]

    async def is_counted() -> bool:
        return (await owner.get("/segments")).rows[0][:2] == ["Berliners Dynamic", "1"]

    await eventually(is_counted)  # a page waits for a count only briefly


async def test_everyone_of_a_city_who_joined_this_month_is_a_segment(owner: Visitor, acme: Organization) -> None:
    now = clock.now().astimezone(ZoneInfo(acme.timezone))
    for name, city, joined in (
        ("ada", "Berlin", now.date().isoformat()),
        ("bob", "Bonn", now.date().isoformat()),
        ("cem", "Berlin", (now.replace(day=1) - timedelta(days=1)).date().isoformat()),
        ("dora", "Berlin", f"{now:%d.%m.%Y}"),
    ):
        await make_contact(acme, f"{name}@example.org", custom_fields={"City": city, "Joined": joined})
    page = await owner.submit(await owner.get(NEW), NEW, name="New Berliners", add="custom_fields.City", do="add")
    page = await owner.submit(page, NEW, **{"value-0": "Berlin"}, add="custom_fields.Joined", do="add")
    page = await owner.submit(page, NEW, **{"op-1": "this_month"}, add="last_active_at", do="add")
    page = await owner.submit(page, NEW, **{"op-2": "not_in_last_days", "days-2": "1"}, do="save")
    assert {row[0] for row in page.rows} == {"ada@example.org", "dora@example.org"}
    assert "City is “Berlin” and Joined is this month and Last active is not in the last 1 day" in page.text
    page = await owner.get(f"{page.path}/filter")
    assert (page.soup.find(id="f-days-2")["value"], page.soup.find(id="f-value-2")["type"]) == ("1", "date")


async def test_what_cannot_be_saved_says_why_at_its_row_and_keeps_what_was_typed(
    owner: Visitor, acme: Organization
) -> None:
    page = await owner.submit(await owner.get(NEW), NEW, name="A", do="save")
    assert (page.status, page.error_at("add")) == (422, "Add at least one condition.")
    page = await owner.submit(page, NEW, do="add")
    assert page.error_at("add") == "Select a field."
    page = await owner.submit(page, NEW, add="created_at", do="add")
    page = await owner.submit(page, NEW, **{"op-0": "after", "value-0": "1 May"}, do="save")
    assert page.status == 422
    assert "ust be a date like 2026-11-20" in (page.error_at("value-0") or "")
    assert page.soup.find(id="f-value-0")["value"] == "1 May"
    page = await owner.submit(page, NEW, **{"op-0": "in_last_days", "value-0": ""}, do="save")
    assert page.error_at("value-0") == "Must be an integer from 1 to 36,500."
    assert [field["id"] for field in page.soup.select("[autofocus]")] == ["f-days-0"]
    page = await owner.submit(page, NEW, **{"op-0": "after", "value-0": "2026-05-01"}, name="", do="save")
    assert page.status == 422
    assert page.error_at("name")
    assert await Segment.of(acme).count() == 0


async def test_members_of_a_segment_and_receivers_of_a_campaign_are_chosen_by_name(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    theirs, campaign = await make_segment(rival), await make_campaign(acme, title="Spring")
    segment = await make_segment(acme, await make_contact(acme, "ada@example.org"))
    page = await owner.submit(await owner.get(NEW), NEW, name="Left out", add="segment", do="add")
    assert str(theirs.id) not in page.data.decode()
    page = await owner.submit(page, NEW, **{"value-0": str(segment.id)}, add="campaign", do="add")
    page = await owner.submit(page, NEW, **{"op-1": "not_got", "value-1": str(campaign.id)}, do="save")
    assert "Is in segment “Readers” and did not receive campaign “Spring”" in page.text


@pytest.mark.parametrize(
    ("field", "op", "offered"),
    [
        ("campaign", "got", "No campaigns yet"),
        ("topic", "in", "No topics yet"),
        ("segment", "in", "No static segments"),
    ],
)
async def test_a_condition_without_anything_to_choose_says_so(
    owner: Visitor, rival: Organization, field: str, op: str, offered: str
) -> None:
    await make_segment(rival)
    await make_campaign(rival)
    await make_topic(rival)
    page = await owner.submit(await owner.get(NEW), NEW, name="A", add=field, do="add")
    assert [option.text for option in page.soup.select("#f-value-0 option")] == [offered]
    page = await owner.submit(page, NEW, **{"op-0": op, "value-0": ""}, do="save")
    assert (page.status, page.error_at("value-0")) == (422, f"Choose a {field}.")
    assert f"Condition 1: Choose a {field}." in (await owner.get(f"/contacts?field-0={field}&op-0={op}&value-0=")).text


async def test_the_count_follows_what_is_typed_and_a_nested_filter_is_told_of(
    owner: Visitor, acme: Organization
) -> None:
    await make_contact(acme, "ada@example.org", custom_fields={"city": "Berlin"})
    token = (await owner.get("/segments")).token
    typed = {"csrf_token": token, "field-0": "custom_fields.city", "op-0": "is", "value-0": "Berlin"}
    page = await owner.post("/segments/matches", form=typed, headers=HTMX)
    assert matches(page) == "1 contact matches now: ada@example.org"
    page = await owner.post(NEW, form=typed | {"add": "email", "do": "add"}, headers=HTMX)
    assert (page.status, page.title) == (200, "")  # the form alone takes the place of the form
    assert page.form(NEW).select_one("#f-value-1")
    segment = await make_dynamic(acme, {"not": {"or": [CITY, {**CITY, "value": "Bonn"}]}})
    words = "not (city is “berlin” or city is “bonn”)"
    assert words in (await owner.get(f"/segments/{segment.id}")).text.lower()
    assert "nested" in (await owner.get(f"/segments/{segment.id}/filter")).text


async def test_an_address_fills_the_form_and_saves_nothing(owner: Visitor, acme: Organization) -> None:
    typed = "do=save&name=X&field-0=created_at&op-0=is_set"
    page = await owner.get(f"{NEW}?{typed}")
    assert (page.status, page.title, page.form(NEW).select_one("#f-name")["value"]) == (200, "New dynamic segment", "X")
    assert page.form(NEW).select_one("input[name=field-0]")["value"] == "created_at"
    assert await Segment.of(acme).count() == 0
    segment = await make_dynamic(acme, CITY)
    assert (await owner.get(f"/segments/{segment.id}/filter?{typed}")).status == 200
    await segment.refresh_from_db()
    assert (segment.name, segment.member_filter) == ("Berlin", CITY)


async def shows(visitor: Visitor, path: str, words: str) -> bool:
    page = await visitor.get(path)
    return words in page.text and "counted" not in page.text


async def test_lists_count_dynamic_segments_anew(owner: Visitor, rival_owner: Visitor, acme: Organization) -> None:
    segment = await make_dynamic(acme, {"field": "email", "op": "is_set"})
    campaign = await make_campaign(acme, segment=segment)
    for number in range(41):
        await make_contact(acme, f"reader{number}@example.org")
    for path, words in (
        ("/segments", "Dynamic 41 "),
        ("/campaigns", "41 members"),
        (f"/campaigns/{campaign.id}", "41 members"),
        (f"/campaigns/{campaign.id}/audience", "Berlin (41)"),
    ):
        await eventually(lambda path=path, words=words: shows(owner, path, words))  # type: ignore[misc]
    assert "41" not in (await rival_owner.get("/segments")).text


async def test_a_count_that_is_not_ready_is_said_to_be_old(owner: Visitor, acme: Organization) -> None:
    segments = [await make_dynamic(acme, {"field": "email", "op": "is_set"}) for _ in range(COUNTED_AT_ONCE + 1)]
    await Segment.filter(id__in=[one.id for one in segments]).update(contact_count=7)
    campaign = await make_campaign(acme, segment=segments[0])

    async def only_the_last_is_old() -> bool:
        page = await owner.get(f"/campaigns/{campaign.id}/audience")
        return (page.text.count("(7, counted earlier)"), page.text.count("(0)")) == (2, 2 * COUNTED_AT_ONCE)

    await eventually(only_the_last_is_old)


async def test_a_day_is_typed_as_an_import_reads_it(owner: Visitor, acme: Organization, rival: Organization) -> None:
    for org in (acme, rival):
        await make_contact(org, f"ada@{org.id}.example", custom_fields={"Joined": "31.12.2014"})
        await make_contact(org, f"bob@{org.id}.example", custom_fields={"Joined": "2015-01-01"})
    page = await owner.submit(await owner.get(NEW), NEW, name="Early", add="custom_fields.Joined", do="add")
    page = await owner.submit(page, NEW, **{"op-0": "before", "value-0": "32.01.2015"}, do="save")
    assert "ust be a date like 2026-11-20" in (page.error_at("value-0") or "")
    page = await owner.submit(page, NEW, **{"value-0": "01.01.2015"}, do="preview")
    assert matches(page) == f"1 contact matches now: ada@{acme.id}.example"
    await owner.submit(page, NEW, do="save")
    (condition,) = (await Segment.of(acme).get()).member_filter["and"]
    assert condition == {"field": "custom_fields.Joined", "op": "before", "value": "2015-01-01"}


@pytest.mark.parametrize(
    ("saved", "shown"), [(1.255, "1.2550"), (-12.125, "-12.1250"), (1.25, "1.25"), (1250, "1250"), (0.125, "0.125")]
)
async def test_a_saved_number_is_shown_as_the_form_takes_it_and_a_thousands_dot_is_refused(
    owner: Visitor, rival_owner: Visitor, acme: Organization, saved: float, shown: str
) -> None:
    tree = {"and": [{"field": "custom_fields.fee", "op": "greater_than", "value": saved}]}
    segment = await make_dynamic(acme, tree)
    path = f"/segments/{segment.id}/filter"
    page = await owner.get(path)
    assert page.soup.find(id="f-value-0")["value"] == shown
    refused = await owner.submit(page, path, **{"value-0": "2.000"}, do="save")
    assert (refused.status, refused.error_at("value-0")) == (422, "“2.000” can mean 2000 or 2; write one of these.")
    assert (await rival_owner.get(path)).status == 404
    await owner.submit(page, path, do="save")
    await segment.refresh_from_db()
    assert segment.member_filter == tree
