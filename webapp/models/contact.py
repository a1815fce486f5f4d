"""Contacts, the people that an organization writes to, and changes of many of them."""

import json
import unicodedata
from collections.abc import Collection, Iterable
from datetime import timedelta
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from tortoise import fields

from webapp import clock, db
from webapp.models.base import IndexWhere, JsonIndex, OrgModel
from webapp.models.organization import Organization
from webapp.models.row import TableModel

# The fields that merge tags show before custom fields of the same names.
STANDARD_FIELDS = ("email", "first_name", "last_name", "phone")


class ContactStatus(StrEnum):
    SUBSCRIBED = "subscribed"
    UNSUBSCRIBED = "unsubscribed"


class Contact(OrgModel):
    are_read_together = True

    email = fields.CharField(max_length=254)
    email_key = fields.CharField(max_length=254)  # `email`, which is as written, in lower case; unique
    first_name = fields.CharField(max_length=200, null=True)
    last_name = fields.CharField(max_length=200, null=True)
    phone = fields.CharField(max_length=64, null=True)
    custom_fields: fields.Field[dict[str, Any]] = fields.JSONField()
    search_text = fields.TextField()  # address, names and phone in their search form, for `q`
    # All fields in their search form, by their names in it, for filters (models/queries/segment_filter).
    filter_values: fields.Field[dict[str, Any]] = fields.JSONField(default=dict, db_default={})
    status = fields.CharField(max_length=16, default=ContactStatus.SUBSCRIBED)
    unsubscribed_at = fields.DatetimeField(null=True)
    unsubscribed_campaign_id = fields.UUIDField(null=True)  # of the link that unsubscribed, if it was one
    bounced_at = fields.DatetimeField(null=True)
    do_not_track = fields.BooleanField(default=False, db_default=False)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "contacts"
        unique_together = (("org_id", "email_key"),)
        indexes = (
            ("org_id", "id"),
            ("org_id", "status", "id"),
            IndexWhere(fields=("org_id", "bounced_at"), name="contacts_bounced", where="bounced_at IS NOT NULL"),
            JsonIndex(fields=("filter_values",), name="contacts_filter_values"),
        )

    @classmethod
    async def listed(cls, ids: Iterable[UUID]) -> list[Self]:
        """The contacts, newest first; the ids must come from an organization's own rows."""
        # It is not named: PostgreSQL would scan all its contacts while it expects them to be few.
        query = f"SELECT * FROM contacts WHERE id {db.dialect().among('$1')} ORDER BY id DESC"
        return [cls._init_from_db(**dict(row)) for row in await db.records(query, list(ids))]

    @classmethod
    async def with_keys(cls, org: Organization, keys: Collection[str]) -> list[Self]:
        return await cls._lookup("org_id", org.id, "email_key", keys)

    @classmethod
    async def lock_many(cls, org: Organization, ids: Collection[UUID]) -> list[Self]:
        """Locks and returns the contacts that exist, in the order of their ids."""
        return await cls._lookup("org_id", org.id, "id", ids, lock=True)

    @classmethod
    async def save_fields(cls, contacts: Iterable[Self]) -> None:
        """Saves the fields and status of locked contacts in one statement."""
        await db.run_many(
            """UPDATE contacts SET first_name = $1, last_name = $2, phone = $3, custom_fields = $4, search_text = $5,
               filter_values = $6, status = $7, unsubscribed_at = $8, unsubscribed_campaign_id = $9, updated_at = $10
               WHERE id = $11""",
            [
                [
                    contact.first_name,
                    contact.last_name,
                    contact.phone,
                    json.dumps(contact.custom_fields),
                    contact.search_text,
                    json.dumps(contact.filter_values, ensure_ascii=False),
                    contact.status,
                    contact.unsubscribed_at,
                    contact.unsubscribed_campaign_id,
                    clock.now(),
                    contact.id,
                ]
                for contact in contacts
            ],
        )


class ConsentLine(TableModel):
    """A line of the consent log, deleted when it is known to be written to it."""

    contact_id: UUID = fields.UUIDField(db_index=True)
    text = fields.TextField()

    class Meta:
        table = "consent_lines"

    @classmethod
    async def is_any_older_than(cls, seconds: float) -> bool:
        return await cls.filter(created_at__lt=clock.now() - timedelta(seconds=seconds)).exists()


def search_form(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


class BulkAction(StrEnum):
    SEGMENT = "segment"
    UNSUBSCRIBE = "unsubscribe"
    DELETE = "delete"


class BulkChange(OrgModel):
    """A change of all contacts that a search finds, which a worker makes batch by batch.

    It reaches contacts older than itself, the newest first, and at most as many as were found when it was made.
    """

    action = fields.CharField(max_length=16)
    filters: fields.Field[dict[str, Any]] = fields.JSONField()
    segment_id = fields.UUIDField(null=True)  # which the contacts join
    total = fields.IntField()
    reached_count = fields.IntField(default=0)
    changed_count = fields.IntField(default=0)  # of those reached: new members, unsubscribed or deleted contacts
    last_id = fields.UUIDField()  # of the contacts reached; at first its own
    failure = fields.TextField(null=True)
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "bulk_changes"
        indexes = (
            ("org_id", "id"),
            IndexWhere(fields=("id",), name="bulk_changes_unfinished", where="finished_at IS NULL"),
        )

    @classmethod
    async def unfinished(cls) -> list[UUID]:
        return await db.fetch_ids("SELECT id FROM bulk_changes WHERE finished_at IS NULL ORDER BY id")
