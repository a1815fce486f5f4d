"""Segments, their members, and the Google Sheets that they follow."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple, Self
from uuid import UUID

from tortoise import fields
from tortoise.expressions import F
from tortoise.queryset import QuerySet
from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import LAST_ID
from webapp.models.contact import Contact
from webapp.models.organization import Organization
from webapp.models.queries import lease

COUNT_GOOD_FOR = timedelta(minutes=1)  # afterwards a page says when a dynamic segment was counted


class SegmentKind(StrEnum):
    STATIC = "static"
    DYNAMIC = "dynamic"
    DELETED = "deleted"  # invisible while its members are being deleted


IS_THERE = "kind <> 'deleted'"
MEMBERS_AT_ONCE = 5_000  # in one transaction, during which nobody else can write to SQLite


class Segment(OrgModel):
    """`contact_count` members if static, or the contacts that match `member_filter` if dynamic."""

    are_read_together = True

    name = fields.CharField(max_length=200)
    name_key = fields.CharField(max_length=600)  # the name case-folded, to sort by
    kind = fields.CharField(max_length=8, default=SegmentKind.STATIC, db_default="static")
    member_filter: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    contact_count = fields.IntField(default=0)  # updated together with the members
    updated_at = fields.DatetimeField(auto_now=True)
    counted_at: datetime | None = None  # not stored

    class Meta:
        table = "segments"
        indexes = (("org_id", "name_key", "id"),)

    @classmethod
    def of(cls, org: Organization) -> QuerySet[Self]:
        return super().of(org).exclude(kind=SegmentKind.DELETED)

    @classmethod
    async def find_many(cls, asked: Sequence[tuple[UUID, UUID]]) -> list[Self | None]:
        rows = await super().find_many(asked)
        return [None if row is None or row.kind == SegmentKind.DELETED else row for row in rows]

    @classmethod
    async def deleted(cls) -> list[UUID]:
        return await cls.filter(kind=SegmentKind.DELETED).values_list("id", flat=True)  # type: ignore[return-value]  # a flat list holds the column's values

    @classmethod
    async def delete_some(cls, segment_id: UUID) -> bool:
        """Deletes some members of a deleted segment; without any, deletes it and returns False. Commits."""
        if await _delete_some("segment_contacts", segment_id) or await WatchedMember.delete_some(segment_id):
            return True
        await cls.filter(id=segment_id, kind=SegmentKind.DELETED).delete()
        return False

    @property
    def is_dynamic(self) -> bool:
        return self.kind == SegmentKind.DYNAMIC

    @property
    def is_count_old(self) -> bool:
        return self.is_dynamic and (self.counted_at is None or clock.now() - self.counted_at > COUNT_GOOD_FOR)

    @property
    def membership_filter(self) -> dict[str, Any]:
        """What all members match."""
        return self.member_filter or {"field": "segment", "op": "in", "value": str(self.id)}

    def memberships(self) -> "QuerySet[SegmentContact]":
        return SegmentContact.filter(segment_id=self.id)

    async def keep_count(self, count: int) -> None:
        if count != self.contact_count:
            self.contact_count = count
            await type(self).filter(id=self.id).update(contact_count=count)

    @classmethod
    async def lock_many(cls, org: Organization, ids: Iterable[UUID]) -> list[Self]:
        """Locks the segments that exist in order, without waiting for `lock_references`. Lock contacts first."""
        return await cls.of(org).filter(id__in=list(ids)).order_by("id").select_for_update(no_key=True)

    @classmethod
    async def add_to_counts(cls, ids: Iterable[UUID], count: int) -> None:
        await cls.filter(id__in=list(ids)).update(contact_count=F("contact_count") + count)


class SegmentContact(OrgModel):
    segment: fields.ForeignKeyRelation[Segment] = fields.ForeignKeyField("models.Segment", related_name="members")
    segment_id: UUID
    contact: fields.ForeignKeyRelation[Contact] = fields.ForeignKeyField("models.Contact", related_name="memberships")
    contact_id: UUID

    class Meta:
        table = "segment_contacts"
        unique_together = (("segment_id", "contact_id"),)
        indexes = (("contact_id",),)

    @classmethod
    async def among(cls, segment: Segment, contact_ids: Collection[UUID]) -> list[Self]:
        return await cls._lookup("segment_id", segment.id, "contact_id", contact_ids)

    @classmethod
    async def join(cls, segment: Segment, contact_ids: Iterable[UUID]) -> None:
        """Adds locked contacts that are not members to a locked segment."""
        sql, now = db.dialect(), clock.now()  # the clock that a run's audience is compared with
        rows = [(uuid7(), segment.org_id, segment.id, contact_id, now) for contact_id in contact_ids]
        if rows:
            columns = {"id": "uuid", "org_id": "uuid", "segment_id": "uuid", "contact_id": "uuid", "at": "timestamptz"}
            insert = f"""INSERT INTO segment_contacts (id, org_id, segment_id, contact_id, created_at)
                SELECT k.id, k.org_id, k.segment_id, k.contact_id, k.at FROM {sql.table(columns)} RETURNING id"""
            await db.records(insert, *sql.table_values(rows))

    @classmethod
    async def segments_of(cls, org: Organization, contact_ids: Iterable[UUID]) -> dict[UUID, set[UUID]]:
        memberships = cls.of(org).filter(contact_id__in=list(contact_ids))
        segments: dict[UUID, set[UUID]] = {}
        for contact_id, segment_id in await memberships.values_list("contact_id", "segment_id"):
            segments.setdefault(contact_id, set()).add(segment_id)
        return segments

    @classmethod
    async def end_all_of(cls, contact_ids: Iterable[UUID]) -> list[UUID]:
        """Deletes all memberships of locked contacts and returns their segments."""
        ended = f"DELETE FROM segment_contacts WHERE contact_id {db.dialect().among('$1')} RETURNING segment_id"
        return await db.fetch_ids(ended, list(contact_ids))


class SegmentWatch(OrgModel):
    """A dynamic segment whose members are compared with those saved, because a webhook names the events."""

    segment: fields.ForeignKeyRelation[Segment] = fields.OneToOneField("models.Segment", related_name="watch")
    segment_id: UUID
    unsaved_below = fields.UUIDField(null=True)  # contacts with lower ids are not saved yet; None: all are
    compared_at = fields.DatetimeField(null=True)
    seconds = fields.FloatField(default=0.0)  # that comparing took

    class Meta:
        table = "segment_watches"
        indexes = (("org_id",),)

    @classmethod
    async def begin(cls, segment: Segment) -> Self:
        """The segment's watch, which has no members saved if it is new."""
        new = {"unsaved_below": LAST_ID}
        watch, _ = await cls.get_or_create(new, segment_id=segment.id, org_id=segment.org_id)
        return watch

    @classmethod
    async def is_any(cls) -> bool:
        """True if any organization has a watched segment."""
        return await cls.exists()


class WatchedMember(OrgModel):
    """A contact that matched a watched segment when it was last compared."""

    segment: fields.ForeignKeyRelation[Segment] = fields.ForeignKeyField("models.Segment", related_name="watched")
    segment_id: UUID
    contact: fields.ForeignKeyRelation[Contact] = fields.ForeignKeyField("models.Contact", related_name="watched_in")
    contact_id: UUID

    class Meta:
        table = "watched_members"
        unique_together = (("segment_id", "contact_id"),)
        indexes = (("contact_id",),)

    @classmethod
    async def add(cls, org_id: UUID, segment_id: UUID, contact_ids: Iterable[UUID]) -> None:
        """Saves locked contacts that are not saved."""
        rows = [_NewMember(uuid7(), org_id, segment_id, contact_id) for contact_id in contact_ids]
        await cls.insert_tuples(rows)

    @classmethod
    async def remove(cls, segment_id: UUID, contact_ids: Iterable[UUID]) -> None:
        delete = f"""DELETE FROM watched_members WHERE segment_id = $1
            AND contact_id {db.dialect().among("$2")} RETURNING id"""
        await db.fetch(delete, segment_id, list(contact_ids))

    @classmethod
    async def delete_some(cls, segment_id: UUID) -> bool:
        """False without any; commits."""
        return await _delete_some("watched_members", segment_id)


class _NewMember(NamedTuple):
    id: UUID
    org_id: UUID
    segment_id: UUID
    contact_id: UUID


async def _delete_some(table: str, segment_id: UUID) -> bool:
    some = f"""SELECT id FROM {table} WHERE segment_id = $1 LIMIT {MEMBERS_AT_ONCE}
        {db.dialect().lock("FOR UPDATE SKIP LOCKED")}"""
    return bool(await db.fetch(f"DELETE FROM {table} WHERE id IN ({some}) RETURNING id", segment_id))


class SegmentSheet(OrgModel):
    segment: fields.ForeignKeyRelation[Segment] = fields.OneToOneField("models.Segment", related_name="sheet")
    segment_id: UUID
    account_id = fields.UUIDField()  # the Google account that reads it
    spreadsheet_id = fields.CharField(max_length=128)
    title = fields.CharField(max_length=255, null=True)  # of the spreadsheet at the last sync
    tab = fields.CharField(max_length=255, null=True)  # None: the first
    next_sync_at = fields.DatetimeField(null=True)  # None: Google refused it, so it syncs on demand only
    lease_until = fields.DatetimeField(null=True)
    synced_at = fields.DatetimeField(null=True)
    last_error = fields.TextField(null=True)
    # The last sync's numbers of rows, and its first refusals.
    report: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "segment_sheets"
        indexes = (("org_id", "id"), ("account_id",), ("next_sync_at",))

    @classmethod
    async def due(cls, limit: int) -> list[UUID]:
        """The due ones, one per organization in rotation from a random start."""
        return await lease.due_round_robin("segment_sheets", _is_due(), limit, first="next_sync_at", then="random()")

    @classmethod
    async def claim(cls, sheet_id: UUID, seconds: float) -> Self | None:
        """Leases the sheet for `seconds`; None if it is not due or already leased."""
        is_leased = await lease.lease("segment_sheets", sheet_id, seconds, _is_due())
        return await cls.get_or_none(id=sheet_id) if is_leased else None

    @classmethod
    async def refused(cls, org_id: UUID, account_id: UUID) -> list[Self]:
        """The sheets that Google refused, which only sync on demand."""
        return await cls.filter(org_id=org_id, account_id=account_id, next_sync_at=None)

    async def save_if_current(self, **changes: Any) -> bool:
        """False if the segment follows another sheet or none by now."""
        same = {name: getattr(self, name) for name in ("spreadsheet_id", "tab", "account_id")}
        return bool(await type(self).filter(id=self.id, **same).update(**changes))

    async def renew(self, seconds: float) -> None:
        await lease.extend("segment_sheets", self.id, seconds)


def _is_due() -> str:
    return f"next_sync_at <= {db.dialect().now}"
