"""Saves what is final of past days for `queries/outcomes`: finished emails, and hits by people.

Emails that wait when their day is saved are noticed by their number, once they have ended. Code that deletes
saved rows, or changes the verdict on a hit, reopens their days behind the organization's lock.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import chain
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.db.dialects import as_instant, json_records
from webapp.models.base.row import id_lower_bound, time_of_id
from webapp.models.mail_log import FAILED, PERSON, SENT, MailStatus
from webapp.models.outbox import day_statistics
from webapp.models.queries import outcomes

LAG = timedelta(minutes=10)  # after midnight, until no more mail and hits from before appear
DAYS = 366  # that are saved
KEPT = timedelta(days=2 * DAYS)
REST = 20  # times the seconds that counting a day took, before it is counted again
COLUMNS = ("account_id", "template_id", "campaign_id", "tags")


async def lock(org_id: UUID) -> None:
    """Until the transaction ends, nobody else saves or reopens days of the organization."""
    if not db.dialect().has_one_writer:
        await db.fetch("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"outcome_days of {org_id}")


async def changed_days(org_id: UUID, timezone: str) -> list[date]:
    """Saved days that must be counted again, newest first."""
    query = """SELECT day, timezone, waiting, counted_at, seconds FROM outcome_days
        WHERE org_id = $1 AND (timezone <> $2 OR waiting IS NULL OR waiting > 0) ORDER BY day DESC"""
    changed = []
    for row in await db.fetch(query, org_id, timezone):
        day = date.fromisoformat(str(row["day"]))
        has_rested = clock.now() - as_instant(row["counted_at"]) >= timedelta(seconds=REST * row["seconds"])
        is_other = row["timezone"] != timezone or row["waiting"] is None
        if is_other or (has_rested and row["waiting"] != await day_statistics.count_waiting(org_id, timezone, day)):
            changed.append(day)
    return changed


async def next_day(org_id: UUID, timezone: str) -> date | None:
    """The first day with mail or hits after those that were saved, if it is over."""
    over = clock.today(timezone, clock.now() - LAG)
    last = await db.fetch_value("SELECT MAX(day) FROM outcome_days WHERE org_id = $1", org_id)
    first = over - timedelta(days=DAYS)
    if last is not None:
        first = max(first, date.fromisoformat(str(last)) + timedelta(days=1))
    tables = [f"mail_logs WHERE status = '{status}' AND" for status in MailStatus]
    tables.append(f"mail_hits WHERE verdict = '{PERSON}' AND")
    firsts = " UNION ALL ".join(
        f"SELECT id FROM (SELECT id FROM {table} org_id = $1 AND id >= $2 ORDER BY id LIMIT 1) s{number}"
        for number, table in enumerate(tables)
    )
    start = id_lower_bound(clock.start_of_day(first, timezone))
    for row_id in await db.fetch_ids(f"{firsts} ORDER BY id LIMIT 1", org_id, start):
        day = clock.today(timezone, time_of_id(row_id))
        return day if day < over else None
    return None


async def save_day(org_id: UUID, timezone: str, day: date) -> None:
    """Counts a day that is over; commits."""
    spans, began = outcomes.spans_of(timezone, [day]), clock.elapsed()
    days = db.dialect().records("$1", outcomes.DAYS)
    mails = [outcomes.mails_of(days, status) for status in (SENT, FAILED)]
    count_waiting = partial(day_statistics.count_waiting, org_id, timezone, day)
    async with db.write_transaction():
        await lock(org_id)
        before = await count_waiting()
        await db.fetch(
            "DELETE FROM outcome_groups WHERE org_id = $1 AND day = $2 AND NOT is_gone RETURNING id", org_id, day
        )
        await db.fetch(_insert(mails, outcomes.hits_of(days), outcomes.LASTING, is_gone=False), spans, org_id)
        waiting = before if before == await count_waiting() else None  # else some may be counted and others not
        save = f"""INSERT INTO outcome_days (id, created_at, org_id, day, timezone, waiting, counted_at, seconds)
            VALUES ($1, {db.dialect().now}, $2, $3, $4, $5, $6, $7) ON CONFLICT (org_id, day) DO UPDATE SET
              timezone = excluded.timezone, waiting = excluded.waiting, counted_at = excluded.counted_at,
              seconds = excluded.seconds RETURNING id"""
        seconds = clock.elapsed() - began
        await db.fetch(save, uuid7(), org_id, day, timezone, waiting, clock.now(), seconds)
        for table in ("outcome_groups", "outcome_days"):
            await db.fetch(f"DELETE FROM {table} WHERE org_id = $1 AND day < $2 RETURNING id", org_id, day - KEPT)


async def add_gone(org_id: UUID, timezone: str, row_ids: Collection[UUID]) -> None:
    """Counts mail logs that are about to be deleted, and their hits, for good; call it in the transaction."""
    await lock(org_id)
    sql = db.dialect()
    of_rows = f"mail_log_id {sql.among('$1')} AND verdict = '{PERSON}'"
    hit_ids = await db.fetch_ids(f"SELECT id FROM mail_hits WHERE {of_rows}", list(row_ids))
    days = {clock.today(timezone, time_of_id(row_id)) for row_id in chain(row_ids, hit_ids)}
    rows = f"(SELECT * FROM mail_logs WHERE org_id = $2 AND id {sql.among('$3')} {sql.fence}) m"
    hits = f"(SELECT * FROM mail_hits WHERE {of_rows.replace('$1', '$3')} {sql.fence}) h"
    mails, hits = (
        f"{sql.records('$1', outcomes.DAYS)} JOIN {table} ON {table[-1]}.id >= k.first AND {table[-1]}.id < k.next"
        for table in (rows, hits)
    )
    insert = _insert([mails], hits, outcomes.LASTING | outcomes.REPORTS, is_gone=True)
    await db.fetch(insert, outcomes.spans_of(timezone, days), org_id, list(row_ids))
    await _reopen(org_id, days)


async def reopen_days_of(org_id: UUID, times: Iterable[datetime]) -> None:
    """Reopens the days of these times, whatever their timezone; call it in the transaction, behind `lock`."""
    days = {at.astimezone(UTC).date() for at in times}
    await _reopen(org_id, {day + timedelta(days=more) for day in days for more in (-1, 0, 1)})


async def _reopen(org_id: UUID, days: Iterable[date]) -> None:
    listed = f"SELECT k.day FROM {db.dialect().records('$2', {'day': 'date'})}"
    update = f"UPDATE outcome_days SET waiting = NULL WHERE org_id = $1 AND day IN ({listed}) RETURNING id"
    await db.fetch(update, org_id, json_records([{"day": day} for day in days]))


def _insert(mails: Sequence[str], hits: str, counted: Mapping[str, str], *, is_gone: bool) -> str:
    """Inserts the groups of mail logs `m` and hits `h` of days `k`, each once with tags and once without."""
    sql, columns = db.dialect(), ("id", "day", *COLUMNS)
    sources = [*((source, counted) for source in mails), (outcomes.once_a_day(hits), outcomes.HITS)]
    rows = " UNION ALL ".join(outcomes.select(source, columns, conditions) for source, conditions in sources)
    each = f"""SELECT r.*, l.has_tags, CASE WHEN l.has_tags THEN r.tags END AS group_tags FROM ({rows}) r
        CROSS JOIN (SELECT true AS has_tags UNION ALL SELECT false AS has_tags) l"""
    groups = ", ".join(("u.day", "u.has_tags", *(f"u.{name}" for name in COLUMNS[:-1]), "u.group_tags"))
    return f"""INSERT INTO outcome_groups (id, created_at, org_id, is_gone, day, has_tags,
            {", ".join((*COLUMNS, *outcomes.NUMBERS))})
        SELECT {sql.id_beside("MIN(CAST(u.id AS TEXT))")}, {sql.now}, $2, {str(is_gone).lower()}, {groups},
            {outcomes.sums_of("u")}
        FROM ({each}) u GROUP BY {groups} RETURNING id"""
