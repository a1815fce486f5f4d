"""Rows of a file that repeat a contact: counted as such, in one batch and over several, before and after an undo."""

from tests.factories import make_contact
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_imports import check, confirm, counts, everybody, import_id, undo, upload
from webapp.domain.imports.worker import ROWS_AT_ONCE
from webapp.models import Contact, ImportChange, Organization

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
    assert "Import 502 contacts" in checked.text
    done = await confirm(owner, checked)
    assert (counts(done), "5 duplicate rows in the file." in done.text) == (expected, True)
    found = await everybody(acme)
    assert [found[f"{name}@example.org"][0] for name in ("new", "same", "late")] == ["D", "Same", "Newer"]
    asked = await owner.get(f"/imports/{import_id(done)}/undo")
    assert "501 contacts added by this import will be deleted. 1 contact updated by it will be restored" in asked.text
    undone = await undo(owner, done)
    assert "501 added contacts deleted, 1 restored to previous values." in undone.text
    assert {name: first for name, (first, _) in (await everybody(acme)).items()} == {
        "same@example.org": "Same",
        "late@example.org": "Old",
    }
    assert (await Contact.of(rival).get()).first_name == "Theirs"
    assert await ImportChange.all().count() == 0


async def test_the_first_row_of_a_new_contact_wins_where_known_ones_are_left_unchanged(
    owner: Visitor, acme: Organization
) -> None:
    await make_contact(acme, "ada@example.org", first_name="Ada")
    data = "email,first name\nada@example.org,A\nada@example.org,B\nbob@example.org,C\nbob@example.org,D\n"
    for known, said in (
        ("leave", "The first row of each new contact is used."),
        ("change", "The last row of each contact is used."),
    ):
        checked = await check(owner, await upload(owner, data), known=known)
        assert f"2 duplicate rows in the file. {said}" in checked.text
        if known == "leave":
            done = await confirm(owner, checked)
            assert f"2 duplicate rows in the file. {said}" in done.text
            names = {email: first for email, (first, _) in (await everybody(acme)).items()}
            assert names == {"ada@example.org": "Ada", "bob@example.org": "C"}
