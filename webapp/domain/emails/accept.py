"""Taking transactional emails in: what is acknowledged is committed, and a worker is woken."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from webapp import db
from webapp.domain.emails.build_rows import Letter, letter_of, rows_of
from webapp.domain.emails.choose_account import senders_for
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.resolve_content import Draft, DraftBatch, draft_email
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.errors import ApiError, BatchError, FieldError, ItemError, NotFound, ValidationError
from webapp.models import Attachment, Content, Email, Organization, outbox
from webapp.queue import Job, enqueue

FAULTS_TOLD = 100
Item = TypeVar("Item")


@dataclass(frozen=True)
class BatchTaken:
    """The ids of the emails that were taken in, in their order, and what is wrong with the others."""

    ids: list[UUID]
    errors: list[ItemError]


async def add_email(org: Organization, data: NewEmail) -> UUID:
    """Take an email in as `take_email` does, its template filled in. Raises what `draft_email` raises as well."""
    return await take_email(org, await draft_email(org, data))


async def take_email(org: Organization, draft: Draft) -> UUID:
    """Take an email in: its rows are committed when this returns. The id is that of the first recipient's row.

    Raises ValidationError, or NotFound for an `account_key` that is not the organization's; PlanLimitExceeded.
    """
    async with db.write_transaction():
        (letter,) = await _letters(org, [draft])
        if isinstance(letter, ApiError):
            raise letter
        (email_id,) = await _keep(org, [letter])
    return email_id


async def take_batch(org: Organization, batch: DraftBatch, *, is_permissive: bool) -> BatchTaken:
    """Take the emails of a batch in, all of them or none; `is_permissive`, those that are good.

    Raises BatchError for bad ones, else NotFound where all that is wrong is something that an email names;
    PlanLimitExceeded when the month's quota is not enough for all that would be taken in.
    """
    async with db.write_transaction():
        letters = await _letters(org, batch.items)
        faults = {index: letter for index, letter in enumerate(letters) if isinstance(letter, ApiError)}
        if faults and not is_permissive:
            raise _refusal(faults)
        ids = await _keep(org, [letter for letter in letters if isinstance(letter, Letter)])
    return BatchTaken(ids, _item_errors(faults))


async def _letters(org: Organization, items: Sequence[Draft | ApiError]) -> list[Letter | ApiError]:
    """The items with their accounts, which are kept from being deleted until the transaction ends."""
    senders = await senders_for(org, [item.data for item in items if isinstance(item, Draft)])

    def letter(item: Draft | ApiError) -> Letter | ApiError:
        if isinstance(item, ApiError):
            return item
        try:
            return letter_of(item, senders.choose(item.data))
        except (NotFound, ValidationError) as fault:
            return fault

    letters = [letter(item) async for item in _in_steps(items)]
    accounts = {letter.account.id: letter.account for letter in letters if isinstance(letter, Letter)}
    are_held = [await account.lock_against_deletion() for account in accounts.values()]
    return letters if all(are_held) else await _letters(org, items)


async def _in_steps(items: Sequence[Item]) -> AsyncIterator[Item]:
    """The items, between which others have the event loop: each may have 150 recipients."""
    for item in items:
        yield item
        await asyncio.sleep(0)


def _refusal(faults: Mapping[int, ApiError]) -> ApiError:
    """What is wrong with a batch: 400 when an email is bad in itself, else 404 for what the first one names."""
    bad = {index: fault for index, fault in faults.items() if isinstance(fault, ValidationError)}
    if not bad:
        index, missing = next(iter(faults.items()))
        return NotFound(f"emails.{index}.{missing.message}")
    details = [_placed(index, detail) for index, fault in bad.items() for detail in fault.details]
    names = [name for fault in bad.values() for name in fault.missing_variables]
    return BatchError(_item_errors(faults), details[:FAULTS_TOLD], list(dict.fromkeys(names)))


def _placed(index: int, detail: FieldError) -> FieldError:
    """The field as it stands in the batch; an email that is no object at all has none."""
    if not detail.field:
        return FieldError(f"emails.{index}", f"emails.{index} {detail.message}")
    return FieldError(f"emails.{index}.{detail.field}", f"emails.{index}.{detail.message}")


def _item_errors(faults: Mapping[int, ApiError]) -> list[ItemError]:
    return [ItemError(index, str(fault)) for index, fault in faults.items()]


async def _keep(org: Organization, letters: Sequence[Letter]) -> list[UUID]:
    """Insert the emails, and wake their accounts once that is committed."""
    counted = sum(len(letter.recipients) for letter in letters if not letter.account.is_sandbox)
    if counted:
        await limits.take(org, Metric.EMAILS, counted)
    rows = [rows_of(org, letter) async for letter in _in_steps(letters)]
    await Content.bulk_create([row.content for row in rows])
    await Email.bulk_create([row.email for row in rows])
    await Attachment.bulk_create([file for row in rows for file in row.files])
    await outbox.add_rows([log for row in rows for log in row.logs])
    for account_id in {row.email.account_id for row in rows if row.email.scheduled_at is None}:
        enqueue(Job.WAKE, account_id)
    return [row.email.id for row in rows]
