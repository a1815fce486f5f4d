"""Claims: leases due messages of one account to a worker, within the daily quota and the pace.

A message is all pending rows of an email, or one row of a campaign. A message during which several workers died is a
suspect: it is claimed alone, because a worker's death counts against everything that it was sending.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from itertools import takewhile
from typing import Any, NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.db import dialects
from webapp.models.outbox.daily_quota import DailyQuota, count_claimed, hold_campaigns, lock_quota
from webapp.models.outbox.due import SUSPECT_CRASHES, ClaimCursors, Due, ScanOptions, due_emails, due_run_rows
from webapp.models.outbox.transitions import change_rows
from webapp.models.queries.contacts.suppressed import reason_for, reasons_against

COMPOSE_HEAD_START = 86_400  # seconds that a compose is due before its deadline, and so before all other mail
DEFERRED_AT_ONCE = 500  # when nothing is left of the daily quota
PASSES = 10  # over mails that cannot be sent, until one that can is found


class Claimed(NamedTuple):
    id: UUID
    org_id: UUID
    kind: str
    email_id: UUID | None
    account_id: UUID
    campaign_id: UUID | None
    campaign_run_id: UUID | None
    contact_id: UUID | None
    content_id: UUID
    variables: dict[str, Any]
    from_email: str | None
    to_email: str
    recipient_type: str
    message_id: str
    attempts: int
    unknowns: int
    crashes: int
    run_epoch: int | None
    cap_day: date
    token: UUID
    seconds_since_first_try: float | None
    seconds_waiting: float | None  # since its account first failed
    expires_in: float | None = None  # seconds after the claim, for a compose
    topic_id: UUID | None = None  # of a run
    suppressed: str | None = None  # why its address gets nothing
    is_heard: bool = False  # a webhook wants events of single recipients
    delivers: bool = False  # accepted counts as delivered

    @property
    def is_suspect(self) -> bool:
        return self.crashes >= SUSPECT_CRASHES


RETURNED = Claimed._fields[: Claimed._fields.index("expires_in") + 1]
IDS = ("id", "org_id", "email_id", "campaign_id", "campaign_run_id", "contact_id", "content_id", "topic_id")
SHARED = ("org_id", "kind", "campaign_id", "content_id", "recipient_type")  # by the rows of a run, and read once for it


async def claim(
    account_id: UUID,
    *,
    messages: int,
    lease_seconds: float,
    cursors: ClaimCursors | None = None,
    takes_suspect: bool = True,
) -> list[Claimed]:
    """Claims up to `messages` due messages of the account for `lease_seconds`, transactional ones first; commits.

    Locks the account's quota of the day. Messages beyond it are deferred; composes and messages with more recipients
    than the whole quota fail. With `takes_suspect`, a suspect that comes first is claimed, alone.
    """
    cursors = cursors or ClaimCursors()
    try:
        async with db.write_transaction():
            quota = await lock_quota(account_id)  # serializes the account's claims and makes its quota exact
            if quota is None or not quota.messages_due:
                return []
            messages = int(min(messages, quota.messages_due))
            scan = ScanOptions(cursors, takes_suspect)
            if quota.allowance(quota.at, is_campaign=False).hold == "window":
                return []
            due, free = await _fit_emails(account_id, quota, messages, scan)
            due += await _fit_run_rows(account_id, quota, messages - len(due), quota.left - free, scan)
            claimable = list(takewhile(lambda message: not message.is_suspect, due)) or due[:1]
            if len(claimable) < len(due):
                cursors.clear()  # the others come before it
            ids = [row_id for message in claimable for row_id in message.ids]
            claimed = await claim_rows(ids, account_id, quota.day, lease_seconds)
            await count_claimed(account_id, quota, len(claimed), len({row.email_id or row.id for row in claimed}))
            if quota.is_heard or quota.delivers:
                claimed = [row._replace(is_heard=quota.is_heard, delivers=quota.delivers) for row in claimed]
            if quota.refuses_addresses and claimed:
                reasons = await reasons_against(claimed[0].org_id, {row.to_email for row in claimed})
                claimed = [row._replace(suppressed=_reason_for(row, reasons.get(row.to_email))) for row in claimed]
            return claimed
    except BaseException:
        cursors.clear()
        raise


def _reason_for(row: Claimed, reason: str | None) -> str | None:
    """The variables of rows without an email are chosen by programs."""
    return reason if row.email_id is None else reason_for(row.variables, reason)


async def _fit_emails(account_id: UUID, quota: DailyQuota, messages: int, scan: ScanOptions) -> tuple[list[Due], int]:
    """The due emails within the quota and what is left of it; the others are deferred or fail."""
    fitting: list[Due] = []
    free = quota.left
    for _ in range(PASSES):
        emails = await due_emails(account_id, messages if free else DEFERRED_AT_ONCE, scan)
        oversized: list[UUID] = []
        deferred: list[UUID] = []
        for due in emails:
            if len(due.ids) > quota.limit:
                oversized += due.ids
            elif len(due.ids) > free:
                deferred += due.ids
            else:
                fitting.append(due)
                free -= len(due.ids)
        if oversized:
            reason = f"the email has more recipients than the account's daily limit of {quota.limit}"
            await change_rows(oversized, "pending", "failed", reason, "error = $2", reason)
        if deferred:
            refusal = quota.refusal
            await change_rows(deferred, "pending", "failed", refusal, "error = $2", refusal, "AND kind = 'compose'")
            cause = f"{refusal}; next attempt {quota.next_day:%-d %b %Y, %H:%M} UTC"
            await change_rows(deferred, "pending", "deferred", cause, "next_attempt_at = $2", quota.next_day)
        if fitting or not emails:
            break
    return fitting, free


async def _fit_run_rows(account_id: UUID, quota: DailyQuota, messages: int, used: int, scan: ScanOptions) -> list[Due]:
    """Due rows of runs, beside emails to `used` recipients; campaigns are held while the account may send none."""
    if quota.are_campaigns_held:
        return []
    allowed = quota.allowance(quota.at, is_campaign=True)
    if allowed.hold in ("window", "reserve"):
        await hold_campaigns(account_id, allowed.until - quota.at)
    return await due_run_rows(account_id, min(messages, allowed.recipients - used), scan)


async def claim_rows(ids: Iterable[UUID], account_id: UUID, day: date, lease_seconds: float) -> list[Claimed]:
    """Leases the pending ones of these rows in the account's organization, except for runs stopped or given up."""
    # The organization is compared in a CASE so that the ids' index is used. Rows of runs are recognized by their epoch,
    # because SQLite 3.40 evaluates IS NULL wrongly in RETURNING.
    sql, token = db.dialect(), uuid7()
    expressions = {column: f"CASE WHEN run_epoch >= 0 THEN NULL ELSE {column} END" for column in SHARED} | {
        **dict.fromkeys(("account_id", "cap_day", "token"), "NULL"),  # as they were assigned
        "seconds_since_first_try": sql.since("first_tried_at"),
        "seconds_waiting": sql.since("waiting_since"),
        "expires_in": f"CASE WHEN kind = 'compose' THEN {COMPOSE_HEAD_START} - {sql.since('next_attempt_at')} END",
    }
    update = f"""UPDATE mail_logs SET status = 'sending', lease_token = $2, lease_until = {sql.later("$3")},
        cap_day = $4, account_id = $5,
        from_email = CASE WHEN campaign_run_id IS NULL THEN from_email
                     ELSE COALESCE((SELECT r.sender_email FROM campaign_runs r WHERE r.id = mail_logs.campaign_run_id),
                                   (SELECT a.from_email FROM accounts a WHERE a.id = $5)) END,
        run_epoch = (SELECT r.epoch FROM campaign_runs r WHERE r.id = mail_logs.campaign_run_id)
        WHERE id {sql.among("$1")} AND status = 'pending'
        AND CASE org_id WHEN (SELECT a.org_id FROM accounts a WHERE a.id = $5) THEN true ELSE false END
        AND (campaign_run_id IS NULL OR EXISTS (
          SELECT 1 FROM campaign_runs r WHERE r.id = mail_logs.campaign_run_id AND r.status = 'sending'
          AND r.halted_reason IS NULL))
        RETURNING {", ".join(f"{expressions.get(name, name)} AS {name}" for name in RETURNED)}"""
    rows = await db.records(update, list(ids), token, lease_seconds, day, account_id)
    claimed = [Claimed(*row) for row in rows]
    shared = await _shared({row.campaign_run_id: row.id for row in claimed if row.campaign_run_id is not None})
    assigned = {"account_id": account_id, "cap_day": day, "token": token}
    claimed = [row._replace(**_typed(row) | assigned | shared.get(row.campaign_run_id, {})) for row in claimed]
    return sorted(claimed, key=lambda row: (row.email_id or row.id, row.id))


async def _shared(example_of_run: Mapping[Any, Any]) -> dict[Any, dict[str, Any]]:
    """The values that the rows of each run share, by the run's id as the driver gives it."""
    if not example_of_run:
        return {}
    topic_id = "(SELECT r.topic_id FROM campaign_runs r WHERE r.id = campaign_run_id) AS topic_id"
    query = f"""SELECT campaign_run_id, {", ".join(SHARED)}, {topic_id} FROM mail_logs
        WHERE id {db.dialect().among("$1")}"""
    rows = await db.records(query, list(example_of_run.values()))
    names = (*SHARED, "topic_id")
    return {
        row["campaign_run_id"]: {name: _id(row[name]) if name in IDS else row[name] for name in names} for row in rows
    }


def _typed(row: Any) -> dict[str, Any]:
    """The ids and variables of a Claimed as the driver gave it, where it gave text for them."""
    typed = {"variables": dialects.as_json(row.variables)}
    if isinstance(row.id, str):
        typed |= {name: _id(getattr(row, name)) for name in IDS}
    return typed


def _id(value: Any) -> Any:
    return None if value is None else dialects.as_uuid(value)
