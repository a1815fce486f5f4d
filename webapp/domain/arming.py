"""Arming: a campaign's schedule is judged, set to its next time, and taken back.

`anchor_at` says that there is a schedule, `next_run_at` that it is armed; a campaign that was stopped keeps the first.
"""

from collections.abc import Iterable
from datetime import datetime

from webapp import clock
from webapp.domain import limits
from webapp.domain.schedule import Recurrence, first_run, last_run, next_run
from webapp.errors import FieldError, ValidationError
from webapp.models import Campaign, Organization
from webapp.models.campaign import CampaignStatus, RecurrenceUnit, ScheduleType

AUTOMATIC = frozenset({ScheduleType.RECURRING, ScheduleType.RECURRING_NEW_CONTACTS})


def check_schedule(campaign: Campaign, *, arms: bool = True) -> None:
    """Judge whether the campaign has what its schedule needs; `arms`: its time must lie ahead.

    Raises ValidationError with every fault.
    """
    faults = list(_faults(campaign, arms=arms))
    if faults:
        raise ValidationError(details=faults)


def _faults(campaign: Campaign, *, arms: bool) -> Iterable[FieldError]:
    for name in _needed(campaign):
        if getattr(campaign, name) is None:
            yield FieldError(name, f"{name} is required for the schedule_type {campaign.schedule_type}")
    is_once = campaign.schedule_type == ScheduleType.SCHEDULED_ONCE
    if arms and is_once and campaign.scheduled_at is not None and campaign.scheduled_at <= clock.now():
        yield FieldError("scheduled_at", "scheduled_at must be in the future")


def _needed(campaign: Campaign) -> tuple[str, ...]:
    content, recurrence = ("segment_id", "template_id"), ("recurrence_interval", "recurrence_unit")
    match campaign.schedule_type:
        case ScheduleType.SCHEDULED_ONCE:
            return (*content, "scheduled_at")
        case ScheduleType.RECURRING:
            return (*content, *recurrence)
        case ScheduleType.RECURRING_NEW_CONTACTS:
            has_recurrence = campaign.recurrence_interval is not None or campaign.recurrence_unit is not None
            return (*content, *(recurrence if has_recurrence else ()))
    return ()


async def arm(org: Organization, campaign: Campaign) -> None:
    """Set the campaign's schedule anew, inside the transaction that saves it; one that is manual is disarmed.

    Raises PlanLimitExceeded where the plan does not allow to recur.
    """
    kind, now = ScheduleType(campaign.schedule_type), clock.now()
    anchor = first_run(kind, campaign.scheduled_at, _recurrence(org, campaign), now)
    if kind in AUTOMATIC:
        await limits.require_automation(org)
    campaign.anchor_at = anchor
    campaign.next_run_at = None if anchor is None else next_time(org, campaign, now)
    campaign.schedule_note = None  # type: ignore[assignment]  # Tortoise's types know no null
    campaign.stand(status_at_rest(campaign))


def next_time(org: Organization, campaign: Campaign, after: datetime) -> datetime | None:
    """When the campaign's schedule is due next after an instant; None where it has none."""
    if campaign.anchor_at is None:
        return None
    return next_run(ScheduleType(campaign.schedule_type), campaign.anchor_at, _recurrence(org, campaign), after)


def last_time(org: Organization, campaign: Campaign, until: datetime) -> datetime:
    """When the armed campaign was due last, up to an instant at which it is due."""
    if campaign.anchor_at is None:
        raise ValueError("the campaign has no schedule")
    return last_run(ScheduleType(campaign.schedule_type), campaign.anchor_at, _recurrence(org, campaign), until)


def _recurrence(org: Organization, campaign: Campaign) -> Recurrence | None:
    if campaign.recurrence_interval is None or campaign.recurrence_unit is None:
        return None
    return Recurrence(campaign.recurrence_interval, RecurrenceUnit(campaign.recurrence_unit), org.timezone)


def status_at_rest(campaign: Campaign) -> CampaignStatus:
    """What a campaign is that neither sends nor is halted."""
    if campaign.next_run_at is not None:
        return CampaignStatus.SCHEDULED
    return CampaignStatus.DRAFT if campaign.last_run_at is None else CampaignStatus.SENT
