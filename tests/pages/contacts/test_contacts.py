"""The contacts as pages: found, added, changed, and many at once."""

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_account, make_contact, make_run, make_segment
from tests.pages.conftest import Page, Visitor
from webapp import clock
from webapp.domain.contacts.search import FEW
from webapp.languages import LANGUAGES
from webapp.models import Contact, MailLog, Organization, OrgUsage, Segment, SegmentContact


def people_on(page: Page) -> list[str]:
    return [link.get_text(strip=True) for link in page.soup.select("tbody .row-link")]


async def tick(visitor: Visitor, action: str, *contacts: Contact, **fields: str) -> Page:
    ids = [str(contact.id) for contact in contacts]
    return await visitor.send_form(f"/contacts/ticked/{action}", contact_id=ids, **fields)


async def test_the_empty_list_offers_an_import_first(owner: Visitor, rival: Organization) -> None:
    await make_contact(rival, "eve@example.org")
    page = await owner.get("/contacts")
    assert [link.get_text() for link in page.soup.select(".empty .actions a")] == ["Import contacts", "Add contact"]
    assert [link["href"] for link in page.soup.select(".empty .main-action")] == ["/imports/new"]


async def test_a_contact_is_added_once_however_often_the_form_is_sent(owner: Visitor, acme: Organization) -> None:
    form = await owner.get("/contacts/new")
    typed = {"email": "Ada@Example.org", "first_name": "Ada", "name-0": "company", "value-0": "Engines", "value-1": "x"}
    refused = await owner.submit(form, "/contacts", **typed)
    assert refused.status == 422
    assert refused.error_at("custom_fields") == "The custom fields must not have a field with an empty name."
    pages = [await owner.submit(form, "/contacts", **{**typed, "value-1": ""}) for _ in range(2)]
    assert [page.title for page in pages] == ["Ada", "Ada"]
    assert pages[0].notes == ["Contact added."]
    (contact,) = await Contact.of(acme)
    assert (contact.first_name, contact.custom_fields, contact.status) == ("Ada", {"company": "Engines"}, "subscribed")


async def test_what_is_refused_is_told_at_its_field_and_keeps_what_was_typed(
    owner: Visitor, acme: Organization
) -> None:
    await make_contact(acme, "ada@example.org")
    form = await owner.get("/contacts/new")
    page = await owner.submit(form, "/contacts", email="ADA@example.org", phone="1", **{"name-0": "a", "value-0": "b"})
    assert page.status == 422
    assert page.error_at("email") == "Another contact already uses this email address."
    assert [page.soup.find(id=f"f-{name}")["value"] for name in ("phone", "name-0", "value-0")] == ["1", "a", "b"]
    assert (await owner.submit(form, "/contacts")).error_at("email") == "This field is required."
    assert await Contact.of(acme).count() == 1


async def test_the_form_offers_the_languages_of_pages_for_readers(owner: Visitor) -> None:
    form = await owner.get("/contacts/new")
    offered = form.soup.select(f"datalist#{form.soup.select_one('[name=language]')['list']} option")
    assert {option["value"]: option.get_text() for option in offered} == LANGUAGES


async def test_a_change_keeps_what_the_form_cannot_say(owner: Visitor, acme: Organization) -> None:
    fields = {"age": 36, "vip": True, "none": None, "plan": "gold", "note": "a"}
    contact = await make_contact(acme, "ada@example.org", first_name="Ada", phone="1", custom_fields=fields)
    place = f"/contacts/{contact.id}"
    form = await owner.get(f"{place}/edit")
    numbers = {tag["value"]: tag["name"].removeprefix("name-") for tag in form.soup.select("input[name^=name-]")}
    assert set(numbers) == {*fields, ""}
    typed = {f"value-{numbers['plan']}": "silver", f"value-{numbers['note']}": ""}
    page = await owner.submit(form, place, phone="", first_name="Augusta", **typed)
    assert page.notes == ["ada@example.org saved."]
    await contact.refresh_from_db()
    assert (contact.first_name, contact.phone) == ("Augusta", None)
    assert contact.custom_fields == {"age": 36, "vip": True, "none": None, "plan": "silver"}


async def test_two_people_who_change_a_contact_keep_both_changes(
    owner: Visitor, viewer: Visitor, acme: Organization
) -> None:
    fields = {"city": "Rome", "note": "a", "plan": "gold"}
    contact = await make_contact(acme, "ada@example.org", first_name="Ada", phone="1", custom_fields=fields)
    place = f"/contacts/{contact.id}"
    first, second = [await owner.get(f"{place}/edit") for _ in range(2)]
    await owner.submit(first, place, phone="2", last_name="Byron", **{"value-0": "Oslo", "value-1": ""})
    await owner.submit(second, place, phone="", **{"value-2": "silver", "name-3": "port", "value-3": "Bari"})
    await contact.refresh_from_db()
    assert (contact.first_name, contact.last_name, contact.phone) == ("Ada", "Byron", None)
    assert contact.custom_fields == {"city": "Oslo", "plan": "silver", "port": "Bari"}
    refused = await owner.submit(await owner.get(f"{place}/edit"), place, email="", last_name="Lovelace")
    assert refused.error_at("email") == "This field is required."
    await owner.submit(refused, place, email="ada@example.com")
    await contact.refresh_from_db()
    assert (contact.email, contact.last_name, contact.custom_fields["city"]) == ("ada@example.com", "Lovelace", "Oslo")
    assert (await viewer.send_form(place, email="eve@example.org")).status == 403


async def test_conditions_compare_names_with_their_accents(owner: Visitor, acme: Organization) -> None:
    await owner.send_form("/contacts", email="omer@example.org", last_name="Öztürk")
    assert people_on(await owner.get("/contacts?q=ozturk")) == ["Öztürk"]
    for name, shown in (("ozturk", []), ("ÖZTÜRK", ["Öztürk"])):
        asked = {"q": "ozturk", "match": "and", "field-0": "last_name", "op-0": "is", "value-0": name}
        assert people_on(await owner.get("/contacts", query_string=asked)) == shown


@pytest.mark.parametrize("q", ["groß jörg", "jörg groß", "GROSS  jö", "example.org jörg", "jorg gross", "jörg gros"])
async def test_the_words_of_a_search_stand_in_any_order(owner: Visitor, rival: Organization, q: str) -> None:
    await make_contact(rival, "groß.jörg@example.org")
    for name in ("Groß", "Klein"):
        form = await owner.get("/contacts/new")
        await owner.submit(form, "/contacts", email=f"{len(name)}@example.org", first_name="Jörg", last_name=name)
    page = await owner.get("/contacts", query_string={"q": q})
    assert people_on(page) == ["Jörg Klein", "Jörg Groß"][q != "example.org jörg" :]


@pytest.mark.parametrize("count", [FEW, FEW + 1])
async def test_few_and_many_matches_of_a_text_are_listed_newest_first(
    owner: Visitor, acme: Organization, rival: Organization, count: int
) -> None:
    for org in (acme, rival):
        emails = [f"reader{number:03}@{org.id}.example" for number in range(count)]
        rows = [
            Contact(id=uuid7(), org=org, email=one, email_key=one, search_text=one, custom_fields={}) for one in emails
        ]
        await Contact.bulk_create(rows)
        await make_contact(org)
    owner.client.set_cookie("localhost", "page_size", "25")
    pages = [await owner.get(f"/contacts?q=reader&page={number}") for number in (1, 2)]
    assert f"{count} contacts match" in pages[0].text
    numbers = [name.removeprefix("reader")[:3] for page in pages for name in people_on(page)]
    assert numbers == [f"{number:03}" for number in reversed(range(count - 50, count))]
    assert str(rival.id) not in pages[0].text


async def test_the_list_finds_by_text_status_and_segment_and_goes_on_with_them(
    owner: Visitor, acme: Organization
) -> None:
    ada = await make_contact(acme, "ada@example.org", first_name="Ada", last_name="Lovelace")
    await make_contact(acme, "bob@example.org", status="unsubscribed")
    segment = await make_segment(acme, ada)
    assert people_on(await owner.get("/contacts")) == ["bob@example.org", "Ada Lovelace"]
    assert people_on(await owner.get("/contacts?q=ADA%40&status=&segment_id=")) == ["Ada Lovelace"]
    assert people_on(await owner.get("/contacts?status=unsubscribed")) == ["bob@example.org"]
    assert people_on(await owner.get(f"/contacts?segment_id={segment.id}")) == ["Ada Lovelace"]
    assert people_on(await owner.get("/contacts?q=%00%0a&status=x")) == ["bob@example.org", "Ada Lovelace"]
    assert (await owner.get("/contacts?q=nobody")).soup.select_one(".empty h2").get_text() == "No contacts found"
    part = await owner.get(f"/contacts/list?q=ada&segment_id={segment.id}")
    assert part.response.headers["HX-Replace-Url"] == f"/contacts?q=ada&segment_id={segment.id}"
    assert people_on(part) == ["Ada Lovelace"]
    assert not part.soup.find("h1")


@pytest.mark.parametrize(
    ("status", "found"),
    [
        ("subscribed", ["cem@example.org", "ada@example.org"]),
        ("bounced", ["bob@example.org"]),
        ("unsubscribed", ["eve@example.org"]),
    ],
)
@pytest.mark.parametrize("more", ["", "&q=example", "&segment_id="])
async def test_each_contact_is_found_by_the_status_of_its_badge_alone(
    owner: Visitor, acme: Organization, rival: Organization, status: str, found: list[str], more: str
) -> None:
    for org in (rival, acme):
        people = [
            await make_contact(org, "ada@example.org"),
            await make_contact(org, "bob@example.org", bounced_at=clock.now()),
            await make_contact(org, "cem@example.org"),
            await make_contact(org, "eve@example.org", bounced_at=clock.now(), status="unsubscribed"),
        ]
    if more.endswith("="):
        more += str((await make_segment(acme, *people)).id)
    search = f"status={status}{more}"
    page = await owner.get(f"/contacts?{search}")
    assert people_on(page) == found
    assert page.soup.select_one("#contacts [role=status]").text.startswith(f"{len(found)} contact")
    exported = (await owner.get(f"/contacts/export.csv?{search}")).text
    assert [address for address in found if address in exported] == found
    assert exported.count("@example.org") == len(found)
    changed = {"all": "1", "confirm": str(len(found)), "back": f"/contacts?{search}"}
    await owner.send_form("/contacts/ticked/delete", **changed)
    left = {contact.email for contact in await Contact.of(acme)}
    assert left == {person.email for person in people} - set(found)
    assert await Contact.of(rival).count() == len(people)


async def test_a_contact_shows_its_segments_and_its_own_mail_alone(owner: Visitor, acme: Organization) -> None:
    ada = await make_contact(acme, "ada@example.org", custom_fields={"vip": True})
    await make_segment(acme, ada, name="Gold")
    _, (mine, _) = await make_run(acme, [await make_account(acme)], 2)
    await MailLog.of(acme).filter(id=mine).update(contact_id=ada.id, status="failed", error="550 no")
    page = await owner.get(f"/contacts/{ada.id}")
    assert [link["href"] for link in page.soup.select("table .row-link")] == [f"/mail-logs/{mine}"]
    assert all(words in page.text for words in ("Gold", "550 no", "vip Yes", "News"))


async def test_somebody_is_unsubscribed_and_subscribed_again_after_a_bounce_too(
    owner: Visitor, acme: Organization
) -> None:
    ada = await make_contact(acme, "ada@example.org")
    place = f"/contacts/{ada.id}"
    page = await owner.submit(await owner.get(place), f"{place}/unsubscribe")
    assert page.notes == ["ada@example.org was unsubscribed."]
    await Contact.of(acme).update(bounced_at=ada.created_at)
    asked = await owner.get(f"{place}/subscribe")
    assert "if they asked you to" in asked.text
    page = await owner.submit(asked, f"{place}/subscribe")
    await ada.refresh_from_db()
    assert (ada.status, ada.unsubscribed_at, ada.bounced_at) == ("subscribed", None, None)
    await Contact.of(acme).update(bounced_at=ada.created_at)
    assert "Try ada@example.org again?" in (await owner.get(f"{place}/subscribe")).text


async def test_a_delete_asks_first_and_says_what_goes(owner: Visitor, viewer: Visitor, acme: Organization) -> None:
    ada = await make_contact(acme, "ada@example.org")
    place = f"/contacts/{ada.id}/delete"
    asked = await owner.get(place)
    assert "Delete ada@example.org?" in asked.text
    seen = await viewer.get(f"/contacts/{ada.id}")
    assert not seen.soup.select("main button:not(.copy), main a.button")
    assert (await owner.submit(asked, place)).notes == ["ada@example.org deleted. The delivery log is kept."]


async def test_the_ticked_ones_join_a_segment_once(owner: Visitor, acme: Organization, rival: Organization) -> None:
    ada, bob, eve = [await make_contact(acme) for _ in range(3)]
    theirs = await make_contact(rival)
    gold, strange = await make_segment(acme, ada, name="Gold"), await make_segment(rival)
    page = await tick(owner, "segment", ada, bob, theirs, join=str(gold.id), back="/contacts?q=c")
    assert (page.path, page.notes) == ("/contacts?q=c", ["1 contact added to “Gold”."])
    assert (await tick(owner, "segment", eve, join=str(strange.id))).status == 404
    assert (await tick(owner, "segment", eve, back="//evil.example")).path == "/contacts"
    assert {row.contact_id for row in await SegmentContact.all()} == {ada.id, bob.id}
    assert (await Segment.of(acme).get()).contact_count == 2


async def test_the_ticked_ones_are_unsubscribed_and_strangers_are_not(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    ada, bob = await make_contact(acme), await make_contact(acme, status="unsubscribed")
    theirs = await make_contact(rival)
    asked = await tick(owner, "unsubscribe", ada, bob, theirs)
    assert (asked.title, await Contact.filter(status="unsubscribed").count()) == ("Unsubscribe 2 contacts?", 1)
    form = asked.form("/contacts/ticked/unsubscribe")
    assert (len(form.select("[name=contact_id]")), form.select_one("[name=confirm]")["value"]) == (3, "2")
    page = await tick(owner, "unsubscribe", ada, bob, theirs, confirm="2")
    assert page.notes == ["1 contact unsubscribed."]
    assert {one.status for one in await Contact.of(acme)} == {"unsubscribed"}
    assert (await Contact.of(rival).get()).status == "subscribed"
    assert (await tick(owner, "unsubscribe")).notes == ["Select at least one contact."]


async def test_the_ticked_ones_are_deleted_after_a_question_that_names_their_number(
    owner: Visitor, rival: Organization, acme: Organization
) -> None:
    await Organization.filter(id=acme.id).update(plan="basic")
    ada, bob, eve = [await make_contact(acme) for _ in range(3)]
    theirs = await make_contact(rival)
    await make_segment(acme, ada, bob, name="A")
    await make_segment(acme, bob, eve, name="B")
    asked = await tick(owner, "ask-delete", ada, bob, theirs, back="/contacts?q=c")
    assert "Delete 2 contacts?" in asked.text
    page = await tick(owner, "delete", ada, bob, theirs, back="/contacts?q=c")
    assert (page.path, page.notes) == ("/contacts?q=c", ["2 contacts deleted. Their deliveries are kept."])
    assert [one.id for one in await Contact.of(acme)] == [eve.id]
    assert await Contact.of(rival).count() == 1
    assert {segment.name: segment.contact_count for segment in await Segment.of(acme)} == {"A": 0, "B": 1}
    assert (await OrgUsage.of(acme).get(metric="max_contacts")).used == 1


FORGOTTEN = "unsubscribed. Deleting forgets that"
INSTEAD = "To stop sending campaigns, unsubscribe them instead."


@pytest.mark.parametrize(
    ("subscribed", "unsubscribed", "words", "offers_instead"),
    [
        (2, 0, "", True),
        (1, 1, f"1 of them {FORGOTTEN}: if the address is imported or added again, it gets campaigns.", True),
        (1, 2, f"2 of them {FORGOTTEN}: if the addresses are imported or added again, they get campaigns.", True),
        (0, 2, f"They {FORGOTTEN}: if the addresses are imported", False),
        (0, 1, f"This contact {FORGOTTEN}: if the address is imported", False),
    ],
)
async def test_deleting_says_that_it_forgets_who_unsubscribed(
    owner: Visitor,
    acme: Organization,
    rival: Organization,
    subscribed: int,
    unsubscribed: int,
    words: str,
    *,
    offers_instead: bool,
) -> None:
    people = [await make_contact(acme) for _ in range(subscribed)]
    people += [await make_contact(acme, status="unsubscribed") for _ in range(unsubscribed)]
    theirs = await make_contact(rival, status="unsubscribed")
    for dialog in (
        await tick(owner, "ask-delete", *people, theirs),
        await owner.send_form("/contacts/ticked/ask-delete", all="1", back="/contacts?q=example"),
    ):
        assert (words in dialog.text, FORGOTTEN in dialog.text) == (True, unsubscribed > 0)
        assert (INSTEAD in dialog.text) is offers_instead
    for person in people:
        dialog, is_subscribed = await owner.get(f"/contacts/{person.id}/delete"), person.status == "subscribed"
        assert (f"This contact {FORGOTTEN}" in dialog.text, INSTEAD in dialog.text) == (
            not is_subscribed,
            is_subscribed,
        )


async def test_a_contact_joins_and_leaves_segments_on_its_own_page(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    ada = await make_contact(acme, "ada@example.org")
    gold, theirs = await make_segment(acme, ada, name="Gold"), await make_segment(rival)
    silver = await make_segment(acme, name="Silver")
    tree = {"field": "email", "op": "is_set"}
    fluid = await Segment.create(org=acme, name="Fluid", name_key="fluid", kind="dynamic", member_filter=tree)
    place = f"/contacts/{ada.id}"
    page = await owner.get(place)
    assert [option.text for option in page.soup.select("#f-segment_id option")] == ["Select a segment", "Silver"]
    page = await owner.submit(page, f"{place}/segments", segment_id=str(silver.id))
    assert (page.path, page.notes) == (place, ["Added to “Silver”."])
    page = await owner.submit(page, f"/segments/{gold.id}/members/{ada.id}/remove")
    assert (page.path, page.notes) == (place, ["Removed from the segment."])
    assert [(await Segment.get(id=one.id)).contact_count for one in (gold, silver)] == [0, 1]
    for segment, status in ((theirs, 404), (fluid, 409)):
        assert (await owner.send_form(f"{place}/segments", segment_id=segment.id)).status == status
    assert {row.segment_id for row in await SegmentContact.all()} == {silver.id}
