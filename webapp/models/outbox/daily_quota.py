"""An account's daily quota; claims hold the lock of the day's usage row."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.db import dialects
from webapp.models.account import AccountUsage
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.mail_log import MailStatus
from webapp.models.outbox.due import ACCOUNT_CAN_SEND_RUN, NEXT_MESSAGE_AT
from webapp.models.outbox.pace import Pace
from webapp.models.outbox.runs import has_rows
from webapp.models.outbox.transitions import transition
from webapp.models.queries.event_log import are_recipients_heard
from webapp.models.queries.suppressed import has_suppressions

RELEASED_AT_ONCE = 5_000
PROVIDER_FULL = "the provider's daily limit for this account is reached"


@dataclass(frozen=True)
class DailyQuota:
    """Today's quota in the organization's timezone; `is_full` if the provider accepts no more today."""

    day: date
    next_day: datetime
    limit: int
    used: int
    is_full: bool
    has_suppressions: bool
    is_heard: bool  # a webhook wants events of single recipients
    delivers: bool  # accepted counts as delivered
    pace: Pace | None = None
    wait: float = -math.inf  # seconds until the next message is due by the pace; negative: since then

    @property
    def messages_due(self) -> float:
        return math.inf if self.pace is None else self.pace.due(self.wait)

    @property
    def left(self) -> int:
        return 0 if self.is_full else max(self.limit - self.used, 0)

    @property
    def refusal(self) -> str:
        return PROVIDER_FULL if self.is_full else f"the account's daily limit of {self.limit} is reached"


async def lock_quota(account_id: UUID) -> DailyQuota | None:
    """Locks today's usage; None if the account or instance must not send, or another transaction holds the lock."""
    query = f"SELECT o.timezone, {db.dialect().now} AS now {_account_that_may_claim()}"
    rows = await db.fetch(query, account_id)
    if not rows:
        return None
    timezone, at = rows[0]["timezone"], dialects.as_instant(rows[0]["now"])
    day = clock.today(timezone, at)
    usage = await _lock(account_id, day)
    if not usage:  # The row does not exist yet today, or another transaction holds its lock.
        await _insert_day(account_id, day)
        usage = await _lock(account_id, day)
    if not usage:
        return None
    # Only a later statement sees a change that was committed just before the lock was acquired.
    query = f"""SELECT a.daily_mail_limit AS most, a.max_per_minute, {has_suppressions("a.org_id")} AS has_suppressions,
        {are_recipients_heard("a.org_id")} AS is_heard, o.delivered_on_acceptance AS delivers
        {_account_that_may_claim()} AND o.timezone = $2"""
    limits = await db.fetch(query, account_id, timezone)
    if not limits:
        return None
    used, is_full, since = usage[0]["used"], bool(usage[0]["is_full"]), usage[0]["since_due"]
    (allowed,) = limits
    flags = {name: bool(allowed[name]) for name in ("has_suppressions", "is_heard", "delivers")}
    pace = None if allowed["max_per_minute"] is None else Pace.of(allowed["max_per_minute"])
    wait = -math.inf if since is None else -since
    next_day = clock.next_day(timezone, at)
    return DailyQuota(day, next_day, allowed["most"], used, is_full, **flags, pace=pace, wait=wait)


def _account_that_may_claim() -> str:
    return f"""FROM accounts a JOIN organizations o ON o.id = a.org_id WHERE a.id = $1 AND a.status <> 'paused'
        AND (a.rest_until IS NULL OR a.rest_until <= {db.dialect().now}) AND {NOT_SUSPENDED}"""


async def _lock(account_id: UUID, day: date) -> list[db.Row]:
    """Locks the row without waiting; returns nothing if it is locked."""
    lock = db.dialect().lock("FOR UPDATE SKIP LOCKED")
    since = db.dialect().since("next_message_at")
    query = f"""SELECT used, is_full, {since} AS since_due FROM account_usage
        WHERE account_id = $1 AND day = $2 {lock}"""
    return await db.fetch(query, account_id, day)


async def _insert_day(account_id: UUID, day: date) -> None:
    insert = f"""INSERT INTO account_usage (id, created_at, account_id, day, used, next_message_at)
        VALUES ($1, {db.dialect().now}, $2, $3, 0, {NEXT_MESSAGE_AT.format("$2")})
        ON CONFLICT (account_id, day) DO NOTHING RETURNING id"""
    await db.fetch(insert, uuid7(), account_id, day)


async def count_claimed(account_id: UUID, day: date, recipients: int) -> None:
    if recipients:
        update = "UPDATE account_usage SET used = used + $3 WHERE account_id = $1 AND day = $2 RETURNING used"
        await db.fetch(update, account_id, day, recipients)


async def keep_pace(account_id: UUID, quota: DailyQuota, messages: int) -> None:
    """Delays the account's next message by its pace after so many were claimed."""
    if quota.pace is not None and messages:
        wait = round(quota.pace.wait_after(messages, quota.wait), 3)  # SQLite reads no exponents
        update = f"""UPDATE account_usage SET next_message_at = {db.dialect().later("$3")}
            WHERE account_id = $1 AND day = $2 RETURNING used"""
        await db.fetch(update, account_id, quota.day, wait)


async def refund(units: Mapping[tuple[UUID, date], int]) -> None:
    """Refunds units in a fixed order, so that workers never deadlock."""
    for (account_id, day), count in sorted(units.items()):
        update = f"""UPDATE account_usage SET used = {db.dialect().greatest}(used - $3, 0)
            WHERE account_id = $1 AND day = $2 RETURNING used"""
        await db.fetch(update, account_id, day, count)


async def block_claims(account_id: UUID) -> None:
    """Blocks claims until the transaction ends; call it before locking the account's row."""
    await AccountUsage.filter(account_id=account_id).order_by("day").select_for_update()


async def exhaust(account_id: UUID) -> None:
    """Ends claims for the account's latest day, because its provider's quota is exhausted."""
    update = """UPDATE account_usage SET is_full = true WHERE account_id = $1
       AND day = (SELECT MAX(day) FROM account_usage WHERE account_id = $1) RETURNING id"""
    await db.fetch(update, account_id)


OF_ORG = "account_id IN (SELECT id FROM accounts WHERE org_id = $1)"


async def rebase_days(org_id: UUID, old: str, new: str) -> None:
    """Counts usage of days in timezone `old` that overlap today in `new` towards today."""
    sql = db.dialect()
    at = dialects.as_instant(await db.fetch_value(f"SELECT {sql.now}"))
    today, was = clock.today(new, at), clock.today(old, at)
    began_on = clock.today(old, clock.start_of_day(today, new))
    for account_id in await db.fetch_ids("SELECT id FROM accounts WHERE org_id = $1 ORDER BY id", org_id):
        await _insert_day(account_id, was)  # waits for a claim that is just inserting it
    await db.fetch(
        f"SELECT id FROM account_usage WHERE {OF_ORG} ORDER BY account_id, day {sql.lock('FOR UPDATE')}", org_id
    )
    query = f"""SELECT account_id, SUM(used) AS used, MAX(CASE WHEN is_full THEN 1 ELSE 0 END) AS is_full
        FROM account_usage WHERE {OF_ORG} AND day BETWEEN $2 AND $3 GROUP BY account_id"""
    claimed = await db.fetch(query, org_id, began_on, was)
    used = [(dialects.as_uuid(row["account_id"]), int(row["used"]), bool(row["is_full"])) for row in claimed]
    await db.run_many(
        f"""INSERT INTO account_usage (id, created_at, account_id, day, used, is_full)
            VALUES ($1, {sql.now}, $2, $3, $4, $5)
            ON CONFLICT (account_id, day) DO UPDATE SET used = {sql.greatest}(account_usage.used, excluded.used),
              is_full = account_usage.is_full OR excluded.is_full""",
        [(uuid7(), account_id, today, *of_account) for account_id, *of_account in sorted(used)],
    )


async def release_deferred() -> set[UUID]:
    """Makes deferred rows of past days pending; returns their accounts. Commits."""
    return await _release(f"next_attempt_at <= {db.dialect().now}", "daily limit reset")


async def release_deferred_of(account_id: UUID) -> None:
    """Makes all deferred rows pending after the quota was raised; call `block_claims` first."""
    while await _release("account_id = $2", "the daily limit was raised", account_id):
        pass


async def _release(condition: str, cause: str, *values: Any) -> set[UUID]:
    due, sets = f"{condition} ORDER BY account_id, next_attempt_at", "next_attempt_at = created_at"
    async with db.write_transaction():
        rows = await transition("deferred", "pending", due, *values, sets=sets, cause=cause, limit=RELEASED_AT_ONCE)
    return {dialects.as_uuid(row["account_id"]) for row in rows if row["account_id"] is not None}


class RunAccount(NamedTuple):
    run_id: UUID
    account_id: UUID
    timezone: str
    limit: int
    has_deferred: bool


async def accounts_of_runs() -> list[RunAccount]:
    """The active accounts that can send rows of active runs, including those that back off."""
    rows = await db.records(
        f"""SELECT r.id, a.id, o.timezone, a.daily_mail_limit, {has_rows("r.id", MailStatus.DEFERRED)}
            FROM campaign_runs r JOIN campaign_run_accounts ra ON ra.run_id = r.id
            JOIN accounts a ON a.id = ra.account_id JOIN organizations o ON o.id = a.org_id
            WHERE r.status = 'sending' AND a.status = 'active' AND {ACCOUNT_CAN_SEND_RUN} ORDER BY r.id, a.id"""
    )
    return [
        RunAccount(dialects.as_uuid(run_id), dialects.as_uuid(account_id), timezone, limit, bool(has_deferred))
        for run_id, account_id, timezone, limit, has_deferred in rows
    ]


async def left_of(days: Iterable[tuple[UUID, date]]) -> dict[tuple[UUID, date], int]:
    """The recipients that may still be claimed; keys without usage are missing."""
    records = [{"account_id": account_id, "day": day} for account_id, day in days]
    query = f"""SELECT u.account_id, u.day, CASE WHEN u.is_full OR u.used > a.daily_mail_limit THEN 0
          ELSE a.daily_mail_limit - u.used END AS free
        FROM account_usage u JOIN accounts a ON a.id = u.account_id
        JOIN {db.dialect().records("$1", {"account_id": "uuid", "day": "date"})}
        ON u.account_id = k.account_id AND u.day = k.day"""
    rows = await db.fetch(query, dialects.json_records(records))
    return {(dialects.as_uuid(row["account_id"]), date.fromisoformat(str(row["day"]))): row["free"] for row in rows}
