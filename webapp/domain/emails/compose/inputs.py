"""The request body of a compose (the specification's "Compose")."""

import json
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, ValidationInfo, model_validator

from webapp.domain.inputs import SUBJECT_LENGTH, EmailAddress, Id, NonBlank, OneLine, StrictInput, examples
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import has_tags
from webapp.domain.templates.inputs import TemplateReference
from webapp.errors import InvalidValue

RECIPIENTS = 100
VARIABLES_BYTES = 64 * 1024  # as JSON, stored in every recipient's row


def _not_blank(text: str) -> str:
    if not text.strip():
        raise InvalidValue("must not be empty", "missing")
    return text


def _parsing(source: str) -> str:
    if has_tags(source):
        read_template(source)
    return source


def _one_kind_of_content(template_id: UUID | str | None, info: ValidationInfo) -> UUID | str | None:
    named = [name for name in ("subject", "body") if info.data.get(name, "faulty") is not None]
    if template_id is not None and named:
        raise ValueError("cannot be combined with subject and body")
    if template_id is None and len(named) < 2:  # noqa: PLR2004 - both
        raise ValueError("or both subject and body are required")
    return template_id


def _small(variables: dict[str, Any] | None) -> dict[str, Any] | None:
    if variables and len(json.dumps(variables)) > VARIABLES_BYTES:
        raise ValueError(f"must have {VARIABLES_BYTES // 1024} KiB at most")
    return variables


Subject = Annotated[
    str, StringConstraints(min_length=1, max_length=SUBJECT_LENGTH), OneLine, NonBlank, AfterValidator(_parsing)
]


class ComposeRecipients(StrictInput):
    """Either `emails`, or `type` and `contact_ids`."""

    emails: Annotated[list[EmailAddress], Field(min_length=1, max_length=RECIPIENTS)] | None = Field(
        default=None, description=f"1 to {RECIPIENTS} addresses."
    )
    type: Literal["contacts"] | None = Field(default=None, description="Required with `contact_ids`.")
    contact_ids: Annotated[list[Id], Field(min_length=1, max_length=RECIPIENTS)] | None = Field(
        default=None, description=f"1 to {RECIPIENTS} contacts. Unsubscribed contacts get no email."
    )

    @model_validator(mode="after")
    def _one_kind(self) -> "ComposeRecipients":
        named = {name for name in type(self).model_fields if getattr(self, name) is not None}
        if named not in ({"emails"}, {"type", "contact_ids"}):
            raise ValueError('must have either emails, or type "contacts" and contact_ids')
        return self


class NewCompose(StrictInput):
    """A mail to send at once, to each recipient alone. `subject` and `body`, or `template_id`, are required."""

    model_config = examples(
        {
            "account_key": "acc_...",
            "subject": "Your order, {{ first_name }}",
            "body": "<p>It is on its way.</p>",
            "recipients": {"emails": ["ada@example.org"]},
            "variables": {"first_name": "Ada"},
        }
    )

    account_key: str = Field(description="The `acc_` key of the account to send from.")
    subject: Subject | None = Field(default=None, description="The subject, with merge tags.")
    body: Annotated[str, AfterValidator(_not_blank), AfterValidator(_parsing)] | None = Field(
        default=None, description="The body, with merge tags. HTML if it contains any HTML tag, otherwise plain text."
    )
    template_id: Annotated[TemplateReference | None, AfterValidator(_one_kind_of_content)] = Field(
        default=None, validate_default=True, description="A saved template, instead of `subject` and `body`."
    )
    recipients: ComposeRecipients = Field(description="Who gets the email.")
    variables: Annotated[dict[str, Any], AfterValidator(_small)] | None = Field(
        default=None, description="Values for the merge tags; they override the values of a contact."
    )
