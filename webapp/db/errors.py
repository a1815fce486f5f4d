"""Tells outages and full disks from faulty statements by the database's errors, and logs an outage once."""

import logging
import math
import re
import sqlite3
import traceback
from time import monotonic

import asyncpg
from tortoise.exceptions import BaseORMException, DBConnectionError

log = logging.getLogger(__name__)

AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shut down, restarting, a statement cancelled
    asyncpg.InsufficientResourcesError,  # disk full, too many connections
    asyncpg.TransactionRollbackError,  # deadlock, serialization failure
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InternalClientError,
    asyncpg.InterfaceError,  # the pool or the connection is closed
    DBConnectionError,
)
# The database answers, and a retry may succeed immediately.
BUSY = (asyncpg.TransactionRollbackError, asyncpg.QueryCanceledError)
BUSY_SQLITE = re.compile(r"locked|busy", re.IGNORECASE)
AWAY_SQLITE = re.compile(r"locked|busy|disk|full|readonly|unable to open|no active connection|closed", re.IGNORECASE)
FULL = (asyncpg.DiskFullError, asyncpg.ReadOnlySQLTransactionError)
FULL_SQLITE = re.compile(r"disk|full|readonly", re.IGNORECASE)

FULL_SECONDS = 10  # for which the database counts as full after a transaction found no space

# Connections end and return one by one: within this many seconds of a failure, an answer proves nothing.
CALM = 1.0

_failed_at: float | None = None  # when this process last missed the database; None unless it is away
_refused_at = -math.inf  # when this process last found the disk full


def is_outage(error: BaseException) -> bool:
    """True if a retry may succeed later; the driver's error may be wrapped."""
    error = driver_error(error)
    if isinstance(error, sqlite3.Error):
        return bool(AWAY_SQLITE.search(str(error)))
    return isinstance(error, AWAY) or _is_of_connection(error)


def is_away(error: BaseException) -> bool:
    """True if the database is unavailable."""
    error = driver_error(error)
    is_busy = BUSY_SQLITE.search(str(error)) if isinstance(error, sqlite3.Error) else isinstance(error, BUSY)
    return is_outage(error) and not is_busy


def report_away(error: BaseException) -> None:
    """Logs that the database is unavailable, once until it is back."""
    global _failed_at  # noqa: PLW0603 - of the process, as its connections are
    was_away = _failed_at is not None
    _failed_at = monotonic()
    record_full_disk(error)
    if not was_away:
        error = driver_error(error)
        log.warning("the database is away, trying until it is back: %s", str(error) or type(error).__name__)


def report_answer() -> None:
    """Logs that the database is back if it was reported away, has space and has not failed for `CALM` seconds."""
    global _failed_at  # noqa: PLW0603 - as above
    if _failed_at is not None and monotonic() - _failed_at >= CALM and not is_full():
        _failed_at = None
        log.info("the database is back")


def record_full_disk(error: BaseException) -> None:
    """Remembers when a statement failed because the disk was full or read-only."""
    global _refused_at  # noqa: PLW0603 - of the process, like the disk
    error = driver_error(error)
    if isinstance(error, FULL) or (isinstance(error, sqlite3.Error) and FULL_SQLITE.search(str(error))):
        _refused_at = monotonic()


def forget() -> None:
    global _refused_at, _failed_at  # noqa: PLW0603 - as above
    _failed_at = None
    _refused_at = -math.inf


def is_full() -> bool:
    """True if a statement failed within FULL_SECONDS because the disk was full or read-only."""
    return monotonic() - _refused_at < FULL_SECONDS


def _is_of_connection(error: BaseException) -> bool:
    """True for an OSError from asyncpg's connection: refused, reset or timed out."""
    if not isinstance(error, OSError):  # TimeoutError is a subclass
        return False
    modules = (frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(name.partition(".")[0] == "asyncpg" for name in modules)


def driver_error(error: BaseException) -> BaseException:
    if isinstance(error, BaseExceptionGroup):  # of tasks that all do the same
        return driver_error(error.exceptions[0])
    while isinstance(error, BaseORMException) and error.args and isinstance(error.args[0], BaseException):
        error = error.args[0]
    return error
