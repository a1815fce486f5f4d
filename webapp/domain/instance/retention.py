"""Deletes what plans no longer retain, in batches while mail is sent."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from webapp import clock, db
from webapp.domain.api_requests.log import DETAIL_DAYS, DETAIL_ROWS
from webapp.domain.for_each_organization import for_each_organization
from webapp.domain.plans.limits import start_of_month
from webapp.domain.plans.plans import plan_named
from webapp.models import Organization
from webapp.models.base.row import FIRST_ID
from webapp.models.outbox import retention
from webapp.models.outbox.retention import Bounds, Prunable

WORK_SECONDS = 10.0  # per run, because other periodic work waits
AUDIT_RETENTION = timedelta(days=365)  # at least, even if the plan retains less
MIN_PAUSE = 0.02  # seconds between transactions, or as long as the last one took
WEBHOOK_RETENTION = timedelta(days=7)  # longer than deliveries are retried
LINK_RETENTION = timedelta(days=2 * 365)  # links in mail work at least that long
BOUNCE_RETENTION = timedelta(days=14)  # within which full mailboxes are counted
PRUNED: Sequence[Prunable] = (
    retention.Emails(),
    retention.Rows(),
    retention.RunContents(),
    retention.LedgerEntries(),
    retention.AgedRows("api_request_details", most=timedelta(days=DETAIL_DAYS), newest=DETAIL_ROWS),
    retention.AgedRows("api_requests"),
    *(retention.AgedRows(table, WEBHOOK_RETENTION) for table in ("webhook_attempts", "webhook_deliveries", "events")),
    retention.AgedRows("bounce_reports", BOUNCE_RETENTION),
    retention.AgedRows("tracked_links", LINK_RETENTION),
    retention.AgedRows("audit_entries", AUDIT_RETENTION),
    retention.SandboxMails(),
)


def audit_days(org: Organization) -> int:
    return max(AUDIT_RETENTION.days, plan_named(org.plan).kept_days)


async def prune() -> bool:
    """Works for at most WORK_SECONDS, in one process at a time; True when nothing is left."""
    return await for_each_organization(_prune, "retention failed", WORK_SECONDS)


async def _prune(org: Organization, until: float) -> bool:
    bounds = await _bounds_of(org)
    return all([await _prune_batches(prunable, bounds, until) for prunable in PRUNED])


async def _bounds_of(org: Organization) -> Bounds:
    plan, now = plan_named(org.plan), clock.now()
    ended = now - timedelta(days=plan.kept_days)
    rows = FIRST_ID if plan.kept_rows is None else await retention.id_to_keep_from(org.id, plan.kept_rows)
    return Bounds(org.id, org.timezone, rows, ended, clock.today(org.timezone, ended), start_of_month(now))


async def _prune_batches(prunable: Prunable, bounds: Bounds, until: float) -> bool:
    """True when nothing is left; commits each batch."""
    after = FIRST_ID
    while rows := await prunable.find(bounds, after):
        began = clock.elapsed()
        if began >= until:
            return False
        async with db.write_transaction():
            if not await retention.try_pruning_lock():
                return False
            await prunable.delete(bounds, rows)
        after = UUID(str(rows[-1]["id"]))
        await asyncio.sleep(max(MIN_PAUSE, clock.elapsed() - began))
    return True
