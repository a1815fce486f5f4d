"""Headings in many languages: a table that says that somebody left subscribes nobody of whom it says so."""
# ruff: noqa: RUF001 - headings of many languages

from collections.abc import Sequence

import pytest

from tests.support.table import table
from webapp.domain.contacts.columns import consent_reader, guess_columns, row_to_contact
from webapp.domain.contacts.consent_reader import UNKNOWN, ConsentReader
from webapp.domain.contacts.status_words import LEAVING_PARTS, LEFT_ANYWHERE, word_of_leaving
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
    ("Unsubscription date", "2024-03-01"),
    ("Left the mailing list on", "2024-03-01"),
    ("Do not mail since", "2024-03-01"),
    ("Removed from list", "x"),
    ("Newsletter cancelled on", "2024-03-01"),
    ("Abgemeldet am", "01.03.2024"),
    ("Newsletter-Abmeldung am", "01.03.2024"),
    ("Newsletter gekündigt am", "01.03.2024"),
    ("Désinscrit le", "01/03/2024"),
    ("Désabonné(e)", "oui"),
    ("Dado de baja el", "01/03/2024"),
    ("Baja del boletín", "sí"),
    ("Disiscritto il", "01/03/2024"),
    ("Cancellato dalla newsletter", "01/03/2024"),
    ("Uitgeschreven op", "01-03-2024"),
    ("Afmelddatum", "01-03-2024"),
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
# Contracts and memberships end too: whoever has such a date is asked about.
ENDING = """Cancellation Date, Cancelled on, Terminated at, Churn date, Date left, Subscription cancelled at
    Subscription end, Widerspruch am
    Gekündigt am, Kündigungsdatum, Kündigung zum, Austrittsdatum
    Résilié le, Date de résiliation, Date d'annulation
    Fecha de cancelación, Cancelado el
    Disdetto il, Data di disdetta
    Opgezegd op, Opzegdatum
    Data de cancelamento"""
LEAVING_WORDS = """unsubscribed, unsubscribe, opted out, opt-out, do not email, do not contact, don't email, blocklisted
    suppressed, marked as spam
    abgemeldet, Abmeldung, ausgetragen, Austragung, abbestellt, widerrufen, Widerspruch, Newsletter gekündigt
    désabonné, désinscrit, désinscription, retiré de la liste, ne plus contacter
    dado de baja, desuscrito, no contactar
    disiscritto, disiscrizione, cancellato, non contattare
    afgemeld, uitgeschreven, niet mailen"""
FORMS = """{}, {}?, {} (Y/N), {} (ja/nein), Date {}, {} am, {} le, {} el, {} il, {} op, {} at, {}_at, {}Date, Is {}, Has {}
    Newsletter {}, Newsletter: {}, {} newsletter, Email {}, Datum {}, {} seit"""
OF_OTHER_THINGS = """Order cancelled, Flight cancellation date, Cancellation fee, Left hand, Sorting, Terminal
    Visit frequency, Stornierte Bestellungen, Customer since, Contract end date, Renewal date, Not contacted yet"""
# “Yes” may mean either.
EITHER_WAY = """Wants newsletter (no = unsubscribed); Newsletter (1 = subscribed, 0 = unsubscribed); Not unsubscribed
    Newsletter (Y: subscribed, N: unsubscribed); Subscribed or unsubscribed; Newsletter, leave empty if unsubscribed
    Wants emails or not; Newsletter: yes/no/not sure; Opt-in/Opt-out
    Newsletter (nein = abgemeldet); Newsletter: ja, nein, weiß nicht; Abonniert / abgemeldet
    Newsletter (non = désabonné); Abonné ou désabonné
    Boletín (no = baja); Suscrito o dado de baja
    Newsletter (no = disiscritto); Iscritto/disiscritto
    Nieuwsbrief (nee = afgemeld)"""
TIMES_OF_CONSENT = """Opt-in date, Opted in at, OPTIN_TIME, Subscribed at, Consent given on
    Einwilligung am, DOI-Datum, Newsletter abonniert am
    Date de consentement
    Fecha de consentimiento
    Data consenso
    Datum toestemming"""
NEVER = {
    "Email frequency": "Never",
    "Frequency": "Never",
    "How often should we email you?": "never",
    "Newsletter-Häufigkeit": "nie",
    "Fréquence d'envoi": "jamais",
    "Frecuencia de correo": "nunca",
    "Frequenza newsletter": "mai",
    "Frequentie nieuwsbrief": "nooit",
}
TAGS = ["Tags", "Labels", "Groups", "List", "Schlagwörter", "Étiquettes", "Etiquetas", "Etichette"]
CONSENTS = ["Marketing consent", "Email Marketing Consent", "Email consent", "Accepts Email Marketing", "Newsletter"]


def headings(text: str, separator: str = ",") -> list[str]:
    return [heading.strip() for heading in text.replace("\n", separator).split(separator)]


def statuses(header: Sequence[str], *rows: Sequence[str]) -> list[str | None]:
    """The status of each row; None where it gives none or is refused until somebody says what it means."""
    mapping = guess_columns(header, rows)
    return read_statuses(mapping, consent_reader(header, mapping), rows)


def asked(heading: str, *cells: str) -> list[str]:
    """The words below this heading that the review asks about; the column is imported as it is."""
    rows = [[f"p{number}@example.org", cell] for number, cell in enumerate(cells)]
    mapping = guess_columns(["Email", heading], rows)
    reader = consent_reader(["Email", heading], mapping)
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


@table("heading", headings(ENDING))
def test_a_filled_cell_under_a_heading_of_an_ending_is_asked_about(heading: str) -> None:
    for cell in ("01.03.2024", "2024-03-01", "yes"):
        assert asked(heading, cell, "", "no") == [cell]
        rows = (["ann@example.org", cell], ["bob@example.org", ""])
        assert statuses(["Email", heading], *rows) == ["refused", None]


@table("heading", headings(OF_OTHER_THINGS))
def test_headings_of_other_things_are_not_asked_about(heading: str) -> None:
    assert asked(heading, "2024-03-01", "never", "yes", "") == []


@table("heading", headings(EITHER_WAY, ";"))
def test_yes_is_asked_about_where_it_may_mean_either(heading: str) -> None:
    header = ["Email", heading]
    cells = ("yes", "no", "1", "", "unsubscribed", "subscribed")
    rows = [["ann@example.org", cell] for cell in cells]
    assert statuses(header, *rows) == [*["refused"] * 4, "unsubscribed", "subscribed"]
    answers = {"1": {"yes": "unsubscribed", "no": "subscribed"}}
    reader = consent_reader(header, {0: "email", 1: "status"}, answers=answers)
    assert [reader.read(row) for row in rows[:2]] == ["unsubscribed", "subscribed"]


@table("heading", headings(TIMES_OF_CONSENT))
def test_an_empty_time_of_consent_is_asked_about_beside_filled_ones(heading: str) -> None:
    assert asked(heading, "2024-03-01", "") == [""]
    assert asked(heading, "", "") == asked(heading, "2024-03-01", "01.03.2024") == []
    header = ["Email", "Status", heading]
    rows = (["ann@example.org", "subscribed", "2024-03-01"], ["bob@example.org", "subscribed", ""])
    assert statuses(header, *rows) == ["subscribed", "subscribed"]


@table("form", headings(FORMS))
def test_no_heading_of_leaving_mails_anybody_unless_somebody_is_asked(form: str) -> None:
    for word in headings(LEAVING_WORDS):
        heading = form.format(word)
        for cell in ("2024-03-01", "yes"):
            rows = (["ann@example.org", cell], ["bob@example.org", ""])
            assert statuses(["Email", heading], *rows)[0] in ("unsubscribed", "refused"), heading


@table(("heading", "never"), NEVER.items())
def test_never_is_asked_about_under_a_heading_of_a_frequency(heading: str, never: str) -> None:
    assert asked(heading, never, "weekly", "", "every 2 weeks") == [never]


@table("heading", TAGS)
def test_tags_that_say_that_somebody_left_are_asked_about_and_no_others(heading: str) -> None:
    left = ["Abmelder", "Unsubscribed", "désabonnés", "do not mail", "newsletter opt-out"]
    assert asked(heading, "vip", "berlin, 2024", "not unsubscribed", "", *left) == sorted(left)
    assert asked(heading, *(f"tag {number}, Abmelder; vip" for number in range(60))) == ["Abmelder"]
    rows = (["ann@example.org", "vip, unsubscribed"], ["bob@example.org", "vip, berlin"])
    assert statuses(["Email", heading], *rows) == ["unsubscribed", None]


@table(
    "word", [*LEAVING_PARTS, *LEFT_ANYWHERE, "not subscribed", "never opted in", "bounced", "no longer", "Do Not Allow"]
)
def test_every_word_of_leaving_is_found_in_a_row(word: str) -> None:
    assert word_of_leaving(word) == word
    reader = consent_reader(["Email", "Note", "Note 2"], {0: "email"})
    assert reader.read(["", "a note", word]) == "unsubscribed"
    assert [(asked.text, asked.rows) for asked in reader.report() if asked.meaning == UNKNOWN] == [(word, 1)]


@pytest.mark.parametrize("stays", ["0", ""])
def test_cleverreach_says_when_somebody_was_deactivated(stays: str) -> None:
    rows = (["ann@example.org", "1600000000", "1700000000"], ["bob@example.org", "1600000000", stays])
    assert statuses(["email", "activated", "deactivated"], *rows) == ["unsubscribed", None]
