"""The request bodies about contacts."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, RootModel, StringConstraints, WithJsonSchema

from webapp.contact_fields import ContactField, FieldKind
from webapp.domain.inputs import (
    MAX_WARNINGS,
    EmailAddress,
    Id,
    Input,
    Instant,
    OneLine,
    examples,
    extended,
    ignored_fields,
    partial,
    read_input,
)
from webapp.errors import ApiError, ValidationError
from webapp.languages import LANGUAGE_TAG_LENGTH, language_tag
from webapp.models.contact import INPUT_FIELDS
from webapp.sending.mime.headers import BREAKS

FIRST_TIME, LAST_TIME = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
CUSTOM_FIELDS_BYTES = 16 * 1024  # as JSON in UTF-8
MOST_BYTES = 6  # of a character in JSON
FIELD_NAME_LENGTH = 100
MAX_SEGMENTS = 100  # that one request may name
BATCH = 1_000  # contacts


def check_custom_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Returns `fields`. Raises ValueError with a sentence if a contact may not have them."""
    for name, value in fields.items():
        if len(name) > FIELD_NAME_LENGTH:
            raise ValueError(f"must not have a field name longer than {FIELD_NAME_LENGTH} characters")
        if fault := _fault_of_name(name):
            raise ValueError(fault)
        if not isinstance(value, str | int | float | bool | None):
            raise ValueError(  # noqa: TRY004 - pydantic turns a ValueError, not a TypeError, into a fault
                f"must be flat: {name} must be a string, number, true, false or null"
            )
    may_be_long = len(repr(fields)) * MOST_BYTES > CUSTOM_FIELDS_BYTES  # making JSON takes ten times as long
    if (
        may_be_long
        and len(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()) > CUSTOM_FIELDS_BYTES
    ):
        raise ValueError(f"must be at most {CUSTOM_FIELDS_BYTES // 1024} KiB as JSON")
    return fields


@lru_cache(maxsize=1_024)  # which all rows of a file share
def _fault_of_name(name: str) -> str | None:
    if not name.strip():
        return "must not have a field with an empty name"
    return "must not have a field name with line breaks or control characters" if BREAKS.search(name) else None


def _bare_ids(value: Any) -> Any:
    """Unwraps ids from the objects that the Resend SDKs send."""
    if not isinstance(value, list):
        return value
    return [item["id"] if isinstance(item, dict) and "id" in item else item for item in value]


CustomFields = Annotated[
    dict[str, Any] | None,
    AfterValidator(lambda fields: check_custom_fields(fields or {})),
    WithJsonSchema(
        {
            "type": ["object", "null"],
            "propertyNames": {"minLength": 1, "maxLength": FIELD_NAME_LENGTH, "pattern": r"\S"},
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        }
    ),
]

SEGMENT_ID = {"type": "string", "format": "uuid"}
SegmentIds = Annotated[
    Annotated[list[Id], Field(max_length=MAX_SEGMENTS)] | None,
    BeforeValidator(_bare_ids),
    WithJsonSchema(
        {
            "type": ["array", "null"],
            "maxItems": MAX_SEGMENTS,
            "items": {"anyOf": [SEGMENT_ID, {"type": "object", "required": ["id"], "properties": {"id": SEGMENT_ID}}]},
        }
    ),
]

Language = Annotated[
    str | None,
    AfterValidator(lambda tag: language_tag(tag) if tag and tag.strip() else None),
    WithJsonSchema({"type": ["string", "null"], "maxLength": LANGUAGE_TAG_LENGTH}),
]
# Times beyond are cut, because their days are in no calendar in some time zones.
Time = Annotated[Instant, AfterValidator(lambda at: min(max(at, FIRST_TIME), LAST_TIME))]
AnInput = TypeVar("AnInput", bound=Input)
TYPES: Mapping[FieldKind, Any] = {
    FieldKind.EMAIL: EmailAddress,
    FieldKind.CUSTOM: CustomFields,
    FieldKind.STATUS: Literal["subscribed", "unsubscribed"],
    FieldKind.BOOLEAN: bool,
    FieldKind.TIME: Time | None,
    FieldKind.LANGUAGE: Language,
}
EXAMPLE = {field.name: field.sample for field in INPUT_FIELDS if field.sample is not None}


def with_fields(declared: Iterable[ContactField]) -> Callable[[type[AnInput]], type[AnInput]]:
    fields = {field.name: _input_of(field) for field in declared}
    return lambda target: extended(target, fields)


def _input_of(field: ContactField) -> tuple[Any, Any]:
    default = ... if field.kind is FieldKind.EMAIL else field.default
    text = Annotated[str, StringConstraints(max_length=field.max_length), OneLine]
    optional_text = Annotated[text | None, AfterValidator(lambda value: (value or "").strip() or None)]
    return TYPES.get(field.kind, optional_text), Field(default=default, description=field.description)


class OtherNames(Input):
    unsubscribed: bool | None = Field(
        default=None, description="Alias of `status`: `true` is `unsubscribed`, `false` is `subscribed`."
    )
    properties: CustomFields = Field(
        default=None, description="Alias of `custom_fields`; an update merges them into the existing fields."
    )

    def changes_to(self, custom_fields: Mapping[str, Any]) -> dict[str, Any]:
        """The changed fields by their own names, without segments. Raises ValidationError for contradicting names."""
        changes = self.given()
        unsubscribed, properties = changes.pop("unsubscribed", None), changes.pop("properties", None)
        changes.pop("segments", None)
        if unsubscribed is not None:
            status = "unsubscribed" if unsubscribed else "subscribed"
            if changes.setdefault("status", status) != status:
                raise ValidationError.at("unsubscribed", "contradicts status")
        if not properties:
            return changes
        custom = changes.get("custom_fields")
        for name in properties.keys() & (custom or {}).keys():
            if json.dumps(properties[name]) != json.dumps((custom or {})[name]):
                raise ValidationError.at("properties", f"contradicts custom_fields for {name}")
        try:
            merged = check_custom_fields({**(custom_fields if custom is None else custom), **properties})
        except ValueError as error:
            raise ValidationError.at("properties", f"{error}, including the other custom fields") from None
        return changes | {"custom_fields": merged}


class NamesAndSegments(OtherNames):
    segments: SegmentIds = Field(
        default=None, description="Segments to add the contact to, as ids or `{ id }`. Other memberships are kept."
    )


@with_fields(INPUT_FIELDS)
class NewContact(NamesAndSegments):
    """A contact. The address is compared without case, and unique in the organization."""

    model_config = examples(EXAMPLE)

    if TYPE_CHECKING:
        email: str


Contacts = Annotated[list[NewContact], Field(min_length=1, max_length=BATCH)]


class ContactsObject(Input):
    """The contacts, by name."""

    contacts: Contacts = Field(description=f"1 to {BATCH:,} contacts.")


class NewContactBatch(RootModel[Contacts | ContactsObject]):
    """1 to 1,000 contacts: an array of them, or an object with the array as `contacts`."""

    model_config = examples([EXAMPLE, {"email": "bob@example.org", "first_name": "Bob"}])


class _Envelope(Input):
    contacts: Annotated[list[Any], Field(min_length=1, max_length=BATCH)]


def read_contacts(value: Any) -> list[NewContact | ApiError]:
    """The contacts of a JSON value or their errors, in order. Raises ValidationError if it is not a batch."""
    if not isinstance(value, list | dict):
        raise ValidationError.of("body", "the body must be an array of contacts, or an object with contacts")
    envelope = read_input(_Envelope, {"contacts": value} if isinstance(value, list) else value, strict=True)
    return [_read_contact(item) for item in envelope.contacts]


def ignored_in_contacts(value: Any) -> list[str]:
    """A sentence for each of the first fields that are ignored, in a contact or beside them."""
    rows = value if isinstance(value, list) else value["contacts"]
    fields = {name: None for row in rows if isinstance(row, dict) for name in row}  # each once: a suggestion takes time
    return [*ignored_fields(ContactsObject, value), *ignored_fields(NewContact, fields)][:MAX_WARNINGS]


def _read_contact(item: Any) -> NewContact | ApiError:
    if not isinstance(item, dict):
        return ValidationError.of("", "must be an object")
    try:
        contact = read_input(NewContact, item, strict=True)
        contact.changes_to({})  # reports contradictions
    except ValidationError as fault:
        return fault
    return contact


@partial(NewContact)
class ContactChanges(NamesAndSegments):
    """Changes of a contact: null removes a name or the phone, `custom_fields` are replaced whole."""

    model_config = examples({"status": "unsubscribed"})


@with_fields(field for field in INPUT_FIELDS if field.kind is not FieldKind.EMAIL)
class NewMember(OtherNames):
    """A contact for a segment: `contact_id`, or an `email` with what is known beside it; not both."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [EXAMPLE],
            "oneOf": [
                {
                    "required": ["contact_id"],
                    "properties": {"contact_id": {"type": "string"}, "email": {"type": "null"}},
                },
                {"required": ["email"], "properties": {"email": {"type": "string"}, "contact_id": {"type": "null"}}},
            ],
        }
    )

    contact_id: Id | None = Field(default=None, description="The id of an existing contact.")
    email: EmailAddress | None = Field(default=None, description="The email address of an existing or new contact.")

    def named_by(self) -> UUID | str:
        """The id or address of the contact. Raises ValidationError unless exactly one is given."""
        if self.contact_id is None:
            if self.email is None:
                raise ValidationError.at("email", "or contact_id is required")
            return self.email
        if self.email is not None:
            raise ValidationError.at("contact_id", "can't be combined with email")
        return self.contact_id
