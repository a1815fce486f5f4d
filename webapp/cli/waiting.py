"""Waits for the database server at the start of a service, and says so."""

import asyncio
import contextlib

import asyncpg
import click

from webapp import clock
from webapp.cli.database import place_of, reason_of
from webapp.config import Settings
from webapp.db.errors import is_outage

TRY_SECONDS = 5.0  # for one connection
PAUSE = 0.5  # seconds


async def wait_for_database(settings: Settings, asked_to_stop: asyncio.Event) -> None:
    """Returns once the server answers, or once waiting is useless; opening it then reports the error in words."""
    deadline, has_told = clock.elapsed() + settings.database_seconds, False
    while (trouble := await _trouble_with(settings)) is not None and clock.elapsed() < deadline:
        if not has_told:
            seconds = settings.database_seconds
            click.echo(f"pennypost: waiting {seconds} s at most for {place_of(settings)} ({trouble})", err=True)
            has_told = True
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asked_to_stop.wait(), PAUSE)
            return


async def _trouble_with(settings: Settings) -> str | None:
    """The reason why the server cannot be reached now; None when it can, or when waiting would not help."""
    if settings.is_sqlite:
        return None
    try:
        server = await asyncpg.connect(settings.database_url, timeout=TRY_SECONDS)
        await server.close(timeout=TRY_SECONDS)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        return reason_of(error) if is_outage(error) and not isinstance(error, ValueError) else None
    return None
