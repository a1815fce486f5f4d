"""The response bodies of templates and their style."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.responses import Time


class Template(TypedDict):
    """A saved email with merge tags."""

    id: UUID
    name: str
    subject: str
    kind: Literal["html", "text", "blocks", "mjml"]
    body: Annotated[str, Field(description="What is sent, compiled from `blocks` or `mjml` if it is made of these.")]
    blocks: Annotated[list[dict[str, Any]] | None, Field(description="The content of the kind `blocks`.")]
    mjml: Annotated[str | None, Field(description="The content of the kind `mjml`.")]
    variables: Annotated[list[str], Field(description="The merge tags used in the subject and body.")]
    created_at: Time
    updated_at: Time


class TemplateVersionOutline(TypedDict):
    """A former content of a template."""

    id: UUID
    subject: str
    kind: Literal["html", "text", "blocks", "mjml"]
    saved_at: Annotated[Time, Field(description="When the template was saved with it.")]


class TemplateVersion(TemplateVersionOutline):
    """A former content of a template, whole."""

    body: Annotated[str, Field(description="The content of the kinds `html` and `text`.")]
    blocks: Annotated[list[dict[str, Any]] | None, Field(description="The content of the kind `blocks`.")]
    mjml: Annotated[str | None, Field(description="The content of the kind `mjml`.")]


class Brand(TypedDict):
    """The style of your emails made of blocks."""

    background: str
    text: str
    accent: str
    button: str
    font: str
    width: int
    logo_url: str | None
    address: str | None
