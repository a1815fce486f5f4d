"""The body of a transactional email, and of a batch (the contract's "Transactional email")."""

import contextlib
import mimetypes
import re
from binascii import a2b_base64
from datetime import datetime, timedelta
from io import BytesIO
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import SkipJsonSchema

from webapp import clock
from webapp.domain.inputs import (
    SUBJECT_LENGTH,
    Id,
    Instant,
    Mailbox,
    Mailboxes,
    MailboxSchema,
    NonBlank,
    OneLine,
    StrictInput,
    read_input,
)
from webapp.errors import ApiError, ValidationError
from webapp.sending.mime.headers import CONTENT_ID, CONTENT_TYPE, FILENAME_LIMIT, check_header

BATCH = 100  # emails
RECIPIENTS = 50
HEADERS = 100
TAGS = 75
ATTACHMENTS = 20
ATTACHMENT_BYTES = 25 * 1024 * 1024  # of all attachments together, decoded
SCHEDULE = timedelta(days=30)
TAG_TEXT = r"^[A-Za-z0-9_-]{1,256}$"
WHITESPACE = " \t\r\n"  # in base64 as programs wrap it
PIECE = 256 * 1024  # characters of base64, four for three bytes
DECEPTIVE = re.compile(r"[\u202a-\u202e\u2066-\u2069]")  # reverse the text, so that gpj.exe reads exe.jpg
OCTET_STREAM = "application/octet-stream"
# The types of compressed files, whatever is inside.
PACKED = {"gzip": "application/gzip", "bzip2": "application/x-bzip2", "xz": "application/x-xz"}


def _file_bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return _base64(value)
    if isinstance(value, list) and set(map(type, value)) <= {int}:  # excludes bools
        with contextlib.suppress(ValueError):  # above 255
            return bytes(value)
    raise ValueError("must be base64 or an array of byte values")


def _base64(text: str) -> bytes:
    if len(text) * 3 // 4 > ATTACHMENT_BYTES * 1.1:
        raise ValueError(f"is larger than {ATTACHMENT_BYTES // 1024 // 1024} MiB")
    if any(white in text for white in WHITESPACE):
        text = text.translate(dict.fromkeys(map(ord, WHITESPACE)))
    if 0 <= text.find("=") < len(text) - 2:  # padding in the middle
        raise ValueError("is not base64")
    decoded = BytesIO()  # which hands on what it holds without a copy
    try:  # in pieces: decoding one blocks all other threads
        for at in range(0, len(text), PIECE):
            decoded.write(a2b_base64(text[at : at + PIECE], strict_mode=True))
    except ValueError:
        raise ValueError("is not base64") from None
    return decoded.getvalue()


def _file_name(text: str) -> str:
    if "/" in text or "\\" in text or text.strip(". ") == "":
        raise ValueError("must be a file name without a path")
    if DECEPTIVE.search(text):
        raise ValueError("must not contain characters that change text direction")
    return text


def _content_type(text: str) -> str:
    if len(text) > FILENAME_LIMIT or not CONTENT_TYPE.fullmatch(text):
        raise ValueError("must be a content type like image/png")
    return text


def _content_id(text: str) -> str:
    bare = text.removeprefix("<").removesuffix(">")
    if not CONTENT_ID.fullmatch(bare):
        raise ValueError("must be 1 to 250 visible ASCII characters")
    return bare


def _no_path(value: Any) -> None:
    if value is not None:
        raise ValueError("is not supported: send the file as content instead of a URL")


def _headers(headers: dict[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        try:
            check_header(name, value)
        except ValueError as error:
            raise ValueError(f"is not valid: {error}") from None
    return headers


def _subject_or_template(subject: str | None, info: ValidationInfo) -> str | None:
    if subject is None and not info.data.get("template", "faulty"):
        raise ValueError("is required")
    return subject


def _not_beside_template(body: str | None, info: ValidationInfo) -> str | None:
    if body and info.data.get("template"):
        raise ValueError("cannot be combined with template")
    return body or None


def _one_of_three(text: str | None, info: ValidationInfo) -> str | None:
    if not text and not info.data.get("html", "faulty") and not info.data.get("template", "faulty"):
        raise ValueError("or html or template is required")
    return _not_beside_template(text, info)


def _total(files: "list[NewAttachment]") -> "list[NewAttachment]":
    if sum(len(file.content) for file in files) > ATTACHMENT_BYTES:
        raise ValueError(f"must be at most {ATTACHMENT_BYTES // 1024 // 1024} MiB in total")
    return files


def _scheduled(at: datetime) -> datetime:
    if not clock.now() < at <= clock.now() + SCHEDULE:
        raise ValueError(f"must be in the future, at most {SCHEDULE.days} days ahead")
    return at


Subject = Annotated[str, StringConstraints(min_length=1, max_length=SUBJECT_LENGTH), OneLine, NonBlank]


class NewAttachment(StrictInput):
    """A file to send along; with a `content_id` the html can show it by `cid:`."""

    filename: Annotated[
        str, StringConstraints(min_length=1, max_length=FILENAME_LIMIT), OneLine, AfterValidator(_file_name)
    ] = Field(description="The file name.")
    content: Annotated[
        bytes,
        BeforeValidator(_file_bytes),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "string", "contentEncoding": "base64"},
                    {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}},
                ]
            }
        ),
    ] = Field(description="The file content, in base64 or as an array of byte values.")
    content_type: Annotated[str, OneLine, AfterValidator(_content_type)] | None = Field(
        default=None, description="The content type; guessed from the file name if omitted."
    )
    content_id: Annotated[str, OneLine, AfterValidator(_content_id)] | None = Field(
        default=None,
        validation_alias=AliasChoices("content_id", "inline_content_id"),
        description='Use it to show the file in the html: `<img src="cid:...">`.',
    )
    path: Annotated[SkipJsonSchema[None], BeforeValidator(_no_path)] = None

    @property
    def type(self) -> str:
        if self.content_type:
            return self.content_type
        found, packing = mimetypes.guess_type(f"/{self.filename}")  # a path: `data:` begins no URL
        return PACKED.get(packing, OCTET_STREAM) if packing else found or OCTET_STREAM


class NewTag(StrictInput):
    """A label for your own statistics."""

    name: Annotated[str, Field(pattern=TAG_TEXT)] = Field(description="Letters, digits, `_` and `-`.")
    value: Annotated[str, Field(pattern=TAG_TEXT)] = Field(description="Same characters as the name.")


class ChosenTemplate(StrictInput):
    """A saved template, and the values of its merge tags."""

    id: Id = Field(description="The template's id.")
    variables: dict[str, Any] | None = Field(default=None, description="Merge tag values, by name; can be nested.")


class NewEmail(StrictInput):
    """An email to send. `from`, `to`, and either `template`, or `subject` and one of `html` and `text` are required."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "from": "Acme <hello@example.com>",
                    "to": ["Ada <ada@example.org>"],
                    "subject": "Your order",
                    "html": "<p>It is on its way.</p>",
                }
            ]
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
    template: ChosenTemplate | None = Field(
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
    headers: Annotated[dict[str, str], Field(max_length=HEADERS), AfterValidator(_headers)] | None = Field(
        default=None, description="Custom headers, by name; headers set by the service are not allowed."
    )
    tags: Annotated[list[NewTag], Field(max_length=TAGS)] | None = Field(
        default=None, description=f"Up to {TAGS} tags for your own tracking."
    )
    attachments: Annotated[list[NewAttachment], Field(max_length=ATTACHMENTS), AfterValidator(_total)] | None = Field(
        default=None, description=f"Up to {ATTACHMENTS} files, {ATTACHMENT_BYTES // 1024 // 1024} MiB in total."
    )
    scheduled_at: Annotated[Instant, AfterValidator(_scheduled)] | None = Field(
        default=None, description="When to send it, up to 30 days ahead."
    )


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
        raise ValidationError.of("body", "the body must be an array of emails, or an object with emails")
    envelope = read_input(_Envelope, {"emails": value} if isinstance(value, list) else value, strict=True)
    emails: list[NewEmail | ApiError] = []
    for item in envelope.emails:
        try:
            emails.append(read_input(NewEmail, item, strict=True))
        except ValidationError as fault:
            emails.append(fault if isinstance(item, dict) else ValidationError.of("", "must be an object"))
    return emails
