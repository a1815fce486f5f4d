"""What columns of other tools say of who may get campaigns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.domain.consent_columns import CONSENT, are_gone, consent_field, read_consent
from webapp.domain.contact_columns import guess_columns, row_to_contact
from webapp.errors import ValidationError

S, U = "status", "unsubscribed"


@pytest.mark.parametrize(
    ("heading", "cells", "kind"),
    [
        ("Status", [], S),
        ("STATUS", ["subscribed", "cleaned"], S),
        ("status", ["VIP", "gold"], None),
        ("status", ["VIP", "unsubscribed"], S),
        ("State", ["CA", "NY"], None),
        ("state", [], None),
        ("state", ["active", "cancelled"], S),
        ("Email Marketing Status", ["VIP"], S),
        ("Email Marketing Consent", ["NEVER_SUBSCRIBED"], S),
        ("Accepts Email Marketing", ["yes"], S),
        ("subscribed", ["true", "false"], S),
        ("subscribed", ["2024-01-31"], None),
        ("subscribed_to_emails", [], S),
        ("unsubscribed", ["true"], U),
        ("Unsubscribed?", [], U),
        ("unsubscribed_at", [], U),
        ("UNSUB_TIME", [], U),
        ("CLEAN_TIME", [], U),
        ("cleaned", [], U),
        ("opted out", [], U),
        ("opt-out", [], U),
        ("Has Opted Out of Email", [], U),
        ("Unsubscribed from all email", [], U),
        ("Email hard bounce reason", [], U),
        ("Email Suppressions", [], U),
        ("Blocklisted", [], U),
        ("Désabonné", [], U),
        ("OPTIN_TIME", [], None),
        ("UNSUB_CAMPAIGN_TITLE", [], None),
        ("Unsubscribe link", [], None),
        ("Lead Status", [], None),
        ("Company", ["unsubscribed"], None),
        ("", [], None),
    ],
)
def test_headings_say_which_kind_a_column_is(heading: str, cells: list[str], kind: str | None) -> None:
    assert consent_field(heading, cells) == kind


@pytest.mark.parametrize(
    ("kind", "said", "status"),
    [
        *((S, said, "subscribed") for said in ("subscribed", "SUBSCRIBED", "Active", "yes", "TRUE", "1", "opted in")),
        *((S, said, "unsubscribed") for said in ("Unsubscribed", "cleaned", "opted out", "opt-out", "Non-Subscribed")),
        *((S, said, "unsubscribed") for said in ("NEVER_SUBSCRIBED", "pending", "bounced", "no", "false", "0", "junk")),
        *(
            (U, said, "unsubscribed")
            for said in ("true", "Yes", "1", "x", "✓", "2024-01-31 10:00:00", "spam", "cleaned")
        ),
        *(
            (U, said, None)
            for said in ("false", "No", "0", "-", "n/a", "0000-00-00 00:00:00", "[]", "null", "subscribed")
        ),
    ],
)
def test_words_and_times_say_who_has_left(kind: str, said: str, status: str | None) -> None:
    assert read_consent([(kind, said)]) == status


def test_of_several_columns_the_one_for_less_mail_counts() -> None:
    assert read_consent([(S, "subscribed"), (U, "2024-01-31")]) == "unsubscribed"
    assert read_consent([(S, "subscribed"), (U, "false")]) == "subscribed"
    assert read_consent([(S, "gold"), (U, "yes")]) == read_consent([(U, "yes"), (S, "gold")]) == "unsubscribed"
    assert read_consent([]) is None


@given(st.text(), st.text(min_size=1))
def test_no_text_that_is_not_known_subscribes_anybody(heading: str, cell: str) -> None:
    assert consent_field(heading, [cell]) in (*CONSENT, None)
    assert read_consent([(U, cell)]) in ("unsubscribed", None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("subscribed_members_export_8a4f.csv", False),
        ("unsubscribed_members_export_8a4f.csv", True),
        ("cleaned_members_export_8a4f.csv", True),
        ("nonsubscribed_members_export_8a4f.csv", True),
        ("unsubscribed_email_audience_export_8a4f.csv", True),
        ("cleaned_email_audience_export_8a4f.csv", True),
        ("Non-subscribed contacts.csv", True),
        ("Suppression list.csv", True),
        ("opt-outs 2024.csv", True),
        ("contacts_cleaned.csv", False),
        ("all contacts, unsubscribed too.csv", False),
        ("subscribed and unsubscribed.csv", False),
        ("people.csv", False),
        ("", False),
    ],
)
def test_names_of_files_say_when_everyone_in_them_has_left(name: str, *, expected: bool) -> None:
    assert are_gone(name) == expected


def test_columns_of_consent_are_no_custom_fields_and_may_be_several() -> None:
    header = ["Email", "Status", "UNSUB_TIME", "CLEAN_TIME", "custom:status"]
    assert guess_columns(header) == {0: "email", 1: S, 2: U, 3: U, 4: "custom:status"}
    assert guess_columns(["Email", "Status"], [["a@b.example", "VIP"], ["b@b.example"]]) == {
        0: "email",
        1: "custom:Status",
    }


def test_a_word_that_is_not_known_refuses_the_row() -> None:
    with pytest.raises(ValidationError) as refusal:
        row_to_contact(["ada@example.org", "gold"], {0: "email", 1: S})
    assert str(refusal.value).startswith("status is “gold”, which is none that is known")


def test_of_somebody_who_has_left_the_address_is_enough() -> None:
    mapping = {0: "email", 1: S, 2: "phone", 3: "custom:note"}
    cells = ["ada@example.org", "cleaned", "1" * 65, "x" * 17_000]
    assert row_to_contact(cells, mapping).given() == {"email": "ada@example.org", "status": "unsubscribed"}
    for wrong in (["ada@", *cells[1:]], ["", *cells[1:]], [cells[0], "subscribed", *cells[2:]]):
        with pytest.raises(ValidationError):
            row_to_contact(wrong, mapping)
    for word in ("subscribed", "gold", ""):
        assert row_to_contact(["ada@example.org", word], mapping, has_left=True).status == "unsubscribed"
