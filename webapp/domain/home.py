"""What the home page tells: today's mail and the first steps."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tortoise.expressions import Q
from tortoise.functions import Count

from webapp import clock
from webapp.domain import accounts
from webapp.domain.mail_logs import MailLogView
from webapp.domain.rendering import rendered
from webapp.models import Account, ApiKey, Content, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, PENDING, SENDING, SENT

LONGEST_WAIT = timedelta(days=35)  # a mail may be scheduled 30 days ahead and then wait for its account


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
    """Today's counts, in one query."""
    midnight = clock.start_of_day(clock.today(org.timezone), org.timezone)
    waiting = Q(status__in=[PENDING, SENDING, DEFERRED])
    sent = Q(status=SENT, id__gte=first_id(midnight - LONGEST_WAIT), sent_at__gte=midnight)
    failed = Q(status=FAILED, id__gte=first_id(midnight))
    rows = MailLog.of(org).filter(waiting | sent | failed).annotate(count=Count("id")).group_by("status")
    counts: dict[str, int] = {row["status"]: row["count"] for row in await rows.values("status", "count")}
    return Today(
        sent=counts.get(SENT, 0),
        failed=counts.get(FAILED, 0),
        pending=counts.get(PENDING, 0) + counts.get(SENDING, 0),
        deferred=counts.get(DEFERRED, 0),
    )


def first_id(at: datetime) -> UUID:
    """The smallest UUIDv7 made at this instant (RFC 9562, 5.7): ids find rows by time without an index of their own."""
    return UUID(int=int(at.timestamp() * 1000) << 80)


async def latest_logs(org: Organization, count: int) -> list[MailLogView]:
    """The newest rows with their mail; unlike a list of pages it counts nothing."""
    rows = await MailLog.of(org).order_by("-id").limit(count)
    contents = {row.id: row for row in await Content.of(org).filter(id__in=list({row.content_id for row in rows}))}
    return [
        MailLogView(row, rendered(contents[row.content_id], row.variables) if row.content_id in contents else None)
        for row in rows
    ]


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
