"""Images for emails and PDFs, and the files that hold them."""

from collections.abc import Collection
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.db import dialects
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import TableModel

PDF = "application/pdf"
DROPPED_AT_ONCE, LEASE_SECONDS, MOMENT_SECONDS = 20, 600, 60
IS_NAMED = """(EXISTS (SELECT 1 FROM media m WHERE m.hash = media_files.hash)
    OR EXISTS (SELECT 1 FROM content_files f WHERE f.hash = media_files.hash))"""


class Media(OrgModel):
    """A file of one organization; others may have the same bytes without seeing this row."""

    hash = fields.CharField(max_length=64)  # SHA-256 of the stored bytes in hexadecimal
    name = fields.CharField(max_length=200)
    type = fields.CharField(max_length=32)  # like image/png
    width = fields.IntField()  # pixels; 0 for a PDF
    height = fields.IntField()
    bytes = fields.IntField()

    @classmethod
    async def lock_all(cls, org_id: UUID, ids: Collection[UUID]) -> None:
        """Locks the rows against deletion until the transaction ends."""
        sql = db.dialect()
        query = f"SELECT id FROM media WHERE org_id = $1 AND id {sql.among('$2')} ORDER BY id"
        await db.fetch(f"{query} {sql.lock('FOR KEY SHARE')}", org_id, list(ids))

    @property
    def is_pdf(self) -> bool:
        return self.type == PDF

    class Meta:
        table = "media"
        unique_together = (("org_id", "hash"),)
        indexes = (("org_id", "id"), ("hash",))


class MediaFile(TableModel):
    """A stored file; if no organization's library or run names it, it is marked, deleted and then forgotten.

    The row exists before and after the file, so none is lost. Marked files must not be named.
    """

    hash = fields.CharField(max_length=64, unique=True)
    dropped_at = fields.DatetimeField(null=True)

    class Meta:
        table = "media_files"

    @classmethod
    async def newest(cls, limit: int) -> list[str]:
        return [media.hash for media in await Media.all().order_by("-id").limit(limit).only("hash")]

    @classmethod
    async def named(cls) -> list[str]:
        query = "SELECT hash FROM media UNION SELECT hash FROM content_files ORDER BY hash"
        return [hash_ for (hash_,) in await db.records(query)]

    @classmethod
    async def register(cls, hash_: str) -> bool:
        """Inserts the row unless it exists; False while the file is being deleted."""
        await cls.bulk_create([cls(hash=hash_)], ignore_conflicts=True)
        given_up = f"dropped_at < {db.dialect().later(f'-{LEASE_SECONDS}')}"
        await db.fetch(f"UPDATE media_files SET dropped_at = NULL WHERE hash = $1 AND {given_up} RETURNING id", hash_)
        return await cls.filter(hash=hash_, dropped_at=None).exists()

    @classmethod
    async def lock_to_name(cls, hash_: str) -> bool:
        """Locks the file against deletion until the transaction ends; False if it is being deleted or gone."""
        lock = db.dialect().lock("FOR KEY SHARE")
        return bool(await db.fetch(f"SELECT id FROM media_files WHERE hash = $1 AND dropped_at IS NULL {lock}", hash_))

    @classmethod
    async def mark_unnamed(cls) -> dict[UUID, str]:
        """Marks unnamed files and returns their hashes by row ID; call it in a transaction.

        The caller must delete them within LEASE_SECONDS; afterwards another may.
        """
        sql = db.dialect()
        is_free = f"(dropped_at IS NULL OR dropped_at < {sql.later(f'-{LEASE_SECONDS}')}) AND NOT {IS_NAMED}"
        unnamed_ids = await db.fetch_ids(
            f"""SELECT id FROM media_files WHERE {is_free}
                ORDER BY id LIMIT {DROPPED_AT_ONCE} {sql.lock("FOR UPDATE SKIP LOCKED")}"""
        )
        # Checked again behind the locks, because a file may have been named since the first statement.
        rows = await db.fetch(
            f"""UPDATE media_files SET dropped_at = {sql.now} WHERE id {sql.among("$1")} AND {is_free}
                RETURNING id, hash""",
            unnamed_ids,
        )
        return {dialects.as_uuid(row["id"]): row["hash"] for row in rows}

    @classmethod
    async def give_up(cls, ids: Collection[UUID]) -> None:
        """Ends the lease of marked files in a moment, because a request to delete one may still be in flight."""
        sql = db.dialect()
        end = sql.later(f"{MOMENT_SECONDS - LEASE_SECONDS}")
        await db.fetch(f"UPDATE media_files SET dropped_at = {end} WHERE id {sql.among('$1')} RETURNING id", list(ids))
