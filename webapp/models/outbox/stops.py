"""Stops: a run's epoch tells its workers whether they may still send."""

from collections.abc import Iterable
from uuid import UUID

from webapp import db
from webapp.db import dialects


async def run_epochs(run_ids: Iterable[UUID]) -> dict[UUID, int]:
    """The epochs of the runs that are under way; a run that is missing here has ended or was halted."""
    rows = await db.fetch(
        f"SELECT id, epoch FROM campaign_runs WHERE id IN {db.dialect().ids('$1')} AND status = 'sending'",
        dialects.json_ids(run_ids),
    )
    return {dialects.as_uuid(row["id"]): row["epoch"] for row in rows}
