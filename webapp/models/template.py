"""Templates: a subject and a body with merge tags."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from tortoise import fields

from webapp.models.base import OrgModel

VERSIONS = 20  # kept of a template beside its content of now


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
    versions: fields.ReverseRelation["TemplateVersion"]

    class Meta:
        table = "templates"
        indexes = (("org_id", "id"),)

    @property
    def blocks(self) -> list[dict[str, Any]] | None:
        return (self.source or {}).get("blocks")

    @property
    def mjml(self) -> str | None:
        return (self.source or {}).get("mjml")

    @property
    def has_compiled_body(self) -> bool:
        return self.kind in (TemplateKind.BLOCKS, TemplateKind.MJML)


class TemplateVersion(OrgModel):
    """The subject and content of a template before a change; `body` is empty where `source` is compiled."""

    template: fields.ForeignKeyRelation[Template] = fields.ForeignKeyField("models.Template", related_name="versions")
    template_id: UUID
    subject = fields.TextField()
    kind = fields.CharField(max_length=8)
    source: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    body = fields.TextField()
    saved_at = fields.DatetimeField()  # when the template was saved with it

    class Meta:
        table = "template_versions"
        indexes = (("template_id", "id"), ("org_id", "id"))

    @property
    def blocks(self) -> list[dict[str, Any]] | None:
        return (self.source or {}).get("blocks")

    @property
    def mjml(self) -> str | None:
        return (self.source or {}).get("mjml")

    @classmethod
    async def keep_of(cls, template: Template) -> None:
        """Saves the locked template's content as a version, and deletes all but the newest VERSIONS."""
        await cls.create(
            org_id=template.org_id,
            template_id=template.id,
            subject=template.subject,
            kind=template.kind,
            source=template.source,
            body="" if template.has_compiled_body else template.body,
            saved_at=template.updated_at,
        )
        older = await cls.filter(template_id=template.id).order_by("-id").offset(VERSIONS).values_list("id", flat=True)
        if older:
            await cls.filter(id__in=older).delete()


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
