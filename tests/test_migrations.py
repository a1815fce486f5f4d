"""Migrations: a fresh database is what the models say, and a filled one comes through whole."""

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from runpy import run_path

import asyncpg
import pytest
from tortoise import Tortoise

from tests.conftest import SECRET_KEY, SUFFIX, free_port, fresh_postgres
from tests.factories import make_account, make_campaign, make_org, make_run
from webapp import clock, db
from webapp.config import Settings, read_settings
from webapp.db.migrate import migrate, pending_migrations
from webapp.db.postgres import COMMAND_SECONDS
from webapp.domain.sandbox import sandbox
from webapp.models import Account, Campaign, CampaignRun, Organization
from webapp.models.notification import NotificationKind, claim_news, is_any_new

ROOT = Path(__file__).resolve().parent.parent
LATER = "1_20990101000000_later"
LATER_MIGRATION = """
async def upgrade(db):
    return "ALTER TABLE organizations ADD COLUMN motto VARCHAR(40)"


async def downgrade(db):
    return "ALTER TABLE organizations DROP COLUMN motto"
"""

Schema = set[tuple[object, ...]]

SCHEMA = {
    "sqlite": "SELECT tbl_name, name, sql FROM sqlite_master WHERE tbl_name NOT IN ('aerich', 'sqlite_sequence')",
    "postgres": """
        SELECT table_name, column_name, data_type || is_nullable || coalesce(column_default, '')
            || coalesce(character_maximum_length::text, '') AS definition
        FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'aerich'
        UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes
        WHERE schemaname = 'public' AND tablename <> 'aerich'
        UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'aerich'
    """,
}


async def other_database(settings: Settings, tmp_path: Path, worker_name: str) -> Settings:
    """Settings for a second, empty database."""
    if settings.is_sqlite:
        url = f"sqlite://{tmp_path / 'other.db'}"
    else:
        url = await fresh_postgres(f"pennypost_other{SUFFIX}_{worker_name}")
    return read_settings({"DATABASE_URL": url, "PENNYPOST_SECRET_KEYS": SECRET_KEY})


async def schema_of(settings: Settings) -> Schema:
    rows = await db.fetch(SCHEMA[settings.dialect])
    return {tuple(in_one_form(str(value)) for value in row.values()) for row in rows}


def in_one_form(definition: str) -> str:
    """A definition on one line; a table's columns in the order of their names: those that came later stand last."""
    plain = re.sub(r"\s+", " ", definition)
    if not plain.startswith("CREATE TABLE"):
        return plain
    head, _, body = plain.rstrip().removesuffix(")").partition("(")
    columns = re.split(r",(?![^()]*\))", body)
    return f"{head}({', '.join(sorted(column.strip() for column in columns))}"


async def row_counts() -> dict[str, int]:
    names = [name for model in Tortoise.apps["models"].values() if (name := model._meta.db_table) != "aerich"]
    return {name: (await db.fetch(f'SELECT COUNT(*) AS n FROM "{name}"'))[0]["n"] for name in names}


async def populate() -> None:
    org: Organization = await make_org("Acme")
    await make_account(org)
    await sandbox.store_mail(org.id, "a@acme.example", ["b@x.example"], b"Subject: x\r\n\r\nbody\r\n" * 1000)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_every_change_of_a_model_has_its_migration(dialect: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "webapp" / "migrations" / dialect, tmp_path / dialect)
    config = (ROOT / "webapp" / "migrations" / f"aerich_{dialect}.toml").read_text()
    tmp_path.joinpath("aerich.toml").write_text(config.replace(f"./webapp/migrations/{dialect}", f"./{dialect}"))
    aerich = [str(Path(sys.executable).with_name("aerich")), "-c", "aerich.toml", "migrate", "--offline", "--no-input"]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(aerich, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert "No changes detected" in done.stdout, done.stdout + done.stderr


async def test_a_fresh_database_is_what_the_models_say(
    settings: Settings, database: str, tmp_path: Path, worker_name: str
) -> None:
    await db.disconnect()
    other = await other_database(settings, tmp_path, worker_name)
    await migrate(other)  # in that of the other tests some have restored a dump, which words an index otherwise
    await db.connect(other.database_url)
    migrated = await schema_of(other)
    await db.disconnect()
    (tmp_path / "other.db").unlink(missing_ok=True)
    other = await other_database(settings, tmp_path, worker_name)
    await db.connect(other.database_url)
    await Tortoise.generate_schemas()
    assert await schema_of(other) == migrated


async def test_migrating_again_changes_nothing(settings: Settings, database: str) -> None:
    await populate()
    before = await row_counts()
    assert before["accounts"] == 1
    await db.disconnect()
    assert await pending_migrations(settings) == []
    assert await migrate(settings) == []
    await db.connect(settings.database_url)
    assert await row_counts() == before


class LaterVersion:
    """The command of a Pennypost that has one migration more."""

    def __init__(self, folder: Path, database_url: str) -> None:
        for package in ("webapp", "jobs"):
            shutil.copytree(ROOT / package, folder / package)  # with its bytecode, which takes seconds to make
        for dialect in ("sqlite", "postgres"):
            migrations = folder / "webapp" / "migrations" / dialect / "models"
            migrations.joinpath(f"{LATER}.py").write_text(LATER_MIGRATION)
        start = f"import sys; sys.path.insert(0, {str(folder)!r}); from webapp.cli import main; main()"
        self.command = [sys.executable, "-c", start]
        keys = {
            "PENNYPOST_SECRET_KEYS": SECRET_KEY,
            "PENNYPOST_DATA_DIR": str(folder),
            "PENNYPOST_PORT": str(free_port()),
            "PENNYPOST_SANDBOX_PORT": str(free_port()),
        }
        self.environ = os.environ | keys | {"DATABASE_URL": database_url}

    def start(self, word: str) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        return subprocess.Popen([*self.command, word], env=self.environ, stdout=pipe, stderr=pipe, text=True)


async def test_a_filled_database_moves_to_a_later_version(settings: Settings, tmp_path: Path, worker_name: str) -> None:
    filled = await other_database(settings, tmp_path, worker_name)
    await migrate(filled)
    await db.connect(filled.database_url)
    await populate()
    before = await row_counts()
    await db.disconnect()

    later = LaterVersion(tmp_path / "later", filled.database_url)
    assert "run pennypost migrate" in later.start("web").communicate(timeout=60)[1]
    several = [later.start("migrate") for _ in range(3)]
    up_to_date, again, said = sorted((process.communicate(timeout=60)[0].strip() for process in several), key=len)
    assert (up_to_date, again) == ("the database is up to date",) * 2
    *copying, applying, applied = said.splitlines()
    assert [line.split()[0] for line in copying] == ["copying"] * filled.is_sqlite
    assert applying == f"applying {LATER}: changes organizations"
    assert re.fullmatch(rf"applied {LATER} in [0-9]+\.[0-9] s", applied)

    await db.connect(filled.database_url)
    assert await row_counts() == before
    assert await db.fetch("SELECT motto FROM organizations") == [{"motto": None}]
    await db.disconnect()
    if filled.is_sqlite:
        check_copy(filled.sqlite_path.with_name(f"{filled.sqlite_path.name}.before-{LATER}"))


@pytest.mark.soak
@pytest.mark.postgres
@pytest.mark.timeout(180)
async def test_a_migration_may_take_longer_than_any_other_statement(
    settings: Settings, tmp_path: Path, worker_name: str
) -> None:
    filled = await other_database(settings, tmp_path, worker_name)
    await migrate(filled)
    later = LaterVersion(tmp_path / "later", filled.database_url)
    other = await asyncpg.connect(filled.database_url)
    try:
        async with other.transaction():
            await other.execute("LOCK TABLE organizations")
            migrating = later.start("migrate")
            await asyncio.sleep(COMMAND_SECONDS + 10)
            assert migrating.poll() is None
    finally:
        await other.close()
    assert f"applied {LATER} in " in migrating.communicate(timeout=60)[0]


def check_copy(copy: Path) -> None:
    """The copy that was made before the migration has the rows, and not the new column."""
    with closing(sqlite3.connect(copy)) as earlier:
        assert earlier.execute("SELECT COUNT(*) FROM sandbox_mails").fetchone() == (1,)
        assert "motto" not in str(earlier.execute("SELECT sql FROM sqlite_master").fetchall())
    assert copy.stat().st_mode & 0o077 == 0


async def test_nothing_of_before_the_upgrade_is_mailed_and_what_follows_is(
    settings: Settings, tmp_path: Path, worker_name: str
) -> None:
    filled = await other_database(settings, tmp_path, worker_name)
    await migrate(filled)
    await db.connect(filled.database_url)
    org, hour_ago = await make_org("Acme"), clock.now() - timedelta(hours=1)
    run, _ = await make_run(org, [await make_account(org, status="error", failing_since=hour_ago)], 0)
    await CampaignRun.of(org).filter(id=run.id).update(status="completed", ended_counts={})
    account, campaign = await make_account(org, failing_since=hour_ago), await make_campaign(org, status="halted")
    (path,) = (ROOT / "webapp" / "migrations" / settings.dialect / "models").glob("*_notifications.py")
    for step in ("downgrade", "upgrade"):
        await db.connection().execute_script(await run_path(str(path))[step](db.connection()))
    assert [kind for kind in NotificationKind if await is_any_new(kind)] == []
    await Campaign.of(org).filter(id=campaign.id).update(status="sending")
    assert await claim_news(NotificationKind.HALTED) == []  # it goes on
    await Campaign.of(org).filter(id=campaign.id).update(status="halted")
    long_ago = {"announced_at": hour_ago - timedelta(hours=1), "failing_since": hour_ago}
    await Account.of(org).filter(id=account.id).update(**long_ago)
    await CampaignRun.of(org).filter(id=(await make_run(org, [], 0))[0].id).update(status="completed", ended_counts={})
    assert [len(await claim_news(kind)) for kind in NotificationKind] == [1, 1, 1, 0]
    await db.disconnect()


async def test_up_logs_each_migration_of_a_database_that_was_there(
    settings: Settings, tmp_path: Path, worker_name: str
) -> None:
    filled = await other_database(settings, tmp_path, worker_name)
    await migrate(filled)
    up = LaterVersion(tmp_path / "later", filled.database_url).start("up")
    assert up.stderr is not None
    try:
        line = await asyncio.to_thread(lambda: next((line for line in up.stderr or () if "applying" in line), ""))
        assert f"applying {LATER}: changes organizations" in line
        assert "applied" in await asyncio.to_thread(up.stderr.readline)
    finally:
        up.terminate()
        await asyncio.to_thread(up.communicate, timeout=60)
