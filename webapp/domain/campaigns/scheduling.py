"""Arming: a campaign's schedule is judged, set to its next time, and taken back.

`anchor_at` says that there is a schedule, `next_run_at` that it is armed; a campaign that was stopped keeps the first.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from webapp import clock
from webapp.domain.campaigns.recurrence import Recurrence, first_run, last_occurrence, last_run, next_run
from webapp.domain.plans import limits
from webapp.errors import FieldError, ValidationError
from webapp.models import Campaign, Organization
from webapp.models.campaign import CampaignStatus, RecurrenceUnit, ScheduleType

CONTENT = ("segment_id", "template_id")
AUTOMATIC = frozenset({ScheduleType.RECURRING, ScheduleType.RECURRING_NEW_CONTACTS})


def check_times(campaign: Campaign) -> None:
    """Judge the schedule alone, of a campaign whose segment and template may be chosen later.

    Raises ValidationError with every fault.
    """
    faults = [fault for fault in _faults(campaign, arms=True) if fault.field not in CONTENT]
    if faults:
        raise ValidationError(details=faults)


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
    content, recurrence = CONTENT, ("recurrence_interval", "recurrence_unit")
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
    campaign.set_status(status_at_rest(campaign))


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


async def keep_times(org: Organization, old: str) -> None:
    """Let each armed campaign that recurs be due when it is now; from then on it keeps its time in `org`'s timezone.

    `old` is the zone of until now. Inside the transaction that changes it: who fires a schedule has done so, or waits.
    """
    armed = Campaign.of(org).filter(schedule_type__in=AUTOMATIC, anchor_at__not_isnull=True)
    for campaign in await armed.exclude(next_run_at=None).order_by("id").select_for_update(no_key=True):
        campaign.anchor_at = _moved_anchor(org, campaign, ZoneInfo(old))
        await campaign.save(update_fields=["anchor_at", "updated_at"])


def _moved_anchor(org: Organization, campaign: Campaign, old: ZoneInfo) -> datetime:
    """From when on to count in the new zone, so that the campaign's next time is one of those that are counted.

    A campaign for the 31st has one that is no 31st in other months: it goes on from where it began.
    """
    anchor, due, every = campaign.anchor_at, campaign.next_run_at, _recurrence(org, campaign)
    if anchor is None or due is None:
        raise ValueError("the campaign is not armed")
    if every is None or every.unit != RecurrenceUnit.MONTH:
        return due
    zone = ZoneInfo(org.timezone)
    shifted = due.astimezone(zone).date() - due.astimezone(old).date()
    moved = datetime.combine(anchor.astimezone(old).date() + shifted, due.astimezone(zone).time(), zone).astimezone(UTC)
    return moved if moved <= due and last_occurrence(moved, every, due) == due else due


def _recurrence(org: Organization, campaign: Campaign) -> Recurrence | None:
    if campaign.recurrence_interval is None or campaign.recurrence_unit is None:
        return None
    return Recurrence(campaign.recurrence_interval, RecurrenceUnit(campaign.recurrence_unit), org.timezone)


def status_at_rest(campaign: Campaign) -> CampaignStatus:
    """What a campaign is that neither sends nor is halted."""
    if campaign.next_run_at is not None:
        return CampaignStatus.SCHEDULED
    return CampaignStatus.DRAFT if campaign.last_run_at is None else CampaignStatus.SENT
