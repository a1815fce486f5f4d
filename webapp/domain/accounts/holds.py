"""Accounts that send nothing right now, and why: paused, broken, failing to connect, or at a daily limit."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from webapp import clock
from webapp.domain.accounts.accounts import AccountToday, use_today
from webapp.models import Account, Organization
from webapp.models.account import AccountStatus


class Hold(NamedTuple):
    """`until` is when it continues automatically; None if a person must act."""

    account: Account
    kind: Literal["paused", "error", "failing", "limit", "provider"]
    until: datetime | None


async def find_holds(org: Organization, accounts: Sequence[Account]) -> list[Hold]:
    return list(holds_among(await use_today(org, accounts), clock.next_day(org.timezone)))


def holds_among(items: Iterable[AccountToday], resets_at: datetime) -> Iterator[Hold]:
    now = clock.now()
    for item in items:
        account = item.account
        if account.status == AccountStatus.PAUSED:
            yield Hold(account, "paused", None)
        elif account.status == AccountStatus.ERROR:
            yield Hold(account, "error", None)
        elif account.is_failing:
            next_at = account.rest_until
            yield Hold(account, "failing", next_at if next_at and next_at > now else None)
        elif not account.is_sandbox and item.remaining_today == 0:
            yield Hold(account, "provider" if item.is_full else "limit", resets_at)
