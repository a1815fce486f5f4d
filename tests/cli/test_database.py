"""The database of a command."""

import asyncpg
import pytest

from webapp.cli.database import open_database
from webapp.config import Settings
from webapp.errors import ConfigError


async def test_what_fails_beside_the_database_keeps_its_own_words(settings: Settings) -> None:
    with pytest.raises(BrokenPipeError, match="the terminal"):
        async with open_database(settings):
            raise BrokenPipeError("the terminal")


async def test_a_database_that_goes_away_is_named(settings: Settings) -> None:
    with pytest.raises(ConfigError, match=r"went away \(connection is closed\): try again"):
        async with open_database(settings):
            raise asyncpg.InterfaceError("connection is closed")
