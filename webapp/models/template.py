"""Templates: a subject and a body with merge tags."""

from enum import StrEnum
from typing import Any

from tortoise import fields

from webapp.models.base import OrgModel


class TemplateKind(StrEnum):
    """The ways in which a template is written; one of HTML without any tag is sent as text."""

    HTML = "html"
    TEXT = "text"
    BLOCKS = "blocks"
    MJML = "mjml"


class Template(OrgModel):
    """A saved mail: `body` is what is sent, compiled from `source` where that is blocks or MJML.

    `variables` are the merge tags in subject and body.
    """

    name = fields.CharField(max_length=200)
    subject = fields.TextField(default="")
    kind = fields.CharField(max_length=8, default=TemplateKind.HTML, db_default="html")
    source: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)  # by the name of its kind
    body = fields.TextField(default="")
    variables: fields.Field[list[str]] = fields.JSONField()
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "templates"
        indexes = (("org_id", "id"),)

    @property
    def blocks(self) -> list[dict[str, Any]] | None:
        return (self.source or {}).get("blocks")

    @property
    def mjml(self) -> str | None:
        return (self.source or {}).get("mjml")
