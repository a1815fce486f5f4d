"""The request bodies of an email and of a batch (the contract's "Transactional email")."""

import re
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    RootModel,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
)

from webapp import clock
from webapp.domain.emails.attachments import ATTACHMENT_BYTES, ATTACHMENTS, Attachments
from webapp.domain.inputs import (
    SUBJECT_LENGTH,
    Id,
    Input,
    Mailbox,
    Mailboxes,
    MailboxSchema,
    NonBlank,
    OneLine,
    StrictInput,
    Tracking,
    examples,
    read_input,
)
from webapp.domain.templates.inputs import TemplateReference
from webapp.domain.time_words import WHEN, InstantOrWords, TimeWords, read_words
from webapp.errors import ApiError, InvalidValue, ValidationError
from webapp.sending.mime.headers import check_header

BATCH = 100  # emails
RECIPIENTS = 50
HEADERS = 100
TAGS = 75
SCHEDULE = timedelta(days=30)
TAG_TEXT = r"^[A-Za-z0-9_-]{1,256}$"


def _headers(headers: dict[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        try:
            check_header(name, value)
        except ValueError as error:
            raise ValueError(f"is not valid: {error}") from None
    return headers


def _subject_or_template(subject: str | None, info: ValidationInfo) -> str | None:
    if subject is None and not info.data.get("template", "faulty"):
        raise InvalidValue("is required", "missing")
    return subject


def _not_beside_template(body: str | None, info: ValidationInfo) -> str | None:
    if body and info.data.get("template"):
        raise ValueError("cannot be combined with template")
    return body or None


def _one_of_three(text: str | None, info: ValidationInfo) -> str | None:
    if not text and not info.data.get("html", "faulty") and not info.data.get("template", "faulty"):
        raise InvalidValue("or html or template is required", "missing")
    return _not_beside_template(text, info)


def _one_recipient(tracking: Tracking, info: ValidationInfo) -> Tracking:
    named = [address.email.lower() for field in ("to", "cc", "bcc") for address in info.data.get(field) or ()]
    if (tracking.opens or tracking.clicks) and len(set(named)) > 1:
        raise ValueError("is possible for one recipient only: all recipients of an email get the same links")
    return tracking


def _within_days(at: datetime) -> datetime:
    if not clock.now() < at <= clock.now() + SCHEDULE:
        raise ValueError(f"must be in the future, at most {SCHEDULE.days} days ahead")
    return at


def _scheduled(at: datetime | TimeWords) -> datetime | TimeWords:
    return _within_days(at) if isinstance(at, datetime) else at


def scheduled_time(at: datetime | TimeWords, timezone: str) -> datetime:
    """Raises ValidationError."""
    return at if isinstance(at, datetime) else read_words("scheduled_at", at, timezone, clock.now(), _within_days)


Subject = Annotated[str, StringConstraints(min_length=1, max_length=SUBJECT_LENGTH), OneLine, NonBlank]


def _tag_text(text: str) -> str:
    if not re.fullmatch(TAG_TEXT, text):
        raise ValueError("must have 1 to 256 letters, digits, _ and -, and nothing else")
    return text


def _object_like(example: str) -> BeforeValidator:
    def check(value: Any) -> Any:
        if isinstance(value, dict | BaseModel):
            return value
        raise ValueError(f"must be an object like {example}")

    return BeforeValidator(check)


TagText = Annotated[str, AfterValidator(_tag_text), WithJsonSchema({"type": "string", "pattern": TAG_TEXT})]


class NewTag(StrictInput):
    """A label for your own statistics."""

    name: TagText = Field(description="Letters, digits, `_` and `-`.")
    value: TagText = Field(description="Same characters as the name.")


class ChosenTemplate(StrictInput):
    """A saved template, and the values of its merge tags."""

    id: TemplateReference = Field(description="The id or the alias of the template.")
    variables: dict[str, Any] | None = Field(default=None, description="Merge tag values, by name; can be nested.")


Tag = Annotated[NewTag, _object_like('{"name": "kind", "value": "welcome"}')]


class NewEmail(StrictInput):
    """An email to send. `from`, `to`, and either `template`, or `subject` and one of `html` and `text` are required."""

    model_config = examples(
        {
            "from": "Acme <hello@example.com>",
            "to": ["Ada <ada@example.org>"],
            "subject": "Your order",
            "html": "<p>It is on its way.</p>",
        }
    )

    from_: Mailbox = Field(alias="from", description="The sender: `Name <address>` or an address.")
    to: Annotated[Mailboxes, Field(min_length=1), WithJsonSchema(MailboxSchema)] = Field(
        description=f"1 to {RECIPIENTS} recipients."
    )
    cc: Annotated[Mailboxes, WithJsonSchema(MailboxSchema)] | None = Field(
        default=None, description=f"Up to {RECIPIENTS} recipients; duplicates get the email once."
    )
    bcc: Annotated[Mailboxes, WithJsonSchema(MailboxSchema)] | None = Field(
        default=None, description="Recipients not shown in the message."
    )
    reply_to: Annotated[Mailboxes, WithJsonSchema(MailboxSchema)] | None = Field(
        default=None, description="Where replies go."
    )
    template: Annotated[ChosenTemplate, _object_like('{"id": "welcome"}')] | None = Field(
        default=None, description="A saved template, instead of `html` and `text`. Merge tags work only in templates."
    )
    subject: Annotated[Subject | None, AfterValidator(_subject_or_template)] = Field(
        default=None,
        validate_default=True,
        description="The subject. Overrides the template's subject and uses the same variables.",
    )
    html: Annotated[str | None, AfterValidator(_not_beside_template)] = Field(
        default=None, description="The HTML body."
    )
    text: Annotated[str | None, AfterValidator(_one_of_three)] = Field(
        default=None, validate_default=True, description="The plain-text body; generated from the html if omitted."
    )
    account_key: str | None = Field(default=None, description="The `acc_` key of the account to send from.")
    topic_id: Id | None = Field(
        default=None,
        description="The topic of the email: recipients who opted out of it get nothing, and their rows fail "
        "immediately. An email to one contact has an unsubscribe button that leaves this topic.",
    )
    headers: Annotated[dict[str, str], Field(max_length=HEADERS), AfterValidator(_headers)] | None = Field(
        default=None, description="Custom headers, by name; headers set by the service are not allowed."
    )
    tags: Annotated[list[Tag], Field(max_length=TAGS)] | None = Field(
        default=None, description=f"Up to {TAGS} tags for your own tracking."
    )
    attachments: Attachments | None = Field(
        default=None, description=f"Up to {ATTACHMENTS} files, {ATTACHMENT_BYTES // 1024 // 1024} MiB in total."
    )
    scheduled_at: Annotated[InstantOrWords, AfterValidator(_scheduled)] | None = Field(
        default=None, description=f"When to send it, up to 30 days ahead: {WHEN}"
    )
    tracking: Annotated[Tracking, AfterValidator(_one_recipient)] | None = Field(
        default=None,
        description="The opens and clicks of the html to count, of one recipient: an email to several can't tell them "
        "apart. A contact with `do_not_track` is never counted.",
    )


class EmailChanges(Input):
    """What to change of a scheduled email."""

    model_config = examples({"scheduled_at": "2026-12-01T09:00:00Z"})

    scheduled_at: Annotated[InstantOrWords, AfterValidator(_scheduled)] = Field(
        description=f"When to send it, up to 30 days ahead: {WHEN}"
    )


Emails = Annotated[list[NewEmail], Field(min_length=1, max_length=BATCH)]


class BatchObject(StrictInput):
    """The emails, by name."""

    emails: Emails = Field(description=f"1 to {BATCH} emails.")


class NewBatch(RootModel[Emails | BatchObject]):
    """1 to 100 emails to send: an array of them, or an object with the array as `emails`."""

    model_config = examples(
        [
            {"from": "hello@example.com", "to": ["ada@example.org"], "subject": "For Ada", "text": "Hi, Ada"},
            {"from": "hello@example.com", "to": ["bob@example.org"], "subject": "For Bob", "text": "Hi, Bob"},
        ]
    )


class _Envelope(StrictInput):
    emails: Annotated[list[Any], Field(min_length=1, max_length=BATCH)]


def read_batch(value: Any, *, is_lenient: bool = False) -> list[NewEmail | ApiError]:
    """The emails of a JSON value or their errors, in order. Raises ValidationError if it is not a batch."""
    if not isinstance(value, list | dict):
        raise ValidationError.of("body", "the body must be an array of emails, or an object with emails")
    whole = {"emails": value} if isinstance(value, list) else value
    envelope = read_input(_Envelope, whole, strict=True, is_lenient=is_lenient)
    emails: list[NewEmail | ApiError] = []
    for item in envelope.emails:
        try:
            emails.append(read_input(NewEmail, item, strict=True, is_lenient=is_lenient))
        except ValidationError as fault:
            emails.append(fault if isinstance(item, dict) else ValidationError.of("", "must be an object"))
    return emails
