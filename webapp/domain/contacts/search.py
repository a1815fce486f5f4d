"""Pages of contacts: all of them, a segment's, or those that a search finds."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tortoise.queryset import QuerySet

from webapp import db
from webapp.domain.pagination import Listed, Page
from webapp.models import Contact, Organization, Segment
from webapp.models.contact import ContactStatus, search_form

ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class ContactFilters:
    segment_id: UUID | None = None
    status: ContactStatus | None = None
    q: str | None = None
    is_bounced: bool | None = None

    def conditions(self, path: str = "") -> dict[str, Any]:
        wanted = {
            "status": self.status,
            "bounced_at__isnull": False if self.is_bounced else None,
            "search_text__contains": search_form(self.q or "") or None,
        }
        return {f"{path}{name}": value for name, value in wanted.items() if value is not None}


EVERYBODY = ContactFilters()


async def list_contacts(org: Organization, filters: ContactFilters, page: Page) -> Listed[Contact]:
    """The contacts, newest first. Raises NotFound for an unknown segment."""
    if filters.segment_id is None:
        rows: QuerySet[Any] = Contact.of(org).filter(**filters.conditions())
        async with db.searching(org.id):
            return await _fetch_page(rows, "id", page, await rows.count())
    return await list_members(await Segment.one_of(org, filters.segment_id), page, filters)


async def list_members(segment: Segment, page: Page, filters: ContactFilters = EVERYBODY) -> Listed[Contact]:
    wanted = filters.conditions("contact__")
    rows = segment.memberships().filter(**wanted)
    async with db.searching(segment.org_id):
        total = await rows.count() if wanted else segment.contact_count
        return await _fetch_page(rows, "contact_id", page, total)


async def iter_contacts(org: Organization, filters: ContactFilters) -> AsyncIterator[list[Contact]]:
    """All contacts, newest first, in parts. Raises NotFound for an unknown segment."""
    if filters.segment_id is None:
        rows: QuerySet[Any] = Contact.of(org).filter(**filters.conditions())
        key = "id"
    else:
        segment = await Segment.one_of(org, filters.segment_id)
        rows, key = segment.memberships().filter(**filters.conditions("contact__")), "contact_id"
    rows, last = rows.order_by(f"-{key}").limit(ROWS_AT_ONCE), dict[str, Any]()
    while True:
        async with db.searching(org.id):
            ids: Any = await rows.filter(**last).values_list(key, flat=True)
            found = await Contact.listed(ids) if ids else []
        if not ids:
            return
        yield found
        last = {f"{key}__lt": ids[-1]}


async def _fetch_page(rows: QuerySet[Any], key: str, page: Page, total: int) -> Listed[Contact]:
    """The contacts of a page, found by their ids alone in an index, from its nearer end."""
    page = page.within(total)
    first, last = page.offset, min(page.offset + page.size, total)
    if first >= total:
        return Listed([], page, total)
    if first <= total - last:
        ordered = rows.order_by(f"-{key}").offset(first)
    else:
        ordered = rows.order_by(key).offset(total - last)
    ids: Any = await ordered.limit(last - first).values_list(key, flat=True)  # its type does not know flat
    return Listed(await Contact.listed(ids), page, total)
