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


class Brand(OrgModel):
    """The style of an organization's letters; one without a row has the defaults."""

    background = fields.CharField(max_length=7)
    text = fields.CharField(max_length=7)
    accent = fields.CharField(max_length=7)
    button = fields.CharField(max_length=7)
    font = fields.CharField(max_length=16)
    width = fields.IntField()
    logo_url = fields.TextField(null=True)
    address = fields.TextField(null=True)
    # Templates of blocks with a later id are still to be compiled with this brand; null: none.
    compile_after = fields.UUIDField(null=True)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "brands"
        unique_together = (("org_id",),)
        indexes = (("compile_after",),)

    @classmethod
    async def unfinished(cls) -> "list[Brand]":
        """The brands with templates that are still to be compiled."""
        return await cls.exclude(compile_after=None).select_related("org")
