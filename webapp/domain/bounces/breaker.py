"""Halts a run whose sent emails bounce or are marked as spam too often; once, as who resumes it knows of them."""

import logging
from uuid import UUID

from webapp.domain.campaigns import stop
from webapp.models import CampaignRun, MailLog, Organization
from webapp.models.campaign_run import RunStatus
from webapp.models.mail_log import SENT
from webapp.models.outbox.runs import count_rows

log = logging.getLogger(__name__)

MOST_BOUNCED, BOUNCED_OF = 0.08, 100  # as a share of the emails sent, which are at least so many
MOST_COMPLAINED, COMPLAINED_OF = 0.003, 1_000
FIRST_EPOCH = 0  # of a run that was never stopped


async def check_run(org: Organization, row: MailLog) -> None:
    """Halts the active run of the row where its later bounces or complaints pass a limit; commits."""
    run = await CampaignRun.of(org).get_or_none(id=row.campaign_run_id) if row.campaign_run_id else None
    if run is None or run.status != RunStatus.SENDING or run.epoch != FIRST_EPOCH:
        return
    reason = await _reason_to_halt(run)
    if reason is not None and await stop.break_run(org, run.campaign_id, run.id, FIRST_EPOCH, reason):
        log.warning("a run was halted: %s", reason, extra={"run": str(run.id)})


async def _reason_to_halt(run: CampaignRun) -> str | None:
    if await _passes(run.id, run.bounced, MOST_BOUNCED, BOUNCED_OF):
        return f"{run.bounced:,} sent emails bounced. Check the addresses of the segment, then resume"
    if await _passes(run.id, run.complained, MOST_COMPLAINED, COMPLAINED_OF):
        return f"{run.complained:,} recipients marked the email as spam. Check the segment's consent, then resume"
    return None


async def _passes(run_id: UUID, count: int, share: float, least: int) -> bool:
    """True where the count is more than that share of the emails sent, which are counted no further than needed."""
    if count <= share * least:
        return False
    enough = int(count / share) + 1
    sent = (await count_rows([run_id], enough)).get(run_id, {}).get(SENT, 0)
    return least <= sent < enough and count > share * sent
