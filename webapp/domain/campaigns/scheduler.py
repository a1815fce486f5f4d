"""The scheduler: each due campaign gets one run per occurrence, however many schedulers there are.

The run and the schedule's next time are committed together. A campaign waits for its earlier run to end; of missed
occurrences, the latest one runs.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from webapp import clock, db
from webapp.db.errors import is_outage
from webapp.domain.campaigns import send
from webapp.domain.campaigns.scheduling import AUTOMATIC, idle_status, last_time, next_time
from webapp.domain.plans import limits
from webapp.errors import PlanLimitExceeded, ValidationError
from webapp.models import Campaign, Organization
from webapp.models.campaign import CampaignStatus, ScheduleType, due_campaigns, lock_due_campaign

log = logging.getLogger(__name__)

GRACE = timedelta(hours=6)  # for an occurrence that is late; the contract's "missed ticks"
LATE = timedelta(minutes=1)  # of a run is noted on the campaign
AT_ONCE = 5_000
RUN_SECONDS = 30.0
CHANGED = ("status", "anchor_at", "next_run_at", "last_run_at", "halted_reason", "schedule_note", "updated_at")


async def run_due_schedules() -> None:
    """For RUN_SECONDS at most; a schedule that fails is logged, and tried again next time."""
    began = clock.elapsed()
    for campaign_id in await due_campaigns(AT_ONCE):
        if clock.elapsed() - began > RUN_SECONDS:
            break  # the others are due the next time
        try:
            await _run_schedule(campaign_id)
        except Exception as error:
            log.exception("a schedule could not be fired", extra={"campaign": str(campaign_id)})
            if is_outage(error):
                await db.fetch("SELECT 1")  # ends the loop when the database is down


async def _run_schedule(campaign_id: UUID) -> None:
    async with db.write_transaction():
        now = await lock_due_campaign(campaign_id)
        if now is None:
            return
        campaign = await Campaign.across_orgs().get(id=campaign_id)
        await _Occurrence(await Organization.get(id=campaign.org_id), campaign, now).run()
        await campaign.save(update_fields=CHANGED)


class _Occurrence:
    """The surrounding transaction has locked the campaign."""

    def __init__(self, org: Organization, campaign: Campaign, now: datetime) -> None:
        self._org, self._campaign, self._now = org, campaign, now
        self._at = last_time(org, campaign, now)
        self._first = campaign.next_run_at or self._at

    async def run(self) -> None:
        """Starts the run of the latest occurrence, or notes why there is none."""
        if self._now - self._at > GRACE:
            self._note(f"{self._skipped()}: it was more than {GRACE // timedelta(hours=1)} hours late")
            self._advance()
            return
        try:
            queued = await self._start()
        except PlanLimitExceeded as error:
            self._campaign.next_run_at = None
            self._campaign.set_status(CampaignStatus.HALTED, str(error))
        except ValidationError as error:  # e.g. an account in error, which may recover
            self._note(f"{self._named(self._at)} waits: {error}")
        else:
            self._note_delay(queued)
            self._advance()

    async def _start(self) -> int:
        async with db.write_transaction():  # a savepoint: a failed start leaves nothing behind
            if self._campaign.schedule_type in AUTOMATIC:
                await limits.require_automation(self._org)
            return await send.start_scheduled(self._org, self._campaign, self._at)

    def _advance(self) -> None:
        campaign = self._campaign
        if campaign.schedule_type == ScheduleType.SCHEDULED_ONCE:
            campaign.anchor_at = campaign.next_run_at = None
        else:
            campaign.next_run_at = next_time(self._org, campaign, self._now)
        if campaign.status != CampaignStatus.SENDING:
            campaign.set_status(idle_status(campaign))

    def _note_delay(self, queued: int) -> None:
        if self._campaign.schedule_type == ScheduleType.RECURRING_NEW_CONTACTS:
            return
        if queued == 0:
            self._note(f"{self._named(self._at)} had nobody to send to")
        elif self._at != self._first:
            self._note(f"{self._named(self._at)} ran, those from {self._local(self._first)} on until then did not")
        elif self._now - self._at > LATE:
            self._note(f"{self._named(self._at)} began late, at {self._local(self._now)}")

    def _skipped(self) -> str:
        if self._at == self._first:
            return f"{self._named(self._at)} was skipped"
        return f"the occurrences from {self._local(self._first)} to {self._local(self._at)} were skipped"

    def _named(self, at: datetime) -> str:
        return f"the occurrence of {self._local(at)}"

    def _local(self, at: datetime) -> str:
        return f"{at.astimezone(ZoneInfo(self._org.timezone)):%Y-%m-%d %H:%M} ({self._org.timezone})"

    def _note(self, text: str) -> None:
        self._campaign.schedule_note = text
