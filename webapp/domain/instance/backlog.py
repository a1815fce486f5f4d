"""The email that waits, for the operator."""

from typing import NamedTuple

from webapp.models.queries import instance_gauges


class Backlog(NamedTuple):
    rows: int
    oldest_seconds: float  # since the oldest email that could be sent was due


async def measure_backlog() -> Backlog:
    waiting = await instance_gauges.count_waiting()
    oldest = await instance_gauges.oldest_due(await instance_gauges.list_accounts(1))
    return Backlog(sum(waiting.values()), oldest)
