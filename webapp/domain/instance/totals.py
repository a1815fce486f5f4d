"""Row totals of long tables: workers fold the triggers' deltas and regularly recount every organization."""

import logging

from webapp import db
from webapp.domain.for_each_organization import for_each_organization
from webapp.models import Organization
from webapp.models.base import row_total

log = logging.getLogger(__name__)

WORK_SECONDS = 10.0  # per run, because other periodic work waits


async def fold_deltas() -> None:
    if row_total.are_maintained():
        await row_total.fold_deltas()


async def recount() -> bool:
    """Corrects and logs wrong totals, as after disabled triggers; True when all are recounted."""
    return not row_total.are_maintained() or await for_each_organization(
        _recount, "totals could not be recounted", WORK_SECONDS
    )


async def _recount(org: Organization, _: float) -> bool:
    async with db.searching(org.id):
        if not await row_total.find_wrong(org.id):
            return True
    async with db.write_transaction():
        await org.lock_settings()  # so that two workers do not both add what is missing
        wrong = await row_total.find_wrong(org.id)
        await row_total.correct(org.id, wrong)
    for total in wrong:
        message = "%d is added to the total of %s rows of %s, which was wrong"
        log.warning(message, total.missing, total.status, total.table_name, extra={"org": str(org.id)})
    return True
