"""Bounds rendering: at most 3 µs a step, 2 µs a character of HTML to text; over 10 ms run in the render pool."""

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
INLINE_BYTES = 16 * 1024  # of HTML to turn into text, which takes 2 ms for a newsletter and at most 30
THREADS = 2  # at most one per organization
POOL = ThreadPoolExecutor(THREADS, "render")  # separate from the default pool, which hashes passwords
SLOTS: FairSlots[FairSlot] = FairSlots(THREADS, limit_each=1)


class ContentKind(StrEnum):
    HTML = "html"
    TEXT = "text"
    SUBJECT = "subject"

    @property
    def steps(self) -> int:
        """The maximum of nodes in loops, values and filters; lists show a hundred subjects."""
        return 2_000 if self is ContentKind.SUBJECT else 100_000

    @property
    def output_bytes(self) -> int:
        return 4_000 if self is ContentKind.SUBJECT else 2_000_000


class Budget:
    """The steps and bytes left for a request's renderings; not refilled once `is_spent`."""

    def __init__(self, steps: int = REQUEST_STEPS, output_bytes: int = REQUEST_BYTES) -> None:
        self.steps, self.output_bytes = steps, output_bytes
        self._parsed: set[object] = set()

    @property
    def is_spent(self) -> bool:
        return self.steps < 0 or self.output_bytes < 0

    def charge(self, steps: int) -> None:
        """Raises ResourceLimitError after too many steps."""
        self.steps -= steps
        if self.steps < 0:
            raise ResourceLimitError("takes too long to render", token=None)

    def begin(self, template: object, nodes: int) -> None:
        """Charges a template's parsing and its nodes outside of loops. Raises ResourceLimitError."""
        is_new = template not in self._parsed
        self._parsed.add(template)
        self.charge(nodes * PARSING if is_new else nodes)


async def run_in_render_pool(org_id: UUID, call: Callable[..., T], *args: Any) -> T:
    """Runs `call` in a thread, which occupies the organization's slot even if the caller is cancelled."""
    slot = FairSlot(org_id)
    await SLOTS.acquire(slot)
    try:
        done = asyncio.get_running_loop().run_in_executor(POOL, partial(copy_context().run, call, *args))
    except BaseException:
        SLOTS.release(slot)
        raise
    done.add_done_callback(lambda _: SLOTS.release(slot))
    return await asyncio.shield(done)  # cancelling the caller does not stop the thread
