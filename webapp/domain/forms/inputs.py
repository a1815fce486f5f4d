"""The inputs of sign-up forms, and what a form may ask for."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema

from webapp.contact_fields import CONTACT_FIELDS, FieldKind
from webapp.domain.contacts.inputs import FIELD_NAME_LENGTH, MAX_SEGMENTS, Language
from webapp.domain.inputs import NAME_LENGTH, SUBJECT_LENGTH, Id, Input, Name, NonBlank, OneLine, examples, partial
from webapp.domain.templates.blocks import clean
from webapp.errors import InvalidValue
from webapp.models.topic import MOST_TOPICS

MOST_FIELDS = 20
MOST_OPTIONS = 50
MOST_ORIGINS = 20
URL_LENGTH = 2_000
LONGEST_SHOWN = 80  # characters of what is no origin
CONSENT_LENGTH = 2_000
BODY_LENGTH = 100_000
CONFIRM_URL = "confirm_url"
LETTER_TAGS = (CONFIRM_URL, "organization_name", "form_name")  # of the confirmation email
HONEYPOT = "contact_me_by_fax"  # the name of an input that people don't see
STAMP = "_stamp"  # the name of the input with the signed time of a page
PROOF = "_proof"  # the name of the input with the proof of work for a flooded form
# Fields of contacts that a form may ask for beside custom fields, by their labels.
STANDARD = {field.name: field.label for field in CONTACT_FIELDS if field.kind in (FieldKind.EMAIL, FieldKind.TEXT)}
RESERVED = {field.name for field in CONTACT_FIELDS} - {*STANDARD} | {"id", "segments", "topics", HONEYPOT}

HOST = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ORIGIN = re.compile(rf"https?://{HOST}(?::[0-9]{{1,5}})?")
DEFAULT_PORTS = {"http": ":80", "https": ":443"}
UNRESERVED = "%/?&=+:;,@!$'()*[]~#"  # in a path, query or fragment, beside letters and digits


def _with_ascii_host(text: str) -> str:
    """Raises ValueError for a host that no URL can have."""
    scheme, slashes, rest = text.partition("://")
    host = re.split(r"[/?#:\\]", rest, maxsplit=1)[0]
    written = host if host.isascii() else host.encode("idna").decode()
    return scheme.lower() + slashes + written.lower() + rest[len(host) :]


def _redirect(text: str) -> str:
    fault = InvalidValue.example("whole https address", "https://example.com/thanks")
    try:
        url = _with_ascii_host(text.strip())
        parts = urlsplit(url)
        has_host = ORIGIN.fullmatch(f"https://{parts.netloc}") is not None and parts.port != 0
    except ValueError:
        raise fault from None
    if not (has_host and url.startswith("https://")) or any(sign in url for sign in ' \\"<>`'):
        raise fault
    return quote(url, safe=UNRESERVED)


def _origin(text: str) -> str:
    like = "exact origins like https://example.com without a path"
    fault = InvalidValue(f"must be {like}, not {text[:LONGEST_SHOWN]}", "origin")
    try:
        origin = _with_ascii_host(text.strip())
        parts = urlsplit(origin)
        is_origin = ORIGIN.fullmatch(origin) is not None and parts.port != 0
    except ValueError:
        raise fault from None
    if not is_origin:
        raise fault
    return origin.removesuffix(DEFAULT_PORTS[parts.scheme])


def _field_key(text: str) -> str:
    key = text.strip()
    if key.casefold() in RESERVED or key.startswith("_"):
        raise ValueError("must be a field that a form can ask for: a name, the phone or a custom field")
    return key.lower() if key.casefold() in STANDARD else key


def _optional(text: str | None) -> str | None:
    return (text or "").strip() or None


def _unique(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))


OptionalText = AfterValidator(_optional)
Redirect = Annotated[
    str,
    StringConstraints(max_length=URL_LENGTH),
    OneLine,
    AfterValidator(_redirect),
    WithJsonSchema({"type": "string", "maxLength": URL_LENGTH, "pattern": r"^https://([a-z0-9]+\.)+[a-z]{2,}(/[a-z]*)?$"}),
]  # fmt: skip
Origin = Annotated[
    str,
    StringConstraints(max_length=URL_LENGTH),
    OneLine,
    AfterValidator(_origin),
    WithJsonSchema({"type": "string", "maxLength": URL_LENGTH, "pattern": r"^https?://([a-z0-9]+\.)+[a-z]{2,}$"}),
]
Option = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH), OneLine, NonBlank]
Key = Annotated[
    str,
    StringConstraints(min_length=1, max_length=FIELD_NAME_LENGTH),
    OneLine,
    NonBlank,
    AfterValidator(_field_key),
]


class FormField(Input):
    """A field of a form. The address is always asked for; name it only to give it a label."""

    key: Key = Field(description="`first_name`, `last_name`, `phone` or the name of a custom field.")
    label: Option | None = Field(default=None, description="What people read; the field's own label by default.")
    kind: Literal["text", "choice", "checkbox", "date"] | None = Field(
        default=None,
        description="`text`, `choice` of one of the options, `checkbox` or `date`; by default what fits the field.",
    )
    required: bool = Field(default=False, description="Whether people can't sign up without it.")
    options: Annotated[list[Option], Field(max_length=MOST_OPTIONS), AfterValidator(_unique)] = Field(
        default=[], description="The answers of a `choice`."
    )


class _FormInput(Input):
    @classmethod
    def name_of(cls, loc: Sequence[int | str]) -> str:
        return "allowed_origins" if loc[0] == "allowed_origins" else super().name_of(loc)  # its words name the item


class NewForm(_FormInput):
    """A form by which people sign up on a page of Pennypost or on your own site."""

    model_config = examples(
        {
            "name": "Newsletter",
            "fields": [{"key": "first_name", "label": "First name", "kind": "text", "required": False}],
            "consent_text": "I want the newsletter. I can leave at any time.",
        }
    )

    name: Name = Field(description="The name of the form, which is the heading of its page.")
    is_open: bool | None = Field(
        default=None,
        description="Whether people can sign up. By default a form is open if an account can send its confirmations.",
    )
    segment_ids: Annotated[list[Id], Field(max_length=MAX_SEGMENTS)] = Field(
        default=[], description="The static segments that people join."
    )
    topic_ids: Annotated[list[Id], Field(max_length=MOST_TOPICS)] = Field(
        default=[], description="The topics that people can choose."
    )
    fields: Annotated[list[FormField], Field(max_length=MOST_FIELDS)] = Field(
        default=[], description="What the form asks for beside the address, in this order."
    )
    consent_text: Annotated[
        Annotated[str, StringConstraints(max_length=CONSENT_LENGTH), AfterValidator(clean)] | None, OptionalText
    ] = Field(default=None, description="What people agree to; stored with each contact who confirms.")
    double_opt_in: bool = Field(
        default=True,
        description="Whether people confirm by email before they are contacts. Switching it off needs the role admin.",
    )
    confirm_by: Literal["button", "click"] = Field(
        default="button",
        description="`button`: the linked page has a button. "
        "`click`: the page confirms by itself when a person sees it.",
    )
    account_id: Id | None = Field(
        default=None, description="The account that sends the confirmation; the oldest active one if null."
    )
    subject: Annotated[Annotated[str, StringConstraints(max_length=SUBJECT_LENGTH), OneLine] | None, OptionalText] = (
        Field(default=None, description="The subject of the confirmation; ours in the form's language if null.")
    )
    body: Annotated[
        Annotated[str, StringConstraints(max_length=BODY_LENGTH), AfterValidator(clean)] | None, OptionalText
    ] = Field(
        default=None,
        description="The confirmation in HTML or as text with `{{ confirm_url }}`; ours in the form's language "
        "if null. It can also have `{{ organization_name }}` and `{{ form_name }}`.",
    )
    redirect_after_submit: Redirect | None = Field(
        default=None, description="Your page after the form; ours if null. https."
    )
    redirect_after_confirm: Redirect | None = Field(
        default=None, description="Your page after the confirmation; ours if null. https."
    )
    allowed_origins: Annotated[list[Origin], Field(max_length=MOST_ORIGINS), AfterValidator(_unique)] = Field(
        default=[], description="The sites that may have the form, like `https://example.com`."
    )
    language: Language = Field(
        default=None, description="The language of its page and confirmation; the organization's if null."
    )


@partial(NewForm)
class FormChanges(_FormInput):
    """The fields to change; omitted fields keep their values."""

    model_config = examples({"consent_text": "I want the newsletter, about once a month. I can leave at any time."})
