"""Probes: /healthz reports that the process runs, /readyz whether mail can be accepted and sent."""

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from quart import Quart, current_app

from webapp import db
from webapp.config import Settings
from webapp.db import errors
from webapp.domain.contacts import consent
from webapp.domain.instance.suspension import find_suspension
from webapp.domain.instance.workers import is_worker_alive, worker_troubles
from webapp.logs import RateLimitedLogger
from webapp.redis.client import is_reachable

T = TypeVar("T")

complaints = RateLimitedLogger(logging.getLogger(__name__))

OK, UNREACHABLE, FULL, MISSING, ON_HOLD = "ok", "unreachable", "full", "missing", "on hold"

LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not bound
CHECK_SECONDS = 0.8  # for one check, so that the answer comes within a second
MAX_AGE_SECONDS = 0.9  # of an answer
MIN_FREE_BYTES = 1024 * 1024  # bytes on the disk of a SQLite file
MEGABYTE = "CREATE TEMPORARY TABLE probe ON COMMIT DROP AS SELECT number FROM generate_series(1, 30000) AS number"

_checks: set[asyncio.Task[Any]] = set()  # that run, as asyncio itself does not keep tasks


class Readiness(NamedTuple):
    database: str
    worker: str
    redis: str
    consent_log: str
    secret_keys: str  # of the workers
    sending: str
    smtp: str  # empty if no port is in the settings

    @property
    def status(self) -> str:
        if not self.database == self.worker == OK:
            return "unavailable"
        return "degraded" if any(state not in (OK, "") for state in self) else OK


def register(app: Quart) -> None:
    app.add_url_rule("/healthz", "healthz", is_alive)
    app.add_url_rule("/readyz", "readyz", is_ready)


async def is_alive() -> tuple[dict[str, str], dict[str, str]]:
    return {"status": "ok"}, {"Cache-Control": "no-store"}


async def is_ready() -> tuple[dict[str, object], int, dict[str, str]]:
    probe: _Probe = current_app.extensions.setdefault("probe", _Probe(current_app.config["PENNYPOST"]))
    return await probe.is_ready()


class _Probe:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._last: Readiness | None = None
        self._checked_at = -MAX_AGE_SECONDS
        self._lock = asyncio.Lock()

    async def is_ready(self) -> tuple[dict[str, object], int, dict[str, str]]:
        async with self._lock:
            if self._last is None or monotonic() - self._checked_at > MAX_AGE_SECONDS:
                self._last = await check_parts(self._settings)
                self._checked_at = monotonic()
        readiness = self._last
        parts = {name: state for name, state in readiness._asdict().items() if state}
        body: dict[str, object] = {
            "status": readiness.status,
            "degraded": [name for name, state in parts.items() if state != OK],
            "parts": parts,
        }
        return body, 503 if readiness.status == "unavailable" else 200, {"Cache-Control": "no-store"}


async def check_parts(settings: Settings) -> Readiness:
    database, worker, redis, is_behind, troubles, suspension, smtp = await asyncio.gather(
        _answer(lambda: db.fetch("SELECT 1 AS one")),
        _answer(is_worker_alive),
        _answer(lambda: is_reachable(settings)),
        _answer(consent.is_behind),
        _answer(worker_troubles),
        _answer(find_suspension),
        _answer(lambda: try_smtp(settings)),
    )
    states = [OK if is_ok else UNREACHABLE for is_ok in (database, worker, redis, is_behind is False or not database)]
    states += [MISSING if troubles else OK, OK if suspension is None else ON_HOLD]
    if database and not has_disk_space(settings):
        states[0] = FULL
    takes_smtp = settings.submission.port or settings.submission.tls_port
    states.append((OK if smtp else UNREACHABLE) if takes_smtp else "")
    return Readiness(*states)


def has_disk_space(settings: Settings) -> bool:
    if errors.is_full():
        return False
    return not settings.is_sqlite or shutil.disk_usage(settings.sqlite_path.parent).free >= MIN_FREE_BYTES


async def try_smtp(settings: Settings) -> bool:
    """Connects to the ports on which programs submit email. True if there are none. Raises OSError."""
    submission = settings.submission
    host = LOOPBACK.get(submission.host, submission.host)
    for port in filter(None, (submission.port, submission.tls_port)):
        _, writer = await asyncio.open_connection(host, port)
        writer.close()
    return True


async def try_disk(settings: Settings) -> bool:
    """`has_disk_space` for a process that has not written yet: PostgreSQL's disk shows by writing a megabyte to it."""
    if not settings.is_sqlite:
        try:
            async with db.write_transaction():
                await db.fetch(MEGABYTE)
        except Exception:
            if not errors.is_full():
                raise
    return has_disk_space(settings)


async def _answer(check: Callable[[], Awaitable[T]]) -> T | None:
    """Checks on a read connection, which on SQLite does not wait for writers. None if it fails or takes too long."""

    async def answer() -> T | None:
        try:
            async with db.read_connection():
                return await check()
        except Exception as error:  # noqa: BLE001 - the probe must answer even if a part does not
            complaints.warn("a readiness check failed: %s", str(error) or type(error).__name__)
            return None

    task = asyncio.create_task(answer())
    _checks.add(task)
    task.add_done_callback(_checks.discard)
    try:
        await asyncio.wait({task}, timeout=CHECK_SECONDS)
    finally:
        task.cancel()  # without waiting, because a driver whose server is silent takes long to end
    if task.done():
        return task.result()
    complaints.warn("a readiness check took longer than %.1f s", CHECK_SECONDS)
    return None
