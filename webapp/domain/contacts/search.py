"""Pages of contacts: all, a segment's, or those that match a search."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from pydantic import TypeAdapter

from webapp import clock, db
from webapp.db.dialects import Values, as_uuid
from webapp.domain.background_counts import BackgroundCount
from webapp.domain.pagination import Cursor, CursorPage, Listed, Page, check_cursor, cursor_page
from webapp.languages.spelling import search_form
from webapp.models import Contact, Organization, Segment
from webapp.models.base import row_total
from webapp.models.base.row_total import LongTable, total_sql
from webapp.models.contact import ContactStatus
from webapp.models.queries.contacts.contact_prefix import contacts_beginning_with
from webapp.models.queries.contacts.segment_filter import Filter, FilterQuery, resolve_days, text_of
from webapp.models.queries.contacts.segment_members import page_of_members
from webapp.models.segment import SegmentKind

ROWS_AT_ONCE = 500
FEW = 500  # matches of a search that are read at once
NAMED_BY = 1_000  # contacts whose custom fields are offered
MOST_NAMES = 200
MOST_WORDS = 6  # of a search; what follows is one of them
COUNTED_AT_ONCE = 20  # dynamic segments on a page
RECOUNT_SECONDS = 2.0  # other imports wait meanwhile; what is left is counted when it is shown
COLUMNS = {"email": "email_key", "created": "id"}  # each the last of an index of all contacts of an organization
member_counts: BackgroundCount[UUID, tuple[int, datetime]] = BackgroundCount("members of dynamic segments")


@dataclass(frozen=True)
class ContactFilters:
    segment_id: UUID | None = None
    status: ContactStatus | None = None
    q: str | None = None
    is_bounced: bool | None = None
    filter: Filter | None = None

    @property
    def is_by_status(self) -> bool:
        return self == ContactFilters(self.segment_id, self.status)

    def to_json(self) -> dict[str, Any]:
        values: dict[str, Any] = STORED.dump_python(self, mode="json", exclude_none=True)
        return values

    def sql(self, values: Values) -> list[str]:
        conditions = [] if self.status is None else [f"c.status = {values.name(self.status)}"]
        if self.is_bounced is not None:
            conditions.append(f"c.bounced_at IS {'NOT ' if self.is_bounced else ''}NULL")
        words = search_form(self.q or "").split(maxsplit=MOST_WORDS - 1)  # in any order, as in "Lovelace Ada"
        contains = db.dialect().contains
        conditions += [contains("c.search_text", f"CAST({values.name(word)} AS TEXT)") for word in words]
        return conditions


EVERYBODY = ContactFilters()
STORED = TypeAdapter(ContactFilters)


class Matching(NamedTuple):
    """SQL for the contacts `c`, or the members `s` of a static segment, that match."""

    sql: str  # FROM and WHERE
    values: Values
    id: str  # the column of the contacts' ids
    known_count: int | None = None


async def list_contacts(
    org: Organization, filters: ContactFilters, page: Page, sort: str = "-created", *, is_bounded: bool = False
) -> Listed[Contact]:
    """Newest first, or sorted by one of COLUMNS without a search. Raises NotFound for a segment."""
    order = sort if filters == EVERYBODY else "-created"
    return await list_members(org, await _segment_of(org, filters), page, filters, order, is_bounded=is_bounded)


async def count_contacts(org: Organization, filters: ContactFilters) -> int:
    """Raises NotFound for an unknown segment."""
    return (await list_contacts(org, filters, Page(size=1))).total


async def _segment_of(org: Organization, filters: ContactFilters) -> Segment | None:
    return None if filters.segment_id is None else await Segment.one_of(org, filters.segment_id)


async def list_members(
    org: Organization,
    segment: Segment | None,
    page: Page,
    filters: ContactFilters = EVERYBODY,
    sort: str = "-created",
    *,
    is_bounded: bool = False,
) -> Listed[Contact]:
    """Contacts of a segment, or of the organization, that match the other filters.

    With `is_bounded`, the members of a static segment with a status are counted only some way beyond the page.
    """
    if is_bounded and segment and not segment.is_dynamic and filters.status and filters.is_by_status:
        return await _list_by_status(org, segment, filters.status, page)
    column, is_descending = COLUMNS[sort.removeprefix("-")], sort.startswith("-")
    matching = _matching(org, segment, filters, lists_hits=True)
    async with db.searching(org.id):
        few = await _few_ids(matching) if segment is None and filters.q and filters.filter is None else None
        total = await _count(org, segment, filters, matching) if few is None else len(few)
        page = page.within(total)
        if few is None:
            keys = await _keys_of_page(matching, column, page, total, is_descending=is_descending)
        else:
            keys = few[page.offset : page.offset + page.size]
        contacts = await (Contact.listed(keys) if column == "id" else Contact.with_keys(org, keys))
    positions = {key: position for position, key in enumerate(keys)}  # sorted here, they would lose the collation
    return Listed(sorted(contacts, key=lambda contact: positions[getattr(contact, column)]), page, total)


async def _list_by_status(org: Organization, segment: Segment, status: ContactStatus, page: Page) -> Listed[Contact]:
    async with db.searching(org.id):
        matching = await page_of_members(org.id, segment.id, status, page.size, page.offset)
        contacts = await Contact.listed(matching.ids)
    newest = sorted(contacts, key=lambda contact: contact.id, reverse=True)
    return Listed(newest, page, matching.total, is_total_exact=matching.is_exact)


async def contacts_beginning(org: Organization, text: str, limit: int) -> list[Contact]:
    """Contacts whose address or name begins with `text`; quick in any number of contacts."""
    async with db.searching(org.id):
        ids = await contacts_beginning_with(org.id, text, limit)
        by_id = {contact.id: contact for contact in await Contact.listed(ids)}
    return [by_id[contact_id] for contact_id in ids if contact_id in by_id]


def _matching(
    org: Organization, segment: Segment | None, filters: ContactFilters, *, lists_hits: bool = False
) -> Matching:
    values, now = Values(), clock.now()
    query = FilterQuery(org.id, values, lists_hits=lists_hits)
    trees = [resolve_days(tree, org.timezone, now) for tree in _trees(segment, filters)]
    conditions = [query.matching(tree) for tree in trees] + filters.sql(values)
    if segment is None or segment.is_dynamic:
        where = " AND ".join([f"c.org_id = {values.name(org.id)}", *conditions])
        return Matching(f"FROM contacts c WHERE {where}", values, "c.id")
    contacts = "JOIN contacts c ON c.id = s.contact_id" if conditions else ""
    where = " AND ".join([f"s.segment_id = {values.name(segment.id)}", *conditions])
    known_count = None if conditions else segment.contact_count
    return Matching(f"FROM segment_contacts s {contacts} WHERE {where}", values, "s.contact_id", known_count)


def _trees(segment: Segment | None, filters: ContactFilters) -> list[Filter]:
    of_segment = segment.membership_filter if segment is not None and segment.is_dynamic else None
    return [tree for tree in (filters.filter, of_segment) if tree is not None]


async def _count(org: Organization, segment: Segment | None, filters: ContactFilters, matching: Matching) -> int:
    """Triggers maintain the counts of all contacts and of each status; an index counts the few who bounced."""
    if matching.known_count is not None:
        return matching.known_count
    query, values = f"COUNT(*) {matching.sql}", list(matching.values)
    if segment is None and filters in _counted_by_triggers(filters.status) and row_total.are_maintained():
        values = [org.id] if filters.status is None else [org.id, filters.status]
        query = total_sql(LongTable.CONTACTS, "$1", *["$2" for _ in values[1:]])
        if filters.is_bounced is not None:
            query += " - (SELECT COUNT(*) FROM contacts WHERE org_id = $1 AND status = $2 AND bounced_at IS NOT NULL)"
    elif (counted := _count_of_tree(org, segment, filters)) is not None:
        query, values = counted
    return int(await db.fetch_value(f"SELECT {query}", *values))


def _counted_by_triggers(status: ContactStatus | None) -> list[ContactFilters]:
    without_bounced = [ContactFilters(status=status, is_bounced=False)] if status else []
    return [ContactFilters(status=status), *without_bounced]


def _count_of_tree(org: Organization, segment: Segment | None, filters: ContactFilters) -> tuple[str, list[Any]] | None:
    """SQL of the number if a filter alone decides, and other tables answer it sooner than the contacts."""
    is_alone = replace(filters, segment_id=None, filter=None) == EVERYBODY and (segment is None or segment.is_dynamic)
    trees, values = _trees(segment, filters), Values()
    counted = FilterQuery(org.id, values).count(trees[0]) if is_alone and len(trees) == 1 else None
    return None if counted is None else (counted, values)


async def custom_field_names(org: Organization) -> list[str]:
    """The names of the newest contacts' custom fields that have values, each in one spelling."""
    rows: Any = await Contact.of(org).order_by("-id").limit(NAMED_BY).values_list("custom_fields", flat=True)
    spellings = {search_form(name): name for fields in rows for name, value in fields.items() if text_of(value)}
    return sorted(spellings.values(), key=str.casefold)[:MOST_NAMES]


async def count_members(segment: Segment) -> int:
    """Counts a segment's contacts; a dynamic one stores the result as `contact_count`."""
    if segment.is_dynamic:
        org = await Organization.get(id=segment.org_id)
        await segment.keep_count((await list_members(org, segment, Page(size=1))).total)
    return segment.contact_count


async def refresh_counts(segments: Iterable[Segment]) -> None:
    """Counts the members of dynamic segments; slow counts keep the stored number, without `counted_at`."""
    dynamic = [segment for segment in segments if segment.is_dynamic][:COUNTED_AT_ONCE]
    for segment, counted in zip(dynamic, await asyncio.gather(*map(_recount, dynamic)), strict=True):
        if counted is not None:
            segment.contact_count, segment.counted_at = counted


async def recount_newest(org: Organization) -> None:
    """Counts the members of the newest dynamic segments again, as after an import; starts no more after a while."""
    until = clock.elapsed() + RECOUNT_SECONDS
    for segment in await Segment.of(org).filter(kind=SegmentKind.DYNAMIC).order_by("-id").limit(COUNTED_AT_ONCE):
        if clock.elapsed() >= until:
            return
        await count_members(segment)


async def _recount(segment: Segment) -> tuple[int, datetime] | None:
    async def count() -> tuple[int, datetime]:
        now = clock.now()
        return await count_members(segment), now

    return await member_counts.get(segment.id, count)


async def _few_ids(matching: Matching) -> list[UUID] | None:
    """All ids, newest first, or None if there are more than FEW.

    For texts, which scan all contacts: of a million in 0.2 s, and a second time in the order of ids in 0.4 s.
    """
    ids = await db.fetch_ids(f"SELECT {matching.id} {matching.sql} LIMIT {FEW + 1}", *matching.values)
    return sorted(ids, reverse=True) if len(ids) <= FEW else None


async def iter_contacts(org: Organization, filters: ContactFilters) -> AsyncIterator[list[Contact]]:
    """All contacts, newest first, in parts. Raises NotFound for an unknown segment."""
    last: UUID | None = None
    while True:
        async with db.searching(org.id):
            ids = await next_ids(org, filters, last)
            contacts = await Contact.listed(ids)
        if not ids:
            return
        yield contacts
        last = ids[-1]


async def next_ids(org: Organization, filters: ContactFilters, last: UUID | None) -> list[UUID]:
    """At most 500 ids below `last`, newest first. Raises NotFound for an unknown segment."""
    return await _ids_beside(org, filters, Cursor(ROWS_AT_ONCE, after=last))


async def page_beside(org: Organization, filters: ContactFilters, cursor: Cursor) -> CursorPage[Contact]:
    """Raises ValidationError for two cursors or one that is no contact's, NotFound for an unknown segment."""
    await check_cursor(Contact.of(org), cursor, "a contact")
    async with db.searching(org.id):
        ids = await _ids_beside(org, filters, replace(cursor, limit=cursor.limit + 1))
        contacts = await Contact.listed(ids)
    ordered = sorted(contacts, key=lambda contact: contact.id, reverse=cursor.before is None)
    return cursor_page(ordered, cursor)


async def _ids_beside(org: Organization, filters: ContactFilters, cursor: Cursor) -> list[UUID]:
    sql, values, key, _ = _matching(org, await _segment_of(org, filters), filters)
    older = "" if cursor.after is None else f"AND {key} < {values.name(cursor.after)}"
    newer = "" if cursor.before is None else f"AND {key} > {values.name(cursor.before)}"
    order = "DESC" if cursor.before is None else "ASC"
    return await db.fetch_ids(
        f"SELECT {key} {sql} {older} {newer} ORDER BY {key} {order} LIMIT {cursor.limit}", *values
    )


async def _keys_of_page(
    matching: Matching, column: str, page: Page, total: int, *, is_descending: bool = True
) -> list[Any]:
    """Only the keys of a page, in order, read from the nearer end of an index that has them all."""
    first, last = page.offset, min(page.offset + page.size, total)
    if first >= total:
        return []
    key, values = matching.id if column == "id" else f"c.{column}", matching.values
    is_near = first <= total - last
    order, skipped = "DESC" if is_descending is is_near else "ASC", first if is_near else total - last
    limits = f"LIMIT {values.name(last - first)} OFFSET {values.name(skipped)}"
    rows = await db.records(f"SELECT {key} {matching.sql} ORDER BY {key} {order} {limits}", *values)
    keys = [as_uuid(row[0]) if column == "id" else row[0] for row in rows]
    return keys if is_near else keys[::-1]
