"""A web process that is told to stop while it is busy: every request that it answered is counted and logged."""

import asyncio
from dataclasses import replace

import httpx2
import pytest

from tests.conftest import free_port
from tests.fakes.worker import eventually
from tests.faults.support.processes import start, terminate
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.models import ApiRequest, Organization, OrgUsage

CALLERS = 8


@pytest.mark.parametrize("options", [(), pytest.param(("--processes", "2"), marks=pytest.mark.postgres)])
async def test_a_stop_in_the_middle_loses_no_count_and_no_entry_of_the_log(
    acme: Organization, settings: Settings, options: tuple[str, ...]
) -> None:
    port = free_port()
    settings = replace(settings, port=port, base_url=f"http://127.0.0.1:{port}")
    key = (await issue_key(acme, NewKey(name="one", role="viewer"))).secret
    answered: list[int] = []
    web = await start(settings, "web", *options)
    async with httpx2.AsyncClient(base_url=settings.base_url, headers={"Authorization": f"Bearer {key}"}) as client:
        await eventually(lambda: answers(client), seconds=60)
        callers = [asyncio.create_task(call(client, answered)) for _ in range(CALLERS)]
        await eventually(lambda: is_long(answered, 150), seconds=60)
        assert await terminate(web) == 0
        await asyncio.gather(*callers)
    assert set(answered) == {200}
    logged = await ApiRequest.of(acme).count()
    assert len(answered) <= logged <= len(answered) + CALLERS  # an answer may have been lost on its way
    assert (await OrgUsage.of(acme).get()).used == logged


async def answers(client: httpx2.AsyncClient) -> bool:
    try:
        return (await client.get("/healthz")).status_code == 200
    except httpx2.TransportError:
        return False


async def is_long(answered: list[int], wanted: int) -> bool:
    return len(answered) >= wanted


async def call(client: httpx2.AsyncClient, answered: list[int]) -> None:
    """Ask until nobody answers."""
    while True:
        try:
            answered.append((await client.get("/v1/accounts")).status_code)
        except httpx2.TransportError:
            return
