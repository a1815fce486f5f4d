"""Contacts and bulk changes of them."""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from tortoise import fields
from tortoise.expressions import F, Q

from webapp import clock, contact_fields, db
from webapp.contact_fields import CONTACT_FIELDS, ContactField, FieldKind
from webapp.languages.spelling import search_form
from webapp.models.base.indexes import DomainIndex, IndexWhere, JsonIndex, PrefixIndex
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import TableModel
from webapp.models.organization import Organization

INPUT_FIELDS = tuple(field for field in CONTACT_FIELDS if not field.is_recorded)
CHOICES = tuple(field for field in CONTACT_FIELDS if field.is_choice)
# The fields that merge tags prefer over custom fields of the same name.
STANDARD_FIELDS = tuple(field.name for field in CONTACT_FIELDS if field.kind in (FieldKind.EMAIL, FieldKind.TEXT))
FILTERED_TEXTS = (*STANDARD_FIELDS, *(field.name for field in CONTACT_FIELDS if field.kind is FieldKind.LANGUAGE))
NAMES = tuple(field.name for field in CONTACT_FIELDS if field.is_name)
PLAIN_NAMES = tuple(f"plain_{name}" for name in NAMES)  # in `filter_values` of contacts whose names have accents
SAVED = (
    *(field.name for field in INPUT_FIELDS if field.kind is not FieldKind.EMAIL),
    *("search_text", "filter_values", "unsubscribed_at", "unsubscribed_campaign_id", "chosen_at", "updated_at"),
)


class ContactStatus(StrEnum):
    SUBSCRIBED = contact_fields.SUBSCRIBED
    UNSUBSCRIBED = contact_fields.UNSUBSCRIBED


COLUMNS: Mapping[FieldKind, Callable[[ContactField], fields.Field[Any]]] = {
    FieldKind.EMAIL: lambda field: fields.CharField(max_length=field.max_length),
    FieldKind.TEXT: lambda field: fields.CharField(max_length=field.max_length, null=True),
    FieldKind.CUSTOM: lambda _: fields.JSONField(),
    FieldKind.STATUS: lambda _: fields.CharField(max_length=16, default=ContactStatus.SUBSCRIBED),
    FieldKind.BOOLEAN: lambda _: fields.BooleanField(default=False, db_default=False),
    FieldKind.TIME: lambda _: fields.DatetimeField(null=True),
    FieldKind.LANGUAGE: lambda field: fields.CharField(max_length=field.max_length, null=True),
}


class Contact(OrgModel):
    are_read_together = True

    # Types of the declared fields that are used by name.
    email: str
    phone: str | None
    custom_fields: dict[str, Any]
    status: str
    unsubscribed_at: datetime | None
    bounced_at: datetime | None
    do_not_track: bool
    language: str | None
    paused_until: datetime | None
    vars().update({field.name: COLUMNS[field.kind](field) for field in CONTACT_FIELDS})

    email_key = fields.CharField(max_length=254)  # `email` in lower case; unique
    search_text = fields.TextField()  # address, names and phone in their search form and without accents, for `q`
    # All fields by name in their search form, for filters (models/queries/contacts/segment_filter), and PLAIN_NAMES.
    filter_values: fields.Field[dict[str, Any]] = fields.JSONField(default=dict, db_default={})
    unsubscribed_campaign_id = fields.UUIDField(null=True)  # whose link unsubscribed the contact, if any
    chosen_at = fields.DatetimeField(null=True)  # the latest choice by the person or on their behalf
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "contacts"
        unique_together = (("org_id", "email_key"),)
        indexes = (
            ("org_id", "id"),
            ("org_id", "status", "id"),
            IndexWhere(fields=("org_id", "bounced_at"), name="contacts_bounced", where="bounced_at IS NOT NULL"),
            IndexWhere(fields=("org_id", "id"), name="contacts_untracked", where="do_not_track"),
            IndexWhere(fields=("org_id", "paused_until"), name="contacts_paused", where="paused_until IS NOT NULL"),
            JsonIndex(fields=("filter_values",), name="contacts_filter_values"),
            DomainIndex(fields=("org_id", "email_key"), name="contacts_domain"),  # for suppressed domains
            # For webapp/models/queries/contacts/contact_prefix.
            PrefixIndex(fields=("org_id", "email_key"), name="contacts_address"),
            PrefixIndex(fields=("org_id", "filter_values"), name="contacts_first_name", members=NAMES),
            PrefixIndex(fields=("org_id", "filter_values"), name="contacts_last_name", members=NAMES[1:]),
            PrefixIndex(
                fields=("org_id", "filter_values"), name="contacts_plain_first", members=PLAIN_NAMES, is_partial=True
            ),
            PrefixIndex(
                fields=("org_id", "filter_values"), name="contacts_plain_last", members=PLAIN_NAMES[1:], is_partial=True
            ),
        )

    @classmethod
    async def listed(cls, ids: Sequence[UUID]) -> list[Self]:
        """The contacts, newest first; the ids must come from the organization's own rows."""
        if not ids:
            return []
        # Without the organization, because PostgreSQL would scan all its contacts if it expects few.
        query = f"SELECT * FROM contacts WHERE id {db.dialect().among('$1')} ORDER BY id DESC"
        rows = await db.records(query, ids)
        # In a thread, because exports read 500 at a time, and parsing custom fields is slow.
        return await asyncio.to_thread(lambda: [cls._init_from_db(**dict(row)) for row in rows])

    @classmethod
    async def with_keys(cls, org: Organization, keys: Collection[str]) -> list[Self]:
        return await cls._lookup("org_id", org.id, "email_key", keys)

    @classmethod
    async def lock_many(cls, org: Organization, ids: Collection[UUID]) -> list[Self]:
        """Locks and returns the contacts that exist, in the order of their ids."""
        return await cls._lookup("org_id", org.id, "id", ids, lock=True)

    @classmethod
    async def record_bounces(cls, org_id: UUID, keys: Mapping[UUID, str]) -> None:
        """Marks the contacts that still have these addresses, locking them in order."""
        update = "UPDATE contacts SET bounced_at = $1 WHERE id = $2 AND org_id = $3 AND email_key = $4"
        await db.run_many(update, [[clock.now(), contact_id, org_id, keys[contact_id]] for contact_id in sorted(keys)])

    @classmethod
    async def record_activity(cls, seen: Mapping[UUID, datetime]) -> None:
        """Saves when contacts were last active, unless a later time is known; locks them in order."""
        update = """UPDATE contacts SET last_active_at = $1
            WHERE id = $2 AND (last_active_at IS NULL OR last_active_at < $1)"""
        await db.run_many(update, [[seen[contact_id], contact_id] for contact_id in sorted(seen)])

    @classmethod
    async def confirm_choices(cls, org: Organization, ids: Collection[UUID]) -> None:
        """Records that contacts repeated the choices they had already made."""
        not_since = Q(chosen_at=None) | Q(chosen_at__lt=F("unsubscribed_at"))
        await cls.of(org).filter(not_since, id__in=list(ids)).update(chosen_at=clock.now())

    @classmethod
    async def save_fields(cls, contacts: Iterable[Self]) -> None:
        """Saves locked contacts in one statement, except for their addresses."""
        assigned = ", ".join(f"{name} = ${number}" for number, name in enumerate(SAVED, 1))
        update = f"UPDATE contacts SET {assigned} WHERE id = ${len(SAVED) + 1}"
        now, rows = clock.now(), []
        for contact in contacts:
            contact.updated_at = now
            rows.append([*(_saved(contact, name) for name in SAVED), contact.id])
        await db.run_many(update, rows)

    @classmethod
    async def save_found_by(cls, contacts: Iterable[Self]) -> None:
        """Saves what searches and filters compare of locked contacts, which is no change of the contacts."""
        rows = [[_saved(contact, "filter_values"), contact.search_text, contact.id] for contact in contacts]
        await db.run_many("UPDATE contacts SET filter_values = $1, search_text = $2 WHERE id = $3", rows)

    @property
    def full_name(self) -> str:
        return " ".join(filter(None, (getattr(self, name) for name in NAMES)))


def _saved(contact: Contact, name: str) -> Any:
    value = getattr(contact, name)
    return json.dumps(value, ensure_ascii=name != "filter_values") if isinstance(value, dict) else value


class CustomFieldKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"


class CustomField(OrgModel):
    """How pages show a custom field; contacts may have others too."""

    name = fields.CharField(max_length=100)
    name_key = fields.CharField(max_length=200)  # in its search form, cut
    label = fields.CharField(max_length=100)
    kind = fields.CharField(max_length=8, default=CustomFieldKind.TEXT, db_default="text")
    position = fields.IntField(default=0, db_default=0)

    class Meta:
        table = "custom_fields"
        unique_together = (("org_id", "name_key"),)

    @classmethod
    def named(cls, org: Organization, name: str, **values: Any) -> Self:
        """A field that is not saved yet."""
        return cls(org_id=org.id, name=name, name_key=name_key(name), **{"label": name, **values})


class ConsentKind(StrEnum):
    FORM = "form"
    IMPORT = "import"
    API = "api"
    PERSON = "person"


class Consent(OrgModel):
    """How and when a choice of a contact came about."""

    contact: fields.ForeignKeyRelation[Contact] = fields.ForeignKeyField("models.Contact", related_name="consents")
    contact_id: UUID
    kind = fields.CharField(max_length=8)
    text = fields.TextField(null=True)  # what the person agreed to or chose
    form_id = fields.UUIDField(null=True)
    form_version = fields.IntField(null=True)
    network = fields.CharField(max_length=64, null=True)  # a /24 or /48
    page_url = fields.TextField(null=True)
    topic_id = fields.UUIDField(null=True)

    class Meta:
        table = "consents"
        indexes = (("contact_id", "id"),)


class ConsentLine(TableModel):
    """A line that must still be appended to the consent log."""

    contact_id: UUID = fields.UUIDField(db_index=True)
    text = fields.TextField()

    class Meta:
        table = "consent_lines"


def name_key(name: str) -> str:
    """What spellings of one custom field have in common."""
    return search_form(name)[:200]


class BulkAction(StrEnum):
    SEGMENT = "segment"
    UNSUBSCRIBE = "unsubscribe"
    DELETE = "delete"
    FIELD = "field"  # deletes a custom field and its values


class BulkChange(OrgModel):
    """A change of all contacts that match a search, made by a worker in batches.

    It reaches contacts older than itself, newest first, and at most as many as matched when it was created.
    """

    action = fields.CharField(max_length=16)
    filters: fields.Field[dict[str, Any]] = fields.JSONField()
    segment_id = fields.UUIDField(null=True)  # which the contacts join
    total = fields.IntField()
    reached_count = fields.IntField(default=0)
    changed_count = fields.IntField(default=0)  # new members; unsubscribed, deleted or emptied contacts
    last_id = fields.UUIDField()  # the last contact reached; its own id at first
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
