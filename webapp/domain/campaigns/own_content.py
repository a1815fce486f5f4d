"""Campaigns together with a template of their own, for programs that send a campaign's content with it."""

from functools import partial

from webapp.domain.campaigns.campaigns import add_campaign, change_campaign, delete_campaign
from webapp.domain.campaigns.inputs import CampaignChanges, NewCampaign, NewSend
from webapp.domain.campaigns.runs import count_send
from webapp.domain.campaigns.send import send_campaign
from webapp.domain.campaigns.stop import STOPPED, stop_campaign
from webapp.domain.templates.inputs import NewTemplate, TemplateChanges
from webapp.domain.templates.templates import (
    add_template,
    campaigns_using,
    change_template,
    delete_template,
    find_template,
)
from webapp.errors import ApiError
from webapp.models import Campaign, Organization, Template
from webapp.models.campaign import CampaignStatus, ScheduleType

UNSCHEDULED = CampaignChanges.model_validate({"schedule_type": "manual", "scheduled_at": None})


async def add_with_content(org: Organization, data: NewCampaign, content: NewTemplate, *, is_sent: bool) -> Campaign:
    """Adds both, and sends the campaign if `is_sent`, or neither. Raises what each of these does."""
    template = await add_template(org, content)
    campaign: Campaign | None = None
    try:
        campaign = await add_campaign(org, data.model_copy(update={"template_id": template.id}))
        if is_sent:
            await send_to_rest(org, campaign)
    except ApiError:
        if campaign is not None:
            await delete_campaign(org, campaign)
        await delete_template(org, template)
        raise
    return campaign


async def change_with_content(
    org: Organization, campaign: Campaign, data: CampaignChanges, content: TemplateChanges | None
) -> Campaign:
    """Changes both or neither; a template that other campaigns use stays as it is, and another is added.

    Raises what each change does.
    """
    if content is None:
        return await change_campaign(org, campaign, data)
    template = await template_of(org, campaign)
    if template is not None and (await campaigns_using(org, template)).total == 1:
        await change_template(org, template, content, also=partial(change_campaign, org, campaign, data))
        return campaign
    added = await add_template(org, NewTemplate.model_validate({"name": campaign.title} | content.given()))
    try:
        return await change_campaign(org, campaign, data.model_copy(update={"template_id": added.id}))
    except ApiError:
        await delete_template(org, added)
        raise


async def template_of(org: Organization, campaign: Campaign) -> Template | None:
    return None if campaign.template_id is None else await find_template(org, campaign.template_id)


async def send_to_rest(org: Organization, campaign: Campaign) -> int:
    """Sends to members that no earlier run has reached, so that a repeated request mails no one twice."""
    return await send_campaign(org, campaign, *await count_send(org, NewSend(audience="new"), campaign))


async def cancel(org: Organization, campaign: Campaign) -> Campaign:
    """A campaign that waits for its time becomes a draft; otherwise what it has not sent is halted. Raises Conflict."""
    if campaign.status == CampaignStatus.SCHEDULED and campaign.schedule_type == ScheduleType.SCHEDULED_ONCE:
        return await change_campaign(org, campaign, UNSCHEDULED)
    await stop_campaign(org, campaign, STOPPED)
    return campaign
