"""Databases as the last of the migrations before the first release left them, when these became one."""

import asyncio
from runpy import run_path

from webapp.db import migrations_dir
from webapp.db.migrate import FORMER_LAST, versions

ROWS = """;
    INSERT INTO aerich (version, app, content) VALUES ('{}', 'models', '{{}}');
    INSERT INTO organizations (id, created_at, name, timezone, plan, strict_from, updated_at)
    VALUES ('0192f3a1-7c00-7000-8000-000000000001', '2026-11-01 00:00', 'Acme', 'UTC', 'free', '0', '2026-11-01 00:00')
"""


def former_script(dialect: str) -> str:
    """What makes an empty database one of these, with the organization Acme."""
    first = migrations_dir(dialect) / "models" / versions(dialect)[0]
    schema: str = asyncio.run(run_path(str(first))["upgrade"](None))
    return schema + ROWS.format(FORMER_LAST[dialect])
