"""Saves many outcomes in one statement, each fenced by its lease."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.db import dialects
from webapp.models.event import EventType
from webapp.models.mail_log import MOVES, MailStatus
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.daily_quota import refund
from webapp.models.outbox.transitions import Transition, add_transitions
from webapp.models.queries.event_log import BY_ACCEPTANCE, MailChange, record_mail_events, record_sent

USE_SECONDS = 5.0
LOWEST_PERMANENT = 500  # code of a refusal (RFC 5321, 4.2.1)
ENDS = MOVES[MailStatus.SENDING]

COLUMNS = {
    "row_id": "uuid",
    "token": "uuid",
    "status": "text",
    "error": "text",
    "code": "smallint",
    "provider_id": "text",
    "attempted": "smallint",
    "unknown": "smallint",
    "waits_for_account": "smallint",
    "delay": "float8",
    "keep_history": "smallint",
}
values_of = attrgetter("row.id", "row.token", *list(COLUMNS)[2:])
SENT_COLUMNS = {name: COLUMNS[name] for name in ("row_id", "token", "code", "provider_id")}


@dataclass(slots=True)
class Settlement:
    """The outcome of a claimed row; not frozen, because that makes creation five times slower."""

    row: Claimed
    status: MailStatus
    error: str | None = None  # recorded as a mail event
    code: int | None = None
    provider_id: str | None = None
    attempted: bool = False
    unknown: bool = False
    waits_for_account: bool = False  # the account is to blame
    delay: float | None = None  # seconds; None keeps the due time
    refund_quota: bool = False
    keep_history: bool = False  # keeps the error and code of earlier tries
    bounce: Mapping[str, Any] | None = None  # refused for good because of the recipient
    is_hard: bool = False  # the contact gets no more campaigns
    suppresses: bool = False  # the address gets nothing any more

    @property
    def outcome(self) -> str:
        """The label for metrics: the status, or whether a row that waits again was tried."""
        if self.status is not MailStatus.PENDING:
            return self.status
        return "retried" if self.error else "released"

    @property
    def is_refusal(self) -> bool:
        return self.status is MailStatus.FAILED and self.code is not None and self.code >= LOWEST_PERMANENT

    def __post_init__(self) -> None:
        if self.status not in ENDS:
            raise ValueError(f"a row never moves from sending to {self.status}")


async def settle(settlements: Sequence[Settlement]) -> set[UUID]:
    """Saves the outcomes (halted in stopped runs) and returns the ids of rows that were still leased; commits."""
    if all(item.status is MailStatus.SENT and not (item.refund_quota or item.error) for item in settlements):
        return await _save_sent(settlements)
    async with db.write_transaction():
        delayed = await _newly_delayed(settlements)
        updated = await _update(settlements)
        mine = [item for item in settlements if item.row.id in updated]
        refunded = [item for item in mine if item.refund_quota]
        await refund(_by_day(refunded), _by_day(item for item in refunded if item.is_refusal))
        changes = {item.row.id: _change(item, is_delayed=item.row.id in delayed) for item in mine}
        await add_transitions(
            [
                Transition(
                    item.row.org_id, item.row.id, "sending", updated[item.row.id], item.error, changes[item.row.id]
                )
                for item in mine
                if item.error
            ]
        )
        quiet = [change for item in mine if not item.error and (change := changes[item.row.id])]
        delivered = [item.row.id for item in mine if item.status is MailStatus.SENT and item.row.delivers]
        await record_mail_events([*quiet, *(MailChange(row_id, *BY_ACCEPTANCE) for row_id in delivered)])
    return set(updated)


def _by_day(settlements: Iterable[Settlement]) -> Counter[tuple[UUID, date]]:
    return Counter((item.row.account_id, item.row.cap_day) for item in settlements)


async def _newly_delayed(settlements: Sequence[Settlement]) -> set[UUID]:
    tried = {item.row.id: item.error for item in settlements if item.attempted and item.status is MailStatus.PENDING}
    if not tried:
        return set()
    query = f"SELECT id, error, attempts FROM mail_logs WHERE id {db.dialect().among('$1')}"
    rows = {dialects.as_uuid(row["id"]): row for row in await db.fetch(query, list(tried))}
    return {row_id for row_id, row in rows.items() if not row["attempts"] or row["error"] != tried[row_id]}


def _change(item: Settlement, *, is_delayed: bool) -> MailChange | None:
    if item.status is MailStatus.SENT:
        return MailChange(item.row.id, EventType.EMAIL_SENT)
    if item.bounce is not None:
        return MailChange(item.row.id, EventType.EMAIL_BOUNCED, {"bounce": item.bounce})
    if is_delayed:
        return MailChange(item.row.id, EventType.EMAIL_DELIVERY_DELAYED, {"delayed": {"reason": item.error}})
    return None


async def _save_sent(settlements: Sequence[Settlement]) -> set[UUID]:
    """`_update` for the common case that all were sent; one statement with the events takes half the time."""
    sql = db.dialect()
    rows = [(item.row.id, item.row.token, item.code, item.provider_id) for item in _in_order(settlements)]
    update = f"""UPDATE mail_logs SET status = 'sent', error = NULL, response_code = k.code,
        smtp_message_id = k.provider_id, sent_at = {sql.now}, waiting_since = NULL, lease_token = NULL,
        lease_until = NULL FROM {{}} WHERE {_is_held()} RETURNING mail_logs.id"""
    if not any(item.row.campaign_run_id is None or item.row.is_heard for item in settlements):
        return set(await db.fetch_ids(update.format(sql.table(SENT_COLUMNS)), *sql.table_values(rows)))
    delivers = {item.row.id for item in settlements if item.row.delivers}
    if sql.has_one_writer:
        async with db.write_transaction():
            saved = await db.fetch_ids(update.format(sql.table(SENT_COLUMNS)), *sql.table_values(rows))
            sent = [MailChange(row_id, EventType.EMAIL_SENT) for row_id in saved]
            await record_mail_events(
                [*sent, *(MailChange(row_id, *BY_ACCEPTANCE) for row_id in saved if row_id in delivers)]
            )
        return set(saved)
    columns = SENT_COLUMNS | {"event_id": "uuid"}
    values: list[tuple[Any, ...]] = [(*row, uuid7()) for row in rows]
    subjects = "org_id, email_id, contact_id, campaign_id, account_id, campaign_run_id, k.event_id"
    if delivers:
        columns, subjects = columns | {"delivered_id": "uuid"}, f"{subjects}, k.delivered_id"
        values = [(*row, uuid7() if row[0] in delivers else None) for row in values]
    events = record_sent("saved", has_delivered=bool(delivers))
    statement = f"WITH saved AS ({update.format(sql.table(columns))}, {subjects}), {events} SELECT id FROM saved"
    return set(await db.fetch_ids(statement, *sql.table_values(values)))


def _is_held() -> str:
    """A condition: the row is still leased; written so that the index of rows being sent is not used."""
    held = db.dialect().is_of_table("mail_logs.id", "row_id")
    return f"{held} AND mail_logs.lease_token = k.token AND COALESCE(mail_logs.status = 'sending', false)"


def _in_order(settlements: Sequence[Settlement]) -> list[Settlement]:
    """The order in which all transactions lock rows, so that they never deadlock."""
    return sorted(settlements, key=lambda item: item.row.id)


async def _update(settlements: Sequence[Settlement]) -> dict[UUID, str]:
    sql = db.dialect()
    rows = await db.records(
        f"""UPDATE mail_logs SET
            status = CASE WHEN k.status = 'pending' AND EXISTS (SELECT 1 FROM campaign_runs r
                                                                WHERE r.id = campaign_run_id AND r.status = 'halted')
                          THEN 'halted' ELSE k.status END,
            error = CASE WHEN k.keep_history = 1 THEN mail_logs.error ELSE k.error END,
            response_code = CASE WHEN k.keep_history = 1 THEN mail_logs.response_code ELSE k.code END,
            smtp_message_id = k.provider_id, attempts = attempts + k.attempted, unknowns = unknowns + k.unknown,
            sent_at = CASE WHEN k.status = 'sent' THEN {sql.now} END,
            first_tried_at = CASE WHEN k.attempted = 1 THEN COALESCE(first_tried_at, {sql.now})
                                  ELSE first_tried_at END,
            waiting_since = CASE WHEN k.waits_for_account = 1 THEN COALESCE(waiting_since, {sql.now})
                                 WHEN k.keep_history = 1 THEN waiting_since END,
            next_attempt_at = CASE WHEN k.delay IS NULL THEN next_attempt_at ELSE {sql.later("k.delay")} END,
            account_id = CASE WHEN campaign_run_id IS NOT NULL AND k.status IN ('pending', 'deferred', 'halted')
                              THEN NULL ELSE account_id END,
            lease_token = NULL, lease_until = NULL
            FROM {sql.table(COLUMNS)}
            WHERE {_is_held()}
            RETURNING mail_logs.id, mail_logs.status""",
        *sql.table_values([values_of(item) for item in _in_order(settlements)]),
    )
    return {dialects.as_uuid(row_id): status for row_id, status in rows}


async def record_use(account_ids: Iterable[UUID]) -> None:
    """Records when the accounts were last used, within a few seconds; skips locked rows."""
    sql = db.dialect()
    update = f"""WITH stale AS (SELECT id FROM accounts WHERE id {sql.among("$1")} AND
            (last_used_at IS NULL OR last_used_at < {sql.later("$2")}) {sql.lock("FOR UPDATE SKIP LOCKED")})
        UPDATE accounts SET last_used_at = {sql.now} WHERE id IN (SELECT id FROM stale) RETURNING id"""
    await db.fetch(update, list(account_ids), -USE_SECONDS)
