"""Retention: what an organization's plan keeps no longer is deleted, a little at a time beside the sending."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol
from uuid import UUID

from webapp import clock, db
from webapp.db import Row
from webapp.domain.for_each_organization import for_each_organization
from webapp.domain.plans.limits import start_of_month
from webapp.domain.plans.plans import plan_named
from webapp.models import Organization
from webapp.models.outbox import retention
from webapp.models.outbox.retention_bounds import NOTHING, Bounds

WORK_SECONDS = 10.0  # of a firing: the periodic work behind it waits as long at most, and the next firing goes on
AUDIT_KEPT = timedelta(days=365)  # at least, whatever the plan says of the log of requests
BREATH = 0.02  # seconds between two transactions at least; else as long as the last one took


class Kind(Protocol):
    """One kind of what is pruned."""

    async def find(self, bounds: Bounds, after: UUID) -> list[Row]:
        """Some of what may go, the oldest first, with ids beyond `after`."""
        ...

    async def delete(self, bounds: Bounds, found: Sequence[Row]) -> None:
        """Delete what was found, inside a transaction."""
        ...


KINDS: Sequence[Kind] = (
    retention.Emails(),
    retention.Rows(),
    retention.RunContents(),
    retention.LedgerEntries(),
    retention.AgedRows("api_requests"),
    retention.AgedRows("audit_entries", AUDIT_KEPT),
    retention.SandboxMails(),
)


def audit_days(org: Organization) -> int:
    """How many days the entries of the organization's audit log are kept."""
    return max(AUDIT_KEPT.days, plan_named(org.plan).kept_days)


async def prune() -> bool:
    """Delete what the plans keep no longer, for WORK_SECONDS at most; whether nothing is left.

    Of many at once one works. Rows that wait or can be resumed stay, and so do all counters of usage.
    """
    return await for_each_organization(_prune, "retention failed", WORK_SECONDS)


async def _prune(org: Organization, until: float) -> bool:
    bounds = await _bounds_of(org)
    return all([await _prune_kind(kind, bounds, until) for kind in KINDS])


async def _bounds_of(org: Organization) -> Bounds:
    plan, now = plan_named(org.plan), clock.now()
    ended = now - timedelta(days=plan.kept_days)
    rows = NOTHING if plan.kept_rows is None else await retention.id_to_keep_from(org.id, plan.kept_rows)
    return Bounds(org.id, org.timezone, rows, ended, clock.today(org.timezone, ended), start_of_month(now))


async def _prune_kind(kind: Kind, bounds: Bounds, until: float) -> bool:
    """Delete one kind, batch by batch; whether nothing is left of it."""
    after = NOTHING
    while found := await kind.find(bounds, after):
        began = clock.elapsed()
        if began >= until:
            return False
        async with db.write_transaction():
            if not await retention.try_pruning_lock():
                return False
            await kind.delete(bounds, found)
        after = UUID(str(found[-1]["id"]))
        await asyncio.sleep(max(BREATH, clock.elapsed() - began))
    return True
