"""The schedule of a campaign: `anchor_at`, and `next_run_at` while it is active."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tortoise.expressions import Q

from webapp import clock
from webapp.domain.audit.audit import AuditAction, record_on
from webapp.domain.campaigns.recurrence import first_run, last_occurrence, next_run, recurrence_of
from webapp.domain.plans import limits
from webapp.errors import FieldError, ValidationError
from webapp.models import Campaign, Organization
from webapp.models.campaign import CampaignStatus, RecurrenceUnit, ScheduleType

CONTENT = ("segment_id", "template_id")
RECURRENCE = ("recurrence_interval", "recurrence_unit")
REQUIRED = {
    ScheduleType.MANUAL: (),
    ScheduleType.SCHEDULED_ONCE: (*CONTENT, "scheduled_at"),
    ScheduleType.RECURRING: (*CONTENT, *RECURRENCE),
    ScheduleType.RECURRING_NEW_CONTACTS: CONTENT,
}
GRACE = timedelta(hours=6)  # for late occurrences; the contract's "missed ticks"
LATE = timedelta(minutes=1)  # after which pages show a delay
NOT_YET = "couldn't start yet"  # in the note of a send that waits
AUTOMATIC = frozenset({ScheduleType.RECURRING, ScheduleType.RECURRING_NEW_CONTACTS})


def validate_schedule(campaign: Campaign, *, must_be_ahead: bool = True, with_content: bool = True) -> None:
    """Raises ValidationError for an incomplete schedule, or with `must_be_ahead` one in the past."""
    kind = ScheduleType(campaign.schedule_type)
    if kind == ScheduleType.RECURRING_NEW_CONTACTS and any(getattr(campaign, name) is not None for name in RECURRENCE):
        kind = ScheduleType.RECURRING
    faults = [
        FieldError.at(name, "is required", "missing")
        for name in REQUIRED[kind]
        if getattr(campaign, name) is None and (with_content or name not in CONTENT)
    ]
    is_once = campaign.schedule_type == ScheduleType.SCHEDULED_ONCE
    if must_be_ahead and is_once and campaign.scheduled_at is not None and campaign.scheduled_at <= clock.now():
        faults.append(FieldError.at("scheduled_at", "must be in the future"))
    if faults:
        raise ValidationError(details=faults)


async def schedule_campaign(org: Organization, campaign: Campaign) -> None:
    """Sets the next run, which the caller saves. Raises PlanLimitExceeded."""
    now, before = clock.now(), campaign.next_run_at
    anchor = first_run(campaign, org.timezone, now)
    if campaign.schedule_type in AUTOMATIC:
        await limits.require(org, "allow_automation")
    campaign.anchor_at = anchor
    campaign.next_run_at = next_run(campaign, org.timezone, now)
    campaign.schedule_note = None  # type: ignore[assignment]  # Tortoise's types know no null
    campaign.set_status(idle_status(campaign))
    if campaign.next_run_at is not None:
        await record_on(campaign, AuditAction.CAMPAIGN_SCHEDULED, next_send=campaign.next_run_at)
    elif before is not None:
        await record_on(campaign, AuditAction.CAMPAIGN_UNSCHEDULED)


async def keep_next_runs(org: Organization, old: str) -> None:
    """Keeps each schedule's next run and applies a new timezone afterwards; locks the campaigns."""
    scheduled = Campaign.of(org).filter(schedule_type__in=AUTOMATIC, anchor_at__not_isnull=True)
    for campaign in await scheduled.exclude(next_run_at=None).order_by("id").select_for_update(no_key=True):
        campaign.anchor_at = _moved_anchor(org, campaign, ZoneInfo(old))
        await campaign.save(update_fields=["anchor_at", "updated_at"])


def _moved_anchor(org: Organization, campaign: Campaign, old: ZoneInfo) -> datetime:
    """A monthly schedule whose next run is on an earlier day, in a shorter month, restarts from that run."""
    anchor, due, every = campaign.anchor_at, campaign.next_run_at, recurrence_of(campaign, org.timezone)
    if anchor is None or due is None:
        raise ValueError("the campaign is not scheduled")
    if every is None or every.unit != RecurrenceUnit.MONTH:
        return due
    zone = ZoneInfo(org.timezone)
    shifted = due.astimezone(zone).date() - due.astimezone(old).date()
    moved = datetime.combine(anchor.astimezone(old).date() + shifted, due.astimezone(zone).time(), zone).astimezone(UTC)
    return moved if moved <= due and last_occurrence(moved, every, due) == due else due


def could_not_start(campaign: Campaign) -> bool:
    """True if its send is overdue for the reason in `schedule_note`."""
    due, note = campaign.next_run_at, campaign.schedule_note or ""
    is_due = due is not None and due <= clock.now() - LATE
    return campaign.status == CampaignStatus.SCHEDULED and is_due and NOT_YET in note


async def waiting_or_halted(org: Organization, count: int) -> list[Campaign]:
    """The newest campaigns that `could_not_start` or are halted."""
    is_due = Q(schedule_note__contains=NOT_YET, next_run_at__lte=clock.now() - LATE)
    stuck = Q(status=CampaignStatus.HALTED) | Q(is_due, status=CampaignStatus.SCHEDULED)
    return await Campaign.of(org).filter(stuck).order_by("-id").limit(count)


def idle_status(campaign: Campaign) -> CampaignStatus:
    if campaign.next_run_at is not None:
        return CampaignStatus.SCHEDULED
    return CampaignStatus.DRAFT if campaign.last_run_at is None else CampaignStatus.SENT
