"""The contacts who get a campaign: counted before a send, and checked again when a contact's mail is built.

`contact_status.WANTS_MAIL` is the same rule as `reason_against` in SQL.
"""

from webapp import clock
from webapp.models import Campaign, CampaignRun, Contact
from webapp.models.campaign import ScheduleType
from webapp.models.contact import ContactStatus
from webapp.models.outbox import run_rows, runs
from webapp.models.queries.contact_status import ContactState


async def count_recipients(campaign: Campaign) -> int:
    if campaign.segment_id is None:
        return 0
    run = CampaignRun(org_id=campaign.org_id, campaign_id=campaign.id, segment_id=campaign.segment_id)
    run.started_at = clock.now()
    if campaign.schedule_type == ScheduleType.RECURRING_NEW_CONTACTS:
        run.joined_after = campaign.created_at
    return await run_rows.count_audience(run)


async def count_retried(run: CampaignRun) -> int:
    return await run_rows.count_audience(CampaignRun(org_id=run.org_id, retried_run_id=run.id))


def reason_against(contact: Contact | ContactState | None) -> str | None:
    """The reason for which a queued contact gets no mail any more."""
    if contact is None:
        return runs.CONTACT_DELETED
    if contact.status != ContactStatus.SUBSCRIBED:
        return runs.CONTACT_UNSUBSCRIBED
    if contact.bounced_at is not None:
        return runs.CONTACT_BOUNCED
    return None
