"""Applies migrations under a lock, after copying an SQLite database.

The first migration replaces 35 earlier ones from before the first release. A database with all of these is adopted as
if it had the first; an older one must first be migrated with FORMER_COMMIT.
"""

import asyncio
import contextlib
import contextvars
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from time import monotonic

import asyncpg

from webapp.config import Settings
from webapp.db import migrations_dir, tortoise_config
from webapp.db.sqlite_backup import copy_database, in_order, later_than, opened
from webapp.errors import ConfigError
from webapp.file_locks import FileLock, writing_in

ADVISORY_LOCK = 7_366_679  # any number, the same in every version of Pennypost
LOCK_WAIT_SECONDS = 120
CONNECT_SECONDS = 10
APPLIED = "SELECT version FROM aerich"
FORMER_LAST = {
    "sqlite": "35_20261127152407_changes_of_contacts.py",
    "postgres": "35_20261127152409_changes_of_contacts.py",
}
FORMER_COMMIT = "29ed040f875947e7076a0e7c828322418bbc5593"


async def migrate(settings: Settings, report: Callable[[str], None] = lambda _: None) -> list[str]:
    """Returns the applied migrations; reports the begin and end of each.

    Raises ConfigError for a database that is too old, of a later version, not UTF-8, or locked for two minutes.
    """
    async with _file_lock(settings.sqlite_path) if settings.is_sqlite else _advisory_lock(settings.database_url):
        # In a new context, because aerich opens and closes a Tortoise that must not replace the caller's.
        return await asyncio.get_running_loop().create_task(_upgrade(settings, report), context=contextvars.Context())


async def _upgrade(settings: Settings, report: Callable[[str], None]) -> list[str]:
    applied, known = await applied_migrations(settings), versions(settings.dialect)
    adopted = known[:1] if FORMER_LAST[settings.dialect] in applied and known[0] not in applied else []
    pending = [version for version in known if version not in applied.union(adopted)]
    if pending and settings.is_sqlite and settings.sqlite_path.exists() and settings.sqlite_path.stat().st_size > 0:
        copy = settings.sqlite_path.with_name(f"{settings.sqlite_path.name}.before-{Path(pending[0]).stem}")
        report(f"copying the database to {copy}")
        draft = copy.with_suffix(".part")  # keeps an earlier copy until this one is complete
        draft.unlink(missing_ok=True)
        await asyncio.to_thread(copy_database, settings.sqlite_path, draft)
        draft.replace(copy)
    if not adopted and not pending:
        return []
    from webapp.db.migration_steps import ReportingCommand

    config = tortoise_config(settings.database_url, pool_size=2, more_models=("aerich.models",), is_patient=True)
    command = ReportingCommand(config, location=str(migrations_dir(settings.dialect)))
    command.report = report
    try:
        await command.init()
        for version in adopted:
            await command.adopt(version)
        return adopted + await command.upgrade()
    finally:
        await command.aclose()


@contextlib.asynccontextmanager
async def _file_lock(database: Path) -> AsyncIterator[None]:
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(database.with_name(f"{database.name}.migrate.lock"))
    deadline = monotonic() + LOCK_WAIT_SECONDS
    with writing_in(database.parent):
        while not lock.acquire():
            if monotonic() > deadline:
                raise ConfigError(f"another process has been migrating {database} for over two minutes")
            await asyncio.sleep(0.1)
    try:
        yield
    finally:
        lock.release()


@contextlib.asynccontextmanager
async def _advisory_lock(database_url: str) -> AsyncIterator[None]:
    """Locks on a separate connection; PostgreSQL releases the lock if the process dies."""
    connection = await asyncpg.connect(database_url, timeout=CONNECT_SECONDS)
    try:
        await connection.execute("SELECT pg_advisory_lock($1)", ADVISORY_LOCK, timeout=LOCK_WAIT_SECONDS)
        yield
    finally:
        await connection.close(timeout=CONNECT_SECONDS)


async def pending_migrations(settings: Settings) -> list[str]:
    """Reads only. Raises like `applied_migrations`."""
    applied = await applied_migrations(settings)
    return [version for version in versions(settings.dialect) if version not in applied]


async def applied_migrations(settings: Settings) -> set[str]:
    """Reads only. Raises ConfigError for a database that this version cannot use, and the driver's errors."""
    known = versions(settings.dialect)
    if settings.is_sqlite:
        applied = await asyncio.to_thread(_applied_to_file, settings.sqlite_path)
    else:
        server = await asyncpg.connect(settings.database_url, timeout=CONNECT_SECONDS)
        try:
            _require_utf8(server.get_settings().server_encoding)
            applied = {row["version"] for row in await server.fetch(APPLIED)}
        except asyncpg.UndefinedTableError:
            applied = set()
        finally:
            await server.close(timeout=CONNECT_SECONDS)
    if applied and not applied & {known[0], FORMER_LAST[settings.dialect]}:
        raise ConfigError(
            f"the database is too old, with {in_order(applied)[-1]} as its last migration:"
            f" first run pennypost migrate of commit {FORMER_COMMIT}"
        )
    if later := later_than(applied, known):
        raise ConfigError(
            f"the database was migrated by a later version, with {later[-1]} as its last migration:"
            " run that version, or restore a backup from before the upgrade"
        )
    return applied


def _require_utf8(encoding: str) -> None:
    if encoding != "UTF8":
        raise ConfigError(
            f"the database's encoding is {encoding}, which cannot store every text:"
            " create it again with createdb -E UTF8 -T template0"
        )


def versions(dialect: str) -> list[str]:
    return in_order(path.name for path in migrations_dir(dialect).glob("models/[0-9]*_*.py"))


def _applied_to_file(path: Path) -> set[str]:
    if not path.exists():
        return set()
    with opened(path) as database:
        is_ours = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'aerich'").fetchone()
        return {version for (version,) in database.execute(APPLIED)} if is_ours else set()
