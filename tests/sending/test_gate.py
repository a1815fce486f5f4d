"""So many at a time, in order, and another number of them while some are inside."""

import asyncio

from webapp.sending.limits import Gate


class Crowd:
    """Tasks that go through a gate; each stays inside until it is told to go."""

    def __init__(self, size: int, count: int) -> None:
        self.gate = Gate(size)
        self.inside: list[int] = []
        self._leave = {number: asyncio.Event() for number in range(1, count + 1)}
        self.tasks = {number: asyncio.create_task(self._go_through(number)) for number in self._leave}

    async def _go_through(self, number: int) -> None:
        async with self.gate:
            self.inside.append(number)
            try:
                await self._leave[number].wait()
            finally:
                self.inside.remove(number)

    def tell(self, *numbers: int) -> None:
        for number in numbers:
            self._leave[number].set()


async def settle() -> None:
    """Let every task go as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_they_go_in_the_order_in_which_they_came() -> None:
    crowd = Crowd(2, 5)
    await settle()
    assert crowd.inside == [1, 2]
    crowd.tell(2)
    await settle()
    assert crowd.inside == [1, 3]
    crowd.tell(1, 3)
    await settle()
    assert crowd.inside == [4, 5]


async def test_a_wider_gate_lets_those_who_wait_in_at_once() -> None:
    crowd = Crowd(1, 4)
    await settle()
    crowd.gate.resize(3)
    await settle()
    assert (crowd.inside, crowd.gate.is_overfull) == ([1, 2, 3], False)


async def test_a_narrower_gate_counts_who_is_inside_already() -> None:
    crowd = Crowd(3, 5)
    await settle()
    crowd.gate.resize(1)
    assert crowd.gate.is_overfull
    crowd.tell(1, 2)
    await settle()
    assert (crowd.inside, crowd.gate.is_overfull) == ([3], False)
    crowd.tell(3)
    await settle()
    assert crowd.inside == [4]


async def test_who_is_cancelled_leaves_no_place_taken() -> None:
    crowd = Crowd(2, 6)
    await settle()
    crowd.tasks[1].cancel()  # inside
    crowd.tasks[3].cancel()  # while it waits
    await settle()
    assert crowd.inside == [2, 4]
    crowd.gate.resize(3)
    crowd.tasks[5].cancel()  # it has been let in, and does not know it yet
    await settle()
    assert crowd.inside == [2, 4, 6]
