"""The inputs of templates: name, subject, and content as HTML, text, blocks or MJML."""

import contextlib
import re
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema

from webapp.domain.inputs import SUBJECT_LENGTH, Input, Name, OneLine, drop_default, examples, partial
from webapp.domain.merge_tags.parser import SOURCE_LENGTH
from webapp.domain.templates.blocks import Blocks, BlocksInput, Mjml
from webapp.errors import ValidationError
from webapp.models.base.org_model import parse_id
from webapp.models.template import TemplateKind

BODY_NAMES = ("body", "html", "text")
# The possible kinds of each content; the first is the default.
KINDS = {"body": (TemplateKind.HTML, TemplateKind.TEXT), "blocks": (TemplateKind.BLOCKS,), "mjml": (TemplateKind.MJML,)}

Source = Annotated[str, StringConstraints(max_length=SOURCE_LENGTH)]

UUID_FORM = re.compile(r"[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}")
ALIAS = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


def _alias(text: str) -> str:
    if not ALIAS.fullmatch(text):
        raise ValueError("must be 1 to 63 of a-z, 0-9, dot, hyphen and underscore, and begin with a letter or digit")
    if UUID_FORM.fullmatch(text):
        raise ValueError("must not have the form of an id")
    return text


def _reference(value: Any) -> UUID | str:
    if isinstance(value, UUID):
        return value
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return parse_id(value)
        if ALIAS.fullmatch(value):
            return value
    raise ValueError("must be the UUID or the alias of a template")


Alias = Annotated[
    str, AfterValidator(_alias), WithJsonSchema({"type": "string", "pattern": f"^{ALIAS.pattern}$", "maxLength": 63})
]
TemplateReference = Annotated[
    UUID | str,
    BeforeValidator(_reference),
    WithJsonSchema({"type": "string", "minLength": 1, "examples": ["01976b2e-8c00-7000-8000-000000000002", "welcome"]}),
]


class OtherBodies(BlocksInput):
    html: Source | None = Field(default=None, description="Alias of `body`.")
    text: Source | None = Field(default=None, description="Alias of `body`.")

    def named_changes(self) -> tuple[dict[str, Any], str]:
        """The fields, with aliases replaced by `body`, and the name under which the body was sent.

        Raises ValidationError for two different bodies.
        """
        fields = self.given()
        bodies = {name: body for name in BODY_NAMES if (body := fields.pop(name, None)) is not None}
        if not bodies:
            return fields, "body"
        name, body = next(iter(bodies.items()))
        for other, text in bodies.items():
            if text != body:
                raise ValidationError.at(other, f"contradicts {name}: a template has one body")
        return fields | {"body": body}, name


class NewTemplate(OtherBodies):
    """A template. Subject and body may hold merge tags: `{{ first_name | default: "there" }}`."""

    model_config = examples(
        {
            "name": "Welcome",
            "subject": "Welcome, {{ first_name }}",
            "body": '<p>Hello {{ first_name | default: "there" }}</p>',
        }
    )

    name: Name = Field(description="The name of the template; recipients don't see it.")
    alias: Alias | None = Field(
        default=None, description="A name for programs, unique in the organization, that works wherever its id does."
    )
    subject: Annotated[str, StringConstraints(max_length=SUBJECT_LENGTH), OneLine] = Field(
        default="", description="The subject line."
    )
    kind: Literal["html", "text", "blocks", "mjml"] = Field(
        default="html",
        json_schema_extra=drop_default,
        description="How the content is written; follows from the content if omitted. `text` is never read as HTML.",
    )
    body: Source = Field(default="", description="HTML if it contains an HTML tag, otherwise plain text.")
    blocks: Blocks = Field(
        default=[], json_schema_extra=drop_default, description="The content as blocks, instead of `body`."
    )
    mjml: Mjml = Field(
        default="",
        json_schema_extra=drop_default,
        description="The content as MJML, instead of `body`; without `mj-include`.",
    )


@partial(NewTemplate)
class TemplateChanges(OtherBodies):
    """The fields to change; omitted fields keep their values."""

    model_config = examples({"subject": "Welcome, {{ first_name }}"})


class NewRender(Input):
    """The values to render a template with."""

    model_config = examples({"variables": {"first_name": "Ada"}})

    variables: dict[str, Any] = Field(default={}, description="Merge tag values, by name; can be nested.")


def content_of(fields: dict[str, Any], body_name: str, current: TemplateKind | None) -> tuple[TemplateKind, str] | None:
    """A template's kind and the name of its new content: None if nothing changes, "" if the body stays.

    `current` is the kind of an existing template. Raises ValidationError if kind and content do not match.
    """
    names = [name for name in KINDS if name in fields]
    asked = TemplateKind(fields["kind"]) if "kind" in fields else None
    sent_names = [body_name if name == "body" else name for name in names]
    if len(names) > 1:
        raise ValidationError.at(sent_names[1], f"contradicts {sent_names[0]}: a template has one content")
    if not names:
        return _same_body(asked, current)
    (name,), (sent_name,) = names, sent_names
    kind = asked or current or KINDS[name][0]
    if kind in KINDS[name]:
        return kind, name
    if asked is not None:
        raise ValidationError.at(sent_name, f"does not fit the kind {kind}")
    fault = f"is not how this template is written: its kind is {kind}; send kind {KINDS[name][0]} to replace it"
    raise ValidationError.of(sent_name, f"{sent_name} {fault}")


def _same_body(asked: TemplateKind | None, current: TemplateKind | None) -> tuple[TemplateKind, str] | None:
    if asked is None or asked == current:
        return None if current else (TemplateKind.HTML, "")
    if asked not in KINDS["body"]:
        raise ValidationError.at(asked, f"is required for the kind {asked}")
    if asked is TemplateKind.TEXT and current not in (None, *KINDS["body"]):
        raise ValidationError.at("body", "is required for the kind text")
    return asked, ""
