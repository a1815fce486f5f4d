"""Imports of contacts: the file, its progress, refused rows, and former values for an undo."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.base.indexes import IndexWhere
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import TableModel
from webapp.models.queries import lease


class ImportStatus(StrEnum):
    UPLOADED = "uploaded"  # columns are being assigned
    CHECKING = "checking"  # a dry run
    CHECKED = "checked"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNDOING = "undoing"
    UNDONE = "undone"


WITH_CHANGES = "'running', 'done', 'failed'"  # can be undone
AT_WORK = "'checking', 'running', 'undoing'"  # as in the index below


class ContactImport(OrgModel):
    """Its counts belong to the dry run, the run, or an undo (contacts deleted, restored, left unchanged)."""

    file_name = fields.CharField(max_length=255)
    size_bytes = fields.IntField()
    encoding = fields.CharField(max_length=32)
    delimiter = fields.CharField(max_length=1)
    header: fields.Field[list[str]] = fields.JSONField()  # the file's first row
    mapping: fields.Field[dict[str, str] | None] = fields.JSONField(null=True)  # column number to contact field
    # By column number, the types that the user chose for new custom fields.
    kinds: fields.Field[dict[str, str] | None] = fields.JSONField(null=True)
    overwrites = fields.BooleanField(default=True, db_default=True)  # existing contacts are updated
    has_left = fields.BooleanField(default=False, db_default=False)  # everyone in the file is unsubscribed
    # By column and key, the text and rows of each word that says who may get campaigns.
    words: fields.Field[dict[str, dict[str, tuple[str, int]]] | None] = fields.JSONField(null=True)
    answers: fields.Field[dict[str, dict[str, str]] | None] = fields.JSONField(null=True)  # the words' meanings
    segment_id = fields.UUIDField(null=True)  # which its contacts join
    new_segment = fields.CharField(max_length=200, null=True)  # the name of the segment to create
    new_fields: fields.Field[list[str] | None] = fields.JSONField(
        null=True
    )  # the name keys of custom fields it created
    status = fields.CharField(max_length=16, default=ImportStatus.UPLOADED)
    made_by = fields.UUIDField(null=True)
    made_by_name = fields.CharField(max_length=254)
    next_line = fields.IntField(default=0, db_default=0)  # in the file, from 0; earlier lines are done
    next_byte = fields.BigIntField(default=0, db_default=0)  # where that line begins
    lease_until = fields.DatetimeField(null=True)
    created_count = fields.IntField(default=0, db_default=0)
    changed_count = fields.IntField(default=0, db_default=0)
    unchanged_count = fields.IntField(default=0, db_default=0)
    repeated_count = fields.IntField(default=0, db_default=0)  # rows whose contact occurred before
    refused_count = fields.IntField(default=0, db_default=0)
    misfit_count = fields.IntField(default=0, db_default=0)  # imported cells that do not fit their field's type
    excluded_count = fields.IntField(default=0, db_default=0)  # contacts that get no campaigns
    failure = fields.TextField(null=True)
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "contact_imports"
        indexes = (
            ("org_id", "id"),
            ("created_at",),
            IndexWhere(fields=("id",), name="imports_at_work", where="status IN ('checking', 'running', 'undoing')"),
        )

    @classmethod
    async def waiting(cls) -> list[UUID]:
        return await db.fetch_ids(
            f"SELECT id FROM contact_imports WHERE status IN ({AT_WORK}) AND {lease.is_free()} ORDER BY id"
        )

    @classmethod
    async def lease(cls, import_id: UUID, seconds: int) -> bool:
        """False if another worker holds the lease."""
        return await lease.lease("contact_imports", import_id, seconds, f"status IN ({AT_WORK})") is not None

    async def extend_lease(self, seconds: int) -> None:
        await lease.extend("contact_imports", self.id, seconds)

    @classmethod
    async def release(cls, import_id: UUID) -> None:
        await cls.filter(id=import_id).update(lease_until=None)


class ImportChunk(TableModel):
    contact_import: fields.ForeignKeyRelation[ContactImport] = fields.ForeignKeyField(
        "models.ContactImport", related_name="chunks"
    )
    contact_import_id: UUID
    number = fields.IntField()
    data = fields.BinaryField()

    class Meta:
        table = "import_chunks"
        unique_together = (("contact_import_id", "number"),)


class ImportRefusal(TableModel):
    contact_import: fields.ForeignKeyRelation[ContactImport] = fields.ForeignKeyField(
        "models.ContactImport", related_name="refusals"
    )
    contact_import_id: UUID
    line = fields.IntField()
    reason = fields.CharField(max_length=500)
    cells: fields.Field[list[str]] = fields.JSONField()
    is_imported = fields.BooleanField(default=False, db_default=False)  # although a value does not fit its field

    class Meta:
        table = "import_refusals"
        unique_together = (("contact_import_id", "line"),)


class ImportChange(TableModel):
    contact_import: fields.ForeignKeyRelation[ContactImport] = fields.ForeignKeyField(
        "models.ContactImport", related_name="changes"
    )
    contact_import_id: UUID
    contact_id = fields.UUIDField()
    # The changed values, with choices by topic as `topics`; null for a new contact.
    before: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    after: fields.Field[dict[str, Any]] = fields.JSONField()  # if the contact differs, it was changed since
    is_joined = fields.BooleanField(default=False, db_default=False)  # the contact joined the segment

    class Meta:
        table = "import_changes"
        unique_together = (("contact_import_id", "contact_id"),)
        indexes = (("contact_id",),)

    @classmethod
    async def of_contacts(cls, import_id: UUID, contact_ids: Collection[UUID]) -> list[Self]:
        return await cls._lookup("contact_import_id", import_id, "contact_id", contact_ids)

    @classmethod
    async def of_others(cls, held: ContactImport, contact_ids: Collection[UUID], since: datetime) -> list[Self]:
        """Changes of these contacts by the organization's other imports that can still be undone."""
        # MATERIALIZED because PostgreSQL's cached plan would begin with the imports.
        changes = f"SELECT * FROM import_changes WHERE contact_id {db.dialect().among('$1')}"
        query = f"""WITH c AS MATERIALIZED ({changes})
            SELECT c.* FROM c JOIN contact_imports i ON i.id = c.contact_import_id WHERE i.org_id = $2 AND i.id <> $3
            AND i.status IN ({WITH_CHANGES}) AND (i.finished_at IS NULL OR i.finished_at > $4)"""
        rows = await db.records(query, list(contact_ids), held.org_id, held.id, since)
        return [cls._init_from_db(**dict(row)) for row in rows]
