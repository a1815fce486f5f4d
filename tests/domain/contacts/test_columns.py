"""Tables of contacts: the guess at what columns mean, and rows as contacts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.domain.contacts.columns import guess_columns
from webapp.domain.contacts.columns import row_to_contact as read_row
from webapp.domain.contacts.consent_reader import ConsentReader
from webapp.domain.contacts.inputs import NewContact, check_custom_fields
from webapp.errors import ValidationError

MAPPING = {0: "email", 1: "first_name", 2: "phone", 3: "custom:company"}


@pytest.mark.parametrize(
    "header",
    [["E-Mail", "First name", "Surname", "Phone number"], ["E-Mail-Adresse", "Vorname", "Nachname", "Telefonnummer"]],
)
def test_columns_are_known_by_their_headings(header: list[str]) -> None:
    assert guess_columns(header) == {0: "email", 1: "first_name", 2: "last_name", 3: "phone"}


def test_any_other_column_is_a_custom_field_that_tags_can_show() -> None:
    header = ["Email", "Company", "Postal code", "Größe (cm)", "2nd visit", "plan-name"]
    names = ["Company", "Postal_code", "Größe_cm", "_2nd_visit", "plan-name"]
    assert list(guess_columns(header).values()) == ["email", *(f"custom:{name}" for name in names)]


def test_the_same_heading_twice_makes_two_fields() -> None:
    header = ["Email", "E-Mail", "email", "Note", "", " ", "Note", "Note"]
    assert guess_columns(header) == {
        0: "email",
        1: "custom:E-Mail",
        2: "custom:email_2",  # a custom field called as a standard one stands back behind it
        3: "custom:Note",
        6: "custom:Note_2",
        7: "custom:Note_3",
    }


@given(st.lists(st.text(max_size=150) | st.sampled_from(["email", "Mail", "nom", "custom:x", "x"])))
def test_every_guess_is_a_field_that_a_contact_may_have(header: list[str]) -> None:
    guessed = guess_columns(header)
    assert len(set(guessed.values())) == len(guessed)
    for field in guessed.values():
        check_custom_fields({field.removeprefix("custom:"): "x"})


def row_to_contact(cells: list[str], mapping: dict[int, str]) -> NewContact:
    return read_row(cells, mapping, ConsentReader([], mapping))


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (["Ada Lovelace <ada@example.org>"], ("Ada", "Lovelace")),
        (['"Lovelace, Ada" <ada@example.org>', ""], ("Ada", "Lovelace")),
        (["Ada Lovelace <ada@example.org>", "Augusta"], ("Augusta", None)),
        (["ada@example.org <ada@example.org>"], (None, None)),
        (["A\x01da <ada@example.org>"], (None, None)),
    ],
)
def test_a_name_before_the_address_fills_the_names_that_no_column_gives(
    cells: list[str], names: tuple[str | None, str | None]
) -> None:
    given = row_to_contact(cells, MAPPING).given()
    assert (given["email"], given.get("first_name"), given.get("last_name")) == ("ada@example.org", *names)


def test_what_no_database_can_hold_is_shown_as_such() -> None:
    contact = row_to_contact(["ada@example.org", "A\0\ud800da", "", "x\0"], MAPPING)
    assert (contact.first_name, contact.custom_fields) == ("A\ufffd?da", {"company": "x\ufffd"})
    assert guess_columns(["custom:a\ud800", "b\0c"]) == {0: "custom:a?", 1: "custom:b_c"}


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([""], "email is required"),
        (["ada@example.org", "", "", "x" * 17_000], "custom_fields must be at most 16 KiB as JSON"),
        (["ada@example.org", "Ada\x01"], "first_name must not contain line breaks or control characters"),
    ],
)
def test_a_row_that_is_no_contact_is_refused_in_words(cells: list[str], words: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        row_to_contact(cells, MAPPING)
    assert str(refusal.value).startswith(words)
