"""Searches an organization's audit log."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from webapp import db
from webapp.domain.audit.audit import INSTANT
from webapp.domain.pagination import Cursor, CursorPage, fetch_cursor_page
from webapp.models import AuditEntry, Organization
from webapp.models.row import id_lower_bound


@dataclass(frozen=True)
class AuditFilters:
    """The filters of a search: `who` is a part of the actor's name, `since` is included, `until` is not.

    `what` is an action, or the part before its dot for every action on that kind of target.
    """

    since: datetime | None = None
    until: datetime | None = None
    who: str | None = None
    what: str | None = None


async def list_entries(org: Organization, filters: AuditFilters, cursor: Cursor) -> CursorPage[AuditEntry]:
    rows = AuditEntry.of(org)
    if filters.since is not None:
        rows = rows.filter(id__gte=id_lower_bound(filters.since))
    if filters.until is not None:
        rows = rows.filter(id__lt=id_lower_bound(filters.until))
    if filters.who is not None:
        rows = rows.filter(actor__icontains=filters.who)
    if filters.what is not None:
        is_action = "." in filters.what
        rows = rows.filter(action=filters.what) if is_action else rows.filter(action__startswith=f"{filters.what}.")
    async with db.searching(org.id):
        return await fetch_cursor_page(rows, cursor)


def instant_of(value: Any) -> datetime | None:
    """The instant in an entry's text; None for other text."""
    try:
        return datetime.strptime(str(value), INSTANT).replace(tzinfo=UTC)
    except ValueError:
        return None
