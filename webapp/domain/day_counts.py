"""How much mail each of the last days had: for the chart on the home page.

A day is of the organization's timezone and counts the mail handed in on it. Days that are over are counted once in a
while by each process: the latest of them may still change, as mail that waited goes out.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.db import sql
from webapp.models import Organization
from webapp.models.row import first_id

DAYS = 30
LATE_DAYS = 3  # those that are counted anew every LATE_EVERY; the others each process counts once
LATE_EVERY = timedelta(minutes=10)
ORGS_KEPT = 500
COLUMNS = {"day": "text", "first": "uuid", "next": "uuid"}
# Two counts from the index (org_id, status, id) alone for each day.
COUNTS = """SELECT k.day AS day,
  (SELECT COUNT(*) FROM mail_logs m WHERE m.org_id = $2 AND m.status = 'sent' AND m.id >= k.first AND m.id < k.next)
    AS sent,
  (SELECT COUNT(*) FROM mail_logs m WHERE m.org_id = $2 AND m.status = 'failed' AND m.id >= k.first AND m.id < k.next)
    AS failed
FROM {records}
"""


@dataclass(frozen=True)
class DayCount:
    """Recipients whose mail was handed in on a day: how many were sent to, and how many failed."""

    day: date
    sent: int
    failed: int


class _Known(NamedTuple):
    mail: DayCount
    read_at: datetime


_known: OrderedDict[tuple[UUID, str], dict[date, _Known]] = OrderedDict()  # by organization and timezone


async def count_days(org: Organization) -> list[DayCount]:
    """The last DAYS days, today at the end."""
    today = clock.today(org.timezone)
    days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    known = _known.setdefault((org.id, org.timezone), {})
    _known.move_to_end((org.id, org.timezone))
    while len(_known) > ORGS_KEPT:
        _known.popitem(last=False)
    missing = [day for day in days if not _is_fresh(known.get(day), today - day)]
    now = clock.now()
    known.update({count.day: _Known(count, now) for count in await _read(org, missing)})
    for day in known.keys() - set(days):
        del known[day]
    return [known[day].mail for day in days]


def _is_fresh(known: _Known | None, age: timedelta) -> bool:
    if known is None or not age:
        return False
    return age.days > LATE_DAYS or known.read_at > clock.now() - LATE_EVERY


async def _read(org: Organization, days: Iterable[date]) -> list[DayCount]:
    records = [
        {
            "day": day.isoformat(),
            "first": first_id(clock.start_of_day(day, org.timezone)),
            "next": first_id(clock.start_of_day(day + timedelta(days=1), org.timezone)),
        }
        for day in days
    ]
    query = COUNTS.format(records=db.dialect().records("$1", COLUMNS))
    rows = await db.fetch(query, sql.json_records(records), org.id)
    return [DayCount(date.fromisoformat(row["day"]), row["sent"], row["failed"]) for row in rows]
