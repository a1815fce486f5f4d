"""Accounts that send nothing right now, and why: paused, broken, failing to connect, or at their daily limit."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from webapp import clock
from webapp.models import Account, AccountUsage, Organization
from webapp.models.account import AccountStatus


class Hold(NamedTuple):
    """`until` is when it sends or is tried again by itself; None where a person has to act."""

    account: Account
    kind: Literal["paused", "error", "failing", "limit"]
    until: datetime | None


async def find_holds(org: Organization, accounts: Sequence[Account]) -> list[Hold]:
    """The holds of those accounts that have one, in their order."""
    day = clock.today(org.timezone)
    limited = [account.id for account in accounts if not account.is_sandbox]
    usage = {row.account_id: row for row in await AccountUsage.filter(account_id__in=limited, day=day)}
    resets_at = clock.next_day(org.timezone)
    return list(_holds(accounts, usage, resets_at))


def _holds(accounts: Iterable[Account], usage: dict[UUID, AccountUsage], resets_at: datetime) -> Iterable[Hold]:
    for account in accounts:
        used = usage.get(account.id)
        if account.status == AccountStatus.PAUSED:
            yield Hold(account, "paused", None)
        elif account.status == AccountStatus.ERROR:
            yield Hold(account, "error", None)
        elif account.is_failing:
            is_ahead = account.rest_until is not None and account.rest_until > clock.now()
            yield Hold(account, "failing", account.rest_until if is_ahead else None)
        elif used is not None and (used.is_full or used.used >= account.daily_mail_limit):
            yield Hold(account, "limit", resets_at)
