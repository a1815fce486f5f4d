"""The contacts who get a campaign; `contact_status.WANTS_MAIL` is the same rule as `reason_against` in SQL."""

from webapp import clock
from webapp.models import Campaign, CampaignRun, Contact, outbox
from webapp.models.campaign import ScheduleType
from webapp.models.contact import ContactStatus
from webapp.models.outbox import skip_reasons
from webapp.models.queries.contact_status import ContactState


async def count_recipients(campaign: Campaign) -> int:
    if campaign.segment_id is None:
        return 0
    run = CampaignRun(org_id=campaign.org_id, campaign_id=campaign.id, segment_id=campaign.segment_id)
    run.started_at = clock.now()
    if campaign.schedule_type == ScheduleType.RECURRING_NEW_CONTACTS:
        run.joined_after = campaign.created_at
    return await outbox.count_audience(run)


async def count_retried(run: CampaignRun) -> int:
    return await outbox.count_audience(CampaignRun(org_id=run.org_id, retried_run_id=run.id))


def reason_against(contact: Contact | ContactState | None) -> str | None:
    if contact is None:
        return skip_reasons.DELETED
    if contact.status != ContactStatus.SUBSCRIBED:
        return skip_reasons.UNSUBSCRIBED
    if contact.bounced_at is not None:
        return skip_reasons.BOUNCED
    return None
