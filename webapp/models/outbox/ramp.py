"""The ramp of an account: a limit of a day that grows with days of clean sending, saved with each day's usage."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple, Self
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.account import AccountUsage

MOST_REFUSED = 0.05  # of a day's emails, for a ramp to grow


class Ramp(NamedTuple):
    start: int
    step_percent: int
    until: int

    @classmethod
    def of(cls, stored: Any) -> Self:
        return cls(**dialects.as_json(stored))

    def grown(self, limit: int) -> int:
        return min(max(limit * (100 + self.step_percent) // 100, limit + 1), self.until)

    def next_limit(self, limit: int, used: int, refused: int, *, had_error: bool) -> int:
        """The limit after a day with this one: the same if nothing was sent, or too much went wrong."""
        is_clean = used > 0 and not had_error and refused <= MOST_REFUSED * (used + refused)
        return self.grown(limit) if is_clean else min(limit, self.until)


async def ramp_limits(ramps: Mapping[UUID, Ramp], day: date) -> dict[UUID, int]:
    """The limits of accounts on a day: the saved ones, or what follows from the latest day before."""
    limits = {account_id: ramp.start for account_id, ramp in ramps.items()}
    if not ramps:
        return limits
    latest = """SELECT MAX(l.day) FROM account_usage l
        WHERE l.account_id = u.account_id AND l.ramp_limit IS NOT NULL AND l.day <= $2"""
    query = f"""SELECT account_id, day, ramp_limit, used, refused, had_error, is_full FROM account_usage u
        WHERE account_id {db.dialect().among("$1")} AND ramp_limit IS NOT NULL AND day = ({latest})"""
    for row in await db.fetch(query, list(ramps), day):
        account_id = dialects.as_uuid(row["account_id"])
        had_error = bool(row["had_error"] or row["is_full"])
        limits[account_id] = row["ramp_limit"]
        if str(row["day"]) < str(day):
            limits[account_id] = ramps[account_id].next_limit(
                row["ramp_limit"], row["used"], row["refused"], had_error=had_error
            )
    return limits


async def begin_day(account_id: UUID, day: date, ramp: Ramp) -> int:
    """Saves and returns the limit of a day whose usage is locked."""
    limit = (await ramp_limits({account_id: ramp}, day))[account_id]
    update = "UPDATE account_usage SET ramp_limit = $3 WHERE account_id = $1 AND day = $2 RETURNING id"
    await db.fetch(update, account_id, day, limit)
    return limit


async def change(account_id: UUID, before: Mapping[str, int] | None, after: Mapping[str, int] | None) -> None:
    """Begins again if the start is another; else goes on from the present limit. Call `block_claims` first."""
    usage = AccountUsage.filter(account_id=account_id)
    if before is not None and after is not None and before["start"] == after["start"]:
        await usage.filter(ramp_limit__gt=after["until"]).update(ramp_limit=after["until"])
    else:
        await usage.filter(ramp_limit__isnull=False).update(ramp_limit=None)


async def record_error(account_id: UUID) -> None:
    """Records that the account failed on its latest day."""
    update = """UPDATE account_usage SET had_error = true WHERE account_id = $1 AND ramp_limit IS NOT NULL
        AND day = (SELECT MAX(day) FROM account_usage WHERE account_id = $1) RETURNING id"""
    await db.fetch(update, account_id)
