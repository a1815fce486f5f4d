"""The totals of the long lists: workers fold what triggers append, and recount every organization now and then."""

import logging

from webapp import db
from webapp.domain.for_each_organization import for_each_organization
from webapp.models import Organization, row_total

log = logging.getLogger(__name__)

WORK_SECONDS = 10.0  # per run: other periodic work waits for it


async def fold_deltas() -> None:
    if row_total.are_maintained():
        await row_total.fold_deltas()


async def recount() -> bool:
    """Mends totals that became wrong, as when triggers were off, and logs them; True when all are recounted."""
    return not row_total.are_maintained() or await for_each_organization(
        _recount, "totals could not be recounted", WORK_SECONDS
    )


async def _recount(org: Organization, _: float) -> bool:
    async with db.searching(org.id):
        if not await row_total.find_wrong(org.id):
            return True
    async with db.write_transaction():
        await org.lock_settings()  # or two workers would each add what is missing
        found = await row_total.find_wrong(org.id)
        await row_total.correct(org.id, found)
    for one in found:
        message = "%d is added to the total of %s rows of %s, which was wrong"
        log.warning(message, one.missing, one.status, one.table_name, extra={"org": str(org.id)})
    return True
