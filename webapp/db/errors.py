"""Distinguishes outages and full disks from wrong statements by the database's errors."""

import math
import re
import sqlite3
from time import monotonic

import asyncpg
from tortoise.exceptions import BaseORMException, DBConnectionError

AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shut down, restarting, a statement cancelled
    asyncpg.InsufficientResourcesError,  # disk full, too many connections
    asyncpg.TransactionRollbackError,  # deadlock, serialization failure
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InternalClientError,
    asyncpg.InterfaceError,  # the pool or the connection is closed
    DBConnectionError,
    OSError,  # refused, reset, and asyncio's TimeoutError
)
AWAY_SQLITE = re.compile(r"locked|busy|disk|full|readonly|unable to open|no active connection|closed", re.IGNORECASE)
FULL = (asyncpg.DiskFullError, asyncpg.ReadOnlySQLTransactionError)
FULL_SQLITE = re.compile(r"disk|full|readonly", re.IGNORECASE)

_refused_at = -math.inf  # the last time that the disk was full for this process


def is_outage(error: BaseException) -> bool:
    """True when a retry may succeed later; the driver's error may be wrapped."""
    error = _drivers(error)
    if isinstance(error, sqlite3.Error):
        return bool(AWAY_SQLITE.search(str(error)))
    return isinstance(error, AWAY)


def note(error: BaseException) -> None:
    """Records the time of a transaction that failed because the disk is full or read-only."""
    global _refused_at  # noqa: PLW0603 - of the process, as the disk is
    error = _drivers(error)
    if isinstance(error, FULL) or (isinstance(error, sqlite3.Error) and FULL_SQLITE.search(str(error))):
        _refused_at = monotonic()


def forget() -> None:
    global _refused_at  # noqa: PLW0603 - as above
    _refused_at = -math.inf


def refused_for() -> float:
    """Seconds since a transaction last failed because the disk was full or read-only; infinite for never."""
    return monotonic() - _refused_at


def _drivers(error: BaseException) -> BaseException:
    while isinstance(error, BaseORMException) and error.args and isinstance(error.args[0], BaseException):
        error = error.args[0]
    return error
