"""Applies migrations one by one, and reports the begin, the tables and the end of each."""

import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from aerich import Command
from tortoise.transactions import in_transaction

STATEMENT = re.compile(
    r"\b(?:(CREATE TABLE|ALTER TABLE|DROP TABLE|UPDATE|INSERT INTO|DELETE FROM)"
    r"|CREATE (?:UNIQUE )?(INDEX)(?: CONCURRENTLY)?(?: IF NOT EXISTS)? \S+ ON|CREATE (TRIGGER)[^;]*? ON)"
    r"(?: IF (?:NOT )?EXISTS)? \"?(\w+)"
)
VERBS = {
    "CREATE TABLE": "creates",
    "ALTER TABLE": "changes",
    "DROP TABLE": "drops",
    "UPDATE": "rewrites rows of",
    "INSERT INTO": "fills",
    "DELETE FROM": "deletes rows of",
    "INDEX": "indexes",
    "TRIGGER": "watches",
}
MOST_TABLES = 6  # named for each verb

Report = Callable[[str], None]


class ReportingCommand(Command):
    report: Report

    async def _upgrade(self, conn: Any, version_file: str, fake: bool = False, version_module: Any = None) -> None:  # noqa: FBT001, FBT002 - aerich's
        name, began = version_file.removesuffix(".py"), monotonic()
        self.report(f"applying {name}: {summary(Path(self.location, self.app, version_file))}")
        await super()._upgrade(conn, version_file, fake, version_module)
        self.report(f"applied {name} in {monotonic() - began:.1f} s")

    async def adopt(self, version_file: str) -> None:
        """Records the migration without running it.

        The former ones stay recorded, or their version would run them again on this database.
        """
        async with in_transaction("default") as connection:
            await super()._upgrade(connection, version_file, fake=True)
        self.report(f"adopted the database: {version_file.removesuffix('.py')} stands for its migrations")


def summary(migration: Path) -> str:
    """The tables in a migration's statements, grouped by what is done to them."""
    upgrade = migration.read_text().partition("async def downgrade")[0]
    tables: dict[str, dict[str, None]] = {}
    for first, index, trigger, table in STATEMENT.findall(upgrade):
        tables.setdefault(VERBS[first or index or trigger], {})[table] = None
    return "; ".join(f"{verb} {_listed(list(names))}" for verb, names in tables.items()) or "prepares the database"


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_TABLES
    return ", ".join(names[:MOST_TABLES]) + (f" and {more} more" if more > 0 else "")
