"""Templates: a subject and a body with merge tags."""

import json
from enum import StrEnum
from typing import Any
from uuid import UUID

from tortoise import fields

from webapp import crypto
from webapp.models.base.indexes import UniqueWhere
from webapp.models.base.org_model import OrgModel

VERSIONS = 20  # earlier ones that are stored per template


class TemplateKind(StrEnum):
    """The ways to write a template; HTML without any tag is sent as text."""

    HTML = "html"
    TEXT = "text"
    BLOCKS = "blocks"
    MJML = "mjml"


class TemplateContent(OrgModel):
    """What templates and their versions have in common."""

    subject: str
    kind: str
    source: dict[str, Any] | None  # the content by the name of its kind; None if `body` is written as it is sent
    body: str

    class Meta:
        abstract = True

    @property
    def blocks(self) -> list[dict[str, Any]] | None:
        return (self.source or {}).get("blocks")

    @property
    def mjml(self) -> str | None:
        return (self.source or {}).get("mjml")

    @property
    def as_input(self) -> dict[str, Any]:
        """The content as inputs have it."""
        return {"subject": self.subject, "kind": self.kind, **(self.source or {"body": self.body})}


class Template(TemplateContent):
    """`body` is sent; it is compiled from `source` if that is blocks or MJML. `variables` are its merge tags."""

    name = fields.CharField(max_length=200)
    alias = fields.CharField(max_length=63, null=True)  # what programs call it
    subject = fields.TextField(default="")
    kind = fields.CharField(max_length=8, default=TemplateKind.HTML, db_default="html")
    source: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    body = fields.TextField(default="")
    variables: fields.Field[list[str]] = fields.JSONField()
    updated_at = fields.DatetimeField(auto_now=True)
    saved_by = fields.CharField(max_length=254, null=True)  # the name of a person or key
    versions: fields.ReverseRelation["TemplateVersion"]

    class Meta:
        table = "templates"
        indexes = (
            ("org_id", "id"),
            UniqueWhere(fields=("org_id", "alias"), name="uid_templates_alias", where="alias IS NOT NULL"),
        )

    @property
    def edition(self) -> str:
        """Differs after each change by people; the brand changes the compiled body alone."""
        return crypto.digest(json.dumps([self.name, self.subject, self.kind, self.source or self.body], sort_keys=True))


class TemplateVersion(TemplateContent):
    """Subject and content before a change; `body` is empty if it is compiled from `source`."""

    template: fields.ForeignKeyRelation[Template] = fields.ForeignKeyField("models.Template", related_name="versions")
    template_id: UUID
    subject = fields.TextField()
    kind = fields.CharField(max_length=8)
    source: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    body = fields.TextField()
    saved_at = fields.DatetimeField()  # when the template got this content

    class Meta:
        table = "template_versions"
        indexes = (("template_id", "id"), ("org_id", "id"))

    @classmethod
    async def keep_of(cls, template: Template) -> None:
        """Saves the locked template's content as a version, and deletes versions beyond VERSIONS."""
        await cls.create(
            org_id=template.org_id,
            template_id=template.id,
            subject=template.subject,
            kind=template.kind,
            source=template.source,
            body=template.body if template.source is None else "",
            saved_at=template.updated_at,
        )
        older = await cls.filter(template_id=template.id).order_by("-id").offset(VERSIONS).values_list("id", flat=True)
        if older:
            await cls.filter(id__in=older).delete()


class Brand(OrgModel):
    """The style of an organization's letters and pages for readers; without a row the defaults apply."""

    background = fields.CharField(max_length=7)
    text = fields.CharField(max_length=7)
    accent = fields.CharField(max_length=7)
    button = fields.CharField(max_length=7)
    font = fields.CharField(max_length=16)
    width = fields.IntField()
    logo_url = fields.TextField(null=True)
    address = fields.TextField(null=True)
    language = fields.CharField(max_length=2, default="en", db_default="en")  # of pages for readers
    texts: fields.Field[dict[str, str]] = fields.JSONField(default=dict, db_default={})  # own sentences, by their key
    # Templates of blocks with a higher ID must still be compiled with this brand; None: nothing to do.
    compile_after = fields.UUIDField(null=True)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "brands"
        unique_together = (("org_id",),)
        indexes = (("compile_after",),)

    @classmethod
    async def unfinished(cls) -> "list[Brand]":
        """The brands with templates that must still be compiled."""
        return await cls.exclude(compile_after=None).select_related("org")
