"""Tests and saves the settings of an account's mailbox of bounces, and shows what was read from it."""

from copy import copy
from typing import NamedTuple

from webapp.domain.accounts.accounts import change_account
from webapp.domain.accounts.credentials import is_at_microsoft, reads_by_oauth
from webapp.domain.accounts.inputs import AccountChanges
from webapp.domain.accounts.validation import apply_settings, reads_by_imap, require_mailbox_password, validate_settings
from webapp.domain.bounces.reading import try_mailbox
from webapp.domain.delivery.login_test import CHECKS_A_MINUTE, check_return_path
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.throttle import SharedThrottle
from webapp.errors import RateLimitExceeded, ValidationError
from webapp.models import Account, BounceReport, MailboxReading, Organization
from webapp.models.account import BounceReading, OAuthProvider
from webapp.sending.reports.mailbox import MailboxTrouble


async def save_reading(org: Organization, account: Account, data: AccountChanges, checks: SharedThrottle) -> bool:
    """Saves settings that work, and if tagged return paths do; False if the provider must still grant access.

    Raises ValidationError at the wrong field, RateLimitExceeded, Busy, and like `change_account`.
    """
    changed = copy(account)
    apply_settings(changed, data.given())
    validate_settings(changed)
    require_mailbox_password(changed)
    may_read = changed.bounce_reading == BounceReading.OFF
    if not may_read and not _awaits_consent(account, changed):
        may_read = await _check(org, changed, checks)
    account = await change_account(account, data)
    if account.bounce_reading != BounceReading.OFF:
        await check_return_path(account, again=True)
        await account.refresh_from_db()
    return may_read


def _awaits_consent(before: Account, account: Account) -> bool:
    """True if Microsoft was not asked yet to let the account's own mailbox be read."""
    was_asked = before.bounce_reading == BounceReading.ACCOUNT
    is_connected = account.oauth_provider == OAuthProvider.MICROSOFT and is_at_microsoft(account)
    return reads_by_oauth(account) and is_connected and not was_asked


async def _check(org: Organization, account: Account, checks: SharedThrottle) -> bool:
    wait = await checks.consume(str(org.id))
    if wait:
        raise RateLimitExceeded(f"Up to {CHECKS_A_MINUTE} login tests per minute. Try again in {wait} seconds.", wait)
    error = await try_mailbox(account)
    if error is None or error.trouble is MailboxTrouble.SCOPE:
        return error is None
    if not reads_by_imap(account):
        raise ValidationError(str(error))
    is_own_login = account.bounce_reading == BounceReading.MAILBOX and error.trouble is MailboxTrouble.LOGIN
    raise ValidationError.of("bounce_imap_password" if is_own_login else "bounce_imap_host", str(error))


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
