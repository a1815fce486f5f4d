"""Headings in many languages: a table that says that somebody left subscribes nobody of whom it says so."""
# ruff: noqa: RUF001 - headings of many languages

from collections.abc import Sequence

import pytest

from webapp.domain.contacts.columns import guess_columns, row_to_contact
from webapp.domain.contacts.consent_reader import UNKNOWN, ConsentReader
from webapp.errors import ValidationError

LEAVING = [
    ("Unsubscribe Reason", "Too many emails", ""),
    ("On Hold", "1", ""),
    ("donotbulkemail", "Yes", ""),
    ("Abmeldung", "01.03.2024", ""),
    ("Werbesperre", "x", ""),
    ("Дата отписки", "01.03.2024", ""),
    ("수신거부일", "2024-03-01", ""),
    ("Geen nieuwsbrief", "ja", "nee"),
    ("Не рассылать", "да", "нет"),
]
ASKING = [
    ("Aceita receber e-mails", "Não"),
    ("Bulk Email", "Do Not Allow"),
    ("Would you like to hear from us?", "No"),
    ("Is the user confirmed", "0"),
]
# Contracts and memberships end too: whoever has such a date is asked about.
ENDING = """Cancellation Date, Terminated at, Churn date, Date left, Subscription end, Gekündigt am, Austrittsdatum
    Date de résiliation, Fecha de cancelación, Disdetto il, Opgezegd op, Data de cancelamento"""
LEAVING_WORDS = """unsubscribed, unsubscribe, opted out, do not email, blocklisted, marked as spam
    abgemeldet, Widerspruch, désinscription, dado de baja, disiscritto, niet mailen"""
FORMS = """{}, {}?, {} (Y/N), Date {}, {} am, {}_at, {}Date, Is {}, Newsletter: {}, {} newsletter, {} seit"""
OF_OTHER_THINGS = """Order cancelled, Flight cancellation date, Left hand, Sorting, Terminal, Visit frequency
    Customer since, Contract end date, Not contacted yet"""
# “Yes” may mean either.
EITHER_WAY = """Wants newsletter (no = unsubscribed); Newsletter (1 = subscribed, 0 = unsubscribed); Not unsubscribed
    Subscribed or unsubscribed; Newsletter, leave empty if unsubscribed; Newsletter: yes/no/not sure; Opt-in/Opt-out
    Newsletter (nein = abgemeldet); Newsletter: ja, nein, weiß nicht; Abonné ou désabonné; Nieuwsbrief (nee = afgemeld)"""


def headings(text: str, separator: str = ",") -> list[str]:
    return [heading.strip() for heading in text.replace("\n", separator).split(separator)]


def statuses(header: Sequence[str], *rows: Sequence[str]) -> list[str | None]:
    """The status of each row; None where it gives none or is refused until somebody says what it means."""
    mapping = guess_columns(header, rows)
    return read_statuses(mapping, ConsentReader(header, mapping), rows)


def asked(heading: str, *cells: str) -> list[str]:
    """The words below this heading that the review asks about; the column is imported as it is."""
    rows = [[f"p{number}@example.org", cell] for number, cell in enumerate(cells)]
    mapping = guess_columns(["Email", heading], rows)
    reader = ConsentReader(["Email", heading], mapping)
    read_statuses(mapping, reader, rows)
    assert mapping[1].startswith("custom:")
    return sorted(word.text for word in reader.report() if word.meaning == UNKNOWN)


def read_statuses(mapping: dict[int, str], reader: ConsentReader, rows: Sequence[Sequence[str]]) -> list[str | None]:
    found: list[str | None] = []
    for row in rows:
        try:
            contact = row_to_contact(row, mapping, reader)
        except ValidationError:
            found.append("refused")
            continue
        found.append(contact.given().get("status"))
    return found


@pytest.mark.parametrize(("heading", "leaves", "stays"), LEAVING)
def test_a_filled_cell_or_yes_under_a_heading_of_leaving_unsubscribes(heading: str, leaves: str, stays: str) -> None:
    rows = (["ann@example.org", leaves], ["bob@example.org", stays])
    assert statuses(["Email", heading], *rows) == ["unsubscribed", None]


@pytest.mark.parametrize(("heading", "no"), ASKING)
def test_no_to_mail_unsubscribes(heading: str, no: str) -> None:
    assert statuses(["Email", heading], ["ann@example.org", no]) == ["unsubscribed"]


@pytest.mark.parametrize("heading", ["Marketing consent", "Newsletter"])
def test_an_empty_cell_under_a_heading_of_consent_is_asked_about(heading: str) -> None:
    rows = (["ann@example.org", ""], ["bob@example.org", "yes"])
    assert statuses(["Email", heading], *rows) == ["refused", "subscribed"]


@pytest.mark.parametrize("heading", headings(ENDING))
def test_a_filled_cell_under_a_heading_of_an_ending_is_asked_about(heading: str) -> None:
    for cell in ("01.03.2024", "2024-03-01", "yes"):
        assert asked(heading, cell, "", "no") == [cell]
        rows = (["ann@example.org", cell], ["bob@example.org", ""])
        assert statuses(["Email", heading], *rows) == ["refused", None]


@pytest.mark.parametrize("heading", headings(OF_OTHER_THINGS))
def test_headings_of_other_things_are_not_asked_about(heading: str) -> None:
    assert asked(heading, "2024-03-01", "never", "yes", "") == []


@pytest.mark.parametrize("heading", headings(EITHER_WAY, ";"))
def test_yes_is_asked_about_where_it_may_mean_either(heading: str) -> None:
    header = ["Email", heading]
    cells = ("yes", "no", "1", "", "unsubscribed", "subscribed")
    rows = [["ann@example.org", cell] for cell in cells]
    assert statuses(header, *rows) == [*["refused"] * 4, "unsubscribed", "subscribed"]
    answers = {"1": {"yes": "unsubscribed", "no": "subscribed"}}
    reader = ConsentReader(header, {0: "email", 1: "status"}, answers=answers)
    assert [reader.read(row) for row in rows[:2]] == ["unsubscribed", "subscribed"]


@pytest.mark.parametrize("form", headings(FORMS))
def test_no_heading_of_leaving_mails_anybody_unless_somebody_is_asked(form: str) -> None:
    for word in headings(LEAVING_WORDS):
        heading = form.format(word)
        for cell in ("2024-03-01", "yes"):
            rows = (["ann@example.org", cell], ["bob@example.org", ""])
            assert statuses(["Email", heading], *rows)[0] in ("unsubscribed", "refused"), heading


@pytest.mark.parametrize("heading", ["Tags", "List", "Schlagwörter"])
def test_tags_that_say_that_somebody_left_are_asked_about_and_no_others(heading: str) -> None:
    left = ["Abmelder", "Unsubscribed", "désabonnés", "do not mail", "newsletter opt-out"]
    assert asked(heading, "vip", "berlin, 2024", "not unsubscribed", "", *left) == sorted(left)
    assert asked(heading, *(f"tag {number}, Abmelder; vip" for number in range(60))) == ["Abmelder"]
    rows = (["ann@example.org", "vip, unsubscribed"], ["bob@example.org", "vip, berlin"])
    assert statuses(["Email", heading], *rows) == ["unsubscribed", None]
