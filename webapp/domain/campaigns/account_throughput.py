"""The throughput of accounts: their daily limits, today's use, and their rate."""

from collections.abc import Sequence
from datetime import datetime

from webapp import clock
from webapp.domain.campaigns.forecast import Capacity
from webapp.models import Account, AccountUsage, Organization

CONNECTION_PER_SECOND = 1.0  # messages; nearly every server takes as many
SANDBOX_PER_SECOND = 200.0


async def load_capacities(
    org: Organization, accounts: Sequence[Account], starts_at: datetime, per_second: float | None = None
) -> list[Capacity]:
    """`per_second` is the measured rate of all together."""
    day = clock.today(org.timezone, starts_at)
    rows = await AccountUsage.filter(account_id__in=[account.id for account in accounts], day=day)
    use = {row.account_id: row for row in rows}
    share = per_second / len(accounts) if per_second and accounts else None
    return [
        Capacity(
            None if account.is_sandbox else account.daily_mail_limit,
            _used(account, use.get(account.id)),
            share or _messages_per_second(account),
        )
        for account in accounts
    ]


def _used(account: Account, use: AccountUsage | None) -> int:
    if use is None:
        return 0
    return account.daily_mail_limit if use.is_full else use.used


def _messages_per_second(account: Account) -> float:
    return SANDBOX_PER_SECOND if account.is_sandbox else account.concurrency * CONNECTION_PER_SECOND
