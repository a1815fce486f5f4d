"""The history of a mail-log row."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from webapp.models import Account, Campaign, Email, MailEvent, MailLog, Organization
from webapp.models.mail_log import PENDING, SENT

EVENTS_SHOWN = 200


class Step(NamedTuple):
    """`before` is None for the first step."""

    before: str | None
    after: str
    cause: str
    at: datetime


async def list_steps(org: Organization, row: MailLog) -> list[Step]:
    """Oldest first: handed in, everything unusual, sent."""
    events = await MailEvent.of(org).filter(mail_log_id=row.id).order_by("id").limit(EVENTS_SHOWN)
    moves = [Step(event.from_status, event.to_status, event.cause, event.created_at) for event in events]
    steps = [Step(None, PENDING, "handed in", row.created_at), *moves]
    if row.status == SENT and row.sent_at is not None and steps[-1].after != SENT:
        steps.append(Step(steps[-1].after, SENT, row.smtp_message_id or "the server took it", row.sent_at))
    return steps


async def account_names(org: Organization, rows: Sequence[MailLog | Email]) -> dict[str, str]:
    """By id; deleted accounts are missing."""
    wanted = {row.account_id for row in rows if row.account_id}
    found = await Account.of(org).filter(id__in=list(wanted)).only("id", "name")
    return {str(account.id): account.name for account in found}


async def account_of(org: Organization, row: MailLog) -> Account | None:
    return await Account.of(org).get_or_none(id=row.account_id) if row.account_id else None


async def campaign_of(org: Organization, row: MailLog) -> Campaign | None:
    return await Campaign.of(org).get_or_none(id=row.campaign_id) if row.campaign_id else None
