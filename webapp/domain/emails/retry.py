"""Retries a failed recipient of an email with a new row."""

from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.addresses import email_key
from webapp.domain.contacts.contacts import check_wants_mail
from webapp.domain.plans import limits
from webapp.domain.suppressions.suppressions import check_not_suppressed
from webapp.errors import Conflict
from webapp.models import Account, Contact, Email, MailLog, Organization
from webapp.models.mail_log import FAILED, MailKind
from webapp.models.outbox.insert import NewRow, add_rows
from webapp.models.queries.contacts.topic_state import topic_states
from webapp.models.usage import Metric
from webapp.queue import Job, enqueue

OUTLINE = ("id", "account_id", "content_id", "message_id", "topic_id")


async def retry_of(org: Organization, row: MailLog) -> MailLog | None:
    """The row that retried a failed one."""
    newer = MailLog.of(org).filter(email_id=row.email_id, to_email=row.to_email, id__gt=row.id)
    return await newer.order_by("id").first() if row.email_id else None


async def can_retry(org: Organization, row: MailLog) -> bool:
    return row.status == FAILED and row.kind == MailKind.TRANSACTIONAL and await retry_of(org, row) is None


async def retry_recipient(org: Organization, row: MailLog) -> UUID:
    """Queues the email again and returns the new row's id; locks the email and its account.

    Raises Conflict (not failed, retried before, unsubscribed, bounced, suppressed, opted out, content or account gone)
    and PlanLimitExceeded.
    """
    if row.status != FAILED or row.kind != MailKind.TRANSACTIONAL:
        raise Conflict("only failed emails can be retried")
    async with db.write_transaction():
        email = await Email.of(org).select_for_update().only(*OUTLINE).get_or_none(id=row.email_id)
        if email is None:
            raise Conflict("the content of this email is no longer stored")
        if await retry_of(org, row) is not None:
            raise Conflict("this email was already retried")
        contact = await Contact.of(org).get_or_none(email_key=email_key(row.to_email))
        if contact is not None:
            check_wants_mail(contact)
        await check_not_suppressed(org, row.to_email)
        await _check_topic(org, row.to_email, email.topic_id)
        account = await Account.of(org).get_or_none(id=email.account_id)
        if account is None or await account.lock_against_deletion() is None:
            raise Conflict("the account it was sent from was deleted")
        if not account.is_sandbox:
            await limits.consume(org, Metric.EMAILS)
        new = NewRow(
            id=uuid7(),
            org_id=org.id,
            kind=MailKind.TRANSACTIONAL,
            content_id=email.content_id,
            to_email=row.to_email,
            recipient_type=row.recipient_type,
            message_id=email.message_id,
            email_id=email.id,
            account_id=account.id,
            from_email=row.from_email,
        )
        await add_rows([new])
        enqueue(Job.WAKE, account.id)
    return new.id


async def _check_topic(org: Organization, email: str, topic_id: UUID | None) -> None:
    """Raises Conflict if the recipient opted out of the email's topic."""
    for state in (await topic_states(org.id, [(email, topic_id)] if topic_id else [])).values():
        if state.refusal is not None:
            raise Conflict(f"{email}: {state.refusal}")
