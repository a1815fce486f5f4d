"""Deletes what imports leave behind, in small batches, once nobody can undo them."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

from webapp import clock, db
from webapp.domain.imports.imports import UNDO
from webapp.models import ContactImport
from webapp.models.contact_import import ImportStatus

ROWS_AT_ONCE = 2_000
PAUSE_SECONDS = 0.05  # between two batches: others need the database as well
UNFINISHED = timedelta(days=7)  # that an upload waits for the next step
LISTED = timedelta(days=365)
TABLES = ("import_chunks", "import_changes", "import_refusals")


async def forget_old_imports() -> None:
    """Deletes the rows of imports past their undo time, uploads left for a week, and imports of a year ago."""
    now = clock.now()
    for table in TABLES:
        await _forget_rows(table, now - UNDO)
    waiting = (ImportStatus.UPLOADED, ImportStatus.CHECKED, ImportStatus.FAILED)
    unfinished = ContactImport.across_orgs().filter(status__in=waiting, finished_at=None)
    await unfinished.filter(created_at__lt=now - UNFINISHED).delete()
    await ContactImport.across_orgs().filter(finished_at__lt=now - LISTED).delete()


async def _forget_rows(table: str, finished_before: datetime) -> None:
    found: list[Any] = [None] * ROWS_AT_ONCE
    while len(found) == ROWS_AT_ONCE:
        found = await db.fetch(
            f"""DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE contact_import_id IN
                (SELECT id FROM contact_imports WHERE finished_at < $1 AND status IN ('done', 'failed', 'undone'))
                LIMIT {ROWS_AT_ONCE}) RETURNING id""",  # noqa: S608 - our own words
            finished_before,
        )
        await asyncio.sleep(PAUSE_SECONDS)
