"""Searches the transactional emails of an organization."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from webapp import db
from webapp.addresses import bare, has_part, sought
from webapp.domain.emails.emails import LISTED, STATUSES
from webapp.domain.pagination import Cursor, SearchPage, id_bounds, search_page
from webapp.models import Email, Organization
from webapp.models.mail_log import MailStatus, RecipientType
from webapp.models.queries.email_search import EmailQuery, scan_emails


@dataclass(frozen=True)
class EmailSearch:
    """`to` is a part of any recipient's address in any case, `tag` a name, or a name and a value."""

    since: datetime | None = None
    until: datetime | None = None
    status: MailStatus | None = None
    account_id: UUID | None = None
    to: str | None = None
    tag: tuple[str, str | None] | None = None


async def search_emails(org: Organization, search: EmailSearch, cursor: Cursor) -> SearchPage[Email]:
    low, high = id_bounds(search.since, search.until, cursor)
    wanted = EmailQuery(
        org.id,
        low,
        high,
        status=search.status,
        statuses=STATUSES,
        account_id=search.account_id,
        to=sought(search.to) if search.to else None,
        tag=search.tag,
    )
    async with db.searching(org.id):
        found = await scan_emails(wanted, cursor.limit + 1, oldest_first=cursor.before is not None)
        rows = {row.id: row for row in await Email.of(org).filter(id__in=found.ids).only(*LISTED)}
    present = [rows[row_id] for row_id in found.ids if row_id in rows]  # without those that retention has just pruned
    return search_page(found, [row for row in present if _is_to(row, wanted.to or "")], cursor)


def _is_to(email: Email, part: str) -> bool:
    return not part or any(has_part(bare(one), part) for kind in RecipientType for one in email.addresses[kind])
