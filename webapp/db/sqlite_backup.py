"""Copies, checks and replaces SQLite database files."""

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from webapp.errors import ConfigError

OURS = {"aerich", "organizations", "mail_logs"}
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps next to a file that is open
WAIT_SECONDS = 10.0
MAGIC = b"SQLite format 3\0"


def copy_database(source: Path, target: Path) -> None:
    """Copies into a file that only this user can read, in one step, because writes restart a copy in several."""
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    with opened(source, "ro") as original, opened(target) as copy:
        original.backup(copy)


@contextlib.contextmanager
def opened(path: Path, mode: str = "rw") -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=WAIT_SECONDS, isolation_level=None
    )
    with contextlib.closing(connection):
        yield connection


def check_copy(path: Path, known: Sequence[str]) -> None:
    """Raises ConfigError unless the file is an intact Pennypost database with no migrations newer than `known`."""
    with opened(path) as copy:
        faults = [row[0] for row in copy.execute("PRAGMA integrity_check(1)")]
        tables = {row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        applied = {row[0] for row in copy.execute("SELECT version FROM aerich")} if tables >= OURS else set()
    if faults != ["ok"]:
        raise ConfigError(f"it is damaged ({faults[0]}): take another backup")
    if not tables >= OURS:
        raise ConfigError("it is not a Pennypost database")
    if later := later_than(applied, known):
        raise ConfigError(f"it was created by a later version of Pennypost, with {later[-1]}: update this one first")


def later_than(applied: set[str], known: Sequence[str]) -> list[str]:
    """The applied migrations of a later version."""
    # Former migrations are older than the first; a former version that is run by mistake records some of them again.
    return in_order(name for name in applied - set(known) if _timestamp(name) > _timestamp(known[0]))


def _timestamp(migration: str) -> str:
    return migration.partition("_")[2]


def in_order(migrations: Iterable[str]) -> list[str]:
    return sorted(migrations, key=lambda name: int(re.sub(r"\D.*", "", name, flags=re.DOTALL) or 0))  # as aerich does


def is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def fold(path: Path) -> None:
    """Merges the write-ahead log into the file. Raises ConfigError if another process has it open."""
    with opened(path) as database:
        try:
            (mode,) = database.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError as error:
            mode = str(error)
    if mode != "delete":
        raise ConfigError(f"another process has {path} open ({mode}): stop every pennypost first")
    sync(path)


def sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_database(fresh: Path, path: Path, backup: Path) -> None:
    """Replaces the database by `fresh` atomically; the old one becomes `backup`."""
    if path.exists():
        os.link(path, backup)
        for ending in BESIDE:  # left by a damaged file; the new one must not use them
            beside = path.with_name(path.name + ending)
            if beside.exists():
                beside.rename(backup.with_name(backup.name + ending))
    fresh.replace(path)
    sync(path.parent)
