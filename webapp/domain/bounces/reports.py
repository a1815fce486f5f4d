"""The reports read from an account's mailbox."""

from typing import NamedTuple

from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.models import Account, BounceReport, MailboxReading, Organization


class ReadingView(NamedTuple):
    state: MailboxReading | None
    matched: int
    ignored: int


async def reading_of(org: Organization, account: Account) -> ReadingView:
    reports = BounceReport.of(org).filter(account_id=account.id)
    total, ignored = await reports.count(), await reports.filter(mail_log_id=None).count()
    return ReadingView(await MailboxReading.of(org).get_or_none(account_id=account.id), total - ignored, ignored)


async def list_reports(org: Organization, account: Account, page: Page) -> Listed[BounceReport]:
    return await fetch_page(BounceReport.of(org).filter(account_id=account.id).order_by("-id"), page)
