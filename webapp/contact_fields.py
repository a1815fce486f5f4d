"""The fields of a contact, declared once.

Columns, inputs and responses of the API, events, CSV files, undo of imports, filters, pages, merge tags and the consent
log derive from this list. A new field is an entry here and a migration that adds its column.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

SUBSCRIBED, UNSUBSCRIBED = "subscribed", "unsubscribed"


class FieldKind(StrEnum):
    EMAIL = "email"  # the address; required
    TEXT = "text"  # one line, or null; a merge tag
    CUSTOM = "custom"  # the flat object of custom fields
    STATUS = "status"  # subscribed or unsubscribed
    BOOLEAN = "boolean"  # false by default
    TIME = "time"  # an instant, or null
    LANGUAGE = "language"  # a BCP 47 tag, or null


@dataclass(frozen=True, kw_only=True)
class ContactField:
    name: str
    kind: FieldKind
    label: str  # on pages
    description: str  # in the API reference, and the hint of a checkbox
    max_length: int = 0  # characters of a text
    sample: Any = None  # a value for examples and previews
    input_type: str = "text"  # of the HTML input of a text
    # More headings of CSV columns than the name and the label, as lower-case letters and digits without accents.
    headings: str = ""
    # The person's own choice: recorded in the consent log; imports and restores only ever reduce mail or tracking.
    is_choice: bool = False
    is_name: bool = False  # a part of the person's name, in the order in which names are written
    is_recorded: bool = False  # set only by Pennypost, never by an input

    @property
    def default(self) -> Any:
        return {FieldKind.STATUS: SUBSCRIBED, FieldKind.BOOLEAN: False}.get(self.kind)

    def is_less(self, value: Any, than: Any) -> bool:
        """True if `value`, of a choice, means less mail or less tracking than `than`."""
        if self.kind is FieldKind.STATUS:
            return bool(value == UNSUBSCRIBED != than)
        if self.kind is FieldKind.TIME and value and than:
            return instant_of(value) > instant_of(than)
        return bool(value) and not than


def instant_of(value: datetime | str) -> datetime:
    """A time that may have come from JSON."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


CONTACT_FIELDS = [
    ContactField(
        name="email",
        kind=FieldKind.EMAIL,
        label="Email",
        description="The email address.",
        sample="ada@example.org",
        input_type="email",
        max_length=254,
        headings="""email emails emailaddress emailaddresses emailid mail mails mailaddress workemail primaryemail
            contactemail useremail customeremail emailadresse mailadresse adresseemail adressemail adresseelectronique
            courriel adressedecourriel correo correoelectronico direcciondecorreo direcciondecorreoelectronico""",
    ),
    ContactField(
        name="first_name",
        kind=FieldKind.TEXT,
        label="First name",
        description="The first name.",
        sample="Ada",
        max_length=200,
        is_name=True,
        headings="""firstname first givenname givennames forename fname vorname vornamen rufname prenom prenoms
            nombre nombres nombredepila primernombre""",
    ),
    ContactField(
        name="last_name",
        kind=FieldKind.TEXT,
        label="Last name",
        description="The last name.",
        sample="Lovelace",
        max_length=200,
        is_name=True,
        headings="""lastname last surname familyname lname nachname familienname zuname nom nomdefamille
            apellido apellidos primerapellido""",
    ),
    ContactField(
        name="phone",
        kind=FieldKind.TEXT,
        label="Phone",
        description="The phone number, in any format.",
        sample="+44 20 7946 0018",
        input_type="tel",
        max_length=64,
        headings="""phone phonenumber telephone telephonenumber tel mobile mobilenumber mobilephone cell cellphone
            telefon telefonnummer rufnummer handy handynummer mobil mobilnummer mobiltelefon numerodetelephone
            telephoneportable portable telefono numerodetelefono movil celular""",
    ),
    ContactField(
        name="custom_fields",
        kind=FieldKind.CUSTOM,
        label="Custom fields",
        description="Extra data for merge tags: a flat object, 16 KiB at most.",
        sample={"company": "Analytical Engines"},
    ),
    ContactField(
        name="status",
        kind=FieldKind.STATUS,
        label="Status",
        description="Whether the contact receives campaigns.",
        is_choice=True,
    ),
    ContactField(
        name="unsubscribed_at",
        kind=FieldKind.TIME,
        label="Date unsubscribed",
        description="When the contact unsubscribed.",
        is_recorded=True,
    ),
    ContactField(
        name="bounced_at",
        kind=FieldKind.TIME,
        label="Date bounced",
        description="When an email bounced because the address does not exist.",
        is_recorded=True,
    ),
    ContactField(
        name="last_active_at",
        kind=FieldKind.TIME,
        label="Last active",
        description="When the contact last opened an email or followed a link, as far as it surely was a person.",
        is_recorded=True,
    ),
    ContactField(
        name="do_not_track",
        kind=FieldKind.BOOLEAN,
        label="Do not track",
        description="Opens and clicks of this contact are never counted.",
        headings="""donttrack dnt notrack notracking nottracked untracked trackingoptout optoutoftracking
            nichttracken keintracking""",
        is_choice=True,
    ),
    ContactField(
        name="language",
        kind=FieldKind.LANGUAGE,
        label="Language",
        description="The language of pages and emails for the contact, as a BCP 47 tag like `de` or `pt-BR`.",
        sample="en-GB",
        max_length=35,
        headings="""language languages lang locale preferredlanguage languagecode contactlanguage sprache sprachcode
            bevorzugtesprache langue languepreferee idioma idiomapreferido lingua taal jezyk sprak dil""",
    ),
    ContactField(
        name="paused_until",
        kind=FieldKind.TIME,
        label="Paused until",
        description="Until when the contact gets no campaigns; transactional email is sent.",
        is_choice=True,
    ),
]
