"""Segments."""

from collections.abc import Collection
from functools import partial
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from webapp import clock, db
from webapp.domain.contacts.contacts import (
    check_static,
)
from webapp.domain.contacts.custom_fields import labels_of
from webapp.domain.inputs import NAME_LENGTH, Input, Name, examples
from webapp.domain.pagination import Listed, Page, fetch_page, having_text, in_order
from webapp.domain.segments.filters import FILTER, NewFilter, check_references
from webapp.errors import Conflict, NotFound, ValidationError
from webapp.models import (
    BulkChange,
    Campaign,
    ContactImport,
    Organization,
    Segment,
    SegmentSheet,
    SignUpForm,
    Topic,
)
from webapp.models.campaign import halt_incomplete, lock_campaigns_using, titles_excluding
from webapp.models.queries.contacts.segment_filter import TABLES, Filter, references_of
from webapp.models.segment import SegmentKind

ALL_CONTACTS = "All contacts"
DELETE_SECONDS = 8.0
OFFERED = 500  # on a page
TITLES = 3  # of campaigns named in an error
ALL_MATCH = {"field": "created_at", "op": "is_set"}

# Columns to sort by.
COLUMNS = {"name": "name_key", "members": "contact_count", "created": "id"}


class NewSegment(Input):
    """A segment. Several may have the same name."""

    model_config = examples(
        {"name": "Newsletter"},
        {
            "name": "Berlin",
            "kind": "dynamic",
            "filter": {"field": "custom_fields.city", "op": "is", "value": "Berlin"},
        },
    )

    name: Name = Field(description="The name of the segment; recipients don't see it.")
    kind: Literal["static", "dynamic"] = Field(
        default="static", description="Static segments have the contacts that you add; dynamic ones those that match."
    )
    filter: NewFilter | None = Field(default=None, description=FILTER)

    def check(self) -> None:
        """Raises ValidationError."""
        if self.kind == "dynamic" and self.filter is None:
            raise ValidationError.at("filter", "is required for a dynamic segment")
        if self.kind == "static" and self.filter is not None:
            raise ValidationError.at("filter", "is only for a segment whose kind is dynamic")


class SegmentChanges(Input):
    """Another name, and for a dynamic segment another filter."""

    model_config = examples({"name": "Newsletter"})

    name: Name = Field(description="The name of the segment; recipients don't see it.")
    filter: NewFilter | None = Field(default=None, description=f"{FILTER} Without one it stays as it is.")


async def list_segments(org: Organization, page: Page, q: str = "", sort: str = "name") -> Listed[Segment]:
    return await fetch_page(in_order(having_text(Segment.of(org), q, "name"), COLUMNS, sort), page)


find_segment = Segment.one_of


async def find_if_there(org: Organization, segment_id: UUID) -> Segment | None:
    return await Segment.of(org).get_or_none(id=segment_id)


async def segment_named(org: Organization, segment_id: UUID) -> Segment:
    """The segment of a body's `segment_id`. Raises NotFound naming the field."""
    segment = await Segment.of(org).get_or_none(id=segment_id)
    if segment is None:
        raise NotFound("segment_id: segment not found")
    return segment


async def check_segments(org: Organization, field: str, ids: Collection[str]) -> None:
    """Raises NotFound naming the field unless all are segments of the organization."""
    if await Segment.of(org).filter(id__in=list(ids)).count() < len(ids):
        raise NotFound(f"{field}: segment not found")


async def static_segment_named(org: Organization, segment_id: UUID) -> Segment:
    """Raises NotFound naming the field, Conflict for a dynamic segment."""
    segment = await segment_named(org, segment_id)
    check_static(segment)
    return segment


async def static_segments(org: Organization, chosen: Collection[str]) -> list[Segment]:
    """The first ones by name, and those chosen."""
    static = Segment.of(org).filter(kind=SegmentKind.STATIC)
    first = await static.order_by("name_key", "id").limit(OFFERED)
    missing = set(chosen) - {str(segment.id) for segment in first}
    return [*await static.filter(id__in=missing).order_by("name_key", "id"), *first] if missing else first


async def static_segment_called(org: Organization, name: str) -> Segment | None:
    """The oldest static segment with this name."""
    return await Segment.of(org).filter(name_key=name.casefold(), kind=SegmentKind.STATIC).order_by("id").first()


async def campaigns_using(org: Organization, segment: Segment, page: Page) -> Listed[Campaign]:
    return await fetch_page(Campaign.of(org).filter(segment_id=segment.id).order_by("-id"), page)


async def forms_adding_to(org: Organization, segment: Segment) -> list[SignUpForm]:
    return [form for form in await SignUpForm.of(org).order_by("name") if str(segment.id) in form.segment_ids]


async def refuse_name_in_use(org: Organization, name: str, segment: Segment | None = None) -> None:
    """For pages, where people choose segments by name; the API allows duplicates. Raises ValidationError."""
    key = name.casefold()
    if (segment is None or segment.name_key != key) and await Segment.of(org).filter(name_key=key).exists():
        raise ValidationError.at("name", "is the name of another segment")


async def add_segment(org: Organization, data: NewSegment) -> Segment:
    """Raises ValidationError, NotFound for a segment or campaign in the filter."""
    data.check()
    if data.filter is not None:
        await check_references(org, data.filter)
    return await Segment.create(
        org_id=org.id, name=data.name, name_key=data.name.casefold(), kind=data.kind, member_filter=data.filter
    )


async def everyone(org: Organization) -> Segment:
    """A dynamic segment of all contacts, created on first use; locks the organization."""
    return await _dynamic_segment(org, ALL_CONTACTS, ALL_MATCH)


async def non_openers(org: Organization, campaign: Campaign) -> Segment:
    """A dynamic segment of those who received the campaign and did not open it, created on first use."""
    name = f"Did not open {campaign.title}"[:NAME_LENGTH]
    return await _dynamic_segment(org, name, {"field": "campaign", "op": "not_opened", "value": str(campaign.id)})


async def _dynamic_segment(org: Organization, name: str, tree: Filter) -> Segment:
    async with db.write_transaction():
        await Organization.select_for_update().get(id=org.id)  # serializes concurrent first uses
        for segment in await Segment.of(org).filter(kind=SegmentKind.DYNAMIC, name_key=name.casefold()):
            if segment.member_filter == tree:
                return segment
        return await add_segment(org, NewSegment(name=name, kind="dynamic", filter=tree))


async def names_in_filter(org: Organization, tree: dict[str, Any]) -> dict[str, str]:
    """The names of segments, campaigns and topics in a filter, by id, and the labels of custom fields."""
    named = list(references_of(tree))
    ids = {kind: [value for field, value in named if field == kind] for kind in TABLES}
    pairs = await Segment.of(org).filter(id__in=ids["segment"]).values_list("id", "name")
    pairs += await Campaign.of(org).filter(id__in=ids["campaign"]).values_list("id", "title")
    pairs += await Topic.of(org).filter(id__in=ids["topic"]).values_list("id", "name")
    return {str(row_id): name for row_id, name in pairs} | await labels_of(org)


async def change_segment(org: Organization, segment: Segment, data: SegmentChanges) -> Segment:
    """Locks the segment. Raises ValidationError, NotFound also if it was deleted since."""
    if data.filter is not None:
        if not segment.is_dynamic:
            raise ValidationError.at("filter", "is only for a segment whose kind is dynamic")
        await check_references(org, data.filter)
    async with db.write_transaction():
        locked = await _lock(org, segment.id)
        locked.name, locked.name_key = data.name, data.name.casefold()
        locked.member_filter = data.filter or locked.member_filter
        await locked.save(update_fields=["name", "name_key", "member_filter", "updated_at"])
    return locked


async def delete_segment(org: Organization, segment: Segment) -> None:
    """Deletes the segment, then its memberships in batches, and halts scheduled campaigns that use it.

    Raises NotFound, and Conflict while a campaign excludes its members, who would otherwise get mail.
    """
    async with db.write_transaction():
        locked = await Segment.of(org).select_for_update().get_or_none(id=segment.id)
        if locked is None:
            raise NotFound
        if titles := await titles_excluding(locked, TITLES):
            more = "" if len(titles) < TITLES else " and others"
            named = ", ".join(f"“{title}”" for title in titles)
            raise Conflict(f"this segment is excluded from {named}{more}; remove it there first")
        await lock_campaigns_using(locked)
        await Campaign.of(org).filter(segment_id=locked.id).update(segment_id=None)
        await SegmentSheet.of(org).filter(segment_id=locked.id).delete()
        locked.kind = SegmentKind.DELETED
        await locked.save(update_fields=["kind"])
        await halt_incomplete(org.id)
    await SignUpForm.forget("segment_ids", segment)
    await db.in_batches(lambda: Segment.delete_some(segment.id), DELETE_SECONDS)


async def finish_deleting(seconds: float) -> None:
    """Deletes what requests did not finish."""
    until = clock.elapsed() + seconds
    for segment_id in await Segment.deleted():
        await db.in_batches(partial(Segment.delete_some, segment_id), until - clock.elapsed())


async def delete_if_unused(org: Organization, segment_id: UUID) -> None:
    """Deletes a segment without members that no campaign, filter, sheet, form, import or bulk change uses."""
    async with db.write_transaction():
        for segment in await Segment.lock_many(org, [segment_id]):
            if not await segment.memberships().exists() and not await _is_used(org, segment):
                await segment.delete()


async def _is_used(org: Organization, segment: Segment) -> bool:
    filters = Segment.of(org).filter(kind=SegmentKind.DYNAMIC).values_list("member_filter", flat=True)
    named = {value for tree in await filters if tree for _, value in references_of(tree)}  # type: ignore[arg-type]  # a flat list holds the column's values
    return (
        str(segment.id) in named
        or bool(await titles_excluding(segment, 1))
        or await Campaign.of(org).filter(segment_id=segment.id).exists()
        or await SegmentSheet.of(org).filter(segment_id=segment.id).exists()
        or any(str(segment.id) in form.segment_ids for form in await SignUpForm.of(org))
        or await BulkChange.of(org).filter(segment_id=segment.id, finished_at=None).exists()
        or await ContactImport.of(org).filter(segment_id=segment.id, finished_at=None).exists()
    )


async def _lock(org: Organization, segment_id: UUID) -> Segment:
    """Raises NotFound."""
    for segment in await Segment.lock_many(org, [segment_id]):
        return segment
    raise NotFound
