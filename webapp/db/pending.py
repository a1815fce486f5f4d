"""Which migrations a database lacks, asked without aerich: every start asks, and aerich takes half a second to load."""

import asyncio

import asyncpg

from webapp.config import Settings, migrations_dir
from webapp.db.sqlite_backup import in_order, opened

CONNECT_SECONDS = 10
APPLIED = "SELECT version FROM aerich"


async def pending_migrations(settings: Settings) -> list[str]:
    """The migrations that `migrate` would apply, in their order; reads only. Raises the driver's errors."""
    find = _applied_to_file if settings.is_sqlite else _applied_to_server
    applied = await find(settings)
    return [version for version in versions(settings.dialect) if version not in applied]


def versions(dialect: str) -> list[str]:
    """The migrations of this version for `sqlite` or `postgres`, in their order."""
    return in_order(path.name for path in migrations_dir(dialect).glob("models/[0-9]*_*.py"))


async def _applied_to_file(settings: Settings) -> set[str]:
    return await asyncio.to_thread(_read_file, settings)


def _read_file(settings: Settings) -> set[str]:
    """Nothing for a file that is not there yet or is empty."""
    if not settings.sqlite_path.exists():
        return set()
    with opened(settings.sqlite_path) as database:
        is_ours = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'aerich'").fetchone()
        return {version for (version,) in database.execute(APPLIED)} if is_ours else set()


async def _applied_to_server(settings: Settings) -> set[str]:
    server = await asyncpg.connect(settings.database_url, timeout=CONNECT_SECONDS)
    try:
        return {row["version"] for row in await server.fetch(APPLIED)}
    except asyncpg.UndefinedTableError:
        return set()
    finally:
        await server.close(timeout=CONNECT_SECONDS)
