"""Accounts with due messages, and their current rates."""

from dataclasses import dataclass
from uuid import UUID

from webapp import clock, db
from webapp.db import dialects
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.outbox.claim_cursors import COLUMNS, ClaimCursors
from webapp.models.queries.account_health import halving_count, reduced_rate


@dataclass(frozen=True)
class DueAccount:
    """An account with a due message, and the connections that it may use, fewer while it is throttled."""

    id: UUID
    concurrency: int
    is_probe: bool  # for one message: the account rested or broke, or is slower than one connection


async def due_accounts(cursors: ClaimCursors | None = None) -> list[DueAccount]:
    """The accounts that have a due message and may send now; none while sending is suspended."""
    now = db.dialect().now
    rows = await db.fetch(
        f"""SELECT a.id, a.concurrency, (a.status = 'error' OR a.rests > 0) AS is_probe, a.throttles,
            {db.dialect().since("a.throttled_until")} AS since FROM accounts a {join_cursor("$1", "a.id")}
            WHERE {NOT_SUSPENDED} AND a.status <> 'paused' AND (a.rest_until IS NULL OR a.rest_until <= {now}) AND (
              {_is_any_due("m.account_id = a.id")}
              OR EXISTS (SELECT 1 FROM campaign_run_accounts ra JOIN campaign_runs r ON r.id = ra.run_id
                         {join_cursor("$1", "r.id")}
                         WHERE ra.account_id = a.id AND r.org_id = a.org_id AND r.status = 'sending'
                         AND {ACCOUNT_CAN_SEND_RUN} AND {has_due_rows()}))""",
        (cursors or ClaimCursors()).records(),
    )
    at = clock.now().timestamp()
    return [found for row in rows if (found := _throttled(row, at)) is not None]


def _throttled(row: db.Row, at: float) -> DueAccount | None:
    """The account of a row; None outside its time slot."""
    account_id = dialects.as_uuid(row["id"])
    allowed = reduced_rate(row["concurrency"], halving_count(row["throttles"], row["since"]))
    if not allowed.has_slot(account_id, at):
        return None
    return DueAccount(account_id, allowed.connections, bool(row["is_probe"]) or allowed.slots > 1)


def join_cursor(parameter: str, owner: str) -> str:
    """A join of the cursors in an SQL parameter to rows with this owner."""
    return f"LEFT JOIN {db.dialect().records(parameter, COLUMNS)} ON k.owner = {owner}"


def has_due_rows() -> str:
    """A condition on a run `r` with its `join_cursor`: it has a due row."""
    return _is_any_due("m.campaign_run_id = r.id AND m.account_id IS NULL")


def _is_any_due(condition: str) -> str:
    """A condition: a row `m` is due, behind the cursor `k` if there is one, or anywhere."""
    # The oldest row and not EXISTS, for which PostgreSQL would scan the whole table where it expects many.
    due = f"m.status = 'pending' AND m.next_attempt_at <= {db.dialect().now}"
    query = f"SELECT m.id FROM mail_logs m WHERE {condition} AND {due}"
    behind, first = "(m.next_attempt_at, m.id) > (k.at, k.row_id)", "ORDER BY m.next_attempt_at LIMIT 1"
    return f"COALESCE(({query} AND {behind} {first}), ({query} {first})) IS NOT NULL"


# Conditions on the account `a` of a run, beside its rests and its limit. It may be in `error`: a row is its probe.
HAS_ADDRESS = "a.from_email IS NOT NULL"
ACCOUNT_CAN_SEND_RUN = f"(a.status <> 'paused' AND {HAS_ADDRESS})"
