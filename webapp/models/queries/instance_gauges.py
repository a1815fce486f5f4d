"""Numbers of the whole instance for metrics; each statement reads an index, or few rows."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db.dialects import as_uuid
from webapp.models.base import row_total
from webapp.models.mail_log import DEFERRED, PENDING, SENDING

WAITING = (PENDING, SENDING, DEFERRED)
TABLES = ("mail_logs", "events", "contacts", "webhook_attempts", "api_requests")


class AccountGauges(NamedTuple):
    account_id: UUID
    timezone: str
    limit: int
    day: str | None  # the latest with a claim, as YYYY-MM-DD
    used: int
    is_full: bool
    seconds: float  # since its oldest due email could have been sent; 0 if none is due

    def left(self, today: str) -> int:
        """The number of emails that are left of its daily quota."""
        if self.day is None or self.day < today:
            return self.limit
        return 0 if self.is_full else max(self.limit - self.used, 0)


async def count_waiting() -> dict[str, int]:
    """Rows of the mail log that wait or are being sent, by state."""
    if row_total.are_maintained():
        rows = await db.fetch(
            """SELECT status, CAST(SUM(number) AS BIGINT) AS number FROM (
                 SELECT status, number FROM row_totals WHERE table_name = 'mail_logs'
                 UNION ALL SELECT status, number FROM row_deltas WHERE table_name = 'mail_logs') AS numbers
               GROUP BY status"""
        )
    else:
        counts = [f"SELECT '{status}' AS status, COUNT(*) AS number FROM mail_logs {rest}" for status, rest in (
            (PENDING, "WHERE status = 'pending' AND account_id IS NOT NULL"),
            (PENDING, "WHERE status = 'pending' AND account_id IS NULL"),
            (SENDING, "INDEXED BY mail_logs_leased WHERE status = 'sending'"),
            (DEFERRED, "INDEXED BY mail_logs_deferred WHERE status = 'deferred'"),
        )]  # fmt: skip
        rows = await db.fetch(" UNION ALL ".join(counts))
    numbers: dict[str, int] = dict.fromkeys(WAITING, 0)
    for row in rows:
        if row["status"] in numbers:
            numbers[row["status"]] += row["number"]
    return numbers


async def list_accounts(limit: int) -> list[AccountGauges]:
    """Accounts that may send, those with the oldest due email first, then those used last."""
    age = db.dialect().since("MIN(m.next_attempt_at)")
    oldest = f"""CASE WHEN a.status = 'active' AND (a.rest_until IS NULL OR a.rest_until <= {db.dialect().now}) THEN
        (SELECT {age} FROM mail_logs m WHERE m.account_id = a.id AND m.status = 'pending') END"""
    usage = "FROM account_usage u WHERE u.account_id = a.id ORDER BY u.day DESC LIMIT 1"
    rows = await db.fetch(
        f"""SELECT a.id, o.timezone, a.daily_mail_limit, (SELECT u.day {usage}) AS day, (SELECT u.used {usage}) AS used,
            (SELECT u.is_full {usage}) AS is_full, (SELECT u.ramp_limit {usage}) AS ramp_limit, {oldest} AS seconds,
            a.last_used_at
            FROM accounts a JOIN organizations o ON o.id = a.org_id WHERE a.status <> 'paused'
            ORDER BY seconds DESC NULLS LAST, a.last_used_at DESC NULLS LAST LIMIT $1""",
        limit,
    )
    return [
        AccountGauges(
            as_uuid(row["id"]),
            row["timezone"],
            min(row["daily_mail_limit"], row["ramp_limit"] or row["daily_mail_limit"]),
            row["day"] and str(row["day"]),
            row["used"] or 0,
            bool(row["is_full"]),
            max(row["seconds"] or 0, 0),
        )
        for row in rows
    ]


async def count_accounts() -> dict[str, int]:
    rows = await db.fetch("SELECT status, COUNT(*) AS number FROM accounts GROUP BY status")
    return {row["status"]: row["number"] for row in rows}


async def oldest_due(accounts: Sequence[AccountGauges]) -> float:
    """Seconds since the oldest due email could have been sent; 0 if none is due. `accounts` begins with the oldest."""
    return max([account.seconds for account in accounts[:1]] + [await _oldest_campaign_row()])


async def _oldest_campaign_row() -> float:
    """Seconds since the oldest due row of a campaign could have been sent; 0 if none is due."""
    age = db.dialect().since("MIN(m.next_attempt_at)")
    oldest = f"""SELECT {age} FROM mail_logs m
        WHERE m.campaign_run_id = r.id AND m.account_id IS NULL AND m.status = 'pending'"""
    rows = await db.fetch(f"SELECT MAX(({oldest})) AS seconds FROM campaign_runs r WHERE r.status = 'sending'")
    return max(rows[0]["seconds"] or 0, 0)


async def waiting_webhooks() -> tuple[int, float]:
    """Events that wait to be posted, and the seconds since the oldest of them was due."""
    age = db.dialect().since("MIN(due_at)")
    rows = await db.fetch(
        f"SELECT COUNT(*) AS number, {age} AS seconds FROM webhook_deliveries WHERE status = 'pending'"
    )
    return rows[0]["number"], max(rows[0]["seconds"] or 0, 0)


async def table_bytes() -> dict[str, int]:
    """The size of the largest tables with their indexes; of the whole file on SQLite."""
    if db.dialect().has_one_writer:
        size = "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()"
        return {"all": (await db.fetch(size))[0]["bytes"]}
    sizes = "SELECT name, pg_total_relation_size(name::regclass) AS bytes FROM unnest($1::text[]) AS name"
    return {row["name"]: row["bytes"] for row in await db.fetch(sizes, list(TABLES))}
