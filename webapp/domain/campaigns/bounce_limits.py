"""Limits for the shares of a run's emails that bounce or are reported as spam later."""

from uuid import UUID

from webapp.config import ShareLimit, settings
from webapp.models import CampaignRun
from webapp.models.mail_log import SENT
from webapp.models.outbox.runs import count_rows


async def passed_limit(run: CampaignRun) -> str | None:
    """The limit that the run has exceeded, as a sentence without its end; None if neither."""
    if await _passes(run.id, run.hard_bounces, settings().bounce_limit):
        return f"{run.hard_bounces:,} sent emails bounced. Check the addresses of the segment"
    if await _passes(run.id, run.complained, settings().complaint_limit):
        return f"{run.complained:,} recipients marked the email as spam. Check the segment's consent"
    return None


async def _passes(run_id: UUID, count: int, limit: ShareLimit) -> bool:
    """True if the count exceeds that share of the sent emails, which are only counted as far as needed."""
    if count <= limit.share * limit.least:
        return False
    enough = int(count / limit.share) + 1
    sent = (await count_rows([run_id], enough)).get(run_id, {}).get(SENT, 0)
    return limit.least <= sent < enough and count > limit.share * sent
