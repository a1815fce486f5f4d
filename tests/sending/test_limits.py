"""A budget of bytes shared by the messages in flight."""

import asyncio

import pytest

from webapp.domain.delivery.connection import ByteBudget


async def test_messages_wait_until_their_bytes_are_free() -> None:
    budget = ByteBudget(10)
    most, now = 0, 0

    async def reserve(size: int) -> None:
        nonlocal most, now
        async with budget.reserving(size):
            now += size
            most = max(most, now)
            await asyncio.sleep(0.001)
            now -= size

    await asyncio.wait_for(asyncio.gather(*(reserve(4) for _ in range(20))), 20)
    assert most == 8


async def test_a_message_larger_than_all_goes_alone() -> None:
    budget = ByteBudget(10)
    async with budget.reserving(1_000):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05), budget.reserving(1):
                pass
    async with asyncio.timeout(20), budget.reserving(10):
        pass
