"""Rows that nobody is sending: those of dead workers and of past days come back, hopeless ones fail."""

import logging
from collections.abc import Collection, Iterable
from uuid import UUID

from webapp.db.idle_transactions import terminate_idle_transactions
from webapp.domain.delivery import retry_policy
from webapp.models import outbox
from webapp.queue import Job, enqueue

log = logging.getLogger(__name__)


async def reclaim(lease_seconds: float, held: Collection[UUID] = ()) -> int:
    """Takes back the rows of dead workers, never those leased by this process; returns their number; commits."""
    reclaimed = await outbox.reclaim(lease_seconds, held)
    _wake(reclaimed.account_ids)
    return reclaimed.rows


async def reclaim_all() -> int:
    """Takes back every row that is being sent, when this process is the only worker that can live; commits."""
    return (await outbox.reclaim_all()).rows


async def free_what_is_locked() -> None:
    """Frees the rows that are locked by a process which stopped in the middle, or whose machine is gone."""
    ended = await terminate_idle_transactions()
    if ended:
        log.warning("%d sessions of the database were ended: in the middle of a transaction they fell silent", ended)


async def release_deferred() -> None:
    """Makes deferred mail pending whose day has come; commits."""
    _wake(await outbox.release_deferred())


async def fail_hopeless() -> None:
    """Fail what has waited too long for an account that does not work, or whose accounts are gone."""
    await outbox.fail_expired(retry_policy.MAX_WAIT_FOR_ACCOUNT)
    await outbox.fail_rows_of_deleted_accounts()
    await outbox.fail_runs_without_accounts()


def _wake(account_ids: Iterable[UUID]) -> None:
    for account_id in account_ids:
        enqueue(Job.WAKE, account_id)
