"""Addresses and domains that an organization sends nothing to."""

from collections.abc import Collection, Mapping
from datetime import UTC
from enum import StrEnum
from typing import Self
from uuid import UUID

from tortoise import fields
from uuid_utils.compat import uuid7

from webapp import db
from webapp.addresses import email_key
from webapp.models.base.indexes import IndexWhere
from webapp.models.base.org_model import OrgModel
from webapp.models.instance import sign
from webapp.models.queries import lease

EVERYONE = "*"  # the local part of a domain's entry
ERASED_VALUE = "erased"  # in place of an erased address
JOBS_AT_ONCE = 20  # that erase, and take their batches in turn
ERASED = "erased on "  # the prefix of a row's error; the day follows
COLUMNS = {
    **dict.fromkeys(("id", "org_id"), "uuid"),
    **dict.fromkeys(("email", "email_key", "reason"), "text"),
    "mail_log_id": "uuid",
}


class SuppressionReason(StrEnum):
    BOUNCE = "bounce"
    COMPLAINT = "complaint"
    MANUAL = "manual"
    IMPORT = "import"


class Suppression(OrgModel):
    """An address, or with `*` as its local part a whole domain."""

    email = fields.CharField(max_length=254)
    email_key = fields.CharField(max_length=254)  # `email` in lower case, like contacts' keys
    reason = fields.CharField(max_length=16)
    mail_log_id = fields.UUIDField(null=True)  # the email that bounced or was complained about

    class Meta:
        table = "suppressions"
        unique_together = (("org_id", "email_key"),)
        indexes = (("org_id", "id"),)

    @property
    def is_domain(self) -> bool:
        return self.email_key.startswith(f"{EVERYONE}@")

    @property
    def words(self) -> str:
        """Why and since when nothing is sent, with the entry if it is the domain's."""
        entry = f"{self.email}, " if self.is_domain else ""
        return f"{entry}{self.reason} on {self.created_at.astimezone(UTC):%Y-%m-%d}"

    @classmethod
    async def with_keys(cls, org_id: UUID, keys: Collection[str]) -> list[Self]:
        return await cls._lookup("org_id", org_id, "email_key", keys)

    @classmethod
    async def insert_new(cls, org_id: UUID, emails: Mapping[str, UUID | None], reason: str) -> set[str]:
        """Inserts missing ones of these normalized addresses with their mail logs; returns their keys."""
        sql, names = db.dialect(), ", ".join(COLUMNS)
        entries = sorted((email_key(email), email) for email in emails)  # ordered, so that two never deadlock
        insert = f"""INSERT INTO suppressions ({names}, created_at) SELECT {names}, {sql.now} FROM {sql.table(COLUMNS)}
            WHERE true ON CONFLICT (org_id, email_key) DO NOTHING RETURNING email_key"""
        rows = [(uuid7(), org_id, email, key, reason, emails[email]) for key, email in entries]
        return {key for (key,) in await db.records(insert, *sql.table_values(rows))} if rows else set()


class Tombstone(OrgModel):
    """An erased address, known only by its keyed hash; also the job that erases it everywhere."""

    digest = fields.CharField(max_length=43)
    # Until the job is done:
    email = fields.CharField(max_length=254, null=True)
    contact_id = fields.UUIDField(null=True)
    step = fields.SmallIntField(default=0)
    last_id = fields.UUIDField(null=True)  # the last row that the step has read
    next_at = fields.DatetimeField(null=True)  # when the job goes on

    class Meta:
        table = "tombstones"
        unique_together = (("org_id", "digest"),)
        indexes = (IndexWhere(fields=("next_at",), name="tombstones_unfinished", where="next_at IS NOT NULL"),)

    @property
    def words(self) -> str:
        return f"{ERASED}{self.created_at.astimezone(UTC):%Y-%m-%d}"

    @classmethod
    async def words_against(cls, org_id: UUID, keys: Collection[str]) -> dict[str, str]:
        """Since when these addresses are erased, by their keys, for those that are."""
        by_digest = {address_digest(org_id, key): key for key in keys}
        return {by_digest[row.digest]: row.words for row in await cls._lookup("org_id", org_id, "digest", by_digest)}

    @classmethod
    async def due(cls) -> list[UUID]:
        """Some of the jobs, of all organizations in turn."""
        due = f"next_at <= {db.dialect().now}"
        return await lease.in_turn("tombstones", due, JOBS_AT_ONCE, first="next_at", then="next_at, id")


def address_digest(org_id: UUID, key: str) -> str:
    return sign("erased address", f"{org_id} {key}")


def domain_key(key: str) -> str:
    """The key of the entry for the address's whole domain."""
    return f"{EVERYONE}@{key.rpartition('@')[2]}"
