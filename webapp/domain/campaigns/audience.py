"""Who gets campaigns: counted before a send, and asked of a contact when its mail is made.

`WANTS_MAIL` asks the same as `reason_against` when a row is made.
"""

from webapp import clock
from webapp.models import Campaign, CampaignRun, Contact, outbox
from webapp.models.campaign import ScheduleType
from webapp.models.contact import ContactStatus
from webapp.models.outbox import skip_reasons
from webapp.models.queries.contact_status import ContactState


async def count_recipients(campaign: Campaign) -> int:
    """How many contacts the campaign would be sent to now, by its schedule; none without a segment."""
    if campaign.segment_id is None:
        return 0
    run = CampaignRun(org_id=campaign.org_id, campaign_id=campaign.id, segment_id=campaign.segment_id)
    run.started_at = clock.now()
    if campaign.schedule_type == ScheduleType.RECURRING_NEW_CONTACTS:
        run.joined_after = campaign.created_at
    return await outbox.count_audience(run)


async def count_retried(run: CampaignRun) -> int:
    """How many contacts a retry of the run would be sent to: it failed to reach them, and they want mail still."""
    return await outbox.count_audience(CampaignRun(org_id=run.org_id, retried_run_id=run.id))


def reason_against(contact: Contact | ContactState | None) -> str | None:
    """Why a contact for whom a mail is queued gets none any more, in words; None where there is no reason."""
    if contact is None:
        return skip_reasons.DELETED
    if contact.status != ContactStatus.SUBSCRIBED:
        return skip_reasons.UNSUBSCRIBED
    if contact.bounced_at is not None:
        return skip_reasons.BOUNCED
    return None
