"""A web process that is told to stop while it is busy: every request that it answered is counted and logged."""

import asyncio

import httpx2

from tests.faults.support.processes import terminate
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import until
from webapp.config import Settings
from webapp.models import ApiRequest, Organization, OrgUsage

CALLERS = 8


async def test_a_stop_in_the_middle_loses_no_count_and_no_entry_of_the_log(
    acme: Organization, settings: Settings
) -> None:
    settings, answered = with_port(settings), list[int]()
    async with web_running(settings) as web, client_of(settings, await new_key(acme)) as client:
        callers = [asyncio.create_task(call(client, answered)) for _ in range(CALLERS)]
        await until(lambda: len(answered) >= 150, 60)
        assert await terminate(web) == 0
        await asyncio.gather(*callers)
    assert set(answered) == {200}
    logged = await ApiRequest.of(acme).count()
    assert len(answered) <= logged <= len(answered) + CALLERS  # an answer may have been lost on its way
    assert (await OrgUsage.of(acme).get()).used == logged


async def call(client: httpx2.AsyncClient, answered: list[int]) -> None:
    """Ask until nobody answers."""
    while True:
        try:
            answered.append((await client.get("/accounts")).status_code)
        except httpx2.TransportError:
            return
