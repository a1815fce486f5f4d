"""Counts API requests per organization and month; every process saves its counts once a second."""

import asyncio
import logging
from dataclasses import dataclass
from time import monotonic
from uuid import UUID

from webapp.logs import RateLimitedLogger
from webapp.models import Organization, usage
from webapp.models.usage import Metric

log = logging.getLogger(__name__)

CACHE_SECONDS = 60.0  # that an idle organization's count is cached


@dataclass
class _Tally:
    """`known` is the database's count; `waiting` is this process's since then."""

    known: int = 0
    known_since: float = -CACHE_SECONDS
    waiting: int = 0

    def is_older(self, seconds: float) -> bool:
        return monotonic() - self.known_since >= seconds


class RequestCounter:
    """Counts that cannot be saved now are saved later."""

    def __init__(self) -> None:
        self._tallies: dict[tuple[UUID, str], _Tally] = {}  # by organization and month in UTC, like 2026-11
        self._lock = asyncio.Lock()  # prevents reading a count while it is written, which would count twice
        self._warnings = RateLimitedLogger(log)

    async def used(self, org: Organization, month: str, seconds: float = CACHE_SECONDS) -> int:
        """Includes other processes' requests until at most `seconds` ago."""
        tally = self._tallies.setdefault((org.id, month), _Tally())
        if tally.is_older(seconds):
            async with self._lock:
                if tally.is_older(seconds):  # only one of many concurrent callers reads
                    asked_at = monotonic()
                    tally.known = await usage.used_of(org.id, Metric.API_REQUESTS, month) or 0
                    tally.known_since = asked_at
        return tally.known + tally.waiting

    def record(self, org: Organization, month: str, requests: int) -> None:
        self._tallies.setdefault((org.id, month), _Tally()).waiting += requests

    async def write(self) -> None:
        """Adds this process's counts to the database's, and drops cached counts of idle organizations."""
        async with self._lock:
            ours = {counter: tally.waiting for counter, tally in self._tallies.items() if tally.waiting}
            if ours:
                await self._add(ours)
            self._tallies = {
                counter: tally
                for counter, tally in self._tallies.items()
                if tally.waiting or not tally.is_older(CACHE_SECONDS)
            }

    async def _add(self, ours: dict[tuple[UUID, str], int]) -> None:
        asked_at = monotonic()
        try:
            counts = await usage.add_uses(Metric.API_REQUESTS, ours)
        except Exception as error:  # noqa: BLE001 - drivers raise many kinds; nothing is lost
            self._warnings.warn("counted requests wait for the database: %s", str(error) or type(error).__name__)
            return
        for counter, requests in ours.items():
            tally = self._tallies[counter]
            tally.known, tally.known_since = counts.get(counter, 0), asked_at
            tally.waiting -= requests
