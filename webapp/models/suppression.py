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
from webapp.models.base.org_model import OrgModel

EVERYONE = "*"  # the local part of a domain's entry
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


def domain_key(key: str) -> str:
    """The key of the entry for the address's whole domain."""
    return f"{EVERYONE}@{key.rpartition('@')[2]}"
