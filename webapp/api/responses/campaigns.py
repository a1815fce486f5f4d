"""Campaigns."""

from typing import Any, Literal
from uuid import UUID

from typing_extensions import TypedDict

from webapp.api.responses.common import Time, maybe_time, time
from webapp.models import Campaign as CampaignRow


class Campaign(TypedDict):
    """A template for a segment, sent by hand or on a schedule."""

    id: UUID
    title: str
    description: str | None
    segment_id: UUID | None
    template_id: UUID | None
    schedule_type: Literal["manual", "scheduled_once", "recurring", "recurring_new_contacts"]
    scheduled_at: Time | None
    recurrence_interval: int | None
    recurrence_unit: Literal["day", "week", "month"] | None
    status: Literal["draft", "scheduled", "sending", "sent", "halted"]
    sender_account_ids: list[UUID] | None
    next_run_at: Time | None
    last_run_at: Time | None
    halted_reason: str | None
    schedule_note: str | None
    created_at: Time
    updated_at: Time


class CampaignSent(TypedDict):
    """The result of a send; `contacts_messaged` is 0 where it armed the schedule, or there was nobody."""

    ok: Literal[True]
    campaign_id: UUID
    contacts_messaged: int


def campaign(campaign: CampaignRow) -> Campaign:
    row: Any = campaign  # its columns hold plain strings where the shape names the values
    return {
        "id": row.id,
        "title": row.title,
        "description": row.description,
        "segment_id": row.segment_id,
        "template_id": row.template_id,
        "schedule_type": row.schedule_type,
        "scheduled_at": maybe_time(row.scheduled_at),
        "recurrence_interval": row.recurrence_interval,
        "recurrence_unit": row.recurrence_unit,
        "status": row.status,
        "sender_account_ids": row.sender_account_ids,
        "next_run_at": maybe_time(row.next_run_at),
        "last_run_at": maybe_time(row.last_run_at),
        "halted_reason": row.halted_reason,
        "schedule_note": row.schedule_note,
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
    }


def campaign_sent(campaign: CampaignRow, contacts_messaged: int) -> CampaignSent:
    return {"ok": True, "campaign_id": campaign.id, "contacts_messaged": contacts_messaged}
