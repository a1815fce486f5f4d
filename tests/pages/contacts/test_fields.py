"""The custom fields of contacts: their labels and types on pages."""

import re

import pytest

from tests.factories import make_contact
from tests.pages.conftest import Page, Visitor
from tests.pages.contacts.test_imports import check, confirm, upload
from webapp.models import AuditEntry, Contact, ContactImport, CustomField, Organization

PLACE = "/contacts/fields"


async def test_a_field_has_a_label_and_a_type_on_every_page(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    contact = await make_contact(acme, "ada@example.org", custom_fields={"signup_date": "2026-11-02"})
    page = await owner.get(PLACE)
    assert [row[:3] for row in page.rows] == [["signup_date", "signup_date", "Text"]]
    edited = f"{PLACE}/edit"
    page = await owner.submit(await owner.get(f"{edited}?name=signup_date"), edited, label="Signup Date", kind="date")
    assert page.notes == ["Field “Signup Date” saved."]
    assert [row[:3] for row in page.rows] == [["Signup Date", "signup_date", "Date"]]
    shown = await owner.get(f"/contacts/{contact.id}")
    assert "Signup Date" in shown.text
    assert "signup_date" not in shown.text
    form = await owner.get("/contacts/new")
    (field,) = form.soup.select("input[type=date][name^=value-]")
    assert form.soup.select_one(f"label[for={field['id']}]").text == "Signup Date"
    await owner.submit(form, "/contacts", email="bo@example.org", **{str(field["name"]): "2026-11-03"})
    assert (await Contact.of(acme).get(email="bo@example.org")).custom_fields == {"signup_date": "2026-11-03"}
    builder = "/segments/new/dynamic"
    page = await owner.submit(await owner.get(builder), builder, add="custom_fields.signup_date", do="add")
    assert [option.text for option in page.soup.select("#f-op-0 option")][:2] == ["is before", "is after"]
    page = await owner.submit(page, builder, name="Second", **{"op-0": "on", "value-0": "2026-11-02"}, do="save")
    assert "Signup Date is on “2026-11-02”" in page.text
    assert "Signup" not in (await rival_owner.get(PLACE)).text
    assert (await rival_owner.get(f"{edited}?name=signup_date")).notes == ["This field is no longer there."]


@pytest.mark.parametrize(
    ("kind", "value"), [("date", "31.12.2026 at noon"), ("date", "2026-13-01"), ("number", "0,50 €"), ("boolean", "ja")]
)
async def test_a_value_that_does_not_fit_the_type_survives_a_change_of_the_contact(
    owner: Visitor, acme: Organization, kind: str, value: str
) -> None:
    contact = await make_contact(acme, "ada@example.org", custom_fields={"joined": value})
    await owner.send_form(f"{PLACE}/edit", name="joined", label="Joined", kind=kind, position="0")
    place = f"/contacts/{contact.id}"
    form = await owner.get(f"{place}/edit")
    (shown,) = [tag for tag in form.soup.select("[name^=value-]") if tag.get("value") == value]
    assert (shown.name, shown.get("type")) == ("input", None)  # browsers empty a typed input whose value does not fit
    await owner.submit(form, place, phone="1")
    await contact.refresh_from_db()
    assert (contact.phone, contact.custom_fields) == ("1", {"joined": value})


@pytest.mark.parametrize(
    ("kind", "fitting", "misfit", "warning"),
    [
        ("date", "01.11.2026", "31.02.2026", " Some values are not dates, such as “31.02.2026”."),
        ("number", "4.5", "0,50 €", " Some values are not numbers, such as “0,50 €”."),
        ("boolean", "true", "ja", " Some values are neither true nor false, such as “ja”."),
        ("text", "a", "31.02.2026", ""),
    ],
)
async def test_saving_a_type_names_a_value_that_does_not_fit(
    owner: Visitor, acme: Organization, rival: Organization, kind: str, fitting: str, misfit: str, warning: str
) -> None:
    edited, expected = f"{PLACE}/edit", f"Field “Since” saved.{warning}"
    await make_contact(acme, "ada@example.org", custom_fields={"since": fitting})
    await make_contact(rival, "eve@example.org", custom_fields={"since": misfit})
    page = await owner.send_form(edited, name="since", label="Since", kind=kind, position="0")
    assert page.notes == ["Field “Since” saved."]
    await make_contact(acme, "bo@example.org", custom_fields={"since": misfit})
    page = await owner.send_form(edited, name="since", label="Since", kind=kind, position="0")
    (note,) = page.notes
    assert note.partition(" Conditions")[0] == expected


@pytest.mark.parametrize("label", ["", "Email", "***", "Harbour", "x" * 101])
async def test_a_label_that_cannot_be_a_new_field_is_refused(owner: Visitor, acme: Organization, label: str) -> None:
    await make_contact(acme, "ada@example.org", custom_fields={"harbour": "Oslo"})
    page = await owner.submit(await owner.get(f"{PLACE}/new"), f"{PLACE}/new", label=label)
    assert (page.status, bool(page.error_at("label"))) == (422, True)


async def test_changes_of_fields_are_in_the_audit_log(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await owner.send_form(f"{PLACE}/new", label="Signup", kind="text", position="0")
    for kind in ("text", "date", "date"):  # the third changes nothing
        await owner.send_form(f"{PLACE}/edit", name="signup", label="Joined on", kind=kind, position="0")
    for visitor in (rival_owner, owner):
        await visitor.send_form(f"{PLACE}/delete", name="signup", confirm="0")
    page = await owner.get("/audit?what=contacts")
    assert [cells[0] for cells in page.rows] == [
        "Deleted contact field Joined on key signup contacts 0",
        "Changed contact field Joined on key signup type Text → changed to Date",
        "Changed contact field Joined on key signup label Signup → changed to Joined on",
        "Added contact field Signup key signup type Text",
    ]
    assert "ada@acme.example" in page.rows[0][1]
    assert await AuditEntry.of(rival).count() == 0


async def test_labels_come_from_the_headings_of_imports_and_stay(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    for file in ("Email,Signup Date,City\na@example.org,1.2.2026,Rome\n", "Email,CITY,Plan\nb@example.org,Bonn,x\n"):
        await confirm(owner, await check(owner, await upload(owner, file)))
    rows = [row[:3] for row in (await owner.get(PLACE)).rows]
    assert rows == [["Signup Date", "signup_date", "Date"], ["City", "city", "Text"], ["Plan", "plan", "Text"]]
    assert (await rival_owner.get(PLACE)).rows == []


def chosen_type(page: Page) -> str:
    """The type that the form of an import offers for its second column."""
    return str(page.soup.select_one("[name=kind-1] option[selected]").text)


@pytest.mark.parametrize(
    ("kind", "cells", "words", "condition", "members"),
    [
        (
            "number",
            ["1.234,50", "60,00", "60", "1,234", "1.234", "free"],
            {
                "5": "“1,234” in Fee can mean 1234 or 1.2340; write one of these",
                "6": "“1.234” in Fee is read with a decimal point; write 1234 if it means thousands",
                "7": "“free” in Fee isn't a number like 4.50 or 4,50",
            },
            {"op-0": "greater_than", "value-0": "59,99"},
            3,
        ),
        (
            "date",
            ["12.03.2024", "2024-03-13", "x"],
            {"4": "“x” in Fee isn't a date like 2026-11-20 or 20.11.2026"},
            {"op-0": "after", "value-0": "2024-03-12"},
            1,
        ),
        (
            "boolean",
            ["ja", "YES", "nein", "perhaps"],
            {"5": "“perhaps” in Fee isn't yes or no"},
            {"op-0": "is", "value-0": "true"},
            2,
        ),
        ("text", ["ja", "1,234"], {}, {"op-0": "is", "value-0": "1,234"}, 1),
    ],
)
async def test_the_type_of_a_new_field_is_chosen_before_an_import(
    owner: Visitor,
    rival_owner: Visitor,
    acme: Organization,
    kind: str,
    cells: list[str],
    words: dict[str, str],
    condition: dict[str, str],
    members: int,
) -> None:
    lines = "".join(f'n{number}@example.org,"{cell}"\n' for number, cell in enumerate(cells))
    page = await check(owner, await upload(owner, f"Email,Fee\n{lines}"), **{"kind-1": kind})
    assert {row[0]: row[1] for row in page.rows} == words
    back = await owner.get(f"{page.path}/columns")
    assert back.soup.select_one("[name=kind-1] option[selected]")["value"] == kind
    assert (await rival_owner.get(f"{page.path}/columns")).status == 404
    assert await CustomField.of(acme).count() == 0
    await confirm(owner, page)
    assert (await CustomField.of(acme).get()).kind == kind
    builder = "/segments/new/dynamic"
    row = {"field-0": "custom_fields.fee", **condition}
    page = await owner.send_form(builder, name="Members", do="save", **row)
    assert re.search(rf"Members {members}\b", page.text)
    assert (await rival_owner.get(page.path)).status == 404


async def test_a_type_that_is_none_is_refused(owner: Visitor, acme: Organization) -> None:
    page = await upload(owner, "Email,Fee\na@example.org,1\n")
    refused = await owner.submit(page, f"{page.path}/columns", **{"kind-1": "money"})
    assert refused.status == 422
    assert (await ContactImport.of(acme).get()).status == "uploaded"


@pytest.mark.parametrize(
    ("kind", "fitting", "misfit", "words"),
    [
        ("date", "30.11.1990", "yesterday", "“yesterday” in Since isn't a date like 2026-11-20 or 20.11.2026."),
        ("number", "1.234,50", "free", "“free” in Since isn't a number like 4.50 or 4,50."),
        ("number", "120,50", "1,234", "“1,234” in Since can mean 1234 or 1.2340; write one of these."),
        ("number", "1.2340", "1.234", "“1.234” in Since can mean 1234 or 1.2340; write one of these."),
        ("number", "0.234", "-12.500", "“-12.500” in Since can mean -12500 or -12.5; write one of these."),
        ("boolean", "true", "perhaps", "“perhaps” in Since isn't yes or no."),
    ],
)
async def test_a_value_that_does_not_fit_its_type_is_refused_at_its_field(
    owner: Visitor, acme: Organization, kind: str, fitting: str, misfit: str, words: str
) -> None:
    await CustomField.named(acme, "since", label="Since", kind=kind).save()
    form = await owner.get("/contacts/new")
    page = await owner.submit(form, "/contacts", email="ada@example.org", **{"value-0": misfit})
    assert (page.status, page.error_at("value-0")) == (422, words)
    page = await owner.submit(page, "/contacts", **{"value-0": fitting})
    contact = await Contact.of(acme).get()
    assert contact.custom_fields == {"since": fitting}
    place = f"/contacts/{contact.id}"
    page = await owner.submit(await owner.get(f"{place}/edit"), place, phone="1", **{"value-0": misfit})
    assert (page.status, page.error_at("value-0")) == (422, words)
    await contact.refresh_from_db()
    assert (contact.phone, contact.custom_fields) == (None, {"since": fitting})


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["12.03.2024", "2026-11-01", "1.1.2026", "2.1.2026", "31.02.1990"], "Date"),
        (["12.03.2024", "soon"], "Text"),
        (["10115", "20095"], "Text"),
        (["1.234", "089"], "Text"),
        (["0", "3", "12", "1770", "many"], "Number"),
        (["12", "007", "5"], "Text"),
        (["12", "1000", "2000"], "Text"),
        (["12", "5", "1000001"], "Text"),
        (["1.234,50", "60,00", "24", "15,5", "free"], "Number"),
        (["", ""], "Text"),
    ],
)
async def test_an_import_gives_a_new_field_the_type_of_its_values(
    owner: Visitor, acme: Organization, cells: list[str], kind: str
) -> None:
    lines = "".join(f'n{number}@example.org,"{cell}"\n' for number, cell in enumerate(cells))
    page = await upload(owner, f"Email,Since\n{lines}")
    assert chosen_type(page) == kind
    checked = await check(owner, page)
    assert ("“31.02.1990” in Since isn't a date" in checked.text) is (kind == "Date")
    await confirm(owner, checked)
    assert (await owner.get(PLACE)).rows[0][:3] == ["Since", "since", kind]
    page = await owner.submit(await owner.get(f"{PLACE}/new"), f"{PLACE}/new", label="Later")
    assert [row[0] for row in page.rows] == ["Since", "Later"]


async def test_a_name_given_while_importing_is_the_label(owner: Visitor, rival_owner: Visitor) -> None:
    page = await upload(owner, "Email,Stadt,Beitritt am,Phone\nada@example.org,Berlin,01.11.2026,1\n")
    chosen = {"name-1": "City", "column-3": "custom"}
    await confirm(owner, await check(owner, page, **chosen))
    labels = [row[:2] for row in (await owner.get(PLACE)).rows]
    assert labels == [["City", "City"], ["Beitritt am", "beitritt_am"], ["Phone", "Phone"]]
    assert (await rival_owner.get(PLACE)).rows == []


async def test_an_import_reads_columns_headed_by_labels(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_contact(rival, "eve@example.org", custom_fields={"secret_field": "1"})
    await confirm(owner, await check(owner, await upload(owner, "Email,Signup Date\nada@example.org,2026-11-02\n")))
    edited = f"{PLACE}/edit"
    page = await owner.get(f"{edited}?name=signup_date")
    assert page.soup.find(id="f-label")["value"] == "Signup Date"
    await owner.submit(page, edited, label="Joined on", kind="date")
    page = await upload(owner, "Email,joined on,Home Port\nbo@example.org,2026-11-03,Oslo\n")
    chosen = [option.text for option in page.soup.select("tbody option[selected]")]
    assert "secret_field" not in page.text
    types = ["Text", "Date", "Text"]  # the second is that of a new field
    assert chosen == ["Email", types[0], "Joined on (signup_date, date)", types[1], "Another custom field", types[2]]
    await confirm(owner, await check(owner, page))
    page = await upload(owner, "Email,Since,Home Port\nbo@example.org,2026-11-04,Rome\n")
    await confirm(owner, await check(owner, page, **{"column-1": "custom:signup_date"}))
    saved = (await Contact.of(acme).get(email="bo@example.org")).custom_fields
    assert saved == {"signup_date": "2026-11-04", "home_port": "Rome"}
    assert [row[0] for row in (await owner.get(PLACE)).rows] == ["Joined on", "Home Port"]


async def test_a_new_condition_on_a_field_for_yes_or_no_counts_what_it_shows(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await CustomField.named(acme, "member", label="Member", kind="boolean").save()
    await make_contact(acme, "ada@example.org", custom_fields={"member": "true"})
    await make_contact(acme, "bo@example.org", custom_fields={"member": "false"})
    await make_contact(rival, "eve@example.org", custom_fields={"member": "true"})
    builder = "/segments/new/dynamic"
    page = await owner.submit(await owner.get(builder), builder, add="custom_fields.member", do="add")
    assert page.soup.find(id="matches").get_text(" ", strip=True) == "1 contact matches now: ada@example.org"
    page = await owner.submit(page, builder, name="Members", **{"op-0": "is", "value-0": "true"}, do="save")
    assert "Member is “yes”" in page.text


async def test_the_page_of_a_contact_has_its_fields_in_their_order(owner: Visitor, acme: Organization) -> None:
    contact = await make_contact(acme, custom_fields={"city": "Rome", "other": "x", "age": "7"})
    for position, name in enumerate(("age", "city"), start=1):
        await CustomField.named(acme, name, label=name.title(), position=position).save()
    page = await owner.get(f"/contacts/{contact.id}")
    names = [term.text for term in page.soup.select("[aria-labelledby=custom] dt")]
    assert names == ["Age", "City", "other"]
