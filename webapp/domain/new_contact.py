"""What makes a contact."""

import json
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from webapp.domain.inputs import EmailAddress, Id, Input, OneLine, changes
from webapp.errors import ValidationError
from webapp.sending.headers import BREAKS

CUSTOM_FIELDS_BYTES = 16 * 1024  # as JSON in UTF-8
FIELD_NAME_LENGTH = 100


def check_custom_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """`fields`, where a contact may have them. Raises ValueError with a sentence."""
    for name, value in fields.items():
        _check_field_name(name)
        if not isinstance(value, str | int | float | bool | None):
            raise ValueError(  # noqa: TRY004 - pydantic turns a ValueError, not a TypeError, into a fault
                f"must be flat: {name} is neither a string nor a number, true, false or null"
            )
    if len(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()) > CUSTOM_FIELDS_BYTES:
        raise ValueError(f"must have {CUSTOM_FIELDS_BYTES // 1024} KiB at most as JSON")
    return fields


def _check_field_name(name: str) -> None:
    if not name.strip():
        raise ValueError("must not have a field without a name")
    if len(name) > FIELD_NAME_LENGTH:
        raise ValueError(f"must not have a field whose name is longer than {FIELD_NAME_LENGTH} characters")
    if BREAKS.search(name):
        raise ValueError("must not have a field whose name has line breaks or control characters")


def _text_or_none(text: str | None) -> str | None:
    """The text without the spaces around it; an empty one, as forms send it, is none."""
    return (text or "").strip() or None


def _fields_or_none(fields: dict[str, Any] | None) -> dict[str, Any]:
    return check_custom_fields(fields or {})


PersonName = Annotated[Annotated[str, StringConstraints(max_length=200), OneLine] | None, AfterValidator(_text_or_none)]
Phone = Annotated[Annotated[str, StringConstraints(max_length=64), OneLine] | None, AfterValidator(_text_or_none)]
CustomFields = Annotated[
    dict[str, Any] | None,
    AfterValidator(_fields_or_none),
    WithJsonSchema(
        {
            "type": ["object", "null"],
            "propertyNames": {"minLength": 1, "maxLength": FIELD_NAME_LENGTH, "pattern": r"\S"},
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        }
    ),
]

DETAILS: dict[str, Any] = {
    "first_name": "Ada",
    "last_name": "Lovelace",
    "custom_fields": {"company": "Analytical Engines"},
}


class ContactDetails(Input):
    """What an organization knows of a person beside the address."""

    first_name: PersonName = Field(default=None, description="The first name.")
    last_name: PersonName = Field(default=None, description="The last name.")
    phone: Phone = Field(default=None, description="A phone number, as people write it.")
    custom_fields: CustomFields = Field(
        default=None, description="What else merge tags may show: a flat object, 16 KiB at most."
    )


class NewContact(ContactDetails):
    """A contact. The address is compared without case, and unique in the organization."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"email": "ada@example.org", **DETAILS}]})

    email: EmailAddress = Field(description="The address to write to.")
    status: Literal["subscribed", "unsubscribed"] = Field(
        default="subscribed", description="Whether campaigns may be sent to the contact."
    )


@changes(NewContact)
class ContactChanges(Input):
    """What to change of a contact: null removes a name or the phone, `custom_fields` are replaced whole."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "unsubscribed"}]})


class NewMember(ContactDetails):
    """A contact for a segment: `contact_id`, or an `email` with what is known beside it; not both."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"email": "ada@example.org", **DETAILS}],
            "oneOf": [
                {
                    "required": ["contact_id"],
                    "properties": {"contact_id": {"type": "string"}, "email": {"type": "null"}},
                },
                {"required": ["email"], "properties": {"email": {"type": "string"}, "contact_id": {"type": "null"}}},
            ],
        }
    )

    contact_id: Id | None = Field(default=None, description="A contact that is known.")
    email: EmailAddress | None = Field(default=None, description="The address of a contact, known or new.")
    status: Literal["subscribed", "unsubscribed"] = Field(
        default="subscribed", description="Of a new contact; a known one stays as it is."
    )

    def named_by(self) -> UUID | str:
        """The id or the address that names the contact. Raises ValidationError unless it is one of them."""
        if self.contact_id is None:
            if self.email is None:
                raise ValidationError.of("email", "email is required, or contact_id")
            return self.email
        if self.email is not None:
            raise ValidationError.of("contact_id", "contact_id must not stand beside email")
        return self.contact_id
