"""Searches the mail logs of an organization."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.addresses import has_part, sought
from webapp.domain.pagination import Cursor, SearchPage, cursor_page, id_bounds, search_page
from webapp.models import Account, Campaign, CampaignRun, MailLog, Organization
from webapp.models.mail_log import MailStatus
from webapp.models.queries.mail_log_search import MailLogQuery, search_mail_logs

MAX_OPTIONS = 100


@dataclass(frozen=True)
class MailLogSearch:
    """`since` is inclusive, `until` exclusive; `to` is a part of the address, `tag` a name, or a name and a value."""

    since: datetime | None = None
    until: datetime | None = None
    status: MailStatus | None = None
    account_id: UUID | None = None
    campaign_id: UUID | None = None
    campaign_run_id: UUID | None = None
    to: str | None = None
    tag: tuple[str, str | None] | None = None


class FilterOptions(NamedTuple):
    """The newest of each, and the chosen one however old it is."""

    accounts: list[Account]
    campaigns: list[Campaign]
    runs: list[CampaignRun]


async def search_rows(org: Organization, search: MailLogSearch, cursor: Cursor) -> SearchPage[MailLog]:
    if search.campaign_run_id and not await CampaignRun.of(org).filter(id=search.campaign_run_id).exists():
        return SearchPage(cursor_page([], cursor), None)
    low, high = id_bounds(search.since, search.until, cursor)
    wanted = MailLogQuery(
        org.id,
        low,
        high,
        status=search.status,
        account_id=search.account_id,
        campaign_id=search.campaign_id,
        campaign_run_id=search.campaign_run_id,
        to=sought(search.to) if search.to else None,
        tag=search.tag,
    )
    async with db.searching(org.id):
        found = await search_mail_logs(wanted, cursor.limit + 1, oldest_first=cursor.before is not None)
        rows = {row.id: row for row in await MailLog.of(org).filter(id__in=found.ids)}
    loaded = [rows[row_id] for row_id in found.ids if row_id in rows]  # retention may have deleted some
    return search_page(found, [row for row in loaded if has_part(row.to_email, wanted.to or "")], cursor)


async def filter_options(org: Organization, search: MailLogSearch) -> FilterOptions:
    accounts = await Account.of(org).order_by("-id").limit(MAX_OPTIONS).only("id", "name")
    if search.account_id is not None and all(one.id != search.account_id for one in accounts):
        accounts += await Account.of(org).filter(id=search.account_id).only("id", "name")
    campaigns = await Campaign.of(org).order_by("-id").limit(MAX_OPTIONS).only("id", "title")
    if search.campaign_id is not None and all(one.id != search.campaign_id for one in campaigns):
        campaigns += await Campaign.of(org).filter(id=search.campaign_id).only("id", "title")
    return FilterOptions(accounts, campaigns, await _runs(org, search))


async def _runs(org: Organization, search: MailLogSearch) -> list[CampaignRun]:
    runs = CampaignRun.of(org).only("id", "created_at", "started_at", "campaign_id")
    if search.campaign_id is not None:
        return await runs.filter(campaign_id=search.campaign_id).order_by("-id").limit(MAX_OPTIONS)
    return await runs.filter(id=search.campaign_run_id) if search.campaign_run_id is not None else []
