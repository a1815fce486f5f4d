"""Emails to members about events: a row per email until it is sent, and a mark on each reported row."""

from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.db import dialects
from webapp.models.account import EXPIRY_WARNING
from webapp.models.base.row import TableModel
from webapp.models.campaign_run import RETRIES_ROW
from webapp.models.people import Membership

AT_ONCE = 500
FAILING_SECONDS = 15 * 60  # of failed connections; most servers are back by then
EXPIRY_SECONDS = int(EXPIRY_WARNING.total_seconds())
QUIET_SECONDS = 3600  # between two emails about an account that fails intermittently


class NotificationKind(StrEnum):
    FINISHED = "finished"
    HALTED = "halted"
    ACCOUNT = "account"
    WEBHOOK = "webhook"
    FORM = "form"
    ERASED = "erased"  # by the link that the person was mailed


POLLED = tuple(
    kind for kind in NotificationKind if kind is not NotificationKind.ERASED
)  # others are added as they occur


class Notification(TableModel):
    membership: fields.ForeignKeyRelation[Membership] = fields.ForeignKeyField(
        "models.Membership", related_name="notifications"
    )
    membership_id: UUID
    kind = fields.CharField(max_length=16)
    subject_id = fields.UUIDField()  # the run, campaign, account, webhook, form or erased contact
    due_at = fields.DatetimeField()

    class Meta:
        table = "notifications"
        unique_together = (("membership_id", "kind", "subject_id"),)
        indexes = (("due_at",),)


class News(NamedTuple):
    subject_id: UUID
    org_id: UUID


class _Source(NamedTuple):
    table: str
    is_new: str  # the condition that `mark` ends
    mark: str
    is_worth_an_email: str = "true"


def _source(kind: NotificationKind) -> _Source:
    sql = db.dialect()
    match kind:
        case NotificationKind.FINISHED:
            return _Source(
                "campaign_runs",
                "status = 'completed' AND NOT is_announced AND ended_counts IS NOT NULL",
                "is_announced = true",
                # Not for retries of one recipient, nor for frequent runs to new members of a segment.
                f"joined_after IS NULL AND trigger_key NOT LIKE '{RETRIES_ROW}%'",
            )
        case NotificationKind.HALTED:  # resumed campaigns are marked too, so that their next halt is news
            changed = "(status = 'halted') <> is_halt_announced"
            return _Source("campaigns", changed, "is_halt_announced = NOT is_halt_announced", "status = 'halted'")
        case NotificationKind.ACCOUNT:
            fails = f"status = 'active' AND {sql.since('failing_since')} >= {FAILING_SECONDS}"
            again = f"failing_since > announced_at AND {sql.since('announced_at')} >= {QUIET_SECONDS}"
            since_end, since_mail = sql.since("oauth_expires_at"), sql.since("announced_at")
            # A warning before the sign-in ended is no reason to be silent when it has.
            was_warned = f"{since_end} > 0 AND announced_at < oauth_expires_at"
            is_ending = f"{since_end} BETWEEN -{EXPIRY_SECONDS} AND 0"
            is_unwarned = f"COALESCE({since_mail} - {since_end} > {EXPIRY_SECONDS}, true)"
            is_new = f"""NOT is_sandbox AND (
                (status = 'error' OR {fails}) AND (announced_at IS NULL OR {again} OR {was_warned})
                OR {is_ending} AND {is_unwarned})"""
            return _Source("accounts", is_new, f"announced_at = {sql.now}")
        case NotificationKind.WEBHOOK:  # one disabled by a person has no reason
            is_new = "status = 'disabled' AND disabled_reason IS NOT NULL AND NOT is_announced"
            return _Source("webhooks", is_new, "is_announced = true")
        case NotificationKind.FORM:  # closed by the defence against floods
            is_new = "closed_until IS NOT NULL AND (announced_until IS NULL OR announced_until <> closed_until)"
            return _Source("forms", is_new, "announced_until = closed_until")
        case NotificationKind.ERASED:
            raise ValueError("no table is searched for erasures")


async def is_any_new(kind: NotificationKind) -> bool:
    source = _source(kind)
    return bool(await db.fetch(f"SELECT id FROM {source.table} WHERE {source.is_new} LIMIT 1"))


async def claim_news(kind: NotificationKind) -> list[News]:
    """Marks what is new and returns what is worth an email, in the caller's transaction."""
    source, sql = _source(kind), db.dialect()
    new = f"""SELECT id, org_id, ({source.is_worth_an_email}) AS is_worth_an_email FROM {source.table}
        WHERE {source.is_new} ORDER BY id LIMIT {AT_ONCE} {sql.lock("FOR UPDATE SKIP LOCKED")}"""
    rows = await db.fetch(new)
    mark = f"UPDATE {source.table} SET {source.mark} WHERE id {sql.among('$1')} RETURNING id"
    await db.fetch(mark, [row["id"] for row in rows])
    return [
        News(dialects.as_uuid(row["id"]), dialects.as_uuid(row["org_id"])) for row in rows if row["is_worth_an_email"]
    ]


async def forget_all() -> None:
    """Marks all news and deletes the waiting emails, in the caller's transaction."""
    for source in map(_source, POLLED):
        await db.fetch(f"UPDATE {source.table} SET {source.mark} WHERE {source.is_new} RETURNING id")
    await Notification.all().delete()
