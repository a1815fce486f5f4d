"""Due accounts and messages, and cursors for the scans that find them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.db import dialects
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.mail_log import MailLog
from webapp.models.outbox.pace import PACES, PaceField
from webapp.models.outbox.send_window import SendWindow
from webapp.models.queries.account_health import halving_count, reduced_rate

MAX_AGE_SECONDS = 5.0  # how long a row that became due behind a cursor may wait
MOST_AHEAD = 10_000
SUSPECT_CRASHES = 3  # workers that died while sending this message and others
# Conditions on the account `a` of a run, besides backoff and quota. It may be in `error`: then a row probes it.
HAS_ADDRESS = "a.from_email IS NOT NULL"
ACCOUNT_CAN_SEND_RUN = f"(a.status <> 'paused' AND {HAS_ADDRESS})"
CAMPAIGNS_MAY_GO = "(a.campaigns_held_until IS NULL OR a.campaigns_held_until <= {now})"
LATEST_DAYS = 3  # of usage: several are claimed on around midnight, and after a change of the timezone
COLUMNS = {"owner": "uuid", "at": "timestamptz", "row_id": "uuid"}

Position = tuple[Any, Any]  # due time and ID of a row in the driver's types


class ClaimCursors:
    """The last rows claimed of each account's emails or run's rows (the `owner`).

    Claimed rows stay in PostgreSQL's index of due rows while an older transaction is open, such as a dump's, and a scan
    from the beginning would visit all of them. Owners with too few due rows for a claim have no cursor.
    """

    def __init__(self, max_age: float = MAX_AGE_SECONDS) -> None:
        self._max_age = max_age
        self._cursors: dict[UUID, tuple[Position, float]] = {}  # with the time of the last full scan

    def of(self, owner: UUID) -> Position | None:
        """The row after which to continue; None for a full scan, which happens every few seconds."""
        cursor = self._cursors.get(owner)
        if cursor is not None and clock.elapsed() - cursor[1] >= self._max_age:
            del self._cursors[owner]
            return None
        return cursor and cursor[0]

    def move(self, owner: UUID, position: Position) -> None:
        cursor = self._cursors.get(owner)
        self._cursors[owner] = (position, clock.elapsed() if cursor is None else cursor[1])

    def drop(self, owner: UUID) -> None:
        self._cursors.pop(owner, None)

    def clear(self) -> None:
        self._cursors.clear()

    def records(self) -> str:
        positions = [(owner, position) for owner in list(self._cursors) if (position := self.of(owner)) is not None]
        return dialects.json_records(
            [{"owner": owner, "at": at, "row_id": row_id} for owner, (at, row_id) in positions]
        )


@dataclass(frozen=True)
class DueAccount:
    id: UUID
    concurrency: int  # connections, fewer while throttled
    is_probe: bool  # one message only: the account backed off, failed or has less than one connection
    wait: float  # seconds until a message is due by the account's paces and window; 0 or less: it is


async def due_accounts(cursors: ClaimCursors | None = None) -> list[DueAccount]:
    """The accounts with a due message that may send now; none while sending is suspended."""
    now = db.dialect().now
    may_go = CAMPAIGNS_MAY_GO.format(now=now)
    query = f"""SELECT a.id, a.concurrency, (a.status = 'error' OR a.rests > 0), a.throttles,
        {db.dialect().since("a.throttled_until")}, a.send_window, {", ".join(map(since_due, PACES))}
        FROM accounts a {join_cursor("$1", "a.id")}
        WHERE {NOT_SUSPENDED} AND a.status <> 'paused' AND (a.rest_until IS NULL OR a.rest_until <= {now}) AND (
          {_is_any_due("m.account_id = a.id")}
          OR EXISTS (SELECT 1 FROM campaign_run_accounts ra JOIN campaign_runs r ON r.id = ra.run_id
                     {join_cursor("$1", "r.id")}
                     WHERE ra.account_id = a.id AND r.org_id = a.org_id AND r.status = 'sending' AND {may_go}
                     AND {ACCOUNT_CAN_SEND_RUN} AND {has_due_rows()}))"""
    rows = await db.records(query, (cursors or ClaimCursors()).records())
    due, at = list[DueAccount](), clock.now()
    for row_id, concurrency, failed, throttles, since, window, *due_since in rows:
        account_id = dialects.as_uuid(row_id)
        allowed = reduced_rate(concurrency, halving_count(throttles, since))
        if allowed.has_slot(account_id, at.timestamp()):
            waits = [_until_open(window, at), *(-seconds for seconds in due_since if seconds is not None)]
            due.append(DueAccount(account_id, allowed.connections, bool(failed) or allowed.slots > 1, max(waits)))
    return due


def _until_open(stored: Any, at: datetime) -> float:
    """Seconds until a window opens that holds all email; 0 if there is none."""
    window = SendWindow.of(dialects.as_json(stored)) if stored else None
    if window is None or not window.includes_transactional:
        return 0.0
    return max((window.span(at).opens_at - at).total_seconds(), 0.0)


def since_due(pace: PaceField) -> str:
    """The seconds since account `a` was due by its pace, negative until then; null without the pace."""
    return f"CASE WHEN a.{pace.name} IS NOT NULL THEN {db.dialect().since(latest_use('a.id', pace.next_at))} END"


def latest_use(account: str, column: str) -> str:
    """The latest instant of a column in an account's usage of any day."""
    latest = f"SELECT l.{column} FROM account_usage l WHERE l.account_id = {account} ORDER BY l.day DESC"
    return f"(SELECT MAX(u.{column}) FROM ({latest} LIMIT {LATEST_DAYS}) u)"


def join_cursor(parameter: str, owner: str) -> str:
    return f"LEFT JOIN {db.dialect().records(parameter, COLUMNS)} ON k.owner = {owner}"


def has_due_rows() -> str:
    """A condition on a run `r` with its `join_cursor`: it has a due row."""
    return _is_any_due("m.campaign_run_id = r.id AND m.account_id IS NULL")


def _is_any_due(condition: str) -> str:
    """A condition: a row `m` is due, after the cursor `k` if there is one."""
    # Not EXISTS, for which PostgreSQL would scan the whole table if it expects many rows.
    due = f"m.status = 'pending' AND m.next_attempt_at <= {db.dialect().now}"
    query = f"SELECT m.id FROM mail_logs m WHERE {condition} AND {due}"
    behind, first = "(m.next_attempt_at, m.id) > (k.at, k.row_id)", "ORDER BY m.next_attempt_at LIMIT 1"
    return f"COALESCE(({query} AND {behind} {first}), ({query} {first})) IS NOT NULL"


class ScanOptions(NamedTuple):
    cursors: ClaimCursors
    takes_suspect: bool = True


class Due(NamedTuple):
    ids: list[UUID]
    is_suspect: bool


async def due_emails(account_id: UUID, messages: int, scan: ScanOptions) -> list[Due]:
    """The due emails with all their pending rows, even those not due yet."""
    sql = db.dialect()
    due = await _oldest("account_id = $1", account_id, "COALESCE(email_id, id)", messages, (), scan)
    if not due:
        return []
    order = {message: set[UUID]() for _, message, _ in due}
    suspects = {message for _, message, is_suspect in due if is_suspect}
    for row_id, message, _ in due:
        order[message].add(row_id)
    query = f"""SELECT id, email_id, crashes FROM mail_logs WHERE id {sql.of_owners("mail_logs", "email_id", "$1")}
        AND status = 'pending' ORDER BY id {sql.lock("FOR UPDATE")}"""
    together = await db.fetch(query, list(order))
    for row in together:
        message = dialects.as_uuid(row["email_id"])
        order[message].add(dialects.as_uuid(row["id"]))
        if row["crashes"] >= SUSPECT_CRASHES:
            suspects.add(message)
    emails = [Due(sorted(ids), message in suspects) for message, ids in order.items()]
    return [email for email in emails if scan.takes_suspect or not email.is_suspect]


async def due_run_rows(account_id: UUID, limit: int, scan: ScanOptions) -> list[Due]:
    """Due rows of the account's runs in equal shares; shares that a run does not need go to the others."""
    if limit <= 0:
        return []
    query = f"""SELECT r.id FROM campaign_run_accounts ra JOIN campaign_runs r ON r.id = ra.run_id
        JOIN accounts a ON a.id = ra.account_id AND a.org_id = r.org_id {join_cursor("$2", "r.id")}
        WHERE ra.account_id = $1 AND r.status = 'sending' AND {ACCOUNT_CAN_SEND_RUN} AND {has_due_rows()}"""
    runs = await db.fetch_ids(query, account_id, scan.cursors.records())
    random.shuffle(runs)  # so that no run is always left out if there are fewer messages than runs
    row_ids: list[UUID] = []
    due: list[Due] = []
    while runs and len(row_ids) < limit:
        share, asked, runs = -(-(limit - len(row_ids)) // len(runs)), runs, []
        for run_id in asked:
            most = min(share, limit - len(row_ids))
            rows = await _oldest("campaign_run_id = $1 AND account_id IS NULL", run_id, "id", most, row_ids, scan)
            row_ids += [row_id for row_id, *_ in rows]
            due += [Due([row_id], is_suspect) for row_id, _, is_suspect in rows]
            if len(rows) == share:  # the run may have more
                runs.append(run_id)
            if len(row_ids) == limit:
                break
    return due


async def _oldest(
    condition: str, owner: UUID, column: str, limit: int, excluded: Sequence[UUID], scan: ScanOptions
) -> list[tuple[UUID, UUID, bool]]:
    """The rows of an owner ($1) that have been due longest, as (id, `column`, is suspect)."""
    # From the owner's cursor; if that yields too few, or a suspect may be before it, from the first row.
    if not scan.takes_suspect:
        condition = f"{condition} AND crashes < {SUSPECT_CRASHES}"
    cursors = scan.cursors
    position = None if scan.takes_suspect else cursors.of(owner)
    rows = await _oldest_from(condition, owner, column, limit, excluded, *(position or ()))
    if len(rows) < limit and position is not None:
        cursors.drop(owner)
        excluded = [*excluded, *(row_id for row_id, *_ in rows)]
        rows += await _oldest_from(condition, owner, column, limit - len(rows), excluded)
    elif len(rows) == limit:
        row_id, _, at, _ = rows[-1]
        cursors.move(owner, (at, row_id))
    return [
        (dialects.as_uuid(row_id), dialects.as_uuid(value), crashes >= SUSPECT_CRASHES)
        for row_id, value, _, crashes in rows
    ]


async def _oldest_from(
    condition: str, owner: UUID, column: str, limit: int, excluded: Sequence[UUID], *position: Any
) -> list[Any]:
    sql = db.dialect()
    behind = "AND (next_attempt_at, id) > ($4, $5)" if position else ""
    query = f"""SELECT id, {column}, next_attempt_at, crashes FROM mail_logs WHERE {condition} AND status = 'pending'
        AND next_attempt_at <= {sql.now} {behind} AND id {sql.not_among("$3")}
        ORDER BY next_attempt_at, id LIMIT $2 {sql.lock("FOR UPDATE SKIP LOCKED")}"""
    rows = await db.records(query, owner, limit, list(excluded), *position)
    return list(rows)


async def count_ahead(row: MailLog) -> int:
    """The pending rows of the same account or run that are due before this one, counted up to a bound."""
    is_shared = row.account_id is None
    owner = "campaign_run_id = $1 AND account_id IS NULL" if is_shared else "account_id = $1"
    query = f"""SELECT COUNT(*) FROM (SELECT id FROM mail_logs WHERE {owner} AND status = 'pending'
        AND (next_attempt_at, id) < ($2, $3) LIMIT {MOST_AHEAD}) AS ahead"""
    owner_id = row.campaign_run_id if is_shared else row.account_id
    return int(await db.fetch_value(query, owner_id, row.next_attempt_at, row.id))
