"""Logs unsubscribes and resubscribes in a file or another database, because a restored backup lacks the latest."""

import asyncio
import errno
import fcntl
import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TextIO

import asyncpg

from webapp.config import Settings, settings
from webapp.db.sqlite_backup import sync
from webapp.errors import ConfigError
from webapp.file_locks import make_data_dir

log = logging.getLogger(__name__)

FILE, SERVERS = "file://", ("postgres://", "postgresql://")
WAIT_SECONDS = 5.0  # for a server
PAUSE_SECONDS = 60.0
READ_AT_ONCE = 10_000
TABLE = "CREATE TABLE IF NOT EXISTS pennypost_consent (id BIGSERIAL PRIMARY KEY, line TEXT NOT NULL)"
FAULTS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError)  # time-outs are OSErrors


_paused: dict[str, float] = {}  # the end of each log's pause, by its URL


async def append(lines: Sequence[str]) -> bool:
    """Writes lines, outside of transactions. False if that fails, and for PAUSE_SECONDS after a time-out."""
    url = settings().consent_url
    if monotonic() < _paused.get(url, 0):
        return False
    try:
        if url.startswith(FILE):
            # Begins with a line feed, because the line before may have been cut off.
            data = "\n{}\n".format("\n".join(lines)).encode()
            await asyncio.to_thread(_append, Path(url.removeprefix(FILE)), data)
        else:
            insert = "INSERT INTO pennypost_consent (line) SELECT unnest($1::text[])"
            await _execute(url, insert, list(lines))
    except FAULTS as error:
        log.error("the consent log cannot be written: %s", str(error) or type(error).__name__)  # noqa: TRY400 - not a bug, so no traceback
        if isinstance(error, TimeoutError):
            _paused[url] = monotonic() + PAUSE_SECONDS
        return False
    return True


async def _execute(url: str, statement: str, *values: object) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        server = await asyncpg.connect(url)
        try:
            await server.execute(statement, *values)
        finally:
            server.terminate()


def _append(path: Path, data: bytes) -> None:
    """Appends in one write, so that concurrent writers do not mix lines. Raises OSError."""
    is_new = not path.exists()
    descriptor = _open_locked(path)
    try:
        if data and os.write(descriptor, data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if is_new:
        sync(path.parent)


def _open_locked(path: Path) -> int:
    """Opens the file once `rewrite` is not at work on it. Raises OSError."""
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(path.stat(), os.fstat(descriptor)):
                return descriptor
        os.close(descriptor)  # it was replaced in between


async def rewrite(change: Callable[[str], str]) -> int:
    """Replaces lines by what `change` makes of them; counts the changed ones. Raises ConfigError."""
    await check(settings())
    url = settings().consent_url
    if url.startswith(FILE):
        return await asyncio.to_thread(_rewrite_file, Path(url.removeprefix(FILE)), change)
    changed = 0
    server = await asyncpg.connect(url, timeout=WAIT_SECONDS)
    try:
        async with server.transaction():
            rows = server.cursor("SELECT id, line FROM pennypost_consent ORDER BY id", prefetch=READ_AT_ONCE)
            async for row in rows:
                if (line := change(row["line"])) != row["line"]:
                    await server.execute("UPDATE pennypost_consent SET line = $2 WHERE id = $1", row["id"], line)
                    changed += 1
    finally:
        server.terminate()
    return changed


def _rewrite_file(path: Path, change: Callable[[str], str]) -> int:
    """Writes a copy beside the file, which then takes its place; those who append wait. Raises OSError."""
    changed, copy = 0, path.with_name(f"{path.name}.new")
    descriptor = _open_locked(path)
    try:
        with path.open(encoding="utf-8", errors="surrogateescape") as former, _new_file(copy) as file:
            for text in former:
                line = change(text.rstrip("\n"))
                changed += line != text.rstrip("\n")
                file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())
        copy.replace(path)
        sync(path.parent)
    finally:
        os.close(descriptor)
    return changed


def _new_file(path: Path) -> TextIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8", errors="surrogateescape")


async def check(of: Settings) -> str:
    """Creates the log if it is missing. Raises ConfigError if it cannot be written."""
    url = of.consent_url
    if url.startswith(SERVERS) and url.replace(SERVERS[1], SERVERS[0], 1) == of.database_url:
        raise ConfigError("PENNYPOST_CONSENT_URL must not be the database itself: a restore would roll it back too")
    try:
        if url.startswith(FILE):
            path = Path(url.removeprefix(FILE))
            make_data_dir(path.parent)
            await asyncio.to_thread(_append, path, b"")
            return str(path)
        if not url.startswith(SERVERS):
            raise ConfigError(
                "PENNYPOST_CONSENT_URL must be file:///path/to/file or postgres://user:password@host:5432/name"
            )
        await _execute(url, TABLE)
    except FAULTS as error:
        reason = str(error) or type(error).__name__
        is_full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        advice = "free up space" if is_full else "set PENNYPOST_CONSENT_URL"
        raise ConfigError(f"the unsubscribe log cannot be written ({reason}): {advice}") from None
    return url


async def visit(line: Callable[[str], None]) -> None:
    """Calls `line` with each line. Raises ConfigError if the log cannot be read."""
    await check(settings())
    url = settings().consent_url
    if url.startswith(FILE):
        await asyncio.to_thread(_visit_file, Path(url.removeprefix(FILE)), line)
        return
    server = await asyncpg.connect(url, timeout=WAIT_SECONDS)
    try:
        async with server.transaction():
            async for row in server.cursor("SELECT line FROM pennypost_consent ORDER BY id", prefetch=READ_AT_ONCE):
                line(row["line"])
    finally:
        server.terminate()


def _visit_file(path: Path, line: Callable[[str], None]) -> None:
    with path.open(encoding="utf-8", errors="replace") as file:
        for text in file:
            if text.strip():
                line(text)
