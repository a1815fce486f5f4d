"""Segments: audiences and their members."""

from collections.abc import Collection, Iterable
from typing import Self
from uuid import UUID

from tortoise import fields
from tortoise.expressions import F
from tortoise.queryset import QuerySet
from uuid_utils.compat import uuid7

from webapp import db
from webapp.db.dialects import as_uuid
from webapp.models.base import OrgModel
from webapp.models.contact import Contact
from webapp.models.organization import Organization


class Segment(OrgModel):
    """An audience; `contact_count` is updated in the transaction that changes its members."""

    name = fields.CharField(max_length=200)
    name_key = fields.CharField(max_length=600)  # the name case-folded, which lists are ordered by on both databases
    contact_count = fields.IntField(default=0)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "segments"
        indexes = (("org_id", "name_key", "id"),)

    def memberships(self) -> "QuerySet[SegmentContact]":
        """Its memberships, all of the same organization, by the index of (segment, contact)."""
        return SegmentContact.filter(segment_id=self.id)

    @classmethod
    async def lock_many(cls, org: Organization, ids: Iterable[UUID]) -> list[Self]:
        """Locks the members of those of the segments that exist until the transaction ends, in the order of ids.

        Lock contacts before segments, so that two transactions never deadlock. It does not wait for transactions that
        only keep a segment from being deleted.
        """
        return await cls.of(org).filter(id__in=list(ids)).order_by("id").select_for_update(no_key=True)

    @classmethod
    async def add_to_counts(cls, ids: Iterable[UUID], count: int) -> None:
        """Adds to the number of members of locked segments."""
        await cls.filter(id__in=list(ids)).update(contact_count=F("contact_count") + count)


class SegmentContact(OrgModel):
    """A membership; `created_at` is the time the contact joined."""

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
        """The memberships of these contacts in a segment."""
        return await cls._lookup("segment_id", segment.id, "contact_id", contact_ids)

    @classmethod
    async def join(cls, segment: Segment, contact_ids: Iterable[UUID]) -> None:
        """Adds contacts, which are locked and no members yet, to a locked segment in one statement."""
        sql, rows = db.dialect(), [(uuid7(), segment.org_id, segment.id, contact_id) for contact_id in contact_ids]
        if rows:
            columns = dict.fromkeys(("id", "org_id", "segment_id", "contact_id"), "uuid")
            await db.records(
                f"""INSERT INTO segment_contacts (id, org_id, segment_id, contact_id, created_at)
                    SELECT k.id, k.org_id, k.segment_id, k.contact_id, {sql.now} FROM {sql.table(columns)}
                    RETURNING id""",  # noqa: S608 - our own words
                *sql.table_values(rows),
            )

    @classmethod
    async def segments_of(cls, org: Organization, contact_ids: Iterable[UUID]) -> dict[UUID, set[UUID]]:
        """The segments of each of these locked contacts that is in any."""
        sql = db.dialect()
        rows = await db.records(
            f"""SELECT contact_id, segment_id FROM segment_contacts
                WHERE contact_id {sql.among("$1")} AND org_id = $2""",  # noqa: S608 - our own words
            sql.id_list(contact_ids),
            org.id,
        )
        found: dict[UUID, set[UUID]] = {}
        for contact_id, segment_id in rows:
            found.setdefault(as_uuid(contact_id), set()).add(as_uuid(segment_id))
        return found

    @classmethod
    async def end_all_of(cls, contact_ids: Iterable[UUID]) -> list[UUID]:
        """Deletes every membership of locked contacts, and returns the segment of each."""
        sql = db.dialect()
        ended = await db.fetch(
            f"DELETE FROM segment_contacts WHERE contact_id {sql.among('$1')} RETURNING segment_id",  # noqa: S608 - our own words
            sql.id_list(contact_ids),
        )
        return [as_uuid(row["segment_id"]) for row in ended]
