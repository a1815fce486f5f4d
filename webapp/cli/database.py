"""Waits for a command's database server, and opens the database or says in a sentence why it cannot."""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator

import asyncpg
from tortoise.exceptions import BaseORMException

from webapp import clock, config, db
from webapp.cli import output
from webapp.config import Settings, read_settings
from webapp.db.errors import driver_error, is_outage
from webapp.db.migrate import applied_migrations, migrate, pending_migrations
from webapp.errors import ConfigError
from webapp.logs import hide_secrets
from webapp.tasks import wait_at_most

log = logging.getLogger(__name__)

TRY_SECONDS = 5.0  # for one connection
PAUSE = 0.5  # seconds
DRIVER_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    BaseORMException,
    sqlite3.Error,
    OSError,
    ValueError,  # a URL that the driver cannot read
)


def configured(*, needs_database: bool = True) -> Settings:
    """Reads the settings and sets them for this process. Raises ConfigError."""
    return configure(read_settings(needs_database=needs_database))


def configure(settings: Settings) -> Settings:
    """Sets the settings for this process, and warns of mistyped ones."""
    config.configure(settings)
    for sentence in settings.mistyped:
        log.warning("%s", sentence)
    return settings


@contextlib.asynccontextmanager
async def open_database(settings: Settings) -> AsyncIterator[None]:
    """Connects to the migrated database for the block. Raises ConfigError that says what to do."""
    await check_database(settings)
    try:
        async with db.connected(settings.database_url):
            yield
    except Exception as error:
        if is_outage(error):
            raise ConfigError(f"{database_name(settings)} connection lost ({reason_of(error)}): try again") from error
        raise


async def check_database(settings: Settings) -> None:
    """Raises ConfigError unless the database can be opened and has every migration."""
    config.require_database_file(settings.database_url)
    with in_words(settings):
        pending = await pending_migrations(settings)
    if pending:
        plural = "s" if len(pending) > 1 else ""
        raise ConfigError(
            f"{database_name(settings)} has {len(pending)} pending migration{plural}: run pennypost migrate"
        )


async def migrate_database(settings: Settings) -> None:
    """Migrates the database; logs each step unless the database is new, because then all are quick."""
    with in_words(settings):
        is_new = not await applied_migrations(settings)
        await (migrate(settings) if is_new else migrate(settings, log.info))


@contextlib.contextmanager
def in_words(settings: Settings) -> Iterator[None]:
    try:
        yield
    except DRIVER_ERRORS as error:
        raise ConfigError(
            f"{database_name(settings)} cannot be opened ({reason_of(error)}): {_advice(settings, error)}"
        ) from None


def database_name(settings: Settings) -> str:
    if settings.is_sqlite:
        return f"the database {settings.sqlite_path}"
    return f"the database {hide_secrets(settings.database_url.partition('?')[0])}"


def reason_of(error: BaseException) -> str:
    error = driver_error(error)
    if isinstance(error, TimeoutError):
        return "no response"
    if isinstance(error, ConnectionRefusedError):
        return "connection refused"
    return hide_secrets(str(error).partition("\n")[0]) or type(error).__name__


def _advice(settings: Settings, error: BaseException) -> str:
    if settings.is_sqlite and "disk is full" in str(error):
        return "free up space on its disk"
    if settings.is_sqlite:
        return "set DATABASE_URL to a SQLite file that this user can write or create"
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return "create the database, or set DATABASE_URL to an existing one"
    if isinstance(error, asyncpg.InvalidAuthorizationSpecificationError):
        return "check the user and password in DATABASE_URL, where special characters are percent-encoded"
    if isinstance(error, ValueError):
        return "check DATABASE_URL"
    return "start the server, or set DATABASE_URL to a running one"


async def wait_for_database(settings: Settings, asked_to_stop: asyncio.Event) -> None:
    """Returns once the server answers or waiting is useless; opening the database then reports the error."""
    deadline, is_announced = clock.elapsed() + settings.database_seconds, False
    while (trouble := await _trouble_with(settings)) is not None and clock.elapsed() < deadline:
        if not is_announced:
            seconds = settings.database_seconds
            waiting = f"pennypost: waiting up to {seconds} s for {database_name(settings)} ({trouble})"
            output.announce(waiting, logging.WARNING)
            is_announced = True
        if await wait_at_most(PAUSE, asked_to_stop):
            return


async def _trouble_with(settings: Settings) -> str | None:
    if settings.is_sqlite:
        return None
    try:
        server = await asyncpg.connect(settings.database_url, timeout=TRY_SECONDS)
        await server.close(timeout=TRY_SECONDS)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        return reason_of(error) if is_outage(error) and not isinstance(error, ValueError) else None
    return None
