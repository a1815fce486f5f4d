"""The choices of a person, to be unsubscribed and not to be tracked, which no door loosens by the way."""

from csv import DictReader
from io import StringIO
from uuid import uuid4

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.factories import make_contact
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_contact_filters import fill
from tests.pages.contacts.test_contacts import people_on
from tests.pages.contacts.test_imports import check, confirm, counts, undo, upload
from webapp.domain.contacts.unsubscribe import token_for
from webapp.models import Contact, Organization, Segment


@pytest.fixture
async def api(app: Quart, acme: Organization) -> Api:
    return await make_api(app, acme)


async def choose(visitor: Visitor, contact: Contact, tracking: str = "off") -> None:
    page = await visitor.post(f"/unsubscribe/{token_for(contact.id, uuid4())}/tracking", form={"tracking": tracking})
    assert page.status == 200


async def contact_at(org: Organization, email: str) -> Contact:
    return await Contact.of(org).get(email_key=email)


async def run_import(visitor: Visitor, data: str, **chosen: str) -> None:
    page = await confirm(visitor, await check(visitor, await upload(visitor, data), **chosen))
    assert page.title == "Imported"


async def test_an_export_holds_the_choice_and_an_import_elsewhere_makes_it(
    owner: Visitor, rival_owner: Visitor, stranger: Visitor, acme: Organization, rival: Organization
) -> None:
    ada = await make_contact(acme, "ada@example.org", first_name="Ada")
    await make_contact(acme, "bob@example.org", custom_fields={"do_not_track": "maybe"})
    theirs = await make_contact(rival, "ada@example.org")
    await choose(stranger, ada)
    await theirs.refresh_from_db()
    assert not theirs.do_not_track
    data = (await owner.get("/contacts/export.csv")).data.decode("utf-8-sig")
    rows = {row["email"]: row for row in DictReader(StringIO(data))}
    assert [rows[f"{name}@example.org"]["do_not_track"] for name in ("ada", "bob")] == ["true", "false"]
    await run_import(rival_owner, data)
    copied = {one.email: one for one in await Contact.of(rival)}
    assert copied["ada@example.org"].id == theirs.id
    assert (copied["ada@example.org"].do_not_track, copied["bob@example.org"].do_not_track) == (True, False)
    assert copied["bob@example.org"].custom_fields == {"do_not_track": "maybe"}
    assert counts(await check(owner, await upload(owner, data))) == [0, 0, 2, 0]


@pytest.mark.parametrize(("cell", "expected"), [("1", True), ("no", False)])
async def test_a_column_of_a_file_says_who_is_not_tracked(
    owner: Visitor, acme: Organization, cell: str, *, expected: bool
) -> None:
    await run_import(owner, f"email,DNT\nada@example.org,{cell}\n")
    contact = await contact_at(acme, "ada@example.org")
    assert (contact.do_not_track, contact.custom_fields) == (expected, {})


async def test_somebody_who_left_chooses_not_to_be_tracked(stranger: Visitor, acme: Organization) -> None:
    contact = await make_contact(acme, "ada@example.org")
    page = await stranger.post(f"/unsubscribe/{token_for(contact.id, uuid4())}")
    page = await stranger.submit(page, f"{page.path}/tracking", tracking="off")
    await contact.refresh_from_db()
    assert (page.title, contact.status, contact.do_not_track) == ("You're unsubscribed", "unsubscribed", True)
    assert "Saved. Your opens and clicks are not counted." in page.text


async def test_an_answer_that_is_not_understood_refuses_its_row_unless_the_person_left(
    owner: Visitor, acme: Organization
) -> None:
    data = "email,do_not_track,status\nada@example.org,perhaps,\nbob@example.org,perhaps,unsubscribed\n"
    page = await confirm(owner, await check(owner, await upload(owner, data)))
    assert (counts(page), "Do_not_track must be true or false" in page.text) == ([1, 0, 0, 1], True)
    assert (await contact_at(acme, "bob@example.org")).status == "unsubscribed"


async def test_an_undo_deletes_nobody_who_chose_and_returns_what_only_the_import_chose(
    owner: Visitor, stranger: Visitor, acme: Organization
) -> None:
    known = await make_contact(acme, "known@example.org", first_name="Kim")
    data = "email,first_name,do_not_track\nnew@example.org,New,\nother@example.org,,\nknown@example.org,Kay,yes\n"
    page = await confirm(owner, await check(owner, await upload(owner, data)))
    await choose(stranger, await contact_at(acme, "new@example.org"))
    await undo(owner, page)
    assert {one.email: one.do_not_track for one in await Contact.of(acme)} == {
        "new@example.org": True,
        "known@example.org": False,
    }
    await known.refresh_from_db()
    assert known.first_name == "Kim"


async def test_the_page_and_form_of_a_contact_have_the_choice(owner: Visitor, acme: Organization) -> None:
    page = await owner.submit(await owner.get("/contacts/new"), "/contacts", email="ada@example.org", do_not_track="1")
    contact = await contact_at(acme, "ada@example.org")
    assert contact.do_not_track
    assert "Do not track Yes" in page.text
    place = f"/contacts/{contact.id}"
    form = await owner.get(f"{place}/edit")
    assert form.soup.select_one("input[type=checkbox][name=do_not_track]").has_attr("checked")
    await owner.submit(form, place, do_not_track="1", first_name="Ada")
    await contact.refresh_from_db()
    assert (contact.do_not_track, contact.first_name) == (True, "Ada")
    page = await owner.submit(await owner.get(f"{place}/edit"), place)  # with the box unticked
    await contact.refresh_from_db()
    assert not contact.do_not_track
    assert "Do not track" not in page.text


async def test_a_form_opened_before_the_choice_does_not_take_it_back(
    owner: Visitor, stranger: Visitor, acme: Organization
) -> None:
    contact = await make_contact(acme, "ada@example.org")
    place = f"/contacts/{contact.id}"
    form = await owner.get(f"{place}/edit")
    await choose(stranger, contact)
    form = await owner.submit(form, place, email="nobody")
    assert form.status == 422
    await owner.submit(form, place, email="ada@example.org", first_name="Ada")
    await contact.refresh_from_db()
    assert (contact.first_name, contact.do_not_track) == ("Ada", True)


async def test_the_choice_is_a_condition_of_the_list_and_of_segments(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization, api: Api
) -> None:
    await make_contact(acme, "ada@example.org", do_not_track=True)
    await make_contact(acme, "bob@example.org")
    await make_contact(rival, "eve@example.org", do_not_track=True)
    page = await fill(owner, await fill(owner, await owner.get("/contacts"), do="filter"), add="do_not_track", do="add")
    page = await fill(owner, page, **{"op-0": "is", "value-0": "true"})
    assert people_on(page) == ["ada@example.org"]
    assert people_on(await fill(owner, page, **{"value-0": "false"})) == ["bob@example.org"]
    query = "field-0=do_not_track&op-0=is&value-0=true"
    assert people_on(await rival_owner.get(f"/contacts?{query}")) == ["eve@example.org"]
    form = await owner.get(f"/segments/new/dynamic?{query}")
    await owner.submit(form, "/segments/new/dynamic", name="Private", do="save")
    segment = await Segment.of(acme).get()
    assert segment.member_filter == {"and": [{"field": "do_not_track", "op": "is", "value": True}]}
    page = await owner.get(f"/segments/{segment.id}")
    assert "Do not track is “yes”" in page.text
    assert people_on(page) == ["ada@example.org"]
    status, body = await api.post(
        "/v1/segments", {"name": "x", "filter": {"field": "do_not_track", "op": "is", "value": "true"}}
    )
    assert (status, body["message"]) == (400, "filter at value must be true or false")
