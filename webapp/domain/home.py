"""What the home page tells: today's mail and the first steps."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.domain import accounts
from webapp.models import Account, ApiKey, MailLog, Organization
from webapp.models.row import first_id

LONGEST_WAIT = timedelta(days=35)  # a mail may be scheduled 30 days ahead and then wait for its account
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
"""
SENT_LATE = """
SELECT COUNT(*) AS count FROM mail_logs
WHERE org_id = $1 AND status = 'sent' AND id >= $2 AND id < $3 AND sent_at >= $4
"""


class Late(NamedTuple):
    """A count of SENT_LATE: for which day, and when it was read."""

    sent: int
    midnight: datetime
    read_at: datetime


_late: dict[UUID, Late] = {}  # by organization


@dataclass(frozen=True)
class Today:
    """Recipients: sent and failed since midnight in the organization's timezone, pending and deferred now."""

    sent: int = 0
    failed: int = 0
    pending: int = 0
    deferred: int = 0


@dataclass(frozen=True)
class FirstSteps:
    """Which of the first steps are done."""

    has_account: bool
    has_key: bool
    has_sent: bool

    @property
    def are_done(self) -> bool:
        """Whether there is nothing left to do."""
        return self.has_account and self.has_key and self.has_sent


async def count_today(org: Organization) -> Today:
    """Today's counts, each read from the index (org_id, status, id) alone, but for mail of earlier days."""
    midnight = clock.start_of_day(clock.today(org.timezone), org.timezone)
    counts = {row["name"]: row["count"] for row in await db.fetch(COUNTS, org.id, first_id(midnight))}
    return Today(**counts | {"sent": counts["sent"] + await _sent_late(org, midnight)})


async def _sent_late(org: Organization, midnight: datetime) -> int:
    """Of the mail handed in on earlier days what was sent since midnight, as it was at most LATE_EVERY ago."""
    known = _late.get(org.id)
    if known is None or known.midnight != midnight or known.read_at <= clock.now() - LATE_EVERY:
        (row,) = await db.fetch(SENT_LATE, org.id, first_id(midnight - LONGEST_WAIT), first_id(midnight), midnight)
        known = _late[org.id] = Late(row["count"], midnight, clock.now())
    return known.sent


async def first_steps(org: Organization) -> FirstSteps:
    """How far the organization has come: an account beside the sandbox's, a key, a mail handed in."""
    return FirstSteps(
        has_account=await Account.of(org).filter(is_sandbox=False).exists(),
        has_key=await ApiKey.of(org).exists(),
        has_sent=await MailLog.of(org).exists(),
    )


async def sample_account(org: Organization) -> Account:
    """The account that samples name: the first one of one's own, until then the sandbox's."""
    own = await Account.of(org).filter(is_sandbox=False).order_by("id").first()
    return own or await accounts.sandbox_account(org)
