"""Exports the suppression list as CSV, which an import reads."""

from collections.abc import AsyncIterator

from webapp import db
from webapp.domain.audit.audit import record_export
from webapp.domain.csv_writer import BOM, csv_lines, csv_part
from webapp.domain.suppressions.suppressions import iter_suppressions
from webapp.models import Organization

ROWS_AT_ONCE = 1_000
COLUMNS = ("email", "reason", "created_at", "mail_log_id")


async def export_suppressions(org: Organization, email: str | None) -> AsyncIterator[bytes]:
    """Entries with `email` in their address, newest first."""
    async with db.write_transaction():
        await record_export(org, "suppressions", **({"email": email} if email else {}))
    return _lines(org, email)


async def _lines(org: Organization, email: str | None) -> AsyncIterator[bytes]:
    yield BOM + csv_lines([COLUMNS])
    async for part in iter_suppressions(org, email, ROWS_AT_ONCE):
        yield await csv_part([getattr(entry, name) for name in COLUMNS] for entry in part)
