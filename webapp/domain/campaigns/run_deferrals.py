"""Runs whose accounts have used up the day wait for the next one, and go on when a daily limit is raised."""

from collections.abc import Sequence
from itertools import groupby
from uuid import UUID

from webapp import clock
from webapp.models.outbox import runs
from webapp.models.outbox.daily_quota import RunAccount, accounts_of_runs, left_of


async def defer_runs() -> None:
    """Releases as many deferred rows of a run as its accounts can still send today, oldest first."""
    accounts = await accounts_of_runs()
    days = {account.timezone: clock.today(account.timezone) for account in accounts}
    left = await left_of({(account.account_id, days[account.timezone]) for account in accounts})
    for run_id, group in groupby(accounts, key=lambda account: account.run_id):
        able = list(group)
        free = sum(left.get((one.account_id, days[one.timezone]), one.limit) for one in able)
        if free == 0:
            await _defer(able)
        elif able[0].has_deferred:
            await _release(run_id, free)


async def _defer(accounts: Sequence[RunAccount]) -> None:
    until = clock.next_day(accounts[0].timezone)
    cause = f"every account has sent what it may today; it waits for {until:%Y-%m-%d %H:%M} UTC"
    await runs.defer_rows(accounts[0].run_id, until, cause)


async def _release(run_id: UUID, free: int) -> None:
    waiting = await runs.count_pending(run_id, free)
    await runs.release_rows(run_id, free - waiting, "an account has mail left of its daily limit")
