"""An account's daily quota; claims hold the lock of the day's usage row."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.db import dialects
from webapp.models.account import Account, AccountUsage
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.mail_log import MailStatus
from webapp.models.outbox import ramp
from webapp.models.outbox.allowance import DayRules
from webapp.models.outbox.due import ACCOUNT_CAN_SEND_RUN, latest_use, since_due
from webapp.models.outbox.pace import PACES, Pace
from webapp.models.outbox.runs import has_rows
from webapp.models.outbox.send_window import SendWindow
from webapp.models.outbox.transitions import transition
from webapp.models.queries.contacts.suppressed import refuses_addresses
from webapp.models.queries.event_log import are_recipients_heard

FLAGS = ("refuses_addresses", "is_heard", "delivers", "are_campaigns_held")
LONGEST_HOLD = timedelta(minutes=1)  # a refusal refunds what campaigns may use, and a window may be changed
RELEASED_AT_ONCE = 5_000
LIMIT_OF_DAY = "(CASE WHEN u.ramp_limit < a.daily_mail_limit THEN u.ramp_limit ELSE a.daily_mail_limit END)"
PROVIDER_FULL = "the provider's daily limit for this account is reached"


@dataclass(frozen=True)
class PaceState:
    """A pace, and the seconds until its next message is due; negative: since then."""

    next_at: str  # the column
    pace: Pace
    wait: float


@dataclass(frozen=True)
class DailyQuota(DayRules):
    """What a locked account may claim on a day in the organization's timezone."""

    day: date = field(kw_only=True)
    at: datetime = field(kw_only=True)
    refuses_addresses: bool = field(kw_only=True)
    is_heard: bool = field(kw_only=True)  # a webhook wants events of single recipients
    delivers: bool = field(kw_only=True)  # accepted counts as delivered
    are_campaigns_held: bool = field(kw_only=True)
    paces: tuple[PaceState, ...] = ()

    @property
    def messages_due(self) -> float:
        return min((state.pace.due(state.wait) for state in self.paces), default=math.inf)

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
    usage = await _lock(account_id, day) or await _begin_day(account_id, day)
    if usage is None:
        return None
    # Only a later statement sees a change that was committed just before the lock was acquired.
    query = f"""SELECT a.daily_mail_limit, a.send_window, a.ramp, a.reserve_for_transactional,
        {", ".join(f"a.{pace.name}, {since_due(pace)} AS {pace.next_at}" for pace in PACES)},
        {refuses_addresses("a.org_id")} AS refuses_addresses,
        {are_recipients_heard("a.org_id")} AS is_heard, o.delivered_on_acceptance AS delivers,
        a.campaigns_held_until > {db.dialect().now} AS are_campaigns_held
        {_account_that_may_claim()} AND o.timezone = $2"""
    limits = await db.fetch(query, account_id, timezone)
    if not limits:
        return None
    (allowed,) = limits
    ramp_limit = usage["ramp_limit"]
    if allowed["ramp"] is not None and ramp_limit is None:
        ramp_limit = await ramp.begin_day(account_id, day, ramp.Ramp.of(allowed["ramp"]))
    return DailyQuota(
        next_day=clock.next_day(timezone, at),
        daily_limit=allowed["daily_mail_limit"],
        used=usage["used"],
        is_full=bool(usage["is_full"]),
        ramp_limit=ramp_limit,
        reserve=allowed["reserve_for_transactional"] or 0,
        window=SendWindow.of(dialects.as_json(allowed["send_window"])) if allowed["send_window"] else None,
        day=day,
        at=at,
        **{name: bool(allowed[name]) for name in FLAGS},
        paces=tuple(_pace_states(allowed)),
    )


def _pace_states(account: Mapping[str, Any]) -> Iterator[PaceState]:
    for name, next_at, pace_of in PACES:
        if account[name] is not None:
            since = account[next_at]
            yield PaceState(next_at, pace_of(account[name]), -math.inf if since is None else -since)


def _account_that_may_claim() -> str:
    return f"""FROM accounts a JOIN organizations o ON o.id = a.org_id WHERE a.id = $1 AND a.status <> 'paused'
        AND (a.rest_until IS NULL OR a.rest_until <= {db.dialect().now}) AND {NOT_SUSPENDED}"""


async def _lock(account_id: UUID, day: date) -> db.Row | None:
    """Locks the day's row, and any of a later day, without waiting; None if it does not exist, or one is locked."""
    query = f"""SELECT used, is_full, ramp_limit, day = $2 AS is_of_day,
        (SELECT COUNT(*) FROM account_usage l WHERE l.account_id = $1 AND l.day >= $2) AS days
        FROM account_usage u WHERE account_id = $1 AND day >= $2
        ORDER BY day {db.dialect().lock("FOR UPDATE OF u SKIP LOCKED")}"""
    rows = await db.fetch(query, account_id, day)
    return rows[0] if rows and rows[0]["is_of_day"] and len(rows) == rows[0]["days"] else None


async def _begin_day(account_id: UUID, day: date) -> db.Row | None:
    """Inserts and locks the day's row; None if it is locked, or another day's is, on which a claim is going on."""
    latest = await db.fetch_value("SELECT MAX(day) FROM account_usage WHERE account_id = $1", account_id)
    if latest is not None and await _lock(account_id, date.fromisoformat(str(latest))) is None:
        return None
    await _insert_day(account_id, day)
    return await _lock(account_id, day)


async def _insert_day(account_id: UUID, day: date) -> None:
    insert = f"""INSERT INTO account_usage (id, created_at, account_id, day, used)
        VALUES ($1, {db.dialect().now}, $2, $3, 0) ON CONFLICT (account_id, day) DO NOTHING RETURNING id"""
    await db.fetch(insert, uuid7(), account_id, day)


async def count_claimed(account_id: UUID, quota: DailyQuota, recipients: int, messages: int) -> None:
    """Counts claimed recipients, and delays the account's next message by its paces after so many messages."""
    if recipients:
        waits = [round(state.pace.wait_after(messages, state.wait), 3) for state in quota.paces]  # no exponents
        later = [f"{state.next_at} = {db.dialect().later(f'${n}')}" for n, state in enumerate(quota.paces, start=4)]
        update = f"""UPDATE account_usage SET {", ".join(["used = used + $3", *later])}
            WHERE account_id = $1 AND day = $2 RETURNING used"""
        await db.fetch(update, account_id, quota.day, recipients, *waits)


async def shorten_waits(account: Account) -> None:
    """Ends waits for a slower pace than the account has now; call `block_claims` first."""
    for name, next_at, pace_of in PACES:
        if (most := getattr(account, name)) is not None:
            soon = db.dialect().later("$2")
            update = (
                f"UPDATE account_usage SET {next_at} = {soon} WHERE account_id = $1 AND {next_at} > {soon} RETURNING id"
            )
            await db.fetch(update, account.id, round(pace_of(most).seconds, 3))


async def hold_campaigns(account_id: UUID, wait: timedelta) -> None:
    """Spares claims of campaigns while the account may send none, for a minute at most."""
    update = f"UPDATE accounts SET campaigns_held_until = {db.dialect().later('$2')} WHERE id = $1 RETURNING id"
    await db.fetch(update, account_id, round(min(wait, LONGEST_HOLD).total_seconds(), 3))


async def refund(units: Mapping[tuple[UUID, date], int], refused: Mapping[tuple[UUID, date], int]) -> None:
    """Refunds units, some of them for permanent refusals, in a fixed order, so that workers never deadlock."""
    for (account_id, day), count in sorted(units.items()):
        update = f"""UPDATE account_usage SET used = {db.dialect().greatest}(used - $3, 0), refused = refused + $4
            WHERE account_id = $1 AND day = $2 RETURNING used"""
        await db.fetch(update, account_id, day, count, refused.get((account_id, day), 0))


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
    """Counts usage of days in timezone `old` that overlap today in `new` towards today, which keeps the paces.

    Days that are not yet begun in `new` end.
    """
    sql, columns = db.dialect(), [pace.next_at for pace in PACES]
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
    latest = ", ".join(latest_use("$2", column) for column in columns)
    await db.run_many(
        f"""INSERT INTO account_usage (id, created_at, account_id, day, used, is_full, {", ".join(columns)})
            VALUES ($1, {sql.now}, $2, $3, $4, $5, {latest})
            ON CONFLICT (account_id, day) DO UPDATE SET used = {sql.greatest}(account_usage.used, excluded.used),
              is_full = account_usage.is_full OR excluded.is_full,
              {", ".join(f"{column} = excluded.{column}" for column in columns)}""",
        [(uuid7(), account_id, today, *of_account) for account_id, *of_account in sorted(used)],
    )
    await AccountUsage.filter(account_id__in=[account_id for account_id, *_ in used], day__gt=today).delete()


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
    left = f"CASE WHEN u.is_full OR u.used > {LIMIT_OF_DAY} THEN 0 ELSE {LIMIT_OF_DAY} - u.used END"
    query = f"""SELECT u.account_id, u.day, {left} AS free
        FROM account_usage u JOIN accounts a ON a.id = u.account_id
        JOIN {db.dialect().records("$1", {"account_id": "uuid", "day": "date"})}
        ON u.account_id = k.account_id AND u.day = k.day"""
    rows = await db.fetch(query, dialects.json_records(records))
    return {(dialects.as_uuid(row["account_id"]), date.fromisoformat(str(row["day"]))): row["free"] for row in rows}
