"""The world of the tests: a migrated database of either kind, two organizations, and clients for each.

`--database sqlite|postgres` picks the database of the whole run: Tortoise caches SQL per process without the dialect.
"""

import asyncio
import contextlib
import gc
import os
import random
import shutil
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import asyncpg
import hypothesis
import pytest

from tests import factories, figures
from tests.fakes.imap_server import ImapServer
from tests.fakes.redis_server import RedisServer
from tests.fakes.s3_server import S3Server
from tests.fakes.smtp_server import SmtpServer
from tests.support.emptier import Emptier
from webapp import config, db
from webapp.config import Settings, read_settings
from webapp.db.migrate import migrate
from webapp.models import Account, Organization

# What `--quick` leaves out besides the tests that are marked `slow`: folders, files that run workers and wait for them,
# and tests that ask for a process.
SLOW_FOLDERS = {"attacks", "browser", "cli", "faults", "jobs", "pages", "service", "tools"}
SLOW_HELPERS = "tests.fakes.worker"
SLOW_FIXTURES = {"own_postgres", "redis_server", "s3_server", "wheel"}

POSTGRES = os.environ.get("TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
SUFFIX = os.environ.get("PYTEST_DB_SUFFIX", "")  # lets two runs share a server
PORTS = iter(
    random.SystemRandom().sample(range(10_000, 30_000), 10_000)
)  # each for one test, and another in each process
# A slow machine is no fault of the code, and each run tries the same.
hypothesis.settings.register_profile("pennypost", deadline=None, derandomize=True)
hypothesis.settings.load_profile("pennypost")
SECRET_KEY = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(figures)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.addoption("--database-only", action="store_true", help="leave out the tests that use no database")
    parser.addoption("--quick", action="store_true", help="leave out what waits, starts processes or takes long")
    parser.addoption("--soak", action="store_true", help="run the tests that take long, and one of each fault")
    parser.addoption(
        "--redis-server", action="store_true", help="use the server at TEST_REDIS_URL, not the embedded one"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    """Leave out what the chosen database has nothing to do with."""

    def belongs(item: pytest.Function) -> bool:
        if config.getoption("--database") == "sqlite" and item.get_closest_marker("postgres"):
            return False
        if config.getoption("--quick") and not is_quick(item):
            return False
        return "migrated" in item.fixturenames or not config.getoption("--database-only")

    if config.getoption("--soak"):
        items[:] = soaked(config, items)
    config.hook.pytest_deselected(items=[item for item in items if not belongs(item)])
    items[:] = [item for item in items if belongs(item)]


def soaked(config: pytest.Config, items: list[pytest.Function]) -> list[pytest.Function]:
    """What is marked `soak`, and the tests of the faults that have none so marked."""
    long = [item for item in items if item.get_closest_marker("soak")]
    faults = {figures.fault_of(item.name) for item in items} - {figures.fault_of(item.name) for item in long} - {0}
    found = [item for item in items if item in long or figures.fault_of(item.name) in faults]
    config.hook.pytest_deselected(items=[item for item in items if item not in found])
    return found


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing of a folder of which nothing runs."""
    is_slow = collection_path.parent == Path(__file__).parent and collection_path.name in SLOW_FOLDERS
    return True if is_slow and config.getoption("--quick") else None


def is_quick(item: pytest.Function) -> bool:
    helpers = {getattr(value, "__module__", "") for value in vars(item.module).values()}
    return (
        item.get_closest_marker("slow") is None
        and SLOW_HELPERS not in helpers
        and SLOW_FIXTURES.isdisjoint(item.fixturenames)
    )


def pytest_collection() -> None:
    """Let the garbage collector wait: what is collected here stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let it pass over the modules and the tests from now on: to look through them took a quarter of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def worker_name(request: pytest.FixtureRequest) -> str:
    """The xdist worker of one of two runs at once, so that each has databases of its own."""
    worker: str = getattr(request.config, "workerinput", {"workerid": "main"})["workerid"]
    return f"{request.config.getoption('--database')}_{worker}"


@pytest.fixture(scope="session")
def migrated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, worker_name: str) -> str:
    """The URL of a migrated, empty database: a SQLite file to copy, or a PostgreSQL database to clear."""
    if request.config.getoption("--database") == "sqlite":
        url = f"sqlite://{tmp_path_factory.mktemp('template') / 'template.db'}"
    else:
        url = asyncio.run(fresh_postgres(f"pennypost_test{SUFFIX}_{worker_name}"))
    asyncio.run(migrate(read_settings({"DATABASE_URL": url, "PENNYPOST_SECRET_KEYS": SECRET_KEY})))
    if url.startswith("postgres"):
        asyncio.run(stop_autovacuum(url))
    return url


async def fresh_postgres(name: str, options: str = "") -> str:
    """Make the database `name` anew on the test server and return its URL."""
    server = await asyncpg.connect(POSTGRES)
    try:
        await server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        await server.execute(f'CREATE DATABASE "{name}" {options}')
        await server.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')  # no test pulls the plug
    finally:
        await server.close()
    return POSTGRES.rpartition("/")[0] + f"/{name}"


@pytest.fixture(scope="session")
def emptier(migrated: str) -> Iterator[Emptier]:
    """Empties the PostgreSQL database of this run."""
    with Emptier(migrated) as found:
        yield found


async def stop_autovacuum(url: str) -> None:
    """Turns autovacuum off, as plans would depend on what the tests before have left."""
    server = await asyncpg.connect(url)
    try:
        for (table,) in await server.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"):
            await server.execute(f'ALTER TABLE "{table}" SET (autovacuum_enabled = false)')
    finally:
        await server.close()


def free_port() -> int:
    """A port that nothing listens on, drawn by chance below those that the system gives to any connection meanwhile."""
    for port in PORTS:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


@pytest.fixture
def database_url(migrated: str, emptier: Emptier, tmp_path: Path) -> str:
    """The URL of an empty database for this test."""
    if migrated.startswith("sqlite"):
        file = tmp_path / "pennypost.db"
        shutil.copyfile(migrated.removeprefix("sqlite://"), file)
        return f"sqlite://{file}"
    emptier.empty()
    return migrated


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Iterator[Settings]:
    """Settings of this test: its database, no Redis, SMTP servers on loopback allowed."""
    found = read_settings(
        {
            "DATABASE_URL": database_url,
            "PENNYPOST_DATA_DIR": str(tmp_path),
            "PENNYPOST_SECRET_KEYS": SECRET_KEY,
            "PENNYPOST_SANDBOX_PORT": str(free_port()),
            "PENNYPOST_ALLOW_PRIVATE_HOSTS": "1",
            "PENNYPOST_LEASE_SECONDS": "5",
        }
    )
    config.configure(found)
    yield found
    config.configure(replace(found, database_url=""))


@pytest.fixture
async def database(settings: Settings) -> AsyncIterator[str]:
    """The database, connected in this process."""
    await db.connect(settings.database_url)
    yield settings.database_url
    await db.disconnect()


@pytest.fixture
async def acme(database: str) -> Organization:
    """Our organization."""
    return await factories.make_org("Acme")


@pytest.fixture
async def rival(database: str) -> Organization:
    """A stranger's organization."""
    return await factories.make_org("Rival")


@pytest.fixture
async def account(acme: Organization) -> Account:
    """Our account, which nobody serves; a file whose mails arrive has one of its own on `smtp_server`."""
    return await factories.make_account(acme)


@pytest.fixture
async def imap_server() -> AsyncIterator[ImapServer]:
    async with ImapServer() as server:
        yield server


@pytest.fixture
async def smtp_server() -> AsyncIterator[SmtpServer]:
    """A server that takes all mail until it is told otherwise."""
    async with SmtpServer() as server:
        yield server


@pytest.fixture(scope="module")
def redis_server() -> Iterator[RedisServer]:
    """A Redis of the file's own; `wipe` empties it."""
    with RedisServer() as server:
        yield server


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """A server of S3-compatible storage for all tests of a process, each with a bucket of its own."""
    with S3Server() as server:
        yield server
