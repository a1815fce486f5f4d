"""`pennypost backup` copies the SQLite database to a file while the service runs; `pennypost restore` restores it."""

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from webapp import clock, db
from webapp.cli.database import check_database, configured, database_name, reason_of
from webapp.cli.hold import print_restore_summary
from webapp.cli.serve import locked_data_dirs
from webapp.config import Settings
from webapp.db.migrate import migrate, versions
from webapp.db.sqlite_backup import check_copy, copy_database, fold, is_database, replace_database, sync
from webapp.domain.instance import restore, secret_rotation
from webapp.domain.media import backup as pictures
from webapp.errors import ConfigError, PennypostError


async def write_backup(file: Path, *, force: bool) -> None:
    settings = _settings(needs_database=True)
    await check_database(settings)
    if not force and await asyncio.to_thread(file.exists):
        raise ConfigError(f"{file} already exists: choose another file, or use --force to replace it")
    with _folder_in(file.parent) as folder:
        copy = Path(folder, "copy.db")
        with _in_words(f"{database_name(settings)} cannot be copied to {file}"):
            await asyncio.to_thread(copy_database, settings.sqlite_path, copy)
            async with db.connected(f"sqlite://{copy}"):
                await restore.mark_as_backup()
                saved = await pictures.save_pictures()
            await asyncio.to_thread(check_copy, copy, versions(settings.dialect))
            fold(copy)
            if force:
                await asyncio.to_thread(copy.replace, file)
            else:
                os.link(copy, file)  # fails if the file exists by now
            sync(file.parent)
            size = (await asyncio.to_thread(file.stat)).st_size
    click.echo(
        f"{file} contains the whole database{saved.words}, {size / 1e6:,.1f} MB.\n"
        "It does not contain the keys to decrypt its secrets: keep PENNYPOST_SECRET_KEYS, or the file secret_keys\n"
        "in the data directory, somewhere else."
    )


async def restore_backup(file: Path, *, send_waiting: bool) -> None:
    settings = _settings(needs_database=False)
    database = settings.sqlite_path
    with locked_data_dirs(settings), _folder_in(database.parent) as folder:
        fresh = Path(folder, "fresh.db")
        with _in_words(f"{file} could not be restored, and nothing was changed"):
            await asyncio.to_thread(copy_database, file, fresh)
            await asyncio.to_thread(check_copy, fresh, versions(settings.dialect))
            restored = await _prepare(replace(settings, database_url=f"sqlite://{fresh}"), send_waiting=send_waiting)
            fold(fresh)
            aside = database.with_name(f"{database.name}.before-restore-{clock.now():%Y%m%d-%H%M%S}")
            has_old = _free(database)
            replace_database(fresh, database, aside)
    click.echo(
        f"restored {file}{restored.words} to {database}" + (f"; the previous database is {aside}" if has_old else "")
    )
    click.echo("Sending is on hold. Start pennypost, check the data, then run: pennypost accept-restore")


async def _prepare(settings: Settings, *, send_waiting: bool) -> pictures.FilesCopied:
    await migrate(settings, click.echo)
    async with db.connected(settings.database_url):
        await secret_rotation.check_secrets()
        await restore.quarantine(send_waiting=send_waiting)
        restored = await pictures.restore_pictures()
        await print_restore_summary()
        return restored


def _free(database: Path) -> bool:
    """Checks that no process has the old database, which may be damaged, open. False if there is none."""
    if not database.exists():
        return False
    if is_database(database):  # else SQLite would delete the WAL beside the file
        with contextlib.suppress(sqlite3.DatabaseError):
            fold(database)
    return True


def _settings(*, needs_database: bool) -> Settings:
    settings = configured(needs_database=needs_database)
    if not settings.is_sqlite:
        raise ConfigError("back up PostgreSQL with pg_dump and pg_restore: see docs/backups.md")
    return settings


def _folder_in(parent: Path) -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix=".pennypost-", dir=parent, ignore_cleanup_errors=True)
    except OSError as error:
        raise ConfigError(f"{parent} cannot be written ({error.strerror}): choose another location") from None


@contextlib.contextmanager
def _in_words(what: str) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise ConfigError(f"{what} ({reason_of(error)})") from None
    except PennypostError as error:
        raise ConfigError(f"{what}: {error}") from None
