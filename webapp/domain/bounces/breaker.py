"""Halts a run whose emails bounce or are reported as spam too often; only once, because a resume is deliberate."""

import logging

from webapp.domain.campaigns import stop
from webapp.domain.campaigns.bounce_limits import passed_limit
from webapp.models import CampaignRun, MailLog, Organization
from webapp.models.campaign_run import RunStatus

log = logging.getLogger(__name__)

FIRST_EPOCH = 0  # the run was never stopped


async def check_run(org: Organization, row: MailLog) -> None:
    """Halts the row's active run if later bounces or complaints exceed a limit; commits."""
    run = await CampaignRun.of(org).get_or_none(id=row.campaign_run_id) if row.campaign_run_id else None
    if run is None or run.status != RunStatus.SENDING or run.epoch != FIRST_EPOCH:
        return
    passed = await passed_limit(run)
    if passed is not None and await stop.break_run(org, run.campaign_id, run.id, FIRST_EPOCH, f"{passed}, then resume"):
        log.warning("a run was halted: %s", passed, extra={"run": str(run.id)})
