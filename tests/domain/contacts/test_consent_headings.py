"""Headings in many languages: a table that says that somebody left subscribes nobody of whom it says so."""
# ruff: noqa: RUF001 - headings of many languages

from collections.abc import Sequence

import pytest

from webapp.domain.contacts.columns import consent_reader, guess_columns, row_to_contact
from webapp.errors import ValidationError

LEAVING = [  # a cell of somebody who left; an empty one says nothing
    ("Unsubscribe Reason", "Too many emails"),
    ("UNSUB_REASON", "NORMAL"),
    ("Unsubscribe method", "link"),
    ("Opt-out date", "03/01/2024"),
    ("Removed At", "2024-03-01"),
    ("On Hold", "1"),
    ("DNC", "yes"),
    ("donotbulkemail", "Yes"),
    ("Requests no e-mail", "Yes"),
    ("Abmeldegrund", "Zu viele Mails"),
    ("Abmeldedatum", "01.03.2024"),
    ("Abmeldung", "01.03.2024"),
    ("Austragedatum", "01.03.2024"),
    ("Widerruf am", "01.03.2024"),
    ("Werbesperre", "x"),
    ("Mailsperre", "1"),
    ("Sperrvermerk", "ja"),
    ("Gesperrt", "ja"),
    ("Lista Robinson", "sí"),
    ("Motivo de baja", "Demasiados"),
    ("Date de désinscription", "01/03/2024"),
    ("Data cancellazione", "01/03/2024"),
    ("Uitschrijfdatum", "01-03-2024"),
    ("Data rezygnacji", "01.03.2024"),
    ("Frameldt dato", "2024-03-01"),
    ("Дата отписки", "01.03.2024"),
    ("Причина отписки", "Много писем"),
    ("解除日", "2024/03/01"),
    ("수신거부일", "2024-03-01"),
]
NEGATED = [  # "yes" means that somebody wants no mail, and "no" subscribes nobody but says nothing
    ("Geen nieuwsbrief", "ja", "nee"),
    ("Vill inte ha nyhetsbrev", "ja", "nej"),
    ("Nie chce newslettera", "tak", "nie"),
    ("Non inviare newsletter", "sì", "no"),
    ("Ne pas envoyer de newsletter", "oui", "non"),
    ("Не рассылать", "да", "нет"),
    ("Werbeverbot", "ja", "nein"),
]
ASKING = [  # a "no" means that somebody wants no mail
    ("Acepta promociones", "No"),
    ("Aceita receber e-mails", "Não"),
    ("Accepte les emails", "Non"),
    ("Offres commerciales", "Non"),
    ("Infomail", "nein"),
    ("Kontakt per E-Mail erwünscht", "nein"),
    ("Bulk Email", "Do Not Allow"),
    ("Would you like to hear from us?", "No"),
    ("Stay in touch?", "No"),
    ("Is the user confirmed", "0"),
    ("DOI bestätigt", "nein"),
]
CONSENTS = ["Marketing consent", "Email Marketing Consent", "Email consent", "Accepts Email Marketing", "Newsletter"]


def statuses(header: Sequence[str], *rows: Sequence[str]) -> list[str | None]:
    """The status of each row; None where it gives none or is refused until somebody says what it means."""
    mapping = guess_columns(header, rows)
    reader = consent_reader(header, mapping)
    found: list[str | None] = []
    for row in rows:
        try:
            contact = row_to_contact(row, mapping, reader)
        except ValidationError:
            found.append("refused")
            continue
        found.append(contact.given().get("status"))
    return found


@pytest.mark.parametrize(("heading", "cell"), LEAVING)
def test_a_filled_cell_under_a_heading_of_leaving_unsubscribes(heading: str, cell: str) -> None:
    rows = (["ann@example.org", cell], ["bob@example.org", ""])
    assert statuses(["Email", heading], *rows) == ["unsubscribed", None]


@pytest.mark.parametrize(("heading", "yes", "no"), NEGATED)
def test_yes_to_no_mail_unsubscribes(heading: str, yes: str, no: str) -> None:
    rows = (["ann@example.org", yes], ["bob@example.org", no])
    assert statuses(["Email", heading], *rows) == ["unsubscribed", None]


@pytest.mark.parametrize(("heading", "no"), ASKING)
def test_no_to_mail_unsubscribes(heading: str, no: str) -> None:
    assert statuses(["Email", heading], ["ann@example.org", no]) == ["unsubscribed"]


@pytest.mark.parametrize("heading", CONSENTS)
def test_an_empty_cell_under_a_heading_of_consent_is_asked_about(heading: str) -> None:
    rows = (["ann@example.org", ""], ["bob@example.org", "yes"])
    assert statuses(["Email", heading], *rows) == ["refused", "subscribed"]


def test_a_tag_says_that_somebody_left_beside_others() -> None:
    rows = (["ann@example.org", "vip, unsubscribed"], ["bob@example.org", "vip, berlin"])
    assert statuses(["Email", "Tags"], *rows) == ["unsubscribed", None]


@pytest.mark.parametrize("stays", ["0", ""])
def test_cleverreach_says_when_somebody_was_deactivated(stays: str) -> None:
    rows = (["ann@example.org", "1600000000", "1700000000"], ["bob@example.org", "1600000000", stays])
    assert statuses(["email", "activated", "deactivated"], *rows) == ["unsubscribed", None]
