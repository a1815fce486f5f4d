"""The email that waits, for the operator."""

from typing import NamedTuple

from webapp.models.queries import instance_gauges


class Backlog(NamedTuple):
    rows: int
    oldest_seconds: float  # since the oldest email that could be sent was due


async def measure_backlog() -> Backlog:
    waiting = await instance_gauges.count_waiting()
    of_accounts = [account.seconds for account in await instance_gauges.list_accounts(1)]
    return Backlog(sum(waiting.values()), max([*of_accounts, await instance_gauges.oldest_campaign_row()]))
