"""Imports of contacts: the file, the progress, the refused rows, and the contacts' former values."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.base import IndexWhere, OrgModel
from webapp.models.row import TableModel


class ImportStatus(StrEnum):
    UPLOADED = "uploaded"  # the person chooses what its columns mean
    CHECKING = "checking"  # a dry run
    CHECKED = "checked"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNDOING = "undoing"
    UNDONE = "undone"


WITH_CHANGES = "'running', 'done', 'failed'"  # of contacts, which an undo takes back
AT_WORK = "'checking', 'running', 'undoing'"  # as in the index below


class ContactImport(OrgModel):
    """A file; its counts are the dry run's, the run's, or an undo's: contacts deleted, restored, left as they are."""

    file_name = fields.CharField(max_length=255)
    size_bytes = fields.IntField()
    encoding = fields.CharField(max_length=32)
    delimiter = fields.CharField(max_length=1)
    header: fields.Field[list[str]] = fields.JSONField()  # the first row of the file
    mapping: fields.Field[dict[str, str] | None] = fields.JSONField(null=True)  # a column's number to a contact's field
    overwrites = fields.BooleanField(default=True, db_default=True)  # known contacts are changed too
    has_left = fields.BooleanField(default=False, db_default=False)  # everyone in the file is unsubscribed
    # The words of the file that say who may get campaigns: the text and the rows of each, by its key, by a column.
    words: fields.Field[dict[str, dict[str, list[Any]]] | None] = fields.JSONField(null=True)
    answers: fields.Field[dict[str, dict[str, str]] | None] = fields.JSONField(null=True)  # their meanings, likewise
    segment_id = fields.UUIDField(null=True)  # which its contacts join
    new_segment = fields.CharField(max_length=200, null=True)  # its name, if the import makes it
    status = fields.CharField(max_length=16, default=ImportStatus.UPLOADED)
    made_by = fields.UUIDField(null=True)
    made_by_name = fields.CharField(max_length=254)
    next_line = fields.IntField(default=0, db_default=0)  # of the file, from 0: the lines before it are done
    next_byte = fields.BigIntField(default=0, db_default=0)  # where that line begins
    lease_until = fields.DatetimeField(null=True)  # of the worker
    created_count = fields.IntField(default=0, db_default=0)
    changed_count = fields.IntField(default=0, db_default=0)
    unchanged_count = fields.IntField(default=0, db_default=0)
    repeated_count = fields.IntField(default=0, db_default=0)  # rows of contacts that an earlier row had
    refused_count = fields.IntField(default=0, db_default=0)
    excluded_count = fields.IntField(default=0, db_default=0)  # contacts that get no campaigns
    failure = fields.TextField(null=True)  # the reason of a failure
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
            f"""SELECT id FROM contact_imports WHERE status IN ({AT_WORK})
                AND (lease_until IS NULL OR lease_until < {db.dialect().now}) ORDER BY id"""
        )

    @classmethod
    async def lease(cls, import_id: UUID, seconds: int) -> bool:
        """Leases the import for `seconds`; False when another worker has it."""
        sql = db.dialect()
        update = f"""UPDATE contact_imports SET lease_until = {sql.later(str(seconds))}
            WHERE id = $1 AND status IN ({AT_WORK})
            AND (lease_until IS NULL OR lease_until < {sql.now}) RETURNING id"""
        return bool(await db.fetch(update, import_id))

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

    class Meta:
        table = "import_refusals"
        unique_together = (("contact_import_id", "line"),)


class ImportChange(TableModel):
    contact_import: fields.ForeignKeyRelation[ContactImport] = fields.ForeignKeyField(
        "models.ContactImport", related_name="changes"
    )
    contact_import_id: UUID
    contact_id = fields.UUIDField()
    before: fields.Field[dict[str, Any] | None] = fields.JSONField(
        null=True
    )  # the changed values; null for a new contact
    after: fields.Field[dict[str, Any]] = fields.JSONField()  # a contact with other values was changed since
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
        """The changes of these contacts by the organization's other imports that can be undone since then."""
        # Materialized, as PostgreSQL's cached plan would begin with the imports.
        changes = f"SELECT * FROM import_changes WHERE contact_id {db.dialect().among('$1')}"
        query = f"""WITH c AS MATERIALIZED ({changes})
            SELECT c.* FROM c JOIN contact_imports i ON i.id = c.contact_import_id WHERE i.org_id = $2 AND i.id <> $3
            AND i.status IN ({WITH_CHANGES}) AND (i.finished_at IS NULL OR i.finished_at > $4)"""
        rows = await db.records(query, list(contact_ids), held.org_id, held.id, since)
        return [cls._init_from_db(**dict(row)) for row in rows]
