"""Recovers rows: those of dead workers and of past days become due, expired ones fail."""

import logging
from collections.abc import Collection, Iterable
from uuid import UUID

from webapp import metrics
from webapp.domain.delivery import retry_policy
from webapp.models.outbox import daily_quota, failures, leases
from webapp.queue import Job, enqueue

log = logging.getLogger(__name__)


async def reclaim(lease_seconds: float, leased: Collection[UUID] = ()) -> None:
    """Reclaims the rows of dead workers, but never this process's own; commits."""
    account_ids = await leases.reclaim(lease_seconds, leased)
    with metrics.harmless():
        metrics.reclaimed.inc(len(account_ids))
    _wake(set(account_ids))


async def reclaim_all() -> None:
    """Reclaims every row that is being sent, if this process is the only worker; commits."""
    await leases.reclaim_all()


async def kill_idle_transactions() -> None:
    """Frees rows that are locked by a process which is suspended, or whose machine is gone."""
    if ended := await leases.terminate_idle_transactions():
        log.warning("%d sessions of the database were ended: in the middle of a transaction they fell silent", ended)


async def release_deferred() -> None:
    """Makes deferred rows pending on their day; commits."""
    _wake(await daily_quota.release_deferred())


async def fail_expired() -> None:
    """Fails rows that waited too long for their account, or whose accounts are deleted; commits."""
    await failures.fail_expired(retry_policy.MAX_WAIT_FOR_ACCOUNT)
    await failures.fail_rows_of_deleted_accounts()


def _wake(account_ids: Iterable[UUID]) -> None:
    for account_id in account_ids:
        enqueue(Job.WAKE, account_id)
