"""The circuit breaker and throttling of accounts, by the database's clock.

A failure is ignored if a person has changed the account (`updated_at`) since it was read.

A request to slow down halves the account's rate for 15 minutes: first by fewer connections, then by sending only in
every n-th time slot, one message at a time. Two columns hold all of it, so it works for any number of workers.
"""

from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.models.account import Account, AccountStatus
from webapp.models.event import EventType
from webapp.models.outbox import ramp
from webapp.models.queries.event_log import NewEvent, record_events

MAX_FAILURES = 1_000  # counted at most, because the column is small
HALVED_SECONDS = 15 * 60.0  # then one halving ends
PROBE_SECONDS = 10 * 60.0
SETTLE_SECONDS = 10.0  # replies to messages already being sent count as one halving
LONGEST_WAIT = 3600.0  # seconds that a server may ask for
MAX_HALVINGS = 10
SLOT_SECONDS = 5.0
MAX_SLOTS = 32  # of which the account has one


async def back_off(account: Account, delays: tuple[float, ...], error: str) -> None:
    """Suspends the account for the delay (seconds) for its number of failures unless it is suspended."""
    sql = db.dialect()
    steps = " ".join(f"WHEN {number} THEN {delay}" for number, delay in enumerate(delays[:-1]))
    update = f"""UPDATE accounts SET rests = CASE WHEN rests < {MAX_FAILURES} THEN rests + 1 ELSE rests END,
        last_error = $2, rest_until = {sql.later(f"(CASE rests {steps} ELSE {delays[-1]} END)")},
        failing_since = COALESCE(failing_since, {sql.now})
        WHERE id = $1 AND updated_at = $3 AND (rest_until IS NULL OR rest_until <= {sql.now}) RETURNING id"""
    await db.fetch(update, account.id, error, account.updated_at)


async def mark_broken(account: Account, error: str) -> None:
    """Sets the status to error; the account is probed again after PROBE_SECONDS. Commits."""
    sql = db.dialect()
    update = f"""UPDATE accounts SET status = CASE WHEN status = 'paused' THEN status ELSE 'error' END, last_error = $2,
        rest_until = {sql.later(str(PROBE_SECONDS))}, failing_since = COALESCE(failing_since, {sql.now})
        WHERE id = $1 AND updated_at = $3 RETURNING status"""
    async with db.write_transaction():
        await ramp.record_error(account.id)  # before locking the account, like claims
        before = await lock(account)
        after = await db.fetch(update, account.id, error, account.updated_at)
        if after and (before, after[0]["status"]) == (AccountStatus.ACTIVE, AccountStatus.ERROR):
            await _record(EventType.ACCOUNT_ERROR, account, AccountStatus.ERROR, error)


async def lock(account: Account) -> str | None:
    """Locks the row and returns its status; None if it is gone."""
    query = f"SELECT status FROM accounts WHERE id = $1 {db.dialect().lock('FOR NO KEY UPDATE')}"
    rows = await db.fetch(query, account.id)
    return rows[0]["status"] if rows else None


async def _record(kind: EventType, account: Account, status: AccountStatus, error: str | None) -> None:
    data = {"id": account.id, "name": account.name, "status": status, "last_error": error}
    await record_events([NewEvent(account.org_id, kind, data, account_id=account.id)])


async def record_error(account: Account, error: str) -> None:
    await Account.filter(id=account.id, updated_at=account.updated_at).update(last_error=error)


async def throttle(account: Account, error: str, wait: float = 0.0) -> None:
    """Halves the account's rate, after `wait` seconds without sending; requests within SETTLE_SECONDS count once."""
    sql = db.dialect()
    (row,) = await db.fetch(
        f"SELECT throttles, {sql.since('throttled_until')} AS since FROM accounts WHERE id = $1", account.id
    ) or [{"throttles": 0, "since": None}]
    settled = sql.later(str(min(max(wait, SETTLE_SECONDS), LONGEST_WAIT)))
    update = f"""UPDATE accounts SET throttles = $2, throttled_until = {sql.later(str(HALVED_SECONDS))},
        last_error = $3, rest_until = CASE WHEN rest_until > {settled} THEN rest_until ELSE {settled} END
        WHERE id = $1 AND updated_at = $4
        AND (throttled_until IS NULL OR throttled_until <= {sql.later(str(HALVED_SECONDS - SETTLE_SECONDS))})
        RETURNING id"""
    await db.fetch(
        update,
        account.id,
        min(halving_count(row["throttles"], row["since"]) + 1, MAX_HALVINGS),
        error,
        account.updated_at,
    )


RECOVERED = """status = CASE WHEN status = 'error' THEN 'active' ELSE status END, last_error = NULL, rests = 0,
    rest_until = NULL, failing_since = NULL"""


async def mark_healthy(account: Account, *, ends_throttling: bool = False) -> None:
    """Clears the failures, and with `ends_throttling` the halved rate and the hold of campaigns; commits."""
    changes = (
        f"{RECOVERED}, throttled_until = NULL, throttles = 0, campaigns_held_until = NULL"
        if ends_throttling
        else RECOVERED
    )
    async with db.write_transaction():
        before = await lock(account)
        await db.fetch(f"UPDATE accounts SET {changes} WHERE id = $1 RETURNING id", account.id)
        if before == AccountStatus.ERROR:
            await _record(EventType.ACCOUNT_RECOVERED, account, AccountStatus.ACTIVE, None)


class ReducedRate(NamedTuple):
    connections: int
    slots: int

    def has_slot(self, account_id: UUID, at: float) -> bool:
        return (int(at // SLOT_SECONDS) + account_id.int) % self.slots == 0


def halving_count(throttles: int, since: float | None) -> int:
    """The halvings in force `since` seconds after the last one's 15 minutes ended; negative: before."""
    if since is None:
        return 0
    ended = 0 if since < 0 else 1 + int(since // HALVED_SECONDS)
    return max(throttles - ended, 0)


def reduced_rate(concurrency: int, halved: int) -> ReducedRate:
    by_connections = min(halved, concurrency.bit_length() - 1)
    return ReducedRate(concurrency >> by_connections, min(2 ** (halved - by_connections), MAX_SLOTS))
