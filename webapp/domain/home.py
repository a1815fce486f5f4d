"""What the home page tells: today's mail, what is under way, and the first steps."""

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.domain import accounts
from webapp.domain.run_progress import Progress, RunWatch
from webapp.models import Account, Campaign, CampaignRun, Organization
from webapp.models.campaign_run import RunStatus
from webapp.models.outbox.mail_days import Outcomes
from webapp.models.row import first_id

log = logging.getLogger(__name__)

LONGEST_WAIT = timedelta(days=35)  # a mail may be scheduled 30 days ahead and then wait for its account
RUNS_SHOWN = 5
PATIENCE = 0.1  # seconds that a page waits for SENT_LATE; then it shows what was known
LATE_EVERY = timedelta(minutes=1)  # between two counts of SENT_LATE, which reads every row sent in LONGEST_WAIT
# What was handed in since midnight can have been sent or failed only since then. One OR over all would read every row.
COUNTS = """
SELECT 'sent' AS name, COUNT(*) AS count FROM mail_logs WHERE org_id = $1 AND status = 'sent' AND id >= $2
UNION ALL
SELECT 'failed', COUNT(*) FROM mail_logs WHERE org_id = $1 AND status = 'failed' AND id >= $2
UNION ALL
SELECT 'pending', COUNT(*) FROM mail_logs WHERE org_id = $1 AND status IN ('pending', 'sending')
UNION ALL
SELECT 'deferred', COUNT(*) FROM mail_logs WHERE org_id = $1 AND status = 'deferred'
UNION ALL
SELECT 'gone_sent', gone_sent FROM mail_days WHERE org_id = $1 AND day = $3
UNION ALL
SELECT 'gone_failed', gone_failed FROM mail_days WHERE org_id = $1 AND day = $3
"""
SENT_LATE = """
SELECT COUNT(*) AS count FROM mail_logs
WHERE org_id = $1 AND status = 'sent' AND id >= $2 AND id < $3 AND sent_at >= $4
"""


STEPS = """
SELECT EXISTS (SELECT 1 FROM accounts WHERE org_id = $1 AND NOT is_sandbox) AS has_account,
       EXISTS (SELECT 1 FROM mail_logs WHERE org_id = $1) AS has_sent,
       EXISTS (SELECT 1 FROM contacts WHERE org_id = $1) AS has_contact,
       EXISTS (SELECT 1 FROM templates WHERE org_id = $1) AS has_template,
       EXISTS (SELECT 1 FROM api_keys WHERE org_id = $1) AS has_key
"""


class Late(NamedTuple):
    """A count of SENT_LATE: for which day, and when it was read."""

    sent: int
    midnight: datetime
    read_at: datetime


_late: dict[UUID, Late] = {}  # by organization
_counting: dict[UUID, asyncio.Task[Late]] = {}  # those under way


@dataclass(frozen=True)
class Today:
    """Recipients: sent and failed since midnight in the organization's timezone, pending and deferred now.

    Of those sent to, `sent_late` were handed in on earlier days.
    """

    sent: int = 0
    failed: int = 0
    pending: int = 0
    deferred: int = 0
    sent_late: int = 0

    @property
    def handed_in(self) -> Outcomes:
        """What became of the mail that was handed in today."""
        return Outcomes(self.sent - self.sent_late, self.failed)


@dataclass(frozen=True)
class FirstSteps:
    """Which of the first steps are done."""

    has_account: bool
    has_sent: bool
    has_contact: bool
    has_template: bool
    has_key: bool

    @property
    def are_done(self) -> bool:
        """Whether there is nothing left to do."""
        return self.done == len(fields(self))

    @property
    def done(self) -> int:
        """How many are done."""
        return sum(getattr(self, step.name) for step in fields(self))


async def count_today(org: Organization) -> Today:
    """Today's counts, each read from the index (org_id, status, id) alone, but for mail of earlier days."""
    day = clock.today(org.timezone)
    midnight = clock.start_of_day(day, org.timezone)
    found = Counter({row["name"]: row["count"] for row in await db.fetch(COUNTS, org.id, first_id(midnight), day)})
    late = await _sent_late(org, midnight)
    return Today(
        sent=found["sent"] + found["gone_sent"] + late,
        failed=found["failed"] + found["gone_failed"],
        pending=found["pending"],
        deferred=found["deferred"],
        sent_late=late,
    )


async def _sent_late(org: Organization, midnight: datetime) -> int:
    """Of the mail handed in on earlier days what was sent since midnight, as it was LATE_EVERY ago or little longer."""
    known = _late.get(org.id)
    if known is None or known.midnight != midnight or known.read_at <= clock.now() - LATE_EVERY:
        count = _counting.get(org.id) or _begin_count(org.id, midnight)
        if await asyncio.wait({count}, timeout=PATIENCE) != (set(), {count}):
            known = await count
    return known.sent if known is not None and known.midnight == midnight else 0


def _begin_count(org_id: UUID, midnight: datetime) -> asyncio.Task[Late]:
    """Count behind the page, which does not wait for long: the open page asks again soon."""
    _counting[org_id] = asyncio.create_task(_count_late(org_id, midnight))
    _counting[org_id].add_done_callback(lambda count: _end_count(org_id, count))
    return _counting[org_id]


async def _count_late(org_id: UUID, midnight: datetime) -> Late:
    (row,) = await db.fetch(SENT_LATE, org_id, first_id(midnight - LONGEST_WAIT), first_id(midnight), midnight)
    _late[org_id] = Late(row["count"], midnight, clock.now())
    return _late[org_id]


def _end_count(org_id: UUID, count: asyncio.Task[Late]) -> None:
    _counting.pop(org_id, None)
    if not count.cancelled() and (error := count.exception()) is not None:
        log.warning("mail sent late could not be counted: %s", error)


async def first_steps(org: Organization) -> FirstSteps:
    """How far the organization has come: an account beside the sandbox's, a mail handed in, and so on."""
    (row,) = await db.fetch(STEPS, org.id)
    return FirstSteps(**{name: bool(value) for name, value in row.items()})


async def runs_under_way(org: Organization, watch: RunWatch) -> list[tuple[Campaign, Progress]]:
    """The newest runs that are sending, with their campaigns; one whose campaign is gone is left out."""
    runs = await CampaignRun.of(org).filter(status=RunStatus.SENDING).order_by("-id").limit(RUNS_SHOWN)
    if not runs:
        return []
    named = Campaign.of(org).filter(id__in=[run.campaign_id for run in runs])
    campaigns = {campaign.id: campaign for campaign in await named}
    return [(campaigns[run.campaign_id], await watch.latest(org, run)) for run in runs if run.campaign_id in campaigns]


async def sample_account(org: Organization) -> Account:
    """The account that samples name: the first one of one's own, until then the sandbox's."""
    own = await Account.of(org).filter(is_sandbox=False).order_by("id").first()
    return own or await accounts.sandbox_account(org)
