"""What the tests of the models share."""

from collections.abc import AsyncIterator

import pytest

from webapp import db
from webapp.db.dialects import Postgres


@pytest.fixture
async def unanalysed(database: str) -> AsyncIterator[None]:
    """Mail logs and hits of which PostgreSQL knows nothing and learns nothing, however long the test takes; nothing on SQLite."""
    if not isinstance(db.dialect(), Postgres):
        yield
        return
    await db.connection().execute_script(
        """ALTER TABLE mail_logs SET (autovacuum_enabled = false);
           ALTER TABLE mail_hits SET (autovacuum_enabled = false);
           TRUNCATE mail_logs, mail_hits CASCADE;
           DELETE FROM pg_statistic WHERE starelid IN ('mail_logs'::regclass, 'mail_hits'::regclass)"""
    )
    yield
    await db.connection().execute_script(
        "ALTER TABLE mail_logs RESET (autovacuum_enabled); ALTER TABLE mail_hits RESET (autovacuum_enabled)"
    )
