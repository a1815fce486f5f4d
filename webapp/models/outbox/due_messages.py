"""Due messages: the emails of an account, and the rows of the runs that it serves."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.outbox.claim_cursors import ClaimCursors
from webapp.models.outbox.due_accounts import ACCOUNT_CAN_SEND_RUN, has_due_rows, join_cursor

SUSPECT_CRASHES = 3  # workers that died while they sent a mail, of it or of another


class ScanOptions(NamedTuple):
    cursors: ClaimCursors
    takes_suspect: bool = True


class Due(NamedTuple):
    """A due message: its pending rows, and whether workers seem to die of it."""

    ids: list[UUID]
    is_suspect: bool


async def due_emails(account_id: UUID, messages: int, scan: ScanOptions) -> list[Due]:
    """The due emails, each with all its pending rows, of which some may not be due yet."""
    sql = db.dialect()
    due = await _oldest("account_id = $1", account_id, "COALESCE(email_id, id)", messages, (), scan)
    if not due:
        return []
    order = {message: set[UUID]() for _, message, _ in due}
    suspects = {message for _, message, is_suspect in due if is_suspect}
    for row_id, message, _ in due:
        order[message].add(row_id)
    together = await db.fetch(
        f"""SELECT id, email_id, crashes FROM mail_logs WHERE id {sql.of_owners("mail_logs", "email_id", "$1")}
            AND status = 'pending' ORDER BY id {sql.for_update}""",
        sql.id_list(order),
    )
    for row in together:
        message = dialects.as_uuid(row["email_id"])
        order[message].add(dialects.as_uuid(row["id"]))
        if row["crashes"] >= SUSPECT_CRASHES:
            suspects.add(message)
    found = [Due(sorted(ids), message in suspects) for message, ids in order.items()]
    return [one for one in found if scan.takes_suspect or not one.is_suspect]


async def due_run_rows(account_id: UUID, limit: int, scan: ScanOptions) -> list[Due]:
    """Due rows of the account's runs in equal shares; a share that a run has no rows for goes to the others."""
    runs = await _runs_with_due_rows(account_id, scan.cursors) if limit > 0 else []
    random.shuffle(runs)  # where a claim is for fewer messages than there are runs, none is always left out
    found: list[UUID] = []
    due: list[Due] = []
    while runs and len(found) < limit:
        share, asked, runs = -(-(limit - len(found)) // len(runs)), runs, []
        for run_id in asked:
            most = min(share, limit - len(found))
            rows = await _oldest("campaign_run_id = $1 AND account_id IS NULL", run_id, "id", most, found, scan)
            found += [row_id for row_id, *_ in rows]
            due += [Due([row_id], is_suspect) for row_id, _, is_suspect in rows]
            if len(rows) == share:  # it may have more
                runs.append(run_id)
            if len(found) == limit:
                break
    return due


async def _runs_with_due_rows(account_id: UUID, cursors: ClaimCursors) -> list[UUID]:
    runs = await db.fetch(
        f"""SELECT r.id FROM campaign_run_accounts ra JOIN campaign_runs r ON r.id = ra.run_id
            JOIN accounts a ON a.id = ra.account_id AND a.org_id = r.org_id {join_cursor("$2", "r.id")}
            WHERE ra.account_id = $1 AND r.status = 'sending' AND {ACCOUNT_CAN_SEND_RUN} AND {has_due_rows()}""",
        account_id,
        cursors.records(),
    )
    return [dialects.as_uuid(run["id"]) for run in runs]


async def _oldest(
    condition: str, owner: UUID, column: str, limit: int, excluded: Sequence[UUID], scan: ScanOptions
) -> list[tuple[UUID, UUID, bool]]:
    """The rows of an owner ($1) that have been due longest, as (id, `column`, is suspect)."""
    # From the owner's cursor; where that gives too few, or a suspect may be before it, from the first row.
    if not scan.takes_suspect:
        condition = f"{condition} AND crashes < {SUSPECT_CRASHES}"
    cursors = scan.cursors
    position = None if scan.takes_suspect else cursors.of(owner)
    found = await _oldest_from(condition, owner, column, limit, excluded, *(position or ()))
    if len(found) < limit and position is not None:
        cursors.drop(owner)
        excluded = [*excluded, *(row_id for row_id, *_ in found)]
        found += await _oldest_from(condition, owner, column, limit - len(found), excluded)
    elif len(found) == limit:
        row_id, _, at, _ = found[-1]
        cursors.move(owner, (at, row_id))
    return [
        (dialects.as_uuid(row_id), dialects.as_uuid(value), crashes >= SUSPECT_CRASHES)
        for row_id, value, _, crashes in found
    ]


async def _oldest_from(
    condition: str, owner: UUID, column: str, limit: int, excluded: Sequence[UUID], *position: Any
) -> list[Any]:
    sql = db.dialect()
    behind = "AND (next_attempt_at, id) > ($4, $5)" if position else ""
    rows = await db.records(
        f"""SELECT id, {column}, next_attempt_at, crashes FROM mail_logs WHERE {condition} AND status = 'pending'
            AND next_attempt_at <= {sql.now} {behind} AND id NOT IN {sql.ids("$3")}
            ORDER BY next_attempt_at, id LIMIT $2 {sql.skip_locked}""",
        owner,
        limit,
        dialects.json_ids(excluded),
        *position,
    )
    return list(rows)
