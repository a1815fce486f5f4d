"""The choices of a person, to be unsubscribed and not to be tracked, which no door loosens by the way."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from tests.factories import make_contact
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_contact_filters import fill
from tests.pages.contacts.test_contacts import people_on
from tests.pages.contacts.test_imports import check, confirm, counts, undo, upload
from webapp.domain.contacts.unsubscribe import token_for
from webapp.models import Contact, Event, Organization


async def choose(visitor: Visitor, contact: Contact, no_tracking: str = "1") -> None:
    page = await visitor.get(f"/unsubscribe/{token_for(contact.id, uuid4())}/preferences")
    page = await visitor.submit(page, page.path, no_tracking=no_tracking)
    assert page.status == 200


async def contact_at(org: Organization, email: str) -> Contact:
    return await Contact.of(org).get(email_key=email)


@pytest.mark.parametrize(("cell", "expected"), [("1", True), ("no", False)])
async def test_a_column_of_a_file_says_who_is_not_tracked(
    owner: Visitor, acme: Organization, cell: str, *, expected: bool
) -> None:
    await confirm(owner, await check(owner, await upload(owner, f"email,DNT\nada@example.org,{cell}\n")))
    contact = await contact_at(acme, "ada@example.org")
    assert (contact.do_not_track, contact.custom_fields) == (expected, {})


@pytest.mark.parametrize(
    ("cells", "language", "custom"),
    [
        (("de", "pt_BR", ""), ["de", "pt-BR", None], []),
        (("German", "Portuguese", ""), [None, None, None], ["German", "Portuguese"]),
    ],
    ids=["tags", "names"],
)
async def test_a_column_of_language_tags_is_the_language_and_other_words_are_a_custom_field(
    owner: Visitor, acme: Organization, cells: tuple[str, ...], language: list[str | None], custom: list[str]
) -> None:
    rows = "".join(f"c{number}@example.org,{cell}\n" for number, cell in enumerate(cells))
    await confirm(owner, await check(owner, await upload(owner, f"email,Language\n{rows}")))
    contacts = await Contact.of(acme).order_by("email_key")
    assert [contact.language for contact in contacts] == language
    assert [value for contact in contacts for value in contact.custom_fields.values()] == custom


async def test_an_import_makes_a_pause_longer_and_never_shorter(owner: Visitor, acme: Organization) -> None:
    paused = {"ada@example.org": 2, "bob@example.org": 4}
    for email, month in paused.items():
        await make_contact(acme, email, paused_until=datetime(2100, month, 1, tzinfo=UTC))
    rows = "".join(f"{email},2100-03-01T00:00:00Z\n" for email in paused)
    await confirm(owner, await check(owner, await upload(owner, f"email,paused_until\n{rows}")))
    months = [contact.paused_until.month for contact in await Contact.of(acme).order_by("email_key")]
    assert months == [3, 4]


async def test_somebody_who_left_chooses_not_to_be_tracked_and_otherwise(stranger: Visitor, acme: Organization) -> None:
    contact = await make_contact(acme, "ada@example.org")
    page = await stranger.post(f"/unsubscribe/{token_for(contact.id, uuid4())}")
    assert "Don't count my opens and clicks" in page.text
    page = await stranger.submit(page, f"{page.path}/preferences", no_tracking="1", nothing="1")
    await contact.refresh_from_db()
    assert (page.title, contact.status, contact.do_not_track) == ("Your preferences", "unsubscribed", True)
    assert "Saved." in page.text
    await choose(stranger, contact)
    assert await Event.of(acme).filter(type="contact.updated").count() == 1
    await choose(stranger, contact, "")
    await contact.refresh_from_db()
    assert not contact.do_not_track


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
    left = {one.email: one.do_not_track for one in await Contact.of(acme)}
    assert left == {"new@example.org": True, "known@example.org": False}
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
    page = await owner.submit(form, place)  # with the box unticked
    await contact.refresh_from_db()
    assert not contact.do_not_track
    assert "Do not track Yes" not in page.text


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


async def test_the_choice_is_a_condition_of_the_list(owner: Visitor, acme: Organization, rival: Organization) -> None:
    await make_contact(acme, "ada@example.org", do_not_track=True)
    await make_contact(acme, "bob@example.org")
    await make_contact(rival, "eve@example.org", do_not_track=True)
    page = await fill(owner, await owner.get("/contacts?do=filter"), add="do_not_track", do="add")
    page = await fill(owner, page, **{"op-0": "is", "value-0": "true"})
    assert people_on(page) == ["ada@example.org"]
    assert people_on(await fill(owner, page, **{"value-0": "false"})) == ["bob@example.org"]
    page = await owner.get("/segments/new/dynamic?field-0=do_not_track&op-0=is&value-0=true&do=preview")
    assert "1 contact matches now" in page.text


async def test_the_form_has_the_day_of_a_pause_and_changes_it_only_by_hand(owner: Visitor, acme: Organization) -> None:
    until = datetime(2100, 2, 3, 4, 5, tzinfo=UTC)
    contact = await make_contact(acme, "ada@example.org", paused_until=until)
    path = f"/contacts/{contact.id}"
    facts = (await owner.get(path)).facts
    assert (facts["Status"], facts["Paused until"][:11]) == ("Paused", "3 Feb 2100,")
    assert (await owner.get("/contacts")).rows[0][2] == "Paused"
    form = await owner.get(f"{path}/edit")
    assert form.soup.select_one("[type=date][name=paused_until]")["value"] == "2100-02-03"
    await owner.submit(form, path, first_name="Ada")
    await contact.refresh_from_db()
    assert (contact.first_name, contact.paused_until) == ("Ada", until)
    page = await owner.submit(await owner.get(f"{path}/edit"), path, paused_until="2100-03-01", language="DE")
    assert "Deutsch" in [value.text for value in page.soup.select("dd")]
    await contact.refresh_from_db()
    assert (contact.paused_until, contact.language) == (datetime(2100, 3, 1, tzinfo=UTC), "de")
    assert "Paused until: 1 Mar 2100" in [row[0] for row in (await owner.get(path)).rows]
    await owner.submit(await owner.get(f"{path}/edit"), path, paused_until="", language="")
    await contact.refresh_from_db()
    assert (contact.paused_until, contact.language) == (None, None)
