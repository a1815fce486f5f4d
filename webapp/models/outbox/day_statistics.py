"""Daily mail counts over existing rows and over those that retention has deleted.

Retention adds the rows it deletes to `gone_sent` and `gone_failed` in the same transaction, and counts read both in one
statement, so none is missed.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.db import dialects
from webapp.models.base.row import id_lower_bound, time_of_id
from webapp.models.contact import ContactStatus
from webapp.models.mail_log import PERSON, MailStatus
from webapp.models.outbox.runs import UNFINISHED

DAYS = 30  # shown, including today
COLUMNS = {"day": "date", "first": "uuid", "next": "uuid"}
WAITS = (*UNFINISHED, MailStatus.HALTED)


class Outcomes(NamedTuple):
    sent: int = 0
    failed: int = 0


class Day(NamedTuple):
    """`outcomes` are None if they aren't counted, `subscribed` before the first count."""

    outcomes: Outcomes | None
    opened: int
    clicked: int
    subscribed: int | None


class Counted(NamedTuple):
    sent: int
    failed: int
    waiting: int
    opened: int
    clicked: int


async def read_days(org_id: UUID, timezone: str, days: Sequence[date], limit: int) -> dict[date, Day]:
    """The numbers of each day, without outcomes if counting them in this timezone would read more than `limit` rows."""
    is_current = "d.timezone = $3"
    query = f"""SELECT k.day AS day, COALESCE(d.opened, 0) AS opened, COALESCE(d.clicked, 0) AS clicked, d.subscribed,
                COALESCE(CASE WHEN {is_current} THEN d.sent ELSE d.gone_sent END, 0) AS sent,
                COALESCE(CASE WHEN {is_current} THEN d.failed ELSE d.gone_failed END, 0) AS failed,
                CASE WHEN {is_current} THEN 0 ELSE {_count(MailStatus.SENT, "$4")} END AS more_sent,
                CASE WHEN {is_current} THEN 0 ELSE {_count(MailStatus.FAILED, "$4")} END AS more_failed
                FROM {db.dialect().records("$1", COLUMNS)} LEFT JOIN mail_days d ON d.org_id = $2 AND d.day = k.day"""
    rows = await db.fetch(query, _spans(timezone, days), org_id, timezone, limit + 1)
    read = {}
    for row in rows:
        is_known = max(row["more_sent"], row["more_failed"]) <= limit
        counted = Outcomes(row["sent"] + row["more_sent"], row["failed"] + row["more_failed"])
        others = row["opened"], row["clicked"], row["subscribed"]
        read[date.fromisoformat(str(row["day"]))] = Day(counted if is_known else None, *others)
    return read


async def count_waiting(org_id: UUID, timezone: str, day: date) -> int:
    query = f"SELECT {count_waiting_sql()} FROM {db.dialect().records('$1', COLUMNS)}"
    return int(await db.fetch_value(query, _spans(timezone, [day]), org_id))


async def count_day(org_id: UUID, timezone: str, day: date) -> Counted:
    query = f"""SELECT COALESCE(d.gone_sent, 0) + {_count(MailStatus.SENT)} AS sent,
                COALESCE(d.gone_failed, 0) + {_count(MailStatus.FAILED)} AS failed,
                {count_waiting_sql()} AS waiting,
                {_count_people("h.link_id IS NULL")} AS opened, {_count_people("h.link_id IS NOT NULL")} AS clicked
                FROM {db.dialect().records("$1", COLUMNS)} LEFT JOIN mail_days d ON d.org_id = $2 AND d.day = k.day"""
    (row,) = await db.fetch(query, _spans(timezone, [day]), org_id)
    return Counted(**row)


async def count_subscribed(org_id: UUID) -> int:
    query = f"SELECT COUNT(*) FROM contacts WHERE org_id = $1 AND status = '{ContactStatus.SUBSCRIBED}'"
    return int(await db.fetch_value(query, org_id))


async def save_day(
    org_id: UUID, timezone: str, day: date, counted: Counted, subscribed: int | None, *, is_over: bool
) -> None:
    """Keeps the saved number of subscribed contacts if it is None."""
    insert = f"""INSERT INTO mail_days (id, created_at, org_id, day, timezone, is_over, sent, failed, waiting,
                               opened, clicked, subscribed, gone_sent, gone_failed)
        VALUES ($1, {db.dialect().now}, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0)
        ON CONFLICT (org_id, day) DO UPDATE SET timezone = excluded.timezone, is_over = excluded.is_over,
          sent = excluded.sent, failed = excluded.failed, waiting = excluded.waiting, opened = excluded.opened,
          clicked = excluded.clicked, subscribed = COALESCE(excluded.subscribed, mail_days.subscribed)
        WHERE NOT (mail_days.is_over AND mail_days.waiting = 0 AND mail_days.timezone = excluded.timezone)
        RETURNING id"""
    await db.fetch(insert, uuid7(), org_id, day, timezone, is_over, *counted, subscribed)


async def add_gone(org_id: UUID, timezone: str, deleted: Sequence[db.Row]) -> None:
    oldest, gone = oldest_day(timezone), dict[date, Counter[str]]()
    for row in deleted:
        day = clock.today(timezone, time_of_id(dialects.as_uuid(row["id"])))
        if day >= oldest:
            gone.setdefault(day, Counter())[row["status"]] += 1
    await db.run_many(  # ordered by day, so that two never deadlock
        f"""INSERT INTO mail_days (id, created_at, org_id, day, is_over, sent, failed, waiting, gone_sent, gone_failed)
            VALUES ($1, {db.dialect().now}, $2, $3, false, 0, 0, 0, $4, $5)
            ON CONFLICT (org_id, day) DO UPDATE SET gone_sent = mail_days.gone_sent + excluded.gone_sent,
              gone_failed = mail_days.gone_failed + excluded.gone_failed""",
        [(uuid7(), org_id, day, of["sent"], of["failed"]) for day, of in sorted(gone.items())],
    )


def oldest_day(timezone: str) -> date:
    return clock.today(timezone) - timedelta(days=DAYS - 1)


def _count(status: MailStatus, most: str | None = None) -> str:
    """SQL that counts a status's rows on the day `k`; by org_id alone, PostgreSQL might read all days."""
    limit = "" if most is None else f"LIMIT {most}"
    return f"""(SELECT COUNT(*) FROM (SELECT m.id FROM mail_logs m WHERE m.org_id = $2 AND m.status = '{status}'
                AND m.id >= k.first AND m.id < k.next ORDER BY m.id {limit}) found)"""


def _count_people(kind: str) -> str:
    """SQL that counts the emails that people surely opened or clicked on the day `k`."""
    return f"""(SELECT COUNT(DISTINCT h.mail_log_id) FROM mail_hits h WHERE h.org_id = $2 AND h.verdict = '{PERSON}'
                AND {kind} AND h.id >= k.first AND h.id < k.next)"""


def count_waiting_sql() -> str:
    """SQL that counts the emails of the day `k` that wait."""
    return f"({' + '.join(_count(status) for status in WAITS)})"


def _spans(timezone: str, days: Sequence[date]) -> str:
    return dialects.json_records([
        {
            "day": day,
            "first": id_lower_bound(clock.start_of_day(day, timezone)),
            "next": id_lower_bound(clock.start_of_day(day + timedelta(days=1), timezone)),
        }
        for day in days
    ])  # fmt: skip
