"""Pages of contacts: all, a segment's, or those that match a search."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tortoise.queryset import QuerySet

from webapp import clock, db
from webapp.db.dialects import Values
from webapp.domain.background_counts import BackgroundCount
from webapp.domain.pagination import Listed, Page
from webapp.models import Contact, Organization, Segment, row_total
from webapp.models.contact import ContactStatus, search_form
from webapp.models.queries.segment_filter import Filter, FilterQuery, resolve_days
from webapp.models.row_total import LongTable, total_sql

ROWS_AT_ONCE = 500
NAMED_BY = 1_000  # contacts whose custom fields are offered
MOST_NAMES = 200
COUNTED_AT_ONCE = 20  # dynamic segments on a page
COLUMNS = {"email": "email_key", "created": "id"}  # each the last of an index of all contacts of an organization
member_counts: BackgroundCount[UUID, tuple[int, datetime]] = BackgroundCount("members of dynamic segments")


@dataclass(frozen=True)
class ContactFilters:
    segment_id: UUID | None = None
    status: ContactStatus | None = None
    q: str | None = None
    is_bounced: bool | None = None
    filter: Filter | None = None

    def to_json(self) -> dict[str, Any]:
        values = {name: value for name, value in vars(self).items() if value is not None}
        texts = {name: str(value) for name, value in values.items() if name in ("segment_id", "status")}
        return values | texts

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "ContactFilters":
        return cls(
            UUID(given["segment_id"]) if "segment_id" in given else None,
            ContactStatus(given["status"]) if "status" in given else None,
            given.get("q"),
            given.get("is_bounced"),
            given.get("filter"),
        )

    def conditions(self, path: str = "") -> dict[str, Any]:
        wanted = {
            "status": self.status,
            "bounced_at__isnull": False if self.is_bounced else None,
            "search_text__contains": search_form(self.q or "") or None,
        }
        return {f"{path}{name}": value for name, value in wanted.items() if value is not None}

    def sql(self, values: Values) -> list[str]:
        conditions = [] if self.status is None else [f"c.status = {values.name(self.status)}"]
        if self.is_bounced:
            conditions.append("c.bounced_at IS NOT NULL")
        if wanted := search_form(self.q or ""):
            conditions.append(db.dialect().contains("c.search_text", f"CAST({values.name(wanted)} AS TEXT)"))
        return conditions


EVERYBODY = ContactFilters()


async def list_contacts(
    org: Organization, filters: ContactFilters, page: Page, sort: str = "-created"
) -> Listed[Contact]:
    """Newest first, or sorted by one of COLUMNS without a search. Raises NotFound for a segment."""
    if filters == EVERYBODY and sort != "-created":
        return await _list_sorted(org, page, COLUMNS[sort.removeprefix("-")], is_descending=sort.startswith("-"))
    segment = await _segment_of(org, filters)
    if segment is not None:
        return await list_members(segment, page, filters)
    if filters.filter is not None:
        return await _list_matching(org, None, page, filters)
    rows: QuerySet[Any] = Contact.of(org).filter(**filters.conditions())
    async with db.searching(org.id):
        return await _fetch_page(rows, "id", page, await _count(org, filters))


async def count_contacts(org: Organization, filters: ContactFilters) -> int:
    """Raises NotFound for an unknown segment."""
    return (await list_contacts(org, filters, Page(size=1))).total


async def _count(org: Organization, filters: ContactFilters) -> int:
    """The contacts by these filters of contacts alone; triggers keep the number of all, and of each status."""
    status = [] if filters.status is None else [filters.status]
    if filters != ContactFilters(status=filters.status) or not row_total.are_maintained():
        return await Contact.of(org).filter(**filters.conditions()).count()
    total = total_sql(LongTable.CONTACTS, "$1", *["$2" for _ in status])
    (row,) = await db.fetch(f"SELECT {total} AS number", org.id, *status)
    return int(row["number"])


async def _segment_of(org: Organization, filters: ContactFilters) -> Segment | None:
    return None if filters.segment_id is None else await Segment.one_of(org, filters.segment_id)


async def _list_sorted(org: Organization, page: Page, key: str, *, is_descending: bool) -> Listed[Contact]:
    async with db.searching(org.id):
        total = await _count(org, EVERYBODY)
        page = page.within(total)
        keys = await _keys_of_page(Contact.of(org), key, page, total, is_descending=is_descending)
        contacts = await Contact.with_keys(org, keys) if key == "email_key" else await Contact.listed(keys)
    positions = {value: position for position, value in enumerate(keys)}  # sorted here, they would lose the collation
    return Listed(sorted(contacts, key=lambda contact: positions[getattr(contact, key)]), page, total)


async def list_members(segment: Segment, page: Page, filters: ContactFilters = EVERYBODY) -> Listed[Contact]:
    if segment.is_dynamic or filters.filter is not None:
        return await _list_matching(await Organization.get(id=segment.org_id), segment, page, filters)
    wanted = filters.conditions("contact__")
    rows = segment.memberships().filter(**wanted)
    async with db.searching(segment.org_id):
        total = await rows.count() if wanted else segment.contact_count
        return await _fetch_page(rows, "contact_id", page, total)


async def _list_matching(
    org: Organization, segment: Segment | None, page: Page, filters: ContactFilters
) -> Listed[Contact]:
    values = Values()
    matching = _matching(org, segment, values, filters)
    async with db.searching(org.id):
        (counted,) = await db.fetch(f"SELECT COUNT(*) AS count {matching}", *values)
        page = page.within(int(counted["count"]))
        limits = f"LIMIT {values.name(page.size)} OFFSET {values.name(page.offset)}"
        ids = await db.fetch_ids(f"SELECT c.id {matching} ORDER BY c.id DESC {limits}", *values)
        return Listed(await Contact.listed(ids) if ids else [], page, int(counted["count"]))


def _matching(org: Organization, segment: Segment | None, values: Values, filters: ContactFilters) -> str:
    trees = [] if filters.filter is None else [filters.filter]
    if segment is not None:
        trees.append(segment.membership_filter)
    now = clock.now()
    resolved = [FilterQuery(org.id, values).matching(resolve_days(tree, org.timezone, now)) for tree in trees]
    conditions = [f"c.org_id = {values.name(org.id)}", *resolved, *filters.sql(values)]
    return f"FROM contacts c WHERE {' AND '.join(conditions)}"


async def custom_field_names(org: Organization) -> list[str]:
    """The names of the newest contacts' custom fields, each in one spelling."""
    rows: Any = await Contact.of(org).order_by("-id").limit(NAMED_BY).values_list("custom_fields", flat=True)
    spellings = {search_form(name): name for fields in rows for name in fields}
    return sorted(spellings.values(), key=str.casefold)[:MOST_NAMES]


async def count_members(segment: Segment) -> int:
    """Counts a segment's contacts; a dynamic one stores the result as `contact_count`."""
    if segment.is_dynamic:
        await segment.keep_count((await list_members(segment, Page(size=1))).total)
    return segment.contact_count


async def refresh_counts(segments: Iterable[Segment]) -> None:
    """Counts the members of dynamic segments; slow counts keep the stored number, without `counted_at`."""
    dynamic = [segment for segment in segments if segment.is_dynamic]
    for segment in dynamic[COUNTED_AT_ONCE:]:
        segment.counted_at = None
    counts = await asyncio.gather(*map(_recount, dynamic[:COUNTED_AT_ONCE]))
    for segment, counted in zip(dynamic, counts, strict=False):
        if counted is not None:
            segment.contact_count, segment.counted_at = counted
        else:
            segment.counted_at = None


async def _recount(segment: Segment) -> tuple[int, datetime] | None:
    async def count() -> tuple[int, datetime]:
        now = clock.now()
        return await count_members(segment), now

    return await member_counts.get(segment.id, count)


async def iter_contacts(org: Organization, filters: ContactFilters) -> AsyncIterator[list[Contact]]:
    """All contacts, newest first, in parts. Raises NotFound for an unknown segment."""
    last: UUID | None = None
    while True:
        async with db.searching(org.id):
            ids = await next_ids(org, filters, last)
            contacts = await Contact.listed(ids) if ids else []
        if not ids:
            return
        yield contacts
        last = ids[-1]


async def next_ids(org: Organization, filters: ContactFilters, last: UUID | None) -> list[UUID]:
    """At most 500 ids below `last`, newest first. Raises NotFound for an unknown segment."""
    segment = await _segment_of(org, filters)
    if filters.filter is not None or (segment is not None and segment.is_dynamic):
        values = Values()
        matching = _matching(org, segment, values, filters)
        before = "" if last is None else f"AND c.id < {values.name(last)}"
        return await db.fetch_ids(f"SELECT c.id {matching} {before} ORDER BY c.id DESC LIMIT {ROWS_AT_ONCE}", *values)
    if segment is None:
        rows: QuerySet[Any] = Contact.of(org).filter(**filters.conditions())
        key = "id"
    else:
        rows, key = segment.memberships().filter(**filters.conditions("contact__")), "contact_id"
    if last is not None:
        rows = rows.filter(**{f"{key}__lt": last})
    ids: Any = await rows.order_by(f"-{key}").limit(ROWS_AT_ONCE).values_list(key, flat=True)
    return list(ids)


async def _fetch_page(rows: QuerySet[Any], key: str, page: Page, total: int) -> Listed[Contact]:
    page = page.within(total)
    return Listed(await Contact.listed(await _keys_of_page(rows, key, page, total)), page, total)


async def _keys_of_page(
    rows: QuerySet[Any], key: str, page: Page, total: int, *, is_descending: bool = True
) -> list[Any]:
    """Only the keys of a page, in order, read from the nearer end of an index that has them all."""
    first, last = page.offset, min(page.offset + page.size, total)
    if first >= total:
        return []
    order, reverse = (f"-{key}", key) if is_descending else (key, f"-{key}")
    is_near = first <= total - last
    ordered = rows.order_by(order).offset(first) if is_near else rows.order_by(reverse).offset(total - last)
    keys: Any = await ordered.limit(last - first).values_list(key, flat=True)  # its type does not know flat
    return list(keys) if is_near else list(reversed(keys))
