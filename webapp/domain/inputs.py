"""The base class and field types of all input."""

import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar
from uuid import UUID
from zoneinfo import available_timezones

import pydantic
from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from webapp import addresses
from webapp.addresses import Address
from webapp.domain.input_faults import in_words
from webapp.errors import FieldError, InvalidValue, ValidationError
from webapp.models.base.org_model import parse_id
from webapp.sending.mime.headers import BREAKS

CONTROLS = BREAKS.pattern.strip("[]")

NAME_LENGTH = 200
SUBJECT_LENGTH = 998  # characters (RFC 5322, 2.1.1)
MAX_INSTANT = 40
MAX_FAULTS = 100
MAX_FIELD_NAME = 200  # characters, because callers may invent names
MAX_WARNINGS = 20


class Input(BaseModel):
    """Ignores unknown fields; sends refuse them (StrictInput)."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, validate_default=False)

    @classmethod
    def name_of(cls, loc: Sequence[int | str]) -> str:
        """The name of a faulty field in messages, from the path that leads to it."""
        return ".".join(str(part) for part in loc)

    def given(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}


class StrictInput(Input):
    """An input that refuses unknown fields, because ignoring one could send the wrong mail."""

    model_config = ConfigDict(extra="forbid")


class Tracking(StrictInput):
    """The opens and clicks to count."""

    opens: bool = Field(description="Count opens by an invisible image.")
    clicks: bool = Field(description="Count clicks: links lead through this server.")


AnInput = TypeVar("AnInput", bound=Input)


def read_input(model: type[AnInput], data: Any, *, strict: bool, is_lenient: bool = False) -> AnInput:
    """Raises ValidationError with every fault; `strict` (JSON) refuses "1" for 1, unlike forms and queries.

    With `is_lenient`, unknown fields are ignored everywhere, also by a StrictInput.
    """
    if not isinstance(data, dict):
        raise ValidationError.of("body", "the body must be a JSON object")
    try:
        return model.model_validate(data, strict=strict, extra="ignore" if is_lenient else None)
    except pydantic.ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        raise ValidationError(details=[_in_words(model, fault) for fault in faults[:MAX_FAULTS]]) from None


def _in_words(model: type[Input], fault: ErrorDetails) -> FieldError:
    field = model.name_of(fault["loc"])[:MAX_FIELD_NAME] or "body"
    is_unknown = fault["type"] == "extra_forbidden" and len(fault["loc"]) == 1
    return in_words(fault, field, nearest(field, names_in(model)) if is_unknown else None)


def names_in(model: type[Input]) -> list[str]:
    """What callers may call the fields of a body, a query or a form."""
    names: list[str] = []
    for name, field in model.model_fields.items():
        alias = field.validation_alias
        names += [str(choice) for choice in alias.choices] if isinstance(alias, AliasChoices) else [field.alias or name]
    return names


def nearest(name: str, names: Sequence[str]) -> str | None:
    """The name that a caller may have meant, also if it was written in another case, like `firstName`."""
    by_letters = {_letters(known): known for known in names}
    close = get_close_matches(_letters(name[:MAX_FIELD_NAME]), by_letters, n=1)
    return by_letters[close[0]] if close else None


def _letters(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())


def is_strict(model: type[BaseModel]) -> bool:
    """Whether it refuses unknown fields."""
    return model.model_config.get("extra") != "ignore"


def ignored_fields(model: type[Input], data: Any) -> list[str]:
    """A sentence for each of the first fields that the model ignores, with the nearest one that it has."""
    return unknown_fields(names_in(model), data) if isinstance(data, dict) else []


def unknown_fields(names: Collection[str], data: Iterable[str]) -> list[str]:
    """A sentence for each of the first fields that have none of these names, with the nearest name."""
    sentences = []
    for name in [name for name in data if name not in names][:MAX_WARNINGS]:
        near = nearest(name, list(names))
        meant = f": did you mean {near}?" if near else ""
        sentences.append(f"{name[:MAX_FIELD_NAME]} is not a known field and was ignored{meant}")
    return sentences


def storable(text: str) -> str:
    """The text without what a database cannot store: NUL, and halves of surrogate pairs."""
    if text.isascii() and "\0" not in text:  # the common case
        return text
    return text.encode(errors="replace").decode().replace("\0", "\ufffd")


def partial(source: type[Input]) -> Callable[[type[AnInput]], type[AnInput]]:
    """Adds the fields of `source` as optional ones, for the body of a PATCH."""

    def derive(target: type[AnInput]) -> type[AnInput]:
        annotated: Any = Annotated  # type checkers cannot follow this
        fields: dict[str, Any] = {}
        for name, field in source.model_fields.items():
            # Annotated needs an argument besides the type.
            kind = annotated[(field.annotation, None, *field.metadata)]
            fields[name] = (kind, Field(default=None, description=field.description, json_schema_extra=drop_default))
        return extended(target, fields)

    return derive


def extended(target: type[AnInput], fields: Mapping[str, Any]) -> type[AnInput]:
    """Adds fields to the class, each a type and its `Field`."""
    about: dict[str, Any] = {"__doc__": target.__doc__, "__module__": target.__module__}
    return pydantic.create_model(target.__name__, __base__=target, **about, **fields)


def examples(*bodies: Any) -> ConfigDict:
    """The setting of a class of inputs that puts examples of bodies into the API's document."""
    return ConfigDict(json_schema_extra={"examples": list(bodies)})


def drop_default(schema: dict[str, Any]) -> None:
    """Removes the default from a schema, because missing fields of a PATCH keep their value."""
    schema.pop("default", None)


def _one_line(text: str) -> str:
    if BREAKS.search(text):
        raise ValueError("must not contain line breaks or control characters")
    return text


def _non_blank(text: str) -> str:
    if not text.strip():
        raise InvalidValue("must not be empty", "missing")
    return text.strip()


def _id(value: Any) -> UUID:
    if isinstance(value, UUID):
        return value
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return parse_id(value)
    raise ValueError("must be a UUID")


def instant(value: Any) -> datetime:
    """Raises ValueError."""
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    if isinstance(value, str) and len(value) <= MAX_INSTANT:
        with contextlib.suppress(ValueError, OverflowError):
            at = datetime.fromisoformat(value.strip())
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    raise ValueError("must be an ISO 8601 time like 2026-11-20T09:30:00Z")


def _no_underscores(value: Any) -> Any:
    if isinstance(value, str) and "_" in value:  # pydantic accepts 1_000 as a number
        raise InvalidValue("must be an integer", "int_type")
    return value


def login_email(text: str) -> str:
    """The address for signing in: normalized and lower case. Raises ValueError."""
    return addresses.normalize(text).lower()


def check_timezone(text: str) -> str:
    """Raises ValueError."""
    if text not in available_timezones():
        raise InvalidValue.example("time zone", "Europe/Paris or UTC")
    return text


def _mailbox(value: Any) -> Address:
    if isinstance(value, Address):
        return value
    if not isinstance(value, str):
        raise ValueError("must be a string")  # noqa: TRY004 - pydantic turns a ValueError, not a TypeError, into a fault
    try:
        mailbox = addresses.parse(value)
    except ValueError:
        if "," in value and value.count("@") > 1:
            raise ValueError("must be one address: send several as an array") from None
        raise
    if len(mailbox.name) > NAME_LENGTH:
        raise ValueError(f"must have a name of {NAME_LENGTH} characters at most")
    return mailbox


def _one_or_many(value: Any) -> Any:
    if not isinstance(value, str | list):
        raise ValueError("must be an address or an array of addresses")  # noqa: TRY004 - as above
    return [value] if isinstance(value, str) else value


@dataclass(frozen=True)
class _StringRule:
    check: Callable[[str], str]
    pattern: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(schema) | {"pattern": self.pattern}


# The order matters: lengths before these, or pydantic applies them to a list; OneLine before NonBlank.
OneLine = _StringRule(_one_line, f"^[^{CONTROLS}]*$")
NonBlank = _StringRule(_non_blank, rf"^[^{CONTROLS}]*[^{CONTROLS}\s][^{CONTROLS}]*$")
Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH), OneLine, NonBlank]
Integer = Annotated[int, BeforeValidator(_no_underscores)]
Id = Annotated[UUID, BeforeValidator(_id)]
Instant = Annotated[datetime, BeforeValidator(instant)]
EmailAddress = Annotated[
    str, AfterValidator(addresses.normalize), WithJsonSchema({"type": "string", "format": "email"})
]
Timezone = Annotated[str, AfterValidator(check_timezone)]
LoginEmail = Annotated[str, AfterValidator(login_email)]
Mailbox = Annotated[Address, PlainValidator(_mailbox), WithJsonSchema({"type": "string"})]
MailboxSchema = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "maxItems": 50}]}
Mailboxes = Annotated[list[Mailbox], BeforeValidator(_one_or_many), Field(max_length=50)]
