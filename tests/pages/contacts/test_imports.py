"""Imports of contacts, as people without JavaScript go through them, with a worker beside."""

import asyncio
import re
from csv import DictReader
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest

from tests.factories import make_campaign, make_contact, make_segment, make_template
from tests.fakes.worker import eventually
from tests.pages.conftest import Page, Visitor, content_of
from tests.plans import use_plans
from tests.support.pictures import multipart
from webapp import clock
from webapp.config import Settings
from webapp.domain.imports import worker
from webapp.domain.imports.undo import forget_old_imports
from webapp.domain.imports.worker import ROWS_AT_ONCE
from webapp.models import (
    AuditEntry,
    Contact,
    ContactImport,
    CustomField,
    ImportChange,
    ImportChunk,
    ImportRefusal,
    Organization,
    OrgUsage,
    Segment,
    SegmentContact,
)

SHEET = """Email;Vorname;Stadt;VIP
ada@example.org;Ada;London;1
bob@example.org;;Köln;
not an address;Cy;;
ADA@example.org;Augusta;;
eve@example.org;Eve;Bonn;;x
"""


async def upload(visitor: Visitor, data: bytes | str, name: str = "people.csv", **fields: str) -> Page:
    token = (await visitor.get("/accounts")).token
    data = data if isinstance(data, bytes) else data.encode()
    return await visitor.post("/imports", **multipart((name, data), fields={"csrf_token": token, **fields}))


async def check(visitor: Visitor, page: Page, **chosen: str) -> Page:
    """Choose the columns, as guessed or as given, and let the dry run end."""
    page = await visitor.submit(page, f"/imports/{import_id(page)}/columns", **chosen)
    await worker.process_pending()
    return await visitor.get(f"/imports/{import_id(page)}")


async def confirm(visitor: Visitor, page: Page) -> Page:
    await visitor.submit(page, f"/imports/{import_id(page)}/run")
    await worker.process_pending()
    return await visitor.get(f"/imports/{import_id(page)}")


async def undo(visitor: Visitor, page: Page) -> Page:
    place = f"/imports/{import_id(page)}/undo"
    await visitor.submit(await visitor.get(place), place)
    await worker.process_pending()
    return await visitor.get(f"/imports/{import_id(page)}")


def import_id(page: Page) -> str:
    return page.path.split("/")[2].partition("?")[0]


def counts(page: Page) -> list[int]:
    """New, changed, unchanged, refused."""
    return [int(number.get_text().replace(",", "")) for number in page.soup.select(".strip b")]


async def everybody(org: Organization) -> dict[str, tuple[str | None, dict[str, Any]]]:
    return {one.email: (one.first_name, one.custom_fields) for one in await Contact.of(org)}


async def test_a_file_goes_from_upload_over_a_dry_run_into_contacts(owner: Visitor, acme: Organization) -> None:
    page = await upload(owner, SHEET.encode("cp1252"), "Kontakte.csv")
    assert page.title == "Match columns"
    chosen = [select.select_one("option[selected]")["value"] for select in page.soup.select("select[name^=column]")]
    assert chosen == ["email", "first_name", "custom", "custom"]
    checked = await check(owner, page, new_segment="Fair")
    assert (checked.title, counts(checked)) == ("Review import", [2, 0, 0, 2])
    assert "1 duplicate row in the file." in checked.text
    done = await confirm(owner, checked)
    assert (done.title, counts(done)) == ("Imported", [2, 0, 0, 2])
    assert [row[:2] for row in done.rows] == [
        ["4", "Invalid email address: An email address must have an @-sign."],
        ["6", "Has 5 cells, but the first row has 4"],
    ]
    assert await everybody(acme) == {
        "ada@example.org": ("Augusta", {"stadt": "London", "vip": "1"}),
        "bob@example.org": (None, {"stadt": "Köln"}),
    }
    assert (await Segment.of(acme).get()).contact_count == 2
    assert re.search(r"Undo Until \w+, \d+ \w+ \d{4}, \d\d:\d\d UTC", done.text)
    assert await ImportChunk.all().count() == 0


async def test_samples_of_columns_are_of_the_same_rows_and_show_columns_that_are_rarely_filled(owner: Visitor) -> None:
    rows = [f"n{number}@example.org,{'' if number == 1 else f'City {number}'},," for number in range(9)]
    rows[7] = "n7@example.org,,2026-11-02,"
    page = await upload(owner, "\n".join(["Email,City,Left on,Note", *rows]))
    samples = [[cell.text for cell in line.select(".cell-sample .clip")] for line in page.soup.select("tbody tr")]
    assert samples == [
        ["n0@example.org", "n1@example.org", "n2@example.org", "n7@example.org"],
        ["City 0", "Empty", "City 2", "Empty"],
        ["Empty", "Empty", "Empty", "2026-11-02"],
        ["Empty"] * 4,
    ]


async def test_the_refused_rows_come_back_as_a_file_that_can_be_mended(owner: Visitor, acme: Organization) -> None:
    page = await check(owner, await upload(owner, 'email,note\nx,"=1+1, ""2"""\nada@example.org,\n'))
    text = (await owner.get(f"/imports/{import_id(page)}/refused.csv")).data.decode("utf-8-sig")
    head, line, _ = text.split("\r\n")
    assert head == '"email","note","line","reason"'
    assert line.startswith('"x","\'=1+1, ""2""","2","invalid email address')
    mended = await check(owner, await upload(owner, text.replace('"x"', '"x@example.org"')))
    done = await confirm(owner, mended)
    assert counts(done)[0] == 1
    assert (await Contact.of(acme).get()).custom_fields["note"] == '=1+1, "2"'


async def test_skipped_rows_have_the_delimiter_of_the_file(owner: Visitor) -> None:
    page = await check(owner, await upload(owner, "Email;Ort\nx;Köln\n"))
    text = (await owner.get(f"/imports/{import_id(page)}/refused.csv")).data.decode("utf-8-sig")
    assert text.startswith('"Email";"Ort";"line";"reason"\r\n"x";"Köln";"2";')


async def test_values_that_do_not_fit_a_typed_field_are_named_before_and_after_an_import(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await CustomField.named(acme, "geburtstag", label="Geburtstag", kind="date").save()
    await CustomField.named(rival, "note", kind="number").save()
    file = "Email;Geburtstag;Note\nada@example.org;31.02.2026;x\nbo@example.org;28.02.2026;\ncy@example.org;;\nx;1;\n"
    page = await check(owner, await upload(owner, file))
    assert counts(page) == [3, 0, 0, 1]
    assert "1 value doesn't fit the type of its field. It will be imported as text" in page.text
    reason = "“31.02.2026” in Geburtstag isn't a date like 2026-11-20 or 20.11.2026"
    assert [row[:2] for row in page.rows] == [
        ["2", reason],
        ["5", "Invalid email address: An email address must have an @-sign."],
    ]
    place = f"/imports/{import_id(page)}/misfits.csv"
    text = (await owner.get(place)).data.decode("utf-8-sig")
    assert text.split("\r\n")[1:] == [f'"ada@example.org";"31.02.2026";"x";"2";"{reason}"', ""]
    assert (await rival_owner.get(place)).status == 404
    done = await confirm(owner, page)
    assert "It was imported as text" in done.text
    assert [row[0] for row in done.rows] == ["2", "5"]
    assert (await everybody(acme))["ada@example.org"][1]["geburtstag"] == "31.02.2026"
    # A contact that the import leaves unchanged does not get the value.
    again = await check(owner, await upload(owner, file.replace("31.02", "30.02")), known="leave")
    assert "can't be read" not in again.text


@pytest.mark.parametrize(
    ("cells", "before", "after"),
    [
        (
            ["x", "1,234"],
            "2 values don't fit the type of their field or could mean two numbers. They will be",
            "They were",
        ),
        (["1,234"], "1 value could mean two numbers. It will be imported as text", "It was imported as text"),
        (["1.234"], "1 value will be read with a decimal point, but could mean thousands.", "1 value was read with"),
        (["1.234", "2.345"], "2 values will be read with a decimal point", "2 values were read with a decimal point"),
        (
            ["x", "y", "1.234"],
            "3 values should be checked. Those that don't fit the type of their field will be imported as text, which",
            "Those like 1.234 were read with a decimal point, but could mean thousands.",
        ),
    ],
)
async def test_a_review_says_what_becomes_of_each_kind_of_value_that_does_not_fit(
    owner: Visitor, acme: Organization, cells: list[str], before: str, after: str
) -> None:
    await CustomField.named(acme, "fee", label="Fee", kind="number").save()
    lines = "".join(f'n{number}@example.org,"{cell}"\n' for number, cell in enumerate(cells))
    page = await check(owner, await upload(owner, f"Email,Fee\n{lines}"))
    assert before in page.text
    assert after in (await confirm(owner, page)).text


async def test_an_undo_takes_back_what_nobody_changed_since(owner: Visitor, acme: Organization) -> None:
    await Organization.filter(id=acme.id).update(plan="basic")
    known = await make_contact(acme, "known@example.org", first_name="Old", custom_fields={"a": "1"})
    await make_contact(acme, "moved@example.org", first_name="Old")
    segment, other = await make_segment(acme, known, name="In"), await make_segment(acme, name="Other")
    names = ["known", "moved", "plain", "edited", "left", "bounced", "wanted"]
    lines = "".join(f"{name}@example.org,New,2\n" for name in names)
    page = await upload(owner, f"email,first name,a\n{lines}known@example.org,Newer,\n", segment=str(segment.id))
    done = await confirm(owner, await check(owner, page))
    assert counts(done) == [5, 2, 0, 0]
    people = {one.email.partition("@")[0]: one for one in await Contact.of(acme)}
    await Contact.of(acme).filter(email__in=["moved@example.org", "edited@example.org"]).update(first_name="Mine")
    await Contact.of(acme).filter(id=people["left"].id).update(status="unsubscribed")
    await Contact.of(acme).filter(id=people["bounced"].id).update(bounced_at=clock.now())
    await SegmentContact.create(org=acme, segment=other, contact=people["wanted"])
    undone = await undo(owner, done)
    assert undone.title == "Import undone"
    assert [link["href"] for link in undone.soup.select("main .main-action")] == ["/imports/new"]
    assert "1 added contact deleted, 1 restored to previous values. 5 left as is" in undone.text
    assert {name for name, one in (await everybody(acme)).items() if one[0] == "New"} == {
        f"{name}@example.org" for name in ("left", "bounced", "wanted")
    }
    await known.refresh_from_db()
    assert (known.first_name, known.custom_fields) == ("Old", {"a": "1"})
    assert {row.contact_id for row in await SegmentContact.of(acme).filter(segment_id=segment.id)} == {known.id}
    assert (await Segment.of(acme).get(id=segment.id)).contact_count == 1
    assert (await OrgUsage.of(acme).get(metric="max_contacts")).used == 6


async def test_an_undo_deletes_the_fields_that_only_the_import_used(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    names = ["unused", "valued", "compared", "merged", "sent", "older"]
    await CustomField.named(acme, "older").save()
    for name in names:
        await CustomField.named(rival, name).save()
    page = await upload(owner, f"email,{','.join(names)}\nnew@example.org{',1' * len(names)}\n")
    done = await confirm(owner, await check(owner, page))
    await make_contact(acme, "ada@example.org", custom_fields={"Valued": "1"})
    is_set = {"not": {"field": "custom_fields.Compared", "op": "is_set"}}
    await Segment.create(
        org=acme, name="Compared", name_key="compared", kind="dynamic", member_filter={"and": [is_set]}
    )
    await make_template(acme, variables=["merged"])
    await make_campaign(acme, subject="Hello {{ sent }}")
    asked = await owner.get(f"/imports/{import_id(done)}/undo")
    assert "Custom fields that it created will be deleted unless something uses them." in asked.text
    await undo(owner, done)
    assert {field.name for field in await CustomField.of(acme)} == {*names} - {"unused"}
    undone, deleted = await AuditEntry.of(acme).order_by("id").offset(1)
    assert (deleted.action, deleted.target) == ("contacts.field_deleted", "unused")
    assert (deleted.actor, deleted.actor_id, deleted.address) == (undone.actor, undone.actor_id, undone.address)
    assert await CustomField.of(rival).count() == len(names)


async def test_contacts_show_recent_imports_with_an_undo(
    owner: Visitor, viewer: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    page = await confirm(owner, await check(owner, await upload(owner, SHEET, "spring.csv")))
    undo_link = f"a[href='/imports/{import_id(page)}/undo']"
    recent = await owner.get("/contacts")
    assert "spring.csv imported just now : 2 new, 0 updated, 2 skipped" in recent.text
    assert recent.soup.select_one(undo_link)
    for other in (await viewer.get("/contacts"), await rival_owner.get("/contacts")):
        assert "spring.csv" not in other.text
    await undo(owner, page)
    assert (await owner.get("/contacts")).soup.select_one(undo_link) is None


async def test_an_import_that_has_changed_nothing_is_not_undone_and_one_that_has_is_not_discarded(
    owner: Visitor,
) -> None:
    checked = await check(owner, await upload(owner, "email,note\nada@example.org,\nx,\n"), new_segment="Fair")
    place = f"/imports/{import_id(checked)}"
    asked = await owner.get(f"{place}/undo")
    assert (asked.path, asked.notes) == (place, ["This import changed no contacts, so there is nothing to undo."])
    await confirm(owner, checked)
    assert (await owner.get(f"{place}/discard")).path == place
    await undo(owner, checked)
    assert (await owner.get(f"{place}/undo")).notes == ["This import was already undone."]


async def test_an_import_cannot_be_undone_after_a_day_and_is_gone_after_a_year(
    owner: Visitor, acme: Organization
) -> None:
    done = await confirm(owner, await check(owner, await upload(owner, "email\nada@example.org\nx\n")))
    await forget_old_imports()
    assert await ImportRefusal.all().count() == 1
    place = f"/imports/{import_id(done)}/undo"
    asked = await owner.get(place)
    await ContactImport.of(acme).update(finished_at=clock.now() - timedelta(hours=24, seconds=1))
    for late in (await owner.submit(asked, place), await owner.get(place)):
        assert late.notes == ["Imports can only be undone within 24 hours."]
    await forget_old_imports()
    assert await ImportChange.all().count() == await ImportRefusal.all().count() == 0
    assert "Skipped rows are kept for 24 hours." in (await owner.get(f"/imports/{import_id(done)}")).text
    await ContactImport.of(acme).update(finished_at=clock.now() - timedelta(days=365, seconds=1))
    await forget_old_imports()
    assert (await owner.get(f"/imports/{import_id(done)}")).status == 404
    assert await Contact.of(acme).count() == 1


async def test_the_plans_limit_is_told_by_the_dry_run_and_kept_by_the_run(
    owner: Visitor, acme: Organization, settings: Settings
) -> None:
    use_plans(settings, {"free": {"max_contacts": 10}})
    await Organization.filter(id=acme.id).update(plan="free")
    known = [await make_contact(acme) for _ in range(2)]
    lines = "".join(f"c{number}@example.org\n" for number in range(12)) + f"{known[0].email}\nC0@example.org\n"
    checked = await check(owner, await upload(owner, "email\n" + lines))
    assert counts(checked) == [8, 0, 1, 4]
    assert "The free plan allows 10 contacts, and" in checked.text
    await make_contact(acme)
    await OrgUsage.filter(org_id=acme.id, metric="max_contacts").delete()
    assert counts(await confirm(owner, checked)) == [7, 0, 1, 5]
    assert await Contact.of(acme).count() == 10


async def test_columns_that_mean_nothing_are_told_and_keep_what_was_chosen(owner: Visitor, acme: Organization) -> None:
    page = await upload(owner, "email,mail 2,x\nada@example.org,b@example.org,1\n")
    place = f"/imports/{import_id(page)}/columns"
    refused = await owner.submit(page, place, **{"column-0": "phone", "column-1": "phone"})
    assert refused.status == 422
    assert "Another column already uses this field." in refused.text
    assert refused.soup.select_one("select[name=column-1] option[selected]")["value"] == "phone"
    assert (await ContactImport.of(acme).get()).status == "uploaded"


async def test_a_file_can_be_read_otherwise(owner: Visitor) -> None:
    page = await upload(owner, "Émail;a,b\nada@example.org;1,2\n".encode("utf-16"), "x.csv")
    place = f"/imports/{import_id(page)}/reading"
    page = await owner.submit(page, place, encoding="utf-16-le", delimiter=",")
    assert [row[0] for row in page.rows] == ["Émail;a", "b"]
    (note,) = (await owner.submit(page, place, delimiter="x")).notes
    assert note.startswith("Couldn't read the file with these settings")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "The file is empty."),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This looks like an image. Choose a CSV file."),
        (b",".join([b"a"] * 501), "The file has 501 columns; the maximum is 500."),
        (b'"a' + b"x" * 70_000, "The first row is longer than 64 KiB."),
        (b"PK\x03\x04" + b"\0" * 100_000, "This looks like an Excel or ZIP file."),
        (b'"' + b"a\n" * 100_000, "The first row has a quoted cell that isn't closed within 64 KiB."),
    ],
)
async def test_what_is_no_table_is_refused_in_words(
    owner: Visitor, acme: Organization, data: bytes, words: str
) -> None:
    page = await upload(owner, data)
    assert page.status == 422
    assert (page.error_at("file") or "").startswith(words)
    assert await ContactImport.of(acme).count() == await ImportChunk.all().count() == 0


async def test_a_form_without_a_file_is_answered_at_once_however_large_it_is(owner: Visitor) -> None:
    token = (await owner.get("/imports/new")).token
    async with asyncio.timeout(20):
        page = await owner.post("/imports", form={"csrf_token": token, "name": "x" * 100_000}, follow=False)
    assert page.status == 422
    assert page.error_at("file") == "Select a file."


async def test_what_somebody_else_did_meanwhile_is_shown(owner: Visitor, acme: Organization) -> None:
    checked = await check(owner, await upload(owner, "email\nada@example.org\n"))
    place = f"/imports/{import_id(checked)}"
    pages = [await owner.submit(checked, f"{place}/run") for _ in range(2)]
    assert [page.title for page in pages] == ["Importing", "Importing"]
    assert pages[1].notes == ["This import has changed in the meantime. Reload the page."]
    part = await owner.get(f"{place}/progress", headers={"HX-Request": "true"})
    assert "Importing: 0%" in part.text
    await worker.process_pending()
    over = await owner.get(f"{place}/progress", headers={"HX-Request": "true"})
    assert (over.status, over.response.headers["HX-Redirect"]) == (204, place)
    assert await Contact.of(acme).count() == 1


async def test_an_import_whose_segment_goes_meanwhile_says_so_and_can_be_undone(
    owner: Visitor, acme: Organization
) -> None:
    segment = await make_segment(acme, name="Fair")
    page = await upload(owner, "email\nada@example.org\n", segment=str(segment.id))
    checked = await check(owner, page)
    await Segment.of(acme).delete()
    page = await confirm(owner, checked)
    assert "Skipped The segment for its contacts was deleted. The rows counted above were imported" in page.text
    assert await Contact.of(acme).count() == 0
    assert (await undo(owner, page)).title == "Import undone"


async def test_a_segment_that_was_deleted_is_asked_for_again(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    segment, theirs = await make_segment(acme), await make_segment(rival)
    page = await upload(owner, "email,Town\nada@example.org,Rome\n")
    await Segment.of(acme).delete()
    for chosen in (segment, theirs):
        path = f"/imports/{import_id(page)}/columns"
        refused = await owner.submit(page, path, **{"segment_id": str(chosen.id), "name-1": "city"})
        assert (refused.status, refused.title) == (422, page.title)
        assert "Your selection was deleted. Choose another one." in refused.text
        assert content_of(refused.form(path))["name-1"] == "city"


async def test_a_file_is_discarded_and_a_strangers_segment_is_absent(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    page = await upload(owner, "email\nada@example.org\n")
    segment = await make_segment(acme)
    assert (await upload(rival_owner, "email\n", segment=str(segment.id))).status == 404
    place = f"/imports/{import_id(page)}/discard"
    asked = await owner.get(place)
    discarded = await owner.submit(asked, place)
    assert discarded.notes == ["“people.csv” discarded. No contacts were changed."]
    assert await ImportChunk.all().count() == 0


async def test_an_export_brings_back_the_same_contacts(
    owner: Visitor, acme: Organization, rival: Organization, rival_owner: Visitor
) -> None:
    fields = {"=cmd": "=1+1", "status": "gold", "email": "x@y.example", "Größe in cm": "170", "note": 'a "b"\n;c'}
    names = {"first_name": "=Ada", "last_name": "O'Neil, Jr", "phone": "+49 1"}
    choices = {"do_not_track": True, "language": "de-AT", "paused_until": datetime(2100, 1, 2, 3, 4, 5, tzinfo=UTC)}
    await make_contact(acme, "ada@example.org", **names, **choices, custom_fields=fields)
    mixed = {"n": 5, "t": True, "do_not_track": "maybe"}
    await make_contact(acme, "bob@example.org", first_name="'=x", status="unsubscribed", custom_fields=mixed)
    await make_contact(acme, "-eve@example.org")
    await make_contact(rival, "theirs@example.org")
    data = (await owner.get("/contacts/export.csv?q=example")).data
    assert data.startswith(b"\xef\xbb\xbf")
    assert "theirs" not in data.decode()
    assert all(f"\"'{start}" in data.decode() for start in ("=Ada", "+49 1", "=1+1", "-eve", "'=x"))
    (entry,) = await AuditEntry.of(acme).filter(action="data.exported")
    assert (entry.target, entry.details) == ("contacts", {"q": "example"})
    assert counts(await check(owner, await upload(owner, data))) == [0, 0, 3, 0]
    elsewhere = await confirm(rival_owner, await check(rival_owner, await upload(rival_owner, data)))
    assert counts(elsewhere) == [3, 0, 0, 0]
    ours = {one.email: one for one in await Contact.of(acme)}
    for one in await Contact.of(rival).exclude(email="theirs@example.org"):
        was = ours[one.email]
        for name in ("first_name", "last_name", "phone", "status", *choices):
            assert getattr(one, name) == getattr(was, name)
        assert one.custom_fields == {
            name: str(value).replace("True", "true") for name, value in was.custom_fields.items()
        }


async def test_an_undo_deletes_the_segment_that_the_import_made(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    theirs = await make_segment(rival, name="Fair")
    checked = await check(owner, await upload(owner, "email\nada@example.org\n"), new_segment="Fair")
    assert await Segment.of(acme).count() == 0
    done = await confirm(owner, checked)
    assert [(one.name, one.contact_count) for one in await Segment.of(acme)] == [("Fair", 1)]
    asked = await owner.get(f"/imports/{import_id(done)}/undo")
    assert "The segment “Fair” will be deleted if it is empty and nothing uses it." in asked.text
    await undo(owner, done)
    assert await Segment.of(acme).count() == 0
    assert await Segment.of(rival).get() == theirs


async def test_the_name_of_a_segment_that_exists_adds_to_it(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_segment(rival, name="Fair")
    everyone = {"field": "created_at", "op": "is_set"}
    await Segment.create(org=acme, name="Fair", name_key="fair", kind="dynamic", member_filter=everyone)
    for address, name in (("ada@example.org", "Fair"), ("bob@example.org", "FAIR")):
        page = await upload(owner, f"email\n{address}\n")
        done = await confirm(owner, await check(owner, page, new_segment=name))
    (segment,) = await Segment.of(acme).filter(kind="static")
    assert (segment.name, segment.contact_count) == ("Fair", 2)
    await undo(owner, done)
    await segment.refresh_from_db()
    assert segment.contact_count == 1
    assert await Segment.of(rival).filter(contact_count=0).count() == 1


async def test_dynamic_segments_are_counted_after_an_import_and_its_undo(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    everyone = {"field": "created_at", "op": "is_set"}
    for org in (acme, rival):
        await Segment.create(org=org, name="All", name_key="all", kind="dynamic", member_filter=everyone)
    await make_contact(rival, "eve@example.org")
    done = await confirm(owner, await check(owner, await upload(owner, "email\na@x.example\nb@x.example\n")))
    await eventually(Segment.of(acme).filter(contact_count=2).exists)
    await undo(owner, done)
    await eventually(Segment.of(acme).filter(contact_count=0).exists)
    assert (await Segment.of(rival).get()).contact_count == 0


@pytest.mark.parametrize("use", ["campaign", "member"])
async def test_an_undo_leaves_a_segment_that_is_used(owner: Visitor, acme: Organization, use: str) -> None:
    done = await confirm(owner, await check(owner, await upload(owner, "email\na@x.example\n"), new_segment="Fair"))
    segment = await Segment.of(acme).get()
    if use == "campaign":
        await make_campaign(acme, exclude_segment_ids=[str(segment.id)])
    else:
        await SegmentContact.create(org=acme, segment=segment, contact=await make_contact(acme))
    assert (await undo(owner, done)).title == "Import undone"
    assert await Segment.of(acme).filter(id=segment.id).exists()


FILLING = "".join(f"c{number}@example.org,C\n" for number in range(ROWS_AT_ONCE))


async def test_each_contact_is_counted_once_however_many_rows_it_has(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_contact(acme, "same@example.org", first_name="Same")
    await make_contact(acme, "late@example.org", first_name="Old")
    await make_contact(rival, "new@example.org", first_name="Theirs")
    first = "new@example.org,A\nNEW@example.org,B\nsame@example.org,Same\nlate@example.org,Old\n"
    last = "new@example.org,D\nsame@example.org,Same\nlate@example.org,New\nLate@example.org,Newer\nnobody,x\n"
    checked = await check(owner, await upload(owner, f"email,first name\n{first}{FILLING}{last}"))
    expected = [ROWS_AT_ONCE + 1, 1, 1, 1]
    assert (counts(checked), "5 duplicate rows in the file." in checked.text) == (expected, True)
    done = await confirm(owner, checked)
    assert (counts(done), "5 duplicate rows in the file." in done.text) == (expected, True)
    found = await everybody(acme)
    assert [found[f"{name}@example.org"][0] for name in ("new", "same", "late")] == ["D", "Same", "Newer"]
    asked = await owner.get(f"/imports/{import_id(done)}/undo")
    assert (
        "Up to 501 contacts added by this import will be deleted. 1 contact updated by it will be restored"
        in asked.text
    )
    undone = await undo(owner, done)
    assert "501 added contacts deleted, 1 restored to previous values." in undone.text
    left = {name: first for name, (first, _) in (await everybody(acme)).items()}
    assert left == {"same@example.org": "Same", "late@example.org": "Old"}
    assert (await Contact.of(rival).get()).first_name == "Theirs"


async def test_a_bounced_contact_that_a_later_row_unsubscribes_is_excluded_once(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_contact(acme, "ada@example.org", bounced_at=clock.now())
    await make_contact(acme, "bob@example.org")
    await make_contact(rival, "bob@example.org", bounced_at=clock.now())
    last = "ada@example.org,unsubscribed\nbob@example.org,unsubscribed\n"
    data = f"email,status\nada@example.org,\nbob@example.org,\n{FILLING.replace(',C', ',')}{last}"
    checked = await check(owner, await upload(owner, data))
    assert (await ContactImport.of(acme).get()).excluded_count == 2
    await confirm(owner, checked)
    assert (await ContactImport.of(acme).get()).excluded_count == 2
    assert await Contact.of(acme).filter(status="unsubscribed").count() == 2
    assert (await Contact.of(rival).get()).status == "subscribed"


@pytest.mark.parametrize(
    ("known", "said", "names"),
    [
        ("leave", "The first row of each new contact is used.", ["Ada", "C"]),
        ("change", "The last row of each contact is used.", ["B", "D"]),
    ],
)
async def test_the_first_row_of_a_new_contact_wins_where_known_ones_are_left_unchanged(
    owner: Visitor, acme: Organization, known: str, said: str, names: list[str]
) -> None:
    await make_contact(acme, "ada@example.org", first_name="Ada")
    data = "email,first name\nada@example.org,A\nada@example.org,B\nbob@example.org,C\nbob@example.org,D\n"
    done = await confirm(owner, await check(owner, await upload(owner, data), known=known))
    assert f"2 duplicate rows in the file. {said}" in done.text
    assert await Contact.of(acme).order_by("email").values_list("first_name", flat=True) == names


async def test_an_export_says_segments_and_dates_which_an_import_leaves_out(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    at = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)
    ada = await make_contact(acme, "ada@example.org", bounced_at=at, custom_fields={"segments": "own", "town": "Rome"})
    await make_contact(acme, "bob@example.org", status="unsubscribed", unsubscribed_at=at)
    await make_segment(acme, ada, name="=Silver")
    await make_segment(acme, ada, name="Gold")
    await make_segment(rival, name="Theirs")
    data = (await owner.get("/contacts/export.csv")).data
    rows = {row["email"]: row for row in DictReader(StringIO(data.decode("utf-8-sig")))}
    assert rows["ada@example.org"]["segments"] == "'=Silver; Gold"
    assert rows["ada@example.org"]["bounced_at"] == rows["bob@example.org"]["unsubscribed_at"] == "2026-05-01T12:30:00Z"
    assert rows["ada@example.org"]["added_at"] == ada.created_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert (rows["ada@example.org"]["custom:segments"], rows["bob@example.org"]["segments"]) == ("own", "")
    for visitor, found in ((owner, [0, 0, 2, 0]), (rival_owner, [2, 0, 0, 0])):
        page = await upload(visitor, data)
        chosen = {tag["name"]: tag.select_one("[selected]")["value"] for tag in page.soup.select("td select")}
        assert [chosen[f"column-{number}"] for number in (5, 6, 8)] == ["", "", ""]
        page = await check(visitor, page)
        assert counts(page) == found
