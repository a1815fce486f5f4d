"""Searches the transactional emails of an organization."""

from webapp import db
from webapp.addresses import bare, has_part, sought
from webapp.domain.emails.emails import LISTED, STATUSES
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.pagination import Cursor, SearchPage, id_bounds, search_page
from webapp.models import Email, Organization
from webapp.models.mail_log import RecipientType
from webapp.models.queries.email_search import EmailQuery, scan_emails


async def search_emails(org: Organization, search: MailLogSearch, cursor: Cursor) -> SearchPage[Email]:
    """Emails of which any recipient is `to`; emails have no campaign."""
    low, high = id_bounds(search.since, search.until, cursor)
    part = sought(search.to or "")
    query = EmailQuery(org.id, low, high, search.status, STATUSES, search.account_id, part or None, search.tag)

    def is_to(email: Email) -> bool:
        return not part or any(has_part(bare(one), part) for kind in RecipientType for one in email.addresses[kind])

    async with db.searching(org.id):
        found = await scan_emails(query, cursor.limit + 1, oldest_first=cursor.before is not None)
        return await search_page(found, Email.of(org).only(*LISTED), cursor, is_to)
