"""The threads that renderings run in: an organization has one of them at a time."""

import asyncio
import threading
from uuid import UUID

import pytest

from webapp.domain.merge_tags.budget import run_in_render_pool

ACME, RIVAL = UUID(int=1), UUID(int=2)


async def test_an_organization_whose_renderings_take_long_keeps_no_other_waiting() -> None:
    may_end, begun = threading.Event(), list[int]()

    def render(number: int) -> int:
        begun.append(number)
        assert may_end.wait(30)
        return number

    long = [asyncio.create_task(run_in_render_pool(ACME, render, number)) for number in range(3)]
    try:
        assert await asyncio.wait_for(run_in_render_pool(RIVAL, sum, [1, 2]), 10) == 3
        assert begun == [0]
        long[1].cancel()
        with pytest.raises(asyncio.CancelledError):
            await long[1]
    finally:
        may_end.set()
    assert [await long[0], await long[2]] == [0, 2]
    assert begun == [0, 2]
