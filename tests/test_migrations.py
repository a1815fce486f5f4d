"""Migrations: a fresh database is what the models say, and a filled one comes through whole."""

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from tortoise import Tortoise

from tests.conftest import SECRET_KEY, SUFFIX, free_port, fresh_postgres
from tests.support.former import former_script
from webapp import db
from webapp.config import Settings, read_settings
from webapp.db.migrate import FORMER_LAST, migrate, versions

ROOT = Path(__file__).resolve().parent.parent
LATER = "9999_20990101000000_later"
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


@pytest.fixture
async def empty(settings: Settings, tmp_path: Path, worker_name: str) -> Settings:
    """Settings for a second, empty database."""
    if settings.is_sqlite:
        url = f"sqlite://{tmp_path / 'other.db'}"
    else:
        url = await fresh_postgres(f"pennypost_other{SUFFIX}_{worker_name}")
    return read_settings({"DATABASE_URL": url, "PENNYPOST_SECRET_KEYS": SECRET_KEY})


@pytest.fixture
async def former(empty: Settings) -> Settings:
    """Settings for a database of the former migrations, with an organization."""
    script = await asyncio.to_thread(former_script, empty.dialect)
    async with connected_to(empty):
        await db.connection().execute_script(script)
    return empty


@asynccontextmanager
async def connected_to(settings: Settings) -> AsyncIterator[None]:
    await db.connect(settings.database_url)
    yield
    await db.disconnect()


async def schema_of(settings: Settings) -> Schema:
    async with connected_to(settings):
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


async def rows_of(settings: Settings) -> tuple[list[str], list[str]]:
    """The migrations that the database has, and the names of its organizations."""
    async with connected_to(settings):
        applied = [row["version"] for row in await db.fetch("SELECT version FROM aerich ORDER BY id")]
        return applied, [row["name"] for row in await db.fetch("SELECT name FROM organizations")]


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_each_migration_has_a_number_of_its_own(dialect: str) -> None:
    numbers = [int(name.partition("_")[0]) for name in versions(dialect)]
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_every_change_of_a_model_has_its_migration(dialect: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "webapp" / "migrations" / dialect, tmp_path / dialect)
    config = (ROOT / "webapp" / "migrations" / f"aerich_{dialect}.toml").read_text()
    tmp_path.joinpath("aerich.toml").write_text(config.replace(f"./webapp/migrations/{dialect}", f"./{dialect}"))
    aerich = [str(Path(sys.executable).with_name("aerich")), "-c", "aerich.toml", "migrate", "--offline", "--no-input"]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(aerich, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert "No changes detected" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["", "two words", "../../x", 'x"; touch pwned; echo "', "Ü"])
def test_a_migration_is_only_made_under_a_plain_name(name: str, tmp_path: Path) -> None:
    make = ["make", "--no-print-directory", "-f", ROOT / "Makefile", "-o", ".venv/.ready", "migration", f"NAME={name}"]
    done = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "say what changes: make migration NAME=what_changes\n"
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


async def test_a_fresh_database_is_what_the_models_say(
    empty: Settings, settings: Settings, tmp_path: Path, worker_name: str
) -> None:
    assert await migrate(empty) == versions(empty.dialect)
    migrated = await schema_of(empty)
    if empty.is_sqlite:
        empty.sqlite_path.unlink()
    else:
        await fresh_postgres(empty.database_url.rpartition("/")[2])
    async with connected_to(empty):
        await Tortoise.generate_schemas()
    assert await schema_of(empty) == migrated


async def test_a_database_of_the_former_migrations_is_adopted(former: Settings) -> None:
    said: list[str] = []
    known = versions(former.dialect)
    assert await migrate(former, said.append) == known
    assert f"adopted the database: {known[0].removesuffix('.py')} stands for its migrations" in said
    # The former version finds all of its migrations, and so applies none to this database.
    assert await rows_of(former) == ([FORMER_LAST[former.dialect], *known], ["Acme"])
    assert await migrate(former, said.append) == []
    assert len([line for line in said if "adopted" in line]) == 1


def later_version(folder: Path) -> Path:
    """The code of a Pennypost that has one migration more."""
    for package in ("webapp", "jobs"):
        shutil.copytree(ROOT / package, folder / package)  # with its bytecode, which takes seconds to make
    for dialect in ("sqlite", "postgres"):
        folder.joinpath("webapp", "migrations", dialect, "models", f"{LATER}.py").write_text(LATER_MIGRATION)
    return folder


def start(word: str, settings: Settings, code: Path, data: Path) -> "subprocess.Popen[str]":
    """The command of that code on the database of these settings."""
    main = f"import sys; sys.path.insert(0, {str(code)!r}); from webapp.cli import main; main()"
    keys = {
        "DATABASE_URL": settings.database_url,
        "PENNYPOST_SECRET_KEYS": SECRET_KEY,
        "PENNYPOST_DATA_DIR": str(data),
        "PENNYPOST_PORT": str(free_port()),
        "PENNYPOST_SANDBOX_PORT": str(free_port()),
    }
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", main, word], env=os.environ | keys, stdout=pipe, stderr=pipe, text=True
    )


async def test_two_at_once_bring_a_former_database_to_a_later_version(former: Settings, tmp_path: Path) -> None:
    code = later_version(tmp_path / "later")
    both = [start("migrate", former, code, tmp_path) for _ in range(2)]
    up_to_date, said = sorted((process.communicate(timeout=60)[0].strip() for process in both), key=len)
    assert up_to_date == "the database is up to date"
    assert "\nadopted the database: " in f"\n{said}"
    applying, applied = said.splitlines()[-2:]
    assert applying == f"applying {LATER}: changes organizations"
    assert re.fullmatch(rf"applied {LATER} in [0-9]+\.[0-9] s", applied)

    applied_now = [FORMER_LAST[former.dialect], *versions(former.dialect), f"{LATER}.py"]
    assert await rows_of(former) == (applied_now, ["Acme"])
    assert "motto" in str(await schema_of(former))
    if former.is_sqlite:
        check_copy(*former.sqlite_path.parent.glob(f"{former.sqlite_path.name}.before-*"))


def check_copy(copy: Path) -> None:
    """The copy that was made before the migration has the rows, and not the new column."""
    with closing(sqlite3.connect(copy)) as earlier:
        assert earlier.execute("SELECT name FROM organizations").fetchall() == [("Acme",)]
        assert "motto" not in str(earlier.execute("SELECT sql FROM sqlite_master").fetchall())
    assert copy.stat().st_mode & 0o077 == 0
