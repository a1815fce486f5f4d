"""Searches the mail logs of an organization."""

import re
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from webapp import db
from webapp.addresses import email_key, has_part, sought
from webapp.domain.pagination import Cursor, CursorPage, cursor_page, id_bounds, newest_with, search_page
from webapp.errors import InvalidValue
from webapp.models import Account, Campaign, CampaignRun, MailLog, Organization
from webapp.models.email import subject_key
from webapp.models.mail_log import MailStatus
from webapp.models.queries.mail_log_search import MailLogQuery, search_mail_logs

MAX_OPTIONS = 100
TAG = re.compile(r"([A-Za-z0-9_-]{1,256})(?:[:=]([A-Za-z0-9_-]{1,256}))?")


def read_tag(value: object) -> tuple[str, str | None]:
    """The name of a tag and perhaps its value. Raises ValueError."""
    tag = TAG.fullmatch(str(value))
    if tag is None:
        raise InvalidValue.example("name", "kind, or a name and value like kind:welcome")
    return tag[1], tag[2]


@dataclass(frozen=True)
class MailLogSearch:
    """`since` is inclusive, `until` exclusive; `to` is part of the address, `tag` a name or a name and value.

    `recipient`, `sender` and `subject` are whole; the last two are of emails.
    """

    since: datetime | None = None
    until: datetime | None = None
    status: MailStatus | None = None
    account_id: UUID | None = None
    campaign_id: UUID | None = None
    campaign_run_id: UUID | None = None
    to: str | None = None
    tag: tuple[str, str | None] | None = None
    recipient: str | None = None
    sender: str | None = None
    subject: str | None = None

    def query(self, org: Organization, cursor: Cursor) -> MailLogQuery:
        filters = vars(self) | {
            "to": sought(self.to) if self.to else None,
            "sender": None if self.sender is None else email_key(self.sender),
            "subject": None if self.subject is None else subject_key(self.subject),
        }
        low, high = id_bounds(filters.pop("since"), filters.pop("until"), cursor)
        return MailLogQuery(org.id, low, high, **filters)


async def search_rows(org: Organization, search: MailLogSearch, cursor: Cursor) -> CursorPage[MailLog]:
    if search.campaign_run_id and not await CampaignRun.of(org).filter(id=search.campaign_run_id).exists():
        return cursor_page([], cursor)
    query = search.query(org, cursor)
    async with db.searching(org.id):
        scanned = await search_mail_logs(query, cursor.limit + 1, oldest_first=cursor.before is not None)
        return await search_page(scanned, MailLog.of(org), cursor, lambda row: has_part(row.to_email, query.to or ""))


async def filter_options(
    org: Organization, search: MailLogSearch
) -> tuple[list[Account], list[Campaign], list[CampaignRun]]:
    """The newest of each, and the chosen one."""
    accounts = await newest_with(Account.of(org).only("id", "name"), search.account_id, MAX_OPTIONS)
    campaigns = await newest_with(Campaign.of(org).only("id", "title"), search.campaign_id, MAX_OPTIONS)
    runs = CampaignRun.of(org).only("id", "created_at", "started_at", "campaign_id").order_by("-id").limit(MAX_OPTIONS)
    if search.campaign_id is not None:
        return accounts, campaigns, await runs.filter(campaign_id=search.campaign_id)
    chosen = await runs.filter(id=search.campaign_run_id) if search.campaign_run_id is not None else []
    return accounts, campaigns, chosen
