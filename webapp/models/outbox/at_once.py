"""Rows that are sent by the request that makes them: they come in claimed or failed, and never wait."""

from collections.abc import Sequence
from uuid import UUID

from webapp.models.outbox.claims import Claimed, claim_rows, move_waiting
from webapp.models.outbox.daily_quota import Day, count_claimed
from webapp.models.outbox.insert import NewRow, add_rows


async def add_claimed(account_id: UUID, day: Day, rows: Sequence[NewRow], *, lease_seconds: float) -> list[Claimed]:
    """Insert rows that the caller holds from the start, in the transaction that has locked the account's day."""
    if not rows:
        return []
    await add_rows(rows)
    claimed = await claim_rows([row.id for row in rows], account_id, day.day, lease_seconds)
    await count_claimed(account_id, day.day, len(claimed))
    return claimed


async def add_failed(rows: Sequence[NewRow], reason: str) -> None:
    """Insert rows that are not sent, with the reason in words, inside a transaction."""
    if rows:
        await add_rows(rows)
        await move_waiting([row.id for row in rows], "failed", reason, "error = $2", reason)
