"""What accounts have sent today, and what they may still send."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from webapp import clock
from webapp.domain.accounts.pace import slowdown_text
from webapp.models import Account, AccountUsage, Organization
from webapp.models.account import AccountStatus
from webapp.models.outbox import ramp
from webapp.models.outbox.allowance import DayRules
from webapp.models.outbox.send_window import SendWindow
from webapp.models.queries.provider_slowdowns import list_slowdowns
from webapp.sending.reports.authentication import Judgement


@dataclass(frozen=True)
class AccountToday:
    """`sent_today` counts recipients since the organization's midnight; `rules` are those of today.

    The verdict needs the account's `from_check`.
    """

    account: Account
    rules: DayRules
    slowdowns: Sequence[str] = ()  # sentences

    @property
    def sent_today(self) -> int:
        return self.rules.used

    @property
    def is_full(self) -> bool:
        return self.rules.is_full

    @property
    def remaining_today(self) -> int:
        return self.rules.left

    @property
    def remaining_for_campaigns(self) -> int:
        return max(self.rules.left - self.rules.reserve, 0)

    @property
    def from_check_verdict(self) -> str:
        check = self.account.from_check
        return check.verdict if check is not None and check.domain == self.account.from_domain else Judgement.UNKNOWN


async def today_of(org: Organization, account: Account) -> AccountToday:
    """With the check of its From address."""
    await account.fetch_related("from_check")
    (account_today,) = await use_today(org, [account])
    return account_today


async def count_remaining_today(org: Organization) -> int:
    """The recipients that active accounts, except the sandbox, may still send to today."""
    accounts = await Account.of(org).filter(status=AccountStatus.ACTIVE, is_sandbox=False)
    return sum(item.remaining_today for item in await use_today(org, accounts))


async def use_today(org: Organization, accounts: Sequence[Account], at: datetime | None = None) -> list[AccountToday]:
    """The use of the accounts on the day of `at`, by default now."""
    ids, day = [account.id for account in accounts], clock.today(org.timezone, at)
    used_today = {row.account_id: row for row in await AccountUsage.filter(account_id__in=ids, day=day)}
    ramps = {account.id: ramp.Ramp.of(account.ramp) for account in accounts if account.ramp is not None}
    limits, next_day = await ramp.ramp_limits(ramps, day), clock.next_day(org.timezone, at)
    return [
        AccountToday(
            account,
            rules_of(account, next_day, used_today.get(account.id), limits.get(account.id)),
            [slowdown_text(account, each, org.timezone) for each in await list_slowdowns(account)],
        )
        for account in accounts
    ]


def rules_of(
    account: Account, next_day: datetime, usage: AccountUsage | None = None, ramp_limit: int | None = None
) -> DayRules:
    return DayRules(
        next_day,
        account.daily_mail_limit,
        0 if usage is None else usage.used,
        is_full=usage is not None and usage.is_full,
        ramp_limit=ramp_limit,
        reserve=account.reserve_for_transactional or 0,
        window=None if account.send_window is None else SendWindow.of(account.send_window),
    )
