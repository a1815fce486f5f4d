"""The pace of an account towards providers of recipients that asked it to slow down, by the database's clock.

Like the account's own rate (account_health.py), it is halved for each request and rises again step by step.
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.db import dialects
from webapp.models.account import Account
from webapp.models.outbox.pace import MINUTE, Pace
from webapp.models.queries.account_health import HALVED_SECONDS, MAX_HALVINGS, SETTLE_SECONDS, halving_count

DEFAULT_PER_CONNECTION = 60  # emails a minute, of an account without a pace


class Slowdown(NamedTuple):
    provider: str
    asked_at: datetime
    per_minute: int  # now


async def slow_down(account: Account, provider: str, reply: str) -> None:
    """Halves the pace towards a provider; requests within SETTLE_SECONDS count once. Commits."""
    sql = db.dialect()
    halved = sql.later(str(HALVED_SECONDS))
    query = f"""SELECT throttles, {sql.since("throttled_until")} AS since FROM provider_slowdowns
        WHERE account_id = $1 AND provider = $2 {sql.lock("FOR UPDATE")}"""
    upsert = f"""INSERT INTO provider_slowdowns (id, created_at, org_id, account_id, provider, per_minute, throttles,
          throttled_until, asked_at, reply)
        VALUES ($1, {sql.now}, $2, $3, $4, $5, $6, {halved}, {sql.now}, $7)
        ON CONFLICT (account_id, provider) DO UPDATE SET per_minute = excluded.per_minute,
          throttles = excluded.throttles, throttled_until = excluded.throttled_until, asked_at = excluded.asked_at,
          reply = excluded.reply, next_slot_at = NULL
        RETURNING id"""
    per_minute = account.max_per_minute or account.concurrency * DEFAULT_PER_CONNECTION
    async with db.write_transaction():
        rows = await db.fetch(query, account.id, provider)
        halvings = halving_count(rows[0]["throttles"], rows[0]["since"]) if rows else 0
        if rows and halvings and rows[0]["since"] <= SETTLE_SECONDS - HALVED_SECONDS:
            return
        halvings = min(halvings + 1, MAX_HALVINGS)
        values = (account.org_id, account.id, provider, per_minute, halvings, reply)
        await db.fetch(upsert, uuid7(), *values)
        ends = sql.later(str(HALVED_SECONDS * halvings))
        update = f"""UPDATE accounts SET slowed_until =
            CASE WHEN slowed_until > {ends} THEN slowed_until ELSE {ends} END WHERE id = $1 RETURNING id"""
        await db.fetch(update, account.id)


async def take_slot(account_id: UUID, provider: str) -> float:
    """Seconds that a message must wait behind others towards the provider; 0 if it may go. Commits."""
    sql = db.dialect()
    query = f"""SELECT per_minute, throttles, {sql.since("throttled_until")} AS since,
        {sql.since("next_message_at")} AS since_due, {sql.since("next_slot_at")} AS since_slot
        FROM provider_slowdowns WHERE account_id = $1 AND provider = $2 {sql.lock("FOR UPDATE")}"""
    async with db.write_transaction():
        rows = await db.fetch(query, account_id, provider)
        halvings = halving_count(rows[0]["throttles"], rows[0]["since"]) if rows else 0
        if not halvings:
            return 0.0
        (row,) = rows
        pace = Pace.of(_rate(row["per_minute"], halvings))
        wait = -HALVED_SECONDS if row["since_due"] is None else -row["since_due"]
        if pace.due(wait):
            await _set(account_id, provider, "next_message_at", pace.wait_after(1, wait))
            return 0.0
        slot = max(wait, 0.0 if row["since_slot"] is None else -row["since_slot"]) + pace.seconds
        latest = max(-row["since"] % HALVED_SECONDS or HALVED_SECONDS, MINUTE)  # when the step ends, with another pace
        if slot < latest:  # or else the first slot after the step would be behind those of all that wait for its end
            await _set(account_id, provider, "next_slot_at", slot)
        return float(min(slot, latest))


async def _set(account_id: UUID, provider: str, column: str, seconds: float) -> None:
    update = f"""UPDATE provider_slowdowns SET {column} = {db.dialect().later("$3")}
        WHERE account_id = $1 AND provider = $2 RETURNING id"""
    await db.fetch(update, account_id, provider, round(seconds, 3))


def _rate(per_minute: int, halvings: int) -> int:
    return int(max(per_minute >> halvings, 1))


async def list_slowdowns(account: Account) -> list[Slowdown]:
    """Those in force, the latest first."""
    if account.slowed_until is None or account.slowed_until <= clock.now():
        return []
    sql = db.dialect()
    query = f"""SELECT provider, asked_at, per_minute, throttles, {sql.since("throttled_until")} AS since
        FROM provider_slowdowns WHERE account_id = $1 ORDER BY asked_at DESC"""
    rows = [(row, halving_count(row["throttles"], row["since"])) for row in await db.fetch(query, account.id)]
    return [
        Slowdown(row["provider"], dialects.as_instant(row["asked_at"]), _rate(row["per_minute"], halvings))
        for row, halvings in rows
        if halvings
    ]
