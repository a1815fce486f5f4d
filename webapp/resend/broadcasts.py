"""/resend/broadcasts: campaigns, each with its content as a template of its own."""

from typing import Annotated, Any, NamedTuple

from pydantic import Field
from quart import Blueprint, g

from webapp import models
from webapp.addresses import Address
from webapp.domain.campaigns import campaigns, own_content
from webapp.domain.campaigns.inputs import CampaignChanges, NewCampaign
from webapp.domain.emails.inputs import Subject
from webapp.domain.inputs import NAME_LENGTH, Id, Input, Mailbox, Mailboxes, read_input
from webapp.domain.pagination import newest_page
from webapp.domain.roles import Action
from webapp.domain.templates.inputs import NewTemplate, TemplateChanges
from webapp.errors import ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.models.campaign import CampaignStatus
from webapp.resend.shapes import Body, ListQuery, body, created, deleted, named, page_of, time
from webapp.resend.tags import to_merge_tags
from webapp.resend.templates import bodies_of, content_of

blueprint = Blueprint("broadcasts", __name__, url_prefix="/broadcasts")

STATUSES = {
    CampaignStatus.DRAFT: "draft",
    CampaignStatus.SCHEDULED: "scheduled",
    CampaignStatus.SENDING: "queued",
    CampaignStatus.SENT: "sent",
    CampaignStatus.HALTED: "canceled",
}


class BroadcastChanges(Input):
    name: str | None = None
    segment_id: Id | None = None
    from_: Mailbox | None = Field(default=None, alias="from")
    subject: Subject | None = None
    reply_to: Annotated[Mailboxes, Field(max_length=1)] | None = None
    preview_text: str | None = None
    html: str | None = None
    text: str | None = None
    topic_id: Id | None = None

    def fields(self) -> Body:
        """Those of a campaign that are not null, in its own names."""
        sender = self.from_ or Address("", "")
        named = {
            "title": self.name,
            "segment_id": self.segment_id,
            "topic_id": self.topic_id,
            "subject": self.subject and to_merge_tags(self.subject),
            "preview_text": self.preview_text and to_merge_tags(self.preview_text),
            "from_name": sender.name or None,
            "from_email": sender.email or None,
            "reply_to": self.reply_to[0].email if self.reply_to else None,
        }
        return {name: value for name, value in named.items() if value is not None}

    def content(self) -> Body:
        return content_of({"html": self.html, "text": self.text})


class NewBroadcast(BroadcastChanges):
    segment_id: Id
    from_: Mailbox = Field(alias="from")
    subject: Subject
    send: bool = False
    scheduled_at: str | None = None


class Sending(Input):
    scheduled_at: str | None = None


class Broadcast(NamedTuple):
    campaign: NewCampaign
    content: NewTemplate
    is_sent: bool


class Changes(NamedTuple):
    campaign: CampaignChanges
    content: TemplateChanges | None


def read_broadcast(value: Any) -> Broadcast:
    """Raises ValidationError."""
    asked = read_input(NewBroadcast, _with_segment(value), strict=True, is_lenient=True)
    fields = {"title": asked.subject[:NAME_LENGTH]} | asked.fields()
    if asked.scheduled_at is not None:
        if not asked.send:
            raise ValidationError.at("scheduled_at", "needs send: true")
        fields |= _at(asked.scheduled_at)
    content = {"name": fields["title"], "subject": fields["subject"]} | asked.content()
    campaign = read_input(NewCampaign, fields, strict=True)
    return Broadcast(campaign, read_input(NewTemplate, content, strict=True), asked.send and asked.scheduled_at is None)


def read_changes(value: Any) -> Changes:
    """Raises ValidationError."""
    asked = read_input(BroadcastChanges, _with_segment(value), strict=True, is_lenient=True)
    content = asked.content()
    changes = read_input(CampaignChanges, asked.fields(), strict=True)
    return Changes(changes, read_input(TemplateChanges, content, strict=True) if content else None)


def read_sending(value: Any) -> CampaignChanges | None:
    """The time to send at; None for now. Raises ValidationError."""
    at = read_input(Sending, value, strict=True, is_lenient=True).scheduled_at
    return None if at is None else read_input(CampaignChanges, _at(at), strict=True)


def _at(time_or_words: str) -> Body:
    return {"schedule_type": "scheduled_once", "scheduled_at": time_or_words}


def _with_segment(value: Any) -> Any:
    if isinstance(value, dict) and value.get("segment_id") is None and "audience_id" in value:
        return value | {"segment_id": value["audience_id"]}
    return value


@blueprint.get("")
@guarded(Action.READ)
@query(ListQuery)
async def index(query_args: ListQuery) -> Body:
    return page_of(await newest_page(models.Campaign, g.caller.org, query_args.cursor, "a broadcast"), _outline)


@blueprint.post("")
@guarded(Action.CAMPAIGNS)
@body(NewBroadcast, read=read_broadcast)
async def create(data: Broadcast) -> tuple[Body, int]:
    campaign = await own_content.add_with_content(g.caller.org, data.campaign, data.content, is_sent=data.is_sent)
    return created("broadcast", campaign.id)


@blueprint.get("/<broadcast_id>")
@guarded(Action.READ, campaigns.find_campaign)
async def show(campaign: models.Campaign) -> Body:
    template = await own_content.template_of(g.caller.org, campaign)
    return {"object": "broadcast", **_outline(campaign), **_letter(campaign, template), **bodies_of(template)}


@blueprint.patch("/<broadcast_id>")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
@body(BroadcastChanges, read=read_changes)
async def change(campaign: models.Campaign, data: Changes) -> Body:
    await own_content.change_with_content(g.caller.org, campaign, *data)
    return named("broadcast", campaign.id)


@blueprint.post("/<broadcast_id>/send")
@guarded(Action.SEND, campaigns.find_campaign)
@body(Sending, read=read_sending)
async def send(campaign: models.Campaign, data: CampaignChanges | None) -> Body:
    if data is None:
        await own_content.send_to_rest(g.caller.org, campaign)
    else:
        g.caller.role.require(Action.CAMPAIGNS)
        await campaigns.change_campaign(g.caller.org, campaign, data)
    return named("broadcast", campaign.id)


@blueprint.post("/<broadcast_id>/cancel")
@guarded(Action.SEND, campaigns.find_campaign)
async def cancel(campaign: models.Campaign) -> Body:
    await own_content.cancel(g.caller.org, campaign)
    return named("broadcast", campaign.id)


@blueprint.post("/<broadcast_id>/duplicate")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def duplicate(campaign: models.Campaign) -> Body:
    copied = await campaigns.duplicate_campaign(g.caller.org, campaign)
    return named("broadcast", copied.id)


@blueprint.delete("/<broadcast_id>")
@guarded(Action.CAMPAIGNS, campaigns.find_campaign)
async def remove(campaign: models.Campaign) -> Body:
    await campaigns.delete_campaign(g.caller.org, campaign)
    return deleted("broadcast", campaign.id)


def _outline(campaign: models.Campaign) -> Body:
    return {
        "id": campaign.id,
        "name": campaign.title,
        "audience_id": campaign.segment_id,
        "segment_id": campaign.segment_id,
        "status": STATUSES[CampaignStatus(campaign.status)],
        "created_at": time(campaign.created_at),
        "scheduled_at": time(campaign.scheduled_at),
        "sent_at": time(campaign.last_run_at),
        "topic_id": campaign.topic_id,
    }


def _letter(campaign: models.Campaign, template: models.Template | None) -> Body:
    sender = Address(campaign.from_name or "", campaign.from_email) if campaign.from_email else None
    return {
        "from": None if sender is None else str(sender),
        "subject": campaign.subject or (template and template.subject),
        "reply_to": [campaign.reply_to] if campaign.reply_to else [],
        "preview_text": campaign.preview_text,
    }
