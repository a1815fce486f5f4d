"""What renderings and conversions may cost, and where they run.

A rendering is judged by its steps and its output, each for itself and all of a request together. A step takes 3 µs at
most, a character of html that is made into text 0.6 µs. What may take more than 10 ms runs in the render pool, where an
organization has one thread at a time.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from liquid.exceptions import ResourceLimitError

from webapp.fair_slots import FairSlot, FairSlots

T = TypeVar("T")

MIB = 1024 * 1024
STEPS_OF_ALL = 500_000
BYTES_OF_ALL = 25 * MIB
PARSING = 10  # times what it takes to go through what has been parsed
INLINE_BYTES = 16 * 1024  # of a mail with html to be made into text: at most 10 ms
INLINE_SOURCE = 1_000  # characters of a template, each parsed in up to 5 µs
THREADS = 2  # of the pool: one organization's work leaves the other to everybody else's
POOL = ThreadPoolExecutor(THREADS, "render")  # apart from the default one, which hashes passwords and encodes answers
SLOTS: FairSlots[FairSlot] = FairSlots(THREADS, most_each=1)


class Kind(StrEnum):
    """What is rendered: values are escaped in html, raw in text, and have no line breaks in a subject."""

    HTML = "html"
    TEXT = "text"
    SUBJECT = "subject"

    @property
    def steps(self) -> int:
        """The nodes in loops, values and filters of one rendering. Lists show a hundred subjects at once."""
        return 2_000 if self is Kind.SUBJECT else 100_000

    @property
    def output_bytes(self) -> int:
        """The length of what is rendered."""
        return 4_000 if self is Kind.SUBJECT else 2_000_000


class Budget:
    """What the renderings of one request have left together. It is never refilled once `is_spent`."""

    def __init__(self, steps: int = STEPS_OF_ALL, output_bytes: int = BYTES_OF_ALL) -> None:
        """As much as one request may take."""
        self.steps, self.output_bytes = steps, output_bytes
        self._parsed: set[int] = set()

    @property
    def is_spent(self) -> bool:
        """Whether more was taken than there was."""
        return self.steps < 0 or self.output_bytes < 0

    def spend(self, steps: int) -> None:
        """Count steps. Raises ResourceLimitError when there were too many."""
        self.steps -= steps
        if self.steps < 0:
            raise ResourceLimitError("takes too much work", token=None)

    def begin(self, template: object, nodes: int) -> None:
        """Count what a template costs before its first loop, and that it was parsed. Raises ResourceLimitError."""
        is_new = id(template) not in self._parsed
        self._parsed.add(id(template))
        self.spend(nodes * PARSING if is_new else nodes)


async def run_in_render_pool(org_id: UUID, call: Callable[..., T], *args: Any) -> T:
    """`call` beside the loop, when it is the organization's turn, which lasts until the thread is done."""
    slot = FairSlot(org_id)
    await SLOTS.acquire(slot)
    try:
        done = asyncio.get_running_loop().run_in_executor(POOL, partial(copy_context().run, call, *args))
    except BaseException:
        SLOTS.release(slot)
        raise
    done.add_done_callback(lambda _: SLOTS.release(slot))
    return await asyncio.shield(done)  # a caller who has gone stops no thread
