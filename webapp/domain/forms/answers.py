"""Reads what a person answers to a form's fields, typed as its fields are."""

from collections.abc import Mapping
from typing import Any

from webapp.contact_fields import CONTACT_FIELDS
from webapp.domain.contacts.custom_fields import misfit_words
from webapp.domain.contacts.inputs import check_custom_fields
from webapp.domain.contacts.status_words import YES, plain_word
from webapp.domain.forms.inputs import STANDARD
from webapp.domain.inputs import storable
from webapp.errors import FieldError, ValidationError
from webapp.models import CustomField, Organization, SignUpForm
from webapp.models.contact import name_key
from webapp.models.queries.contacts.typed_text import whole_day_of
from webapp.models.sign_up_form import FieldType
from webapp.sending.mime.headers import BREAKS

ANSWER_LENGTH = 1_000  # characters
LENGTHS = {field.name: field.max_length for field in CONTACT_FIELDS}
Answer = str | bool | None


async def read_answers(
    org: Organization, form: SignUpForm, sent: Mapping[str, Any], *, are_typed: bool
) -> dict[str, Any]:
    """The fields of a contact from the answers by their keys, without the address; `are_typed`: by a person.

    Raises ValidationError that names each faulty field.
    """
    declared = {field.name_key: field for field in await CustomField.of(org)} if form.form_fields else {}
    values: dict[str, Any] = {}
    custom: dict[str, Any] = {}
    faults = []
    for field in form.form_fields:
        key = field["key"]
        if key == "email":
            continue
        try:
            answer = _read(field, sent.get(key))
            if isinstance(answer, str) and (known := declared.get(name_key(key))):
                _check_type(answer, known, is_typed=are_typed and isinstance(sent.get(key), str))
        except ValueError as fault:
            faults.append(FieldError.at(key, fault))
            continue
        if answer is not None:
            (values if key in STANDARD else custom)[key] = answer
    try:
        check_custom_fields(custom)
    except ValueError as fault:
        faults.append(FieldError.at("body", fault))
    if faults:
        raise ValidationError(details=faults)
    return values | ({"custom_fields": custom} if custom else {})


def _read(field: Mapping[str, Any], sent: Any) -> Answer:
    """None if nothing was answered. Raises ValueError."""
    if field["kind"] == FieldType.CHECKBOX:
        is_ticked = sent is True or (isinstance(sent, str) and plain_word(sent) in YES)
        if field["required"] and not is_ticked:
            raise ValueError("must be ticked")
        return is_ticked
    if not isinstance(sent, str | int | float | None):
        raise ValueError("must be a text")  # noqa: TRY004 - an error of the field, as the others are
    answer = storable("" if sent is None else str(sent)).strip()
    if not answer:
        if field["required"]:
            raise ValueError("is required")
        return None
    return _checked(field, answer)


def _checked(field: Mapping[str, Any], answer: str) -> str:
    longest = LENGTHS.get(field["key"], ANSWER_LENGTH)
    if len(answer) > longest:
        raise ValueError(f"must have at most {longest:,} characters")
    if BREAKS.search(answer):
        raise ValueError("must not contain line breaks or control characters")
    if field["kind"] == FieldType.CHOICE and answer not in field["options"]:
        raise ValueError("must be one of the options")
    if field["kind"] == FieldType.DATE:
        day = whole_day_of(answer)
        if day is None:
            raise ValueError("must be a date like 2026-11-20")
        return day
    return answer


def _check_type(answer: str, field: CustomField, *, is_typed: bool) -> None:
    if words := misfit_words(answer, field, is_typed=is_typed):
        raise ValueError(f"must fit: {words}")
