"""Work on many rows in turn, a batch each, so that a large one delays no other."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from math import inf
from uuid import UUID

from webapp import clock, db
from webapp.backoff import report_failure
from webapp.db.errors import is_outage
from webapp.errors import Conflict

OUR_FAULT = "Something went wrong on our side. Your administrator can find details in the worker log."


async def _no_lease(_: UUID) -> bool:
    return True


@dataclass
class Rounds:
    """`process` makes a batch of a row and returns False when the row is done.

    An error of ours would come back each time, so that it ends the work on the row by `fail`; outages and conflicts
    pass, and the row is left to another call.
    """

    log: logging.Logger
    waiting: Callable[[], Awaitable[list[UUID]]]
    process: Callable[[UUID], Awaitable[bool]]
    fail: Callable[[UUID], Awaitable[None]]
    lease: Callable[[UUID], Awaitable[bool]] = _no_lease  # False if another worker has the row
    release: Callable[[UUID], Awaitable[object]] = _no_lease
    _running: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self, seconds: float = inf) -> None:
        """Makes batches for `seconds` at most; returns at once while another call is at work."""
        if not self._running.locked():
            async with self._running:
                await self._run_until(clock.elapsed() + seconds)

    async def _run_until(self, until: float) -> None:
        leased, given_up = set[UUID](), set[UUID]()
        try:
            while clock.elapsed() < until:
                for row_id in set(await self.waiting()) - leased - given_up:
                    if await self.lease(row_id):
                        leased.add(row_id)
                if not leased:
                    break
                for row_id in sorted(leased):
                    began = clock.elapsed()
                    try:
                        is_over = not await self.process(row_id)
                    except Exception as error:  # noqa: BLE001 - logged
                        report_failure(self.log, "a row could not be processed further", error, row=str(row_id))
                        given_up.add(row_id)
                        is_over = True
                        if not (is_outage(error) or isinstance(error, Conflict)):
                            await self.fail(row_id)
                    if is_over:
                        leased.discard(row_id)
                    await db.let_others_write(began)
        finally:
            for row_id in leased:
                await self.release(row_id)
