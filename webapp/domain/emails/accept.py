"""Accepts transactional emails: commits their rows and wakes a worker."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from webapp import db
from webapp.domain.emails.build_rows import OutgoingEmail, address_email, build_rows
from webapp.domain.emails.choose_account import load_accounts_for
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.resolve_content import ResolvedEmail, resolve_email
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.errors import ApiError, BatchError, FieldError, ItemError, NotFound, ValidationError
from webapp.models import Attachment, Content, Email, Organization
from webapp.models.outbox import insert
from webapp.queue import Job, enqueue

MAX_FAULTS = 100
Item = TypeVar("Item")


@dataclass(frozen=True)
class BatchAccepted:
    ids: list[UUID]
    errors: list[ItemError]


async def add_email(org: Organization, data: NewEmail) -> UUID:
    """Resolves and accepts an email. Raises what `resolve_email` and `accept_email` raise."""
    return await accept_email(org, await resolve_email(org, data))


async def accept_email(org: Organization, resolved: ResolvedEmail) -> UUID:
    """Commits the email's rows. Raises ValidationError, NotFound for an `account_key`, PlanLimitExceeded."""
    async with db.write_transaction():
        (email,) = await _address_all(org, [resolved])
        if isinstance(email, ApiError):
            raise email
        (email_id,) = await _insert(org, [email])
    return email_id


async def accept_batch(
    org: Organization, items: Sequence[ResolvedEmail | ApiError], *, is_permissive: bool
) -> BatchAccepted:
    """Commits the emails of a batch, all of them or none; with `is_permissive` the valid ones.

    Raises BatchError for invalid ones, NotFound where they name missing resources only, PlanLimitExceeded where the
    month's quota is too small for all that would be accepted.
    """
    async with db.write_transaction():
        emails = await _address_all(org, items)
        faults = {index: email for index, email in enumerate(emails) if isinstance(email, ApiError)}
        if faults and not is_permissive:
            raise _refusal(faults)
        ids = await _insert(org, [email for email in emails if isinstance(email, OutgoingEmail)])
    return BatchAccepted(ids, _item_errors(faults))


async def _address_all(org: Organization, items: Sequence[ResolvedEmail | ApiError]) -> list[OutgoingEmail | ApiError]:
    """The items with their accounts, which are locked against deletion until the transaction ends."""
    chooser = await load_accounts_for(org, [item.data for item in items if isinstance(item, ResolvedEmail)])

    def address(item: ResolvedEmail | ApiError) -> OutgoingEmail | ApiError:
        if isinstance(item, ApiError):
            return item
        try:
            return address_email(item, chooser.choose(item.data))
        except (NotFound, ValidationError) as fault:
            return fault

    emails = [address(item) async for item in _in_steps(items)]
    accounts = {email.account.id: email.account for email in emails if isinstance(email, OutgoingEmail)}
    are_locked = [await account.lock_against_deletion() for account in accounts.values()]
    return emails if all(are_locked) else await _address_all(org, items)


async def _in_steps(items: Sequence[Item]) -> AsyncIterator[Item]:
    """The items, with the event loop free between them: each may have 150 recipients."""
    for item in items:
        yield item
        await asyncio.sleep(0)


def _refusal(faults: Mapping[int, ApiError]) -> ApiError:
    """The error of a batch: 400 when an email is invalid, else 404 for what the first one names."""
    invalid = {index: fault for index, fault in faults.items() if isinstance(fault, ValidationError)}
    if not invalid:
        index, missing = next(iter(faults.items()))
        return NotFound(f"emails.{index}.{missing.message}")
    details = [_prefix_field(index, detail) for index, fault in invalid.items() for detail in fault.details]
    names = [name for fault in invalid.values() for name in fault.missing_variables]
    return BatchError(_item_errors(faults), details[:MAX_FAULTS], list(dict.fromkeys(names)))


def _prefix_field(index: int, detail: FieldError) -> FieldError:
    if not detail.field:
        return FieldError(f"emails.{index}", f"emails.{index} {detail.message}")
    return FieldError(f"emails.{index}.{detail.field}", f"emails.{index}.{detail.message}")


def _item_errors(faults: Mapping[int, ApiError]) -> list[ItemError]:
    return [ItemError(index, str(fault)) for index, fault in faults.items()]


async def _insert(org: Organization, emails: Sequence[OutgoingEmail]) -> list[UUID]:
    counted = sum(len(email.recipients) for email in emails if not email.account.is_sandbox)
    if counted:
        await limits.consume(org, Metric.EMAILS, counted)
    rows = [build_rows(org, email) async for email in _in_steps(emails)]
    await Content.bulk_create([row.content for row in rows])
    await Email.bulk_create([row.email for row in rows])
    await Attachment.bulk_create([file for row in rows for file in row.files])
    await insert.add_rows([log for row in rows for log in row.logs])
    for account_id in {row.email.account_id for row in rows if row.email.scheduled_at is None}:
        enqueue(Job.WAKE, account_id)
    return [row.email.id for row in rows]
