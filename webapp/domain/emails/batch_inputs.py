"""The body of a batch of transactional emails; each email is read by itself, so that one alone may be invalid."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, RootModel

from webapp.domain.emails.inputs import NewEmail
from webapp.domain.inputs import StrictInput, read_input
from webapp.errors import ApiError, ValidationError

BATCH = 100

Emails = Annotated[list[NewEmail], Field(min_length=1, max_length=BATCH)]


class BatchObject(StrictInput):
    """The emails, by name."""

    emails: Emails = Field(description=f"1 to {BATCH} emails.")


class NewBatch(RootModel[Emails | BatchObject]):
    """1 to 100 emails to send: an array of them, or an object with the array as `emails`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                [
                    {"from": "hello@example.com", "to": ["ada@example.org"], "subject": "For Ada", "text": "Hi, Ada"},
                    {"from": "hello@example.com", "to": ["bob@example.org"], "subject": "For Bob", "text": "Hi, Bob"},
                ]
            ]
        }
    )


class _Envelope(StrictInput):
    emails: Annotated[list[Any], Field(min_length=1, max_length=BATCH)]


def read_batch(value: Any) -> list[NewEmail | ApiError]:
    """The emails of a JSON value, or their errors, in their order. Raises ValidationError where it is no batch."""
    if not isinstance(value, list | dict):
        raise ValidationError.of("body", "the body must be an array of emails, or an object that has it as emails")
    envelope = read_input(_Envelope, {"emails": value} if isinstance(value, list) else value, strict=True)
    return [_item(item) for item in envelope.emails]


def _item(value: Any) -> NewEmail | ApiError:
    if not isinstance(value, dict):
        return ValidationError.of("", "must be an object")
    try:
        return read_input(NewEmail, value, strict=True)
    except ValidationError as fault:
        return fault
