"""Bounds of renderings: 3 µs a step at most, 2 µs a character of html to text; over 10 ms run in the render pool."""

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
REQUEST_STEPS = 500_000
REQUEST_BYTES = 25 * MIB
PARSING = 10  # parsing a node costs as much as rendering ten
INLINE_BYTES = 16 * 1024  # of a mail with html to be made into text: a newsletter takes 2 ms, anything at most 30
INLINE_SOURCE = 1_000  # characters of a template, each parsed in up to 5 µs
THREADS = 2  # one organization has one of them at most
POOL = ThreadPoolExecutor(THREADS, "render")  # the default pool hashes passwords and encodes answers
SLOTS: FairSlots[FairSlot] = FairSlots(THREADS, most_each=1)


class ContentKind(StrEnum):
    HTML = "html"
    TEXT = "text"
    SUBJECT = "subject"

    @property
    def steps(self) -> int:
        """The most nodes in loops, values and filters. Lists show a hundred subjects at once."""
        return 2_000 if self is ContentKind.SUBJECT else 100_000

    @property
    def output_bytes(self) -> int:
        return 4_000 if self is ContentKind.SUBJECT else 2_000_000


class Budget:
    """The steps and bytes that the renderings of one request have left; never refilled once `is_spent`."""

    def __init__(self, steps: int = REQUEST_STEPS, output_bytes: int = REQUEST_BYTES) -> None:
        self.steps, self.output_bytes = steps, output_bytes
        self._parsed: set[object] = set()

    @property
    def is_spent(self) -> bool:
        return self.steps < 0 or self.output_bytes < 0

    def charge(self, steps: int) -> None:
        """Raises ResourceLimitError when there were too many steps."""
        self.steps -= steps
        if self.steps < 0:
            raise ResourceLimitError("takes too long to render", token=None)

    def begin(self, template: object, nodes: int) -> None:
        """Charges the template's parsing and its nodes outside of loops. Raises ResourceLimitError."""
        is_new = template not in self._parsed
        self._parsed.add(template)
        self.charge(nodes * PARSING if is_new else nodes)


async def run_in_render_pool(org_id: UUID, call: Callable[..., T], *args: Any) -> T:
    """Runs `call` in a thread; it holds the organization's slot until the thread ends, even if the caller goes."""
    slot = FairSlot(org_id)
    await SLOTS.acquire(slot)
    try:
        done = asyncio.get_running_loop().run_in_executor(POOL, partial(copy_context().run, call, *args))
    except BaseException:
        SLOTS.release(slot)
        raise
    done.add_done_callback(lambda _: SLOTS.release(slot))
    return await asyncio.shield(done)  # a cancelled caller stops no thread
