"""Whether an error says that the database is away or cannot commit, rather than that a statement is wrong."""

import re
import sqlite3

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


def is_outage(error: BaseException) -> bool:
    """Whether trying again later may help although nothing is changed; the driver's error may be wrapped."""
    if isinstance(error, BaseORMException) and error.args and isinstance(error.args[0], BaseException):
        return is_outage(error.args[0])
    if isinstance(error, sqlite3.Error):
        return bool(AWAY_SQLITE.search(str(error)))
    return isinstance(error, AWAY)
