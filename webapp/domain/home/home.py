"""The home page's counts of today, alerts, active runs and first steps."""

import asyncio
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from tortoise.expressions import Q

from webapp import clock, db
from webapp.domain.accounts import accounts
from webapp.domain.accounts.credentials import sign_in_finding
from webapp.domain.accounts.holds import Hold, holds_among
from webapp.domain.accounts.today import AccountToday, rules_of
from webapp.domain.background_counts import BackgroundCount
from webapp.domain.campaigns.run_progress import Progress, latest_progress
from webapp.domain.campaigns.scheduling import waiting_or_halted
from webapp.domain.campaigns.stop import paused_because
from webapp.domain.forms.forms import forms_without_sender
from webapp.domain.from_checks.findings import in_words
from webapp.domain.from_checks.from_checks import warnings_about
from webapp.domain.plans.limits import limits_near
from webapp.models import Account, Campaign, CampaignRun, Organization, SegmentSheet
from webapp.models.account import AccountStatus
from webapp.models.base.row import id_lower_bound
from webapp.models.campaign import CampaignStatus
from webapp.models.campaign_run import RunStatus
from webapp.models.outbox.day_statistics import Outcomes
from webapp.sending.reports.parse import Kind

LONGEST_WAIT = timedelta(days=35)  # mail may be scheduled 30 days ahead and then wait for its account
RUNS_SHOWN = 5
MAX_ALERTS = 5  # per kind
FEW = 10_000  # rows per status that a page counts
LATE_SECONDS = 60.0  # between two counts of SENT_LATE, which reads every row sent in LONGEST_WAIT
# Mail handed in since midnight can only have been sent or failed since then. A single OR would read every row.
ROWS = {
    "sent": "FROM mail_logs WHERE org_id = $1 AND status = 'sent' AND id >= $2",
    "failed": "FROM mail_logs WHERE org_id = $1 AND status = 'failed' AND id >= $2",
    "pending": "FROM mail_logs WHERE org_id = $1 AND status IN ('pending', 'sending')",
    "deferred": "FROM mail_logs WHERE org_id = $1 AND status = 'deferred'",
}
REPORTED = """SELECT '{0}' AS name, COUNT(*) AS count FROM (
  SELECT id FROM bounce_reports WHERE org_id = $1 AND id >= $2 AND kind = '{0}' AND is_certain
  LIMIT 10000) few"""
GONE = "SELECT '{0}' AS name, {0} AS count FROM mail_days WHERE org_id = $1 AND day = $3"
COUNTS, FEW_COUNTS = (
    " UNION ALL ".join([
        *(GONE.format(name) for name in ("gone_sent", "gone_failed")),
        *(REPORTED.format(kind) for kind in (Kind.BOUNCE, Kind.COMPLAINT)),
        *(f"SELECT '{name}', COUNT(*) {count.format(rows)}" for name, rows in ROWS.items()),
    ])
    for count in ("{}", "FROM (SELECT id {} LIMIT $4) few")
)  # fmt: skip
SENT_LATE = """
SELECT COUNT(*) FROM mail_logs
WHERE org_id = $1 AND status = 'sent' AND id >= $2 AND id < $3 AND sent_at >= $4
"""
STEPS = """
SELECT EXISTS (SELECT 1 FROM accounts
                WHERE org_id = $1 AND NOT is_sandbox AND status <> 'error' AND failing_since IS NULL) AS has_account,
       EXISTS (SELECT 1 FROM mail_logs WHERE org_id = $1 AND status = 'sent') AS has_sent,
       EXISTS (SELECT 1 FROM contacts WHERE org_id = $1) AS has_contact,
       EXISTS (SELECT 1 FROM templates WHERE org_id = $1) AS has_template,
       EXISTS (SELECT 1 FROM campaign_runs WHERE org_id = $1) AS has_campaign,
       EXISTS (SELECT 1 FROM api_keys WHERE org_id = $1) AS has_key
"""

OF_DUE_MAIL = ("paused", "limit", "provider", "ramp")
DUE = """
SELECT id FROM accounts WHERE id {0} AND (
  EXISTS (SELECT 1 FROM mail_logs m WHERE m.account_id = accounts.id AND m.status = 'pending'
          AND m.next_attempt_at <= {1})
  OR EXISTS (SELECT 1 FROM mail_logs m WHERE m.account_id = accounts.id AND m.status = 'deferred')
  OR EXISTS (SELECT 1 FROM campaign_run_accounts a JOIN campaign_runs r ON r.id = a.run_id
             WHERE a.account_id = accounts.id AND r.status = 'sending'))
"""

Day = tuple[UUID, datetime]  # an organization and its midnight
large_days: BackgroundCount[Day, Counter[str]] = BackgroundCount("today's mail")
late_days: BackgroundCount[Day, int] = BackgroundCount("mail sent late", LATE_SECONDS)


@dataclass(frozen=True)
class Today:
    """Recipients: sent and failed since midnight, pending and deferred now; `sent_late` were handed in earlier.

    `bounces` and `complaints` since midnight are about mail of any day, and at most FEW.
    """

    sent: int = 0
    failed: int = 0
    pending: int = 0
    deferred: int = 0
    sent_late: int = 0
    bounces: int = 0
    complaints: int = 0
    is_counted: bool = True  # if False, show nothing

    @property
    def handed_in(self) -> Outcomes | None:
        return Outcomes(self.sent - self.sent_late, self.failed) if self.is_counted else None


async def count_today(org: Organization) -> Today:
    """Today's counts, read from the index (org_id, status, id) only, except for mail of earlier days."""
    day = clock.today(org.timezone)
    midnight = clock.start_of_day(day, org.timezone)
    counts, sent_late = await asyncio.gather(
        _count_since(org.id, midnight, day), late_days.get((org.id, midnight), lambda: _count_late(org.id, midnight))
    )
    if counts is None:
        return Today(is_counted=False)
    late = sent_late or 0
    return Today(
        sent=counts["sent"] + counts["gone_sent"] + late,
        failed=counts["failed"] + counts["gone_failed"],
        pending=counts["pending"],
        deferred=counts["deferred"],
        sent_late=late,
        bounces=counts[Kind.BOUNCE],
        complaints=counts[Kind.COMPLAINT],
    )


async def _count_since(org_id: UUID, midnight: datetime, day: date) -> Counter[str] | None:
    values = org_id, id_lower_bound(midnight), day
    counts = await _read(FEW_COUNTS, *values, FEW + 1)
    if max(counts[name] for name in ROWS) <= FEW:
        return counts
    return await large_days.get((org_id, midnight), lambda: _read(COUNTS, *values))


async def _read(counts: str, *values: Any) -> Counter[str]:
    return Counter({row["name"]: row["count"] for row in await db.fetch(counts, *values)})


async def _count_late(org_id: UUID, midnight: datetime) -> int:
    oldest, first = id_lower_bound(midnight - LONGEST_WAIT), id_lower_bound(midnight)
    return int(await db.fetch_value(SENT_LATE, org_id, oldest, first, midnight))


async def first_steps(org: Organization) -> dict[str, bool]:
    """The columns of STEPS."""
    (row,) = await db.fetch(STEPS, org.id)
    return {name: bool(value) for name, value in row.items()}


class Alert(NamedTuple):
    kind: str  # campaign, schedule, sheet, account, address or form
    row_id: UUID
    name: str
    words: str


async def _holds_of_due_mail(holds: list[Hold]) -> list[Hold]:
    """Only those that due mail waits for."""
    if not holds:
        return []
    sql, ids = db.dialect(), [hold.account.id for hold in holds]
    account_ids = await db.fetch_ids(DUE.format(sql.among("$1"), sql.now), ids)
    return [hold for hold in holds if hold.account.id in account_ids]


async def find_alerts(org: Organization, today: Today, items: Collection[AccountToday]) -> dict[str, list[Any]]:
    """Accounts that cannot send, or while mail waits are paused or at their quota; campaigns, sheets, plan limits."""
    broken = Q(status=AccountStatus.ERROR) | Q(status=AccountStatus.ACTIVE, failing_since__isnull=False)
    broken_accounts = await Account.of(org).filter(broken).order_by("-id").limit(MAX_ALERTS)
    resets_at = clock.next_day(org.timezone)
    broken_today = [AccountToday(account, rules_of(account, resets_at)) for account in broken_accounts]
    held = list(holds_among(broken_today, are_campaigns=False))
    if today.pending or today.deferred or not today.is_counted:
        holds = holds_among(items, are_campaigns=False)
        held += await _holds_of_due_mail([hold for hold in holds if hold.kind in OF_DUE_MAIL])
    campaigns = await waiting_or_halted(org, MAX_ALERTS)
    sheets = await SegmentSheet.of(org).filter(next_sync_at=None).order_by("-id").limit(MAX_ALERTS)
    alerts = [
        Alert("campaign", item.id, item.title, paused_because(item.halted_reason).removeprefix("paused: "))
        if item.status == CampaignStatus.HALTED
        else Alert("schedule", item.id, item.title, item.schedule_note or "")
        for item in campaigns
    ]
    alerts += [
        Alert("sheet", sheet.segment_id, sheet.title or "A Google Sheet", sheet.last_error or "it has stopped syncing")
        for sheet in sheets
    ]
    endings = [(account, words) for item in items if (words := sign_in_finding(account := item.account))]
    endings = [(account, words) for account, words in endings if account.status != AccountStatus.ERROR]
    alerts += [Alert("account", account.id, account.name, words) for account, words in endings[:MAX_ALERTS]]
    accounts_by_id = {item.account.id: item.account for item in items}
    refused = {  # accounts may share a domain
        in_words(fault): accounts_by_id[id_] for id_, fault in warnings_about(accounts_by_id.values()).items()
    }
    alerts += [Alert("address", account.id, account.name, words) for words, account in [*refused.items()][:MAX_ALERTS]]
    closed = await forms_without_sender(org)
    alerts += [
        Alert("form", form.id, form.name, "no account can send its confirmations") for form in closed[:MAX_ALERTS]
    ]
    return {"holds": held[:MAX_ALERTS], "alerts": alerts, "limits": await limits_near(org)}


async def active_runs(org: Organization) -> list[tuple[Campaign, Progress]]:
    runs = await CampaignRun.of(org).filter(status=RunStatus.SENDING).order_by("-id").limit(RUNS_SHOWN)
    if not runs:
        return []
    named = Campaign.of(org).filter(id__in=[run.campaign_id for run in runs])
    campaigns = {campaign.id: campaign for campaign in await named}
    shown = [run for run in runs if run.campaign_id in campaigns]
    latest = await asyncio.gather(*[latest_progress(org, run) for run in shown])
    return [(campaigns[run.campaign_id], progress) for run, progress in zip(shown, latest, strict=True)]


async def sample_account(org: Organization) -> Account:
    able = Account.of(org).filter(is_sandbox=False, status=AccountStatus.ACTIVE)
    own = await able.order_by("id").first()
    return own or await accounts.sandbox_account(org)
