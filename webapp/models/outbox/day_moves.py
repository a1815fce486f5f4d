"""The days of an organization's accounts when its timezone changes: no daily limit is passed by it."""

from datetime import date
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.db import dialects
from webapp.models.outbox.daily_quota import make_day

OF_ORG = "account_id IN (SELECT id FROM accounts WHERE org_id = $1)"


async def move_days(org_id: UUID, old: str, new: str) -> None:
    """Let what was claimed on the days of the zone `old` that today in the zone `new` is part of count for today.

    That may be more than was claimed since the new midnight, never less: an account may have less left until the next
    one. Who claims meanwhile waits or comes back, and finds the new days.
    """
    speak = db.dialect()
    (row,) = await db.fetch(f"SELECT {speak.now} AS now")
    at = dialects.as_instant(row["now"])
    today, was = clock.today(new, at), clock.today(old, at)
    began_on = clock.today(old, clock.start_of_day(today, new))
    for account in await db.fetch("SELECT id FROM accounts WHERE org_id = $1 ORDER BY id", org_id):
        await make_day(dialects.as_uuid(account["id"]), was, waits=False)  # after whoever just makes it for a claim
    await db.fetch(f"SELECT id FROM account_usage WHERE {OF_ORG} ORDER BY account_id, day {speak.for_update}", org_id)
    claimed = await db.fetch(
        f"""SELECT account_id, SUM(used) AS used, MAX(CASE WHEN is_full THEN 1 ELSE 0 END) AS is_full FROM account_usage
            WHERE {OF_ORG} AND day BETWEEN $2 AND $3 GROUP BY account_id""",
        org_id,
        began_on,
        was,
    )
    await _count_at_least(
        today, [(dialects.as_uuid(row["account_id"]), int(row["used"]), bool(row["is_full"])) for row in claimed]
    )


async def _count_at_least(day: date, claimed: list[tuple[UUID, int, bool]]) -> None:
    speak = db.dialect()
    await db.run_many(
        f"""INSERT INTO account_usage (id, created_at, account_id, day, used, is_full)
            VALUES ($1, {speak.now}, $2, $3, $4, $5)
            ON CONFLICT (account_id, day) DO UPDATE SET used = {speak.greatest}(account_usage.used, excluded.used),
              is_full = account_usage.is_full OR excluded.is_full""",
        [(uuid7(), account_id, day, used, is_full) for account_id, used, is_full in sorted(claimed)],
    )
