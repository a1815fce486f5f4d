"""The meaning of the columns of a table of contacts, and its rows as contacts."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from webapp.domain.contacts.consent_columns import (
    CONSENT,
    STATUS,
    consent_field,
    plain_word,
    read_consent,
    speaks_of_consent,
)
from webapp.domain.contacts.inputs import FIELD_NAME_LENGTH, NewContact
from webapp.domain.inputs import read_input
from webapp.errors import ValidationError
from webapp.models.contact import STANDARD_FIELDS, ContactStatus
from webapp.sending.mime.headers import BREAKS

CUSTOM = "custom:"
EXPORTED = ("segments", "added_at", "unsubscribed_at", "bounced_at")  # by us, beside the fields and the status
NOT_IMPORTED = ("segments", "added_at", "bounced_at")

# How tables head them, in English, German, French and Spanish: letters and digits alone, without case and accents.
HEADINGS: Mapping[str, str] = {
    "email": """email emails emailaddress emailaddresses emailid mail mails mailaddress workemail primaryemail
        contactemail useremail customeremail emailadresse mailadresse adresseemail adressemail adresseelectronique
        courriel adressedecourriel correo correoelectronico direcciondecorreo direcciondecorreoelectronico""",
    "first_name": """firstname first givenname givennames forename fname vorname vornamen rufname prenom prenoms
        nombre nombres nombredepila primernombre""",
    "last_name": """lastname last surname familyname lname nachname familienname zuname nom nomdefamille
        apellido apellidos primerapellido""",
    "phone": """phone phonenumber telephone telephonenumber tel mobile mobilenumber mobilephone cell cellphone telefon
        telefonnummer rufnummer handy handynummer mobil mobilnummer mobiltelefon numerodetelephone telephoneportable
        portable telefono numerodetelefono movil celular""",
}
FIELDS: Mapping[str, str] = {word: field for field, words in HEADINGS.items() for word in words.split()}
UNTAGGABLE = re.compile(r"[^\w-]+|[^\x00-\uffff]+")  # characters that a merge tag's name cannot have


def guess_columns(
    header: Sequence[str], sample: Sequence[Sequence[str]] = (), *, slugs: bool = False
) -> dict[int, str]:
    """A standard field, a kind of consent or `custom:<name>` by column number; `sample` holds rows below the header.

    Of our own exports the columns that no import sets are left out.
    """
    found: dict[int, str] = {}
    used: set[str] = set()
    ignored = NOT_IMPORTED if {STATUS, *EXPORTED} <= set(header) else ()
    for number, heading in enumerate(map(storable, header)):
        if heading in ignored:
            continue
        is_marked = heading.lstrip().startswith(CUSTOM)
        consent = None if is_marked else consent_field(heading, column_of(sample, number))
        if consent is not None:
            found[number] = consent
            continue
        field = FIELDS.get(plain_word(heading))
        if field is None or field in used:
            field = _custom_field(heading, used, slugs=slugs)
        if field is not None:
            found[number] = field
            used.add(field)
    return found


def storable(text: str) -> str:
    return text.encode(errors="replace").decode().replace("\0", "\ufffd")


def column_of(rows: Sequence[Sequence[str]], number: int) -> list[str]:
    cells = (row[number] for row in rows if number < len(row))
    return [cell.strip() for cell in cells if cell.strip()]


def _custom_field(heading: str, used: Collection[str], *, slugs: bool) -> str | None:
    marked = heading.lstrip().removeprefix(CUSTOM)[:FIELD_NAME_LENGTH]
    if heading.lstrip().startswith(CUSTOM) and marked.strip() and not BREAKS.search(marked):
        return _unused_field(used, marked)
    name = UNTAGGABLE.sub("_", heading.lower() if slugs else heading).strip("_-")
    name = ("_" + name if name[:1].isdigit() else name)[:FIELD_NAME_LENGTH]
    return _unused_field({*used, *(CUSTOM + field for field in STANDARD_FIELDS)}, name) if name else None


def _unused_field(used: Collection[str], name: str) -> str:
    field, number = CUSTOM + name, 1
    while field in used:
        number += 1
        field = f"{CUSTOM}{name[: FIELD_NAME_LENGTH - len(str(number)) - 1]}_{number}"
    return field


def column_title(name: str) -> str:
    """The heading by which `guess_columns` finds the custom field of this name again."""
    is_bare = guess_columns([name]) == {0: CUSTOM + name} and not speaks_of_consent(name)
    return name if is_bare else CUSTOM + name


def row_to_contact(cells: Sequence[str], mapping: Mapping[int, str], *, has_left: bool = False) -> NewContact:
    """Raises ValidationError that names every bad field; for somebody who has left the address is enough."""
    data: dict[str, Any] = {}
    custom: dict[str, str] = {}
    consent: list[tuple[str, str]] = []
    for number, field in mapping.items():
        text = storable(cells[number]).strip() if number < len(cells) else ""
        if text and field in CONSENT:
            consent.append((field, text))
        elif text and field.startswith(CUSTOM):
            custom[field.removeprefix(CUSTOM)] = text
        elif text:
            data[field] = text
    if custom:
        data["custom_fields"] = custom
    try:
        status = ContactStatus.UNSUBSCRIBED if has_left else read_consent(consent)
    except ValueError as fault:
        raise ValidationError.of(STATUS, f"{STATUS} {fault}") from None
    if status is not None:
        data[STATUS] = status.value
    try:
        return read_input(NewContact, data, strict=False)
    except ValidationError:
        if status is not ContactStatus.UNSUBSCRIBED:
            raise
    return read_input(NewContact, {name: data[name] for name in ("email", STATUS) if name in data}, strict=False)


def as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
