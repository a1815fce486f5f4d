"""Adds, changes, copies and deletes campaigns."""

import json
from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import crypto, db
from webapp.domain.accounts.selection import check_exist, check_sender
from webapp.domain.audit.audit import AuditAction, actor_name, record_on
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.inputs import CampaignChanges, NewCampaign, within_reason
from webapp.domain.campaigns.scheduling import AUTOMATIC, idle_status, schedule_campaign, validate_schedule
from webapp.domain.campaigns.scope import bind_campaign
from webapp.domain.media.attachments import check_attachments
from webapp.domain.name_copy import name_copy
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.plans import limits
from webapp.domain.segments.segments import check_segments, non_openers, segment_named
from webapp.domain.templates.templates import template_named
from webapp.domain.time_words import TimeWords, resolve_time
from webapp.domain.topics.topics import topic_named
from webapp.errors import Outdated
from webapp.models import Campaign, Organization
from webapp.models import campaign as stored
from webapp.models.campaign import (
    ACCOUNT_DELETED,
    DELETED,
    TOPIC_DELETED,
    CampaignStatus,
    ScheduleType,
    lock_references,
)
from webapp.models.usage import Metric

SCHEDULE = ("schedule_type", "scheduled_at", "recurrence_interval", "recurrence_unit")
SCHEDULE_STATE = ("status", "anchor_at", "next_run_at", "halted_reason", "schedule_note", "updated_at")
REPLACED = "the deleted segment or template was replaced; resume to continue"
ACCOUNT_REPLACED = "the deleted account was replaced; resume to continue"
TOPIC_REPLACED = "the deleted topic was replaced or removed; resume to continue"
IDLE = (CampaignStatus.DRAFT, CampaignStatus.SENT)
# Overrides of template and accounts.
SAYS = ("subject", "preview_text", "from_name", "from_email", "reply_to", "media_ids", "utm", "tracking")
SENT_MANUALLY: dict[str, Any] = {**dict.fromkeys(SCHEDULE), "schedule_type": ScheduleType.MANUAL}
AUDIENCE = ("segment_id", "exclude_segment_ids", "topic_id")
COPIED = ("description", "template_id", *AUDIENCE, *SCHEDULE, "sender_account_ids", *SAYS)


async def list_campaigns(org: Organization, page: Page) -> Listed[Campaign]:
    return await fetch_page(Campaign.of(org).order_by("-id"), page)


find_campaign = Campaign.one_of
halt_incomplete = stored.halt_incomplete


async def add_campaign(org: Organization, data: NewCampaign) -> Campaign:
    """Locks its segments, template and topic. Raises NotFound, PlanLimitExceeded, ValidationError (bad schedule, From).

    Raises OutsideScope.
    """
    fields = await _resolved(org, dict(data))
    campaign = Campaign(id=uuid7(), org_id=org.id, **fields)
    validate_schedule(campaign)
    async with db.write_transaction():
        await lock_references(org.id, fields)
        await _check_references(org, campaign, data.model_fields_set)
        await schedule_campaign(org, campaign)
        await bind_campaign(org, campaign, data.model_fields_set, is_arming=True)
        await limits.consume(org, Metric.CAMPAIGNS)
        await campaign.save(force_create=True)
    return campaign


def content_edition(campaign: Campaign) -> str:
    """Differs after each change of the content."""
    return crypto.digest(json.dumps([str(getattr(campaign, name)) for name in ("template_id", *SAYS)]))


async def change_campaign(
    org: Organization, campaign: Campaign, data: CampaignChanges, *, edition: str | None = None
) -> Campaign:
    """Locks the campaign, its segments, template and topic. Raises NotFound, PlanLimitExceeded, ValidationError.

    Raises Outdated if its content is not of this edition any more, OutsideScope.
    """
    values = await _resolved(org, data.given())
    async with db.write_transaction():
        await lock_references(org.id, values)
        await campaign.lock()
        if edition not in (None, content_edition(campaign)):
            raise Outdated(campaign)
        changed = {name for name, value in values.items() if getattr(campaign, name) != value}
        for name in changed:
            setattr(campaign, name, values[name])
        # Stopped or finished campaigns stay so unless their schedule changed.
        is_rescheduled = not changed.isdisjoint(SCHEDULE)
        if is_rescheduled or ("template_id" in changed and campaign.template_id is None):
            validate_schedule(campaign, must_be_ahead=is_rescheduled)
        await _check_references(org, campaign, changed | (values.keys() - SAYS))
        if "topic_id" in values and campaign.halted_reason == TOPIC_DELETED:
            campaign.set_status(CampaignStatus.HALTED, TOPIC_REPLACED)
        if "sender_account_ids" in values:
            _mark_account_replaced(campaign)
        if is_rescheduled:
            await _reschedule(org, campaign)
        await bind_campaign(org, campaign, values, is_arming=is_rescheduled)
        if campaign.status == CampaignStatus.HALTED and campaign.halted_reason in DELETED.values():
            missing = [reason for name, reason in DELETED.items() if getattr(campaign, name) is None]
            campaign.set_status(CampaignStatus.HALTED, missing[0] if missing else REPLACED)
        campaign.saved_by = actor_name()
        await campaign.save(update_fields=[*sorted({*values, "sender_account_ids"}), *SCHEDULE_STATE, "saved_by"])
    return campaign


async def _resolved(org: Organization, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with a template's id for its alias, and a time for its words. Raises NotFound, ValidationError."""
    if isinstance(fields.get("template_id"), str):
        fields["template_id"] = (await template_named(org, fields["template_id"])).id
    if isinstance(at := fields.get("scheduled_at"), TimeWords):
        fields["scheduled_at"] = await resolve_time(org, "scheduled_at", at, within_reason)
    return fields


async def _check_references(org: Organization, campaign: Campaign, names: Collection[str]) -> None:
    if "segment_id" in names and campaign.segment_id is not None:
        await segment_named(org, campaign.segment_id)
    if "template_id" in names and campaign.template_id is not None:
        await template_named(org, campaign.template_id)
    if "topic_id" in names and campaign.topic_id is not None:
        await topic_named(org, campaign.topic_id)
    if "exclude_segment_ids" in names:
        await check_segments(org, "exclude_segment_ids", campaign.exclude_segment_ids)
    if "sender_account_ids" in names and campaign.named_accounts is not None:
        await check_exist(org, campaign.named_accounts)
    if "from_email" in names and campaign.from_email is not None:
        await check_sender(org, campaign.from_email)
    if "media_ids" in names:
        await check_attachments(org, campaign.media_ids)


async def _reschedule(org: Organization, campaign: Campaign) -> None:
    status, reason = campaign.status, campaign.halted_reason
    await schedule_campaign(org, campaign)
    if status == CampaignStatus.SENDING:
        campaign.set_status(CampaignStatus.SENDING)
    elif reason in (TOPIC_DELETED, ACCOUNT_DELETED) or (
        status == CampaignStatus.HALTED and await stop.halted_run(org, campaign) is not None
    ):
        campaign.set_status(CampaignStatus.HALTED, reason)
        campaign.next_run_at = None


async def save_draft_schedule(org: Organization, campaign: Campaign, data: CampaignChanges) -> Campaign:
    """Saves it inactive while idle; locks the campaign. Raises ValidationError, PlanLimitExceeded, NotFound."""
    async with db.write_transaction():
        await campaign.lock()
        if campaign.status not in IDLE:
            return await change_campaign(org, campaign, data)
        for name, value in data.given().items():
            setattr(campaign, name, value)
        validate_schedule(campaign, with_content=False)
        if campaign.schedule_type in AUTOMATIC:
            await limits.require(org, "allow_automation")
        campaign.anchor_at = campaign.next_run_at = None
        campaign.set_status(idle_status(campaign))
        await campaign.save(update_fields=[*data.given(), "anchor_at", "next_run_at", "status", "updated_at"])
    return campaign


async def choose_accounts(org: Organization, campaign: Campaign, ids: Sequence[UUID] | None) -> Campaign:
    """Saves the accounts of the next runs (None: every active one); locks the campaign. Raises NotFound."""
    async with db.write_transaction():
        await campaign.lock()
        if ids is not None:
            await check_exist(org, ids)
        campaign.sender_account_ids = None if ids is None else list(dict.fromkeys(map(str, ids)))
        _mark_account_replaced(campaign)
        await campaign.save(update_fields=["sender_account_ids", "halted_reason", "updated_at"])
    return campaign


def _mark_account_replaced(campaign: Campaign) -> None:
    if campaign.halted_reason == ACCOUNT_DELETED:
        campaign.set_status(CampaignStatus.HALTED, ACCOUNT_REPLACED)


async def duplicate_campaign(org: Organization, campaign: Campaign) -> Campaign:
    """Raises PlanLimitExceeded."""
    # One with a time must not be sent at the original's time.
    changes = SENT_MANUALLY if campaign.schedule_type == ScheduleType.SCHEDULED_ONCE else {}
    return await _copy(org, campaign, "copy", changes)


async def follow_up_campaign(org: Organization, campaign: Campaign) -> Campaign:
    """A draft of the same for those who did not open it. Raises PlanLimitExceeded."""
    segment = await non_openers(org, campaign)
    return await _copy(org, campaign, "follow-up", SENT_MANUALLY | {"segment_id": segment.id})


async def _copy(org: Organization, campaign: Campaign, kind: str, changes: dict[str, Any]) -> Campaign:
    copied = {name: getattr(campaign, name) for name in COPIED} | changes
    async with db.write_transaction():
        await lock_references(org.id, copied)
        await limits.consume(org, Metric.CAMPAIGNS)
        title = await name_copy(Campaign.of(org), "title", campaign.title, kind)
        return await Campaign.create(id=uuid7(), org_id=org.id, title=title, **copied)


async def delete_campaign(org: Organization, campaign: Campaign) -> None:
    """Halts the active run first, whose unsent emails stay halted. Keeps all mail logs. Locks the campaign.

    Raises NotFound.
    """
    async with db.write_transaction():
        await campaign.lock()
        run = await stop.halt_run(org, campaign, "the campaign was deleted")
        await campaign.delete()
        await record_on(campaign, AuditAction.CAMPAIGN_DELETED)
    if run is not None:
        await stop.wait_until_no_row_in_flight(run)
