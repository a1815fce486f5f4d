"""Whether the parts of the service can be reached: for probes (/healthz, /readyz) and for `pennypost doctor`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import NamedTuple

from quart import Quart
from redis.exceptions import RedisError

from webapp import db
from webapp.config import Settings
from webapp.domain.workers import is_worker_alive
from webapp.redis_client import connected_redis

log = logging.getLogger(__name__)

CHECK_SECONDS = 0.8  # the most that one check takes: an answer comes within a second
KEPT_SECONDS = 0.9  # the most that an answer is old


class Readiness(NamedTuple):
    """Which parts answer. Without an essential one the service cannot keep or send mail."""

    database: bool
    worker: bool
    redis: bool

    @property
    def status(self) -> str:
        """ok; degraded when all essential parts answer; unavailable."""
        if not (self.database and self.worker):
            return "unavailable"
        return "ok" if self.redis else "degraded"


def register(app: Quart) -> None:
    """Add the routes."""
    probe = _Probe(app.config["PENNYPOST"])
    app.add_url_rule("/healthz", "healthz", is_alive)
    app.add_url_rule("/readyz", "readyz", probe.is_ready)


async def is_alive() -> tuple[dict[str, str], dict[str, str]]:
    """The process answers."""
    return {"status": "ok"}, {"Cache-Control": "no-store"}


class _Probe:
    """Looks once for all who ask within a second."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._last: Readiness | None = None
        self._looked_at = -KEPT_SECONDS
        self._turn = asyncio.Lock()

    async def is_ready(self) -> tuple[dict[str, object], int, dict[str, str]]:
        async with self._turn:
            if self._last is None or monotonic() - self._looked_at > KEPT_SECONDS:
                self._last = await look(self._settings)
                self._looked_at = monotonic()
        found = self._last
        body: dict[str, object] = {
            "status": found.status,
            "degraded": [name for name, answers in found._asdict().items() if not answers],
            "parts": {name: "ok" if answers else "unreachable" for name, answers in found._asdict().items()},
        }
        return body, 503 if found.status == "unavailable" else 200, {"Cache-Control": "no-store"}


async def look(settings: Settings) -> Readiness:
    """Ask every part, all at once."""
    database, worker, redis = await asyncio.gather(
        _within(lambda: _aside(db.is_reachable)),
        _within(lambda: _aside(is_worker_alive)),
        _within(lambda: is_redis_reachable(settings)),
    )
    return Readiness(database, worker, redis)


async def _aside(check: Callable[[], Awaitable[bool]]) -> bool:
    """Ask the database; on SQLite, whoever writes there just now is not waited for."""
    async with db.aside():
        return await check()


async def is_redis_reachable(settings: Settings) -> bool:
    """Whether Redis answers a ping."""
    try:
        async with connected_redis(settings):
            return True
    except (RedisError, OSError):
        return False


async def _within(check: Callable[[], Awaitable[bool]]) -> bool:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            return await check()
    except Exception as error:  # noqa: BLE001 - whatever keeps a part from answering, a probe must be answered
        log.warning("a readiness check failed: %s", str(error) or type(error).__name__)
        return False
