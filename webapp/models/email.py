"""Transactional emails, contents, attachments, and messages in the sandbox inbox."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.db import dialects
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import Json
from webapp.models.organization import Organization

SUBJECT_KEY = 200  # characters
MOST_BYTES = 2**30


class Content(OrgModel):
    """Subject and bodies, stored once for all rows that share them; a template's contain merge tags."""

    subject = fields.TextField()
    html: fields.Field[str | None] = fields.TextField(null=True)  # type: ignore[assignment]  # its type ignores null
    text: fields.Field[str | None] = fields.TextField(null=True)  # type: ignore[assignment]
    is_template = fields.BooleanField(default=False, db_default=False)
    # A campaign's overrides; None: the account's values and no Reply-To.
    from_name = fields.CharField(max_length=200, null=True)
    from_email = fields.CharField(max_length=254, null=True)
    reply_to = fields.CharField(max_length=254, null=True)

    class Meta:
        table = "contents"
        indexes = (("org_id",),)

    @classmethod
    async def sizes(cls, org: Organization, content_ids: Iterable[UUID]) -> dict[UUID, int]:
        sql = db.dialect()
        size = " + ".join(f"COALESCE({sql.octets(column)}, 0)" for column in ("subject", "html", "text"))
        query = f"SELECT id, {size} AS size FROM contents WHERE org_id = $1 AND id {sql.among('$2')}"
        rows = await db.fetch(query, org.id, list(content_ids))
        return {dialects.as_uuid(row["id"]): row["size"] for row in rows}


class ContentFile(OrgModel):
    """An attachment of all emails of a run; its file stays stored when the media library's row is deleted."""

    content: fields.ForeignKeyRelation[Content] = fields.ForeignKeyField("models.Content", related_name="files")
    content_id: UUID
    position = fields.SmallIntField()
    filename = fields.CharField(max_length=255)
    content_type = fields.CharField(max_length=255)
    size = fields.IntField()
    hash = fields.CharField(max_length=64)  # of the media library's file

    class Meta:
        table = "content_files"
        indexes = (("content_id", "position"), ("hash",))


class Email(OrgModel):
    """One MIME message; its ID is that of its first mail log row."""

    large_columns = frozenset({"source"})

    account_id = fields.UUIDField()
    content_id = fields.UUIDField()
    template_id = fields.UUIDField(null=True)
    topic_id = fields.UUIDField(null=True)
    message_id = fields.CharField(max_length=320)
    sender = fields.TextField()  # `Name <address>`
    # {"to": [...], "cc": [...], "bcc": [...], "reply_to": [...]}, each `Name <address>`
    addresses: fields.Field[dict[str, list[str]]] = fields.JSONField()
    headers: fields.Field[dict[str, str]] = fields.JSONField()
    tags: fields.Field[list[dict[str, str]]] = fields.JSONField()
    variables: fields.Field[dict[str, Any]] = fields.JSONField()
    scheduled_at = fields.DatetimeField(null=True)
    size = fields.IntField(default=0)  # bytes of bodies and attachments or of `source`, for planning memory
    from_key = fields.CharField(max_length=254, null=True)  # to find it by
    subject_key = fields.CharField(max_length=SUBJECT_KEY, null=True)
    # The message that was submitted by SMTP, as it is sent; its content's bodies are only shown. Up to 40 MB.
    source: fields.Field[bytes | None] = fields.BinaryField(null=True)

    class Meta:
        table = "emails"
        indexes = (("org_id", "id"), ("org_id", "from_key", "id"), ("org_id", "subject_key", "id"))

    async def has_source(self) -> bool:
        return await type(self).filter(id=self.id, source__not_isnull=True).exists()

    async def read_source(self, most: int = MOST_BYTES) -> bytes | None:
        """The first bytes of its source, if it has one."""
        query = "SELECT substr(source, 1, $2) FROM emails WHERE id = $1"
        source = await db.fetch_value(query, self.id, most)
        return None if source is None else bytes(source)


class EmailTag(OrgModel):
    """A tag of an email, once as `name` and once as `name:value`, to find it by."""

    email: fields.ForeignKeyRelation[Email] = fields.ForeignKeyField("models.Email", related_name="email_tags")
    email_id: UUID
    tag = fields.CharField(max_length=513)

    class Meta:
        table = "email_tags"
        unique_together = (("org_id", "tag", "email_id"),)
        indexes = (("email_id",),)


def subject_key(subject: str) -> str:
    return subject[:SUBJECT_KEY].lower()[:SUBJECT_KEY]


class ContentRow(NamedTuple):
    id: UUID
    org_id: UUID
    subject: str
    html: str | None
    text: str | None


class EmailRow(NamedTuple):
    id: UUID
    org_id: UUID
    account_id: UUID
    content_id: UUID
    template_id: UUID | None
    topic_id: UUID | None
    message_id: str
    sender: str
    addresses: Json
    headers: Json
    tags: Json
    variables: Json
    scheduled_at: datetime | None
    size: int
    from_key: str
    subject_key: str
    source: bytes | None = None


class EmailTagRow(NamedTuple):
    id: UUID
    org_id: UUID
    email_id: UUID
    tag: str


class Attachment(OrgModel):
    """A file of an email; an inline image (RFC 2392) if it has a `content_id`."""

    email: fields.ForeignKeyRelation[Email] = fields.ForeignKeyField("models.Email", related_name="attachments")
    email_id: UUID
    position = fields.SmallIntField()
    filename = fields.CharField(max_length=255)
    content_type = fields.CharField(max_length=255)
    content_id = fields.CharField(max_length=255, null=True)
    size = fields.IntField()
    data = fields.BinaryField()

    class Meta:
        table = "attachments"
        indexes = (("email_id", "position"),)


class SandboxMail(OrgModel):
    mail_from = fields.CharField(max_length=320)
    from_header = fields.TextField(null=True)  # None in messages from before this column
    rcpt_tos: fields.Field[list[str]] = fields.JSONField()
    subject = fields.TextField()
    size = fields.IntField()
    data = fields.BinaryField()

    class Meta:
        table = "sandbox_mails"
        indexes = (("org_id", "id"),)
