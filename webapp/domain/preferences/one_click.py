"""Leaving by the button of a mail program (RFC 8058): the topic of the email alone, or everything."""

from uuid import UUID

from webapp.domain import link_signing
from webapp.domain.contacts import unsubscribe
from webapp.domain.topics.choices import change_choices
from webapp.models import Campaign, CampaignRun, Contact, Organization, Topic
from webapp.models.contact import ConsentKind
from webapp.models.topic import Subscription


async def topic_behind(org: Organization, token: str) -> UUID | None:
    """The topic of a valid link's email; None if it had none, or once its campaign or topic is deleted."""
    _, sent_id = link_signing.ids_in(unsubscribe.PURPOSE, token)
    run = await CampaignRun.of(org).only("campaign_id", "topic_id").get_or_none(id=sent_id)
    if run is not None and not await Campaign.of(org).filter(id=run.campaign_id).exists():
        return None
    topic_id = sent_id if run is None else run.topic_id
    is_there = topic_id is not None and await Topic.of(org).filter(id=topic_id).exists()
    return topic_id if is_there else None


async def leave_by_one_click(token: str) -> None:
    """Repeated requests change nothing. Raises NotFound for an invalid link, Busy."""

    async def apply(contact: Contact, campaign_id: UUID) -> bool:
        org = await Organization.get(id=contact.org_id)
        topic_id = await topic_behind(org, token)
        if topic_id is None or not await Topic.lock_for_choices(org, [topic_id]):
            return await unsubscribe.leave(contact, campaign_id)
        await change_choices(org, contact, {topic_id: Subscription.OPT_OUT}, ConsentKind.PERSON, campaign_id)
        return False

    await unsubscribe.change(token, apply)
