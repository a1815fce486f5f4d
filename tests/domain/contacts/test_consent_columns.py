"""What columns of other tools say of who may get campaigns."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.domain.contacts.columns import column_title, guess_columns, row_to_contact
from webapp.domain.contacts.consent_columns import CONSENT, are_gone, consent_field
from webapp.domain.contacts.consent_reader import ConsentReader
from webapp.domain.contacts.inputs import NewContact
from webapp.errors import ValidationError

S, U = "status", "unsubscribed"


def read_consent(said: Sequence[tuple[str, str]]) -> str | None:
    """The status of a row with these cells, each below a heading of its kind."""
    mapping = {number: kind for number, (kind, _) in enumerate(said)}
    return ConsentReader([kind for kind, _ in said], mapping).read([cell for _, cell in said])


def read_row(header: list[str], cells: list[str], mapping: dict[int, str], *, has_left: bool = False) -> NewContact:
    return row_to_contact(cells, mapping, ConsentReader(header, mapping, has_left=has_left))


@pytest.mark.parametrize(
    ("heading", "cells", "kind"),
    [
        ("status", ["VIP", "gold"], S),
        ("Estado", ["activo", "borrado"], S),
        ("State", ["CA", "NY"], None),
        ("state", ["active", "cancelled"], S),
        ("subscribed", ["2024-01-31"], S),
        ("Email hard bounce reason", [], U),
        ("UNSUB_CAMPAIGN_TITLE", [], None),
        ("Company", ["unsubscribed"], S),
    ],
)
def test_headings_say_which_kind_a_column_is(heading: str, cells: list[str], kind: str | None) -> None:
    assert consent_field(heading, cells) == kind


YES_OR_NO = ("yes", "no"), ("TRUE", "FALSE"), ("1", "0"), ("WAHR", "FALSCH"), ("oui", "non")
WORDS = ("Subscribed", "Unsubscribed"), ("Opted in", "Opted out"), ("active", "bounced"), ("confirmed", "cleaned")


@pytest.mark.parametrize(
    "heading",
    [
        "email permission status", "isSubscribed", "E-Mail Marketing (yes/no)", "GDPR consent", "Active contact",
        "Werbung: Zustimmung", "Statut d'abonné", "Would you like to get our newsletter? (Y/N)",
    ],
)  # fmt: skip
def test_cells_decide_under_a_heading_that_may_be_of_consent(heading: str) -> None:
    for cells in (*YES_OR_NO, *WORDS, ("no", "no"), ("yes", "no", "n/a", "NULL")):
        assert consent_field(heading, cells) == S
        assert read_consent([(S, cells[1])]) == "unsubscribed"


@pytest.mark.parametrize(
    "heading",
    ["marketing_opt_out", "Do not send marketing", "Consent withdrawn", "is_inactive", "Keine Werbung (Newsletter)"],
)
def test_yes_or_a_time_under_a_heading_of_leaving_is_that_of_somebody_who_left(heading: str) -> None:
    for cells in (*YES_OR_NO, ("yes", ""), ("2024-01-31 10:00:00", "-"), ("Mar 5, 2024",), ()):
        assert consent_field(heading, cells) == U
    for left in ("yes", "TRUE", "1", "WAHR", "oui", "2024-01-31 10:00:00"):
        assert read_consent([(U, left)]) == "unsubscribed"
    for stays in ("no", "FALSE", "0", "FALSCH", "non", "-"):
        assert read_consent([(U, stays)]) is None


@pytest.mark.parametrize("heading", ["Type", "Audience", "Opt-in type", ""])
def test_cells_that_mean_nothing_else_are_of_consent_under_any_heading(heading: str) -> None:
    for word in ("unsubscribed", "Opted out", "NEVER_SUBSCRIBED", "cleaned", "hard bounced", "Unsubscribed by admin"):
        cells = ["subscribed", "active", word]
        assert consent_field(heading, cells) == S
        assert read_consent([(S, word)]) == "unsubscribed"
    assert consent_field(heading, ["unsubscribed", *["subscribed"] * 17, "VIP"]) == S
    assert consent_field(heading, ["unsubscribed", "VIP", "gold"]) == S
    assert consent_field(heading, ["unsubscribed", *(f"a note on {number}" for number in range(20))]) is None


YES_OR_NO_OF_OTHER_THINGS = [
    "Active member", "active_subscription", "VIP", "Marketing qualified lead", "Description", "Option",
    "Permission to track", "Photo consent", "Opt-out of data sales", "GDPR deletion", "Accepts SMS Marketing",
]  # fmt: skip


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        *((heading, ["yes", "no"]) for heading in YES_OR_NO_OF_OTHER_THINGS),
        ("Membership status", ["active", "cancelled"]),
        ("Country", ["NO", "SI"]),
        ("Bounce rate", ["0", "1"]),
        ("sms_marketing", ["Unsubscribed", "Subscribed"]),
        ("Lifecycle Stage", ["subscriber", "subscriber"]),
        ("Unsubscribe URL", ["https://example.org/u/1"]),
        ("Opt-in date", ["2024-01-31"]),
    ],
)
def test_columns_of_other_things_are_none_of_consent(heading: str, cells: list[str]) -> None:
    assert consent_field(heading, cells) is None


def test_what_is_marked_as_a_custom_field_stays_one() -> None:
    for name in ("Permission", "is_active", "marketing_opt_out", "Subscription"):
        assert column_title(name) == f"custom:{name}"
        assert guess_columns([column_title(name)], [["no"], ["Unsubscribed"]]) == {0: f"custom:{name}"}


@given(st.text(), st.text(min_size=1))
def test_no_text_under_a_heading_of_leaving_subscribes_anybody(heading: str, cell: str) -> None:
    assert consent_field(heading, [cell]) in (*CONSENT, None)
    assert read_consent([(U, cell)]) in ("unsubscribed", None)


LEFT = [
    "unsubscribed_members_export_8a4f.csv", "cleaned_members_export_8a4f.csv", "Suppression list.csv",
    "Abmelder 2024.csv", "no longer subscribed.csv", "do-not-email.csv", "hardbounces.CSV",
]  # fmt: skip
OTHERS = [
    "subscribed_members_export_8a4f.csv", "contacts_cleaned.csv", "subscribed and unsubscribed.csv", "ohne Abmelder.csv",
    "NoBounces.csv", "everyone but unsubscribed.csv", "unsubscribes filtered out.csv", "Bounce_House_Customers.csv", "",
]  # fmt: skip


@pytest.mark.parametrize("name", [*LEFT, *OTHERS])
def test_names_of_files_say_when_everyone_in_them_has_left(name: str) -> None:
    assert are_gone(name) == (name in LEFT)


def test_of_somebody_who_has_left_the_address_is_enough() -> None:
    mapping = {0: "email", 1: S, 2: "phone", 3: "custom:note"}
    header = ["Email", "Status", "Phone", "Note"]
    cells = ["ada@example.org", "cleaned", "1" * 65, "x" * 17_000]
    assert read_row(header, cells, mapping).given() == {"email": "ada@example.org", "status": "unsubscribed"}
    for wrong in (["ada@", *cells[1:]], ["", *cells[1:]], [cells[0], "subscribed", *cells[2:]]):
        with pytest.raises(ValidationError):
            read_row(header, wrong, mapping)
    for word in ("subscribed", "gold", ""):
        assert read_row(header, ["ada@example.org", word], mapping, has_left=True).status == "unsubscribed"
