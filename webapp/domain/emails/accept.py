"""Accepts transactional emails: commits contents, files and mail log rows, and wakes a worker."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import orjson
from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.addresses import Address, email_key
from webapp.batcher import Batcher
from webapp.db.errors import is_outage
from webapp.domain.emails.choose_account import AccountChooser, load_accounts_for
from webapp.domain.emails.refusals import Recipients, check_recipients, topics_named
from webapp.domain.emails.resolve_content import ResolvedEmail
from webapp.domain.plans import limits
from webapp.errors import ApiError, BatchError, FieldError, ItemError, NotFound, OutsideScope, ValidationError
from webapp.models import Account, Attachment, Content, Email, EmailTag, Organization, TrackedLink
from webapp.models.base.row import Json
from webapp.models.email import ContentRow, EmailRow, EmailTagRow, subject_key
from webapp.models.mail_log import MailKind, RecipientType
from webapp.models.outbox.insert import NewRow, add_rows
from webapp.models.queries.contacts.suppressed import READER_LINK, reason_for
from webapp.models.usage import Metric
from webapp.queue import Job, enqueue

MAX_FAULTS = 100
GROUP = 100  # emails per transaction
GROUPED_BYTES = 64 * 1024  # a larger email gets its own transaction
STEP_SECONDS = 0.001
Item = TypeVar("Item")


class _Outgoing(NamedTuple):
    """An email with its account and its distinct recipients. `refused` has the errors by address."""

    resolved: ResolvedEmail
    account: Account
    recipients: list[tuple[RecipientType, Address]]
    refused: Mapping[str, str] = {}
    links: Mapping[str, Any] = {}  # of an email about a topic, see refusals.py

    @property
    def to_check(self) -> Recipients:
        return Recipients([address.email for _, address in self.recipients], self.resolved.data.topic_id)

    @property
    def sent_to(self) -> int:
        return sum(address.email not in self.refused for _, address in self.recipients)


async def accept_email(org: Organization, resolved: ResolvedEmail) -> UUID:
    """Commits the email, together with others of the same moment or in the surrounding transaction.

    Raises ValidationError, NotFound for an `account_key`, OutsideScope, PlanLimitExceeded.
    """
    if db.is_in_transaction() or _size(resolved) > GROUPED_BYTES:
        (accepted,) = await accept_batch(org, [resolved], is_permissive=True)
        if isinstance(accepted, ApiError):
            raise accepted
        return accepted
    return await _groups.ask(org.id, (org, resolved))


async def _accept_group(_: UUID, group: Sequence[tuple[Organization, ResolvedEmail]]) -> Sequence[UUID | Exception]:
    """Commits a group; those that failed and were certainly not committed are retried alone."""
    org, emails = group[-1][0], [resolved for _, resolved in group]
    try:
        return await accept_batch(org, emails, is_permissive=True)
    except Exception as error:
        if len(emails) == 1 or is_outage(error):  # the commit may have happened
            raise
    answers: list[UUID | Exception] = []
    for email in emails:
        try:
            answers += await accept_batch(org, [email], is_permissive=True)
        except Exception as error:  # noqa: BLE001 - raised for its caller
            answers.append(error)
    return answers


_groups: Batcher[UUID, tuple[Organization, ResolvedEmail], UUID] = Batcher(_accept_group, GROUP)


async def accept_batch(
    org: Organization, items: Sequence[ResolvedEmail | ApiError], *, is_permissive: bool
) -> list[UUID | ApiError]:
    """Commits all emails, or the valid ones if `is_permissive`; their ids, and the errors of the others, in order.

    Raises BatchError, NotFound, OutsideScope, PlanLimitExceeded.
    """
    async with db.write_transaction():
        emails = await _address_all(org, items)
        faults = {index: email for index, email in enumerate(emails) if isinstance(email, ApiError)}
        if faults and not is_permissive:
            raise _refusal(faults)
        ids = iter(await _insert(org, [email for email in emails if isinstance(email, _Outgoing)]))
    return [email if isinstance(email, ApiError) else next(ids) for email in emails]


async def _address_all(org: Organization, items: Sequence[ResolvedEmail | ApiError]) -> list[_Outgoing | ApiError]:
    """Adds accounts, locked against deletion until the transaction ends, and the errors of refused recipients."""
    resolved = [item for item in items if isinstance(item, ResolvedEmail)]
    chooser, topics = (
        await load_accounts_for(org, resolved),
        await topics_named(org, [item.data.topic_id for item in resolved]),
    )
    emails = [_address(item, chooser, topics) async for item in _in_steps(items)]
    outgoing = [email for email in emails if isinstance(email, _Outgoing)]
    accounts = {email.account.id: email.account for email in outgoing}
    locks = [await account.lock_against_deletion() for account in accounts.values()]
    if None in locks:
        return await _address_all(org, items)
    if not topics and not any(locks):
        return emails
    checks = iter(await check_recipients(org, [email.to_check for email in outgoing], may_be_suppressed=any(locks)))
    return [email._replace(**next(checks)._asdict()) if isinstance(email, _Outgoing) else email for email in emails]


async def _in_steps(items: Sequence[Item]) -> AsyncIterator[Item]:
    """Frees the event loop each STEP_SECONDS, because a hundred items may have 15,000 recipients."""
    began = clock.elapsed()
    for item in items:
        yield item
        if clock.elapsed() - began > STEP_SECONDS:
            await asyncio.sleep(0)
            began = clock.elapsed()


def _address(item: ResolvedEmail | ApiError, chooser: AccountChooser, topics: Collection[UUID]) -> _Outgoing | ApiError:
    if isinstance(item, ApiError):
        return item
    if item.data.topic_id is not None and item.data.topic_id not in topics:
        return NotFound("topic_id: topic not found")
    try:
        account = chooser.choose(item.data, item.scope)
    except (NotFound, ValidationError, OutsideScope) as fault:
        return fault
    data = item.data
    first: dict[str, tuple[RecipientType, Address]] = {}
    for kind, named in ((RecipientType.TO, data.to), (RecipientType.CC, data.cc), (RecipientType.BCC, data.bcc)):
        for address in named or ():
            first.setdefault(address.email.lower(), (kind, address))
    return _Outgoing(item, account, list(first.values()))


def _refusal(faults: Mapping[int, ApiError]) -> ApiError:
    invalid = {index: fault for index, fault in faults.items() if isinstance(fault, ValidationError)}
    for index, fault in faults.items():
        if isinstance(fault, OutsideScope):
            return OutsideScope(f"emails.{index}: {fault.message}")
    if not invalid:
        index, missing = next(iter(faults.items()))
        return NotFound(f"emails.{index}.{missing.message}")
    details = [_prefix_field(index, detail) for index, fault in invalid.items() for detail in fault.details]
    names = [name for fault in invalid.values() for name in fault.missing_variables]
    errors = [ItemError(index, str(fault)) for index, fault in faults.items()]
    return BatchError(errors, details[:MAX_FAULTS], list(dict.fromkeys(names)))


def _prefix_field(index: int, detail: FieldError) -> FieldError:
    if not detail.field:
        return FieldError(f"emails.{index}", f"emails.{index} {detail.message}")
    return FieldError(f"emails.{index}.{detail.field}", f"emails.{index}.{detail.message}")


async def _insert(org: Organization, outgoing: Sequence[_Outgoing]) -> list[UUID]:
    counted = sum(email.sent_to for email in outgoing if not email.account.is_sandbox)
    if counted:
        await limits.consume(org, Metric.EMAILS, counted)
    small: list[ContentRow] = []
    large: list[ContentRow] = []
    emails: list[EmailRow] = []
    files: list[Attachment] = []
    rows: list[NewRow] = []
    links: list[TrackedLink] = []
    tags: list[EmailTagRow] = []
    async for item in _in_steps(outgoing):
        resolved = item.resolved
        content_id = resolved.tracked.content_id if resolved.tracked else uuid7()
        content = ContentRow(content_id, org.id, resolved.subject, resolved.html, resolved.text)
        email = _email(item, content)
        (large if _size(resolved) > GROUPED_BYTES else small).append(content)
        links += resolved.tracked.links if resolved.tracked else ()
        emails.append(email)
        tags += _tags(item, email)
        files += _files(item, email)
        rows += _rows(item, email)
    for contents in (
        small,
        *([content] for content in large),
    ):  # because a statement's values are encoded without yielding
        await Content.insert_tuples(contents)
    if links:
        await TrackedLink.insert_many(links)
    await Email.insert_tuples(emails)
    await EmailTag.insert_tuples(tags)
    await Attachment.bulk_create(files)
    await add_rows(rows)
    for account_id in {email.account_id for email in emails if email.scheduled_at is None}:
        enqueue(Job.WAKE, account_id)
    return [email.id for email in emails]


def _email(outgoing: _Outgoing, content: ContentRow) -> EmailRow:
    data, source, link = outgoing.resolved.data, outgoing.resolved.source, outgoing.resolved.reader_link
    ids = source or outgoing.resolved.tracked
    email_id = ids.email_id if ids else uuid7()
    addresses = {
        kind.value: [str(address) for role, address in outgoing.recipients if role == kind] for kind in RecipientType
    }
    return EmailRow(
        id=email_id,
        org_id=content.org_id,
        account_id=outgoing.account.id,
        content_id=content.id,
        template_id=outgoing.resolved.template_id,
        topic_id=outgoing.resolved.data.topic_id,
        message_id=source.message_id if source else f"<{email_id.hex}@{data.from_.domain}>",
        sender=str(data.from_),
        addresses=_json(addresses | {"reply_to": [str(address) for address in data.reply_to or ()]}),
        headers=_json(data.headers or {}),
        tags=_json([tag.model_dump() for tag in data.tags or ()]),
        variables=_json(outgoing.links if link is None else {"reader_link": [str(part) for part in link]}),
        scheduled_at=outgoing.resolved.scheduled_at,
        size=_size(outgoing.resolved),
        from_key=email_key(data.from_.email),
        subject_key=subject_key(content.subject),
        source=source.data if source else None,
    )


def _tags(outgoing: _Outgoing, email: EmailRow) -> list[EmailTagRow]:
    tags = [(tag.name, f"{tag.name}:{tag.value}") for tag in outgoing.resolved.data.tags or ()]
    return [EmailTagRow(uuid7(), email.org_id, email.id, tag) for tag in {*chain.from_iterable(tags)}]


def _json(value: Any) -> Json:
    return Json(orjson.dumps(value).decode())


def _size(resolved: ResolvedEmail) -> int:
    if resolved.source is not None:
        return len(resolved.source.data)
    bodies = (resolved.html or "", resolved.text or "")
    return sum(map(_utf8_length, bodies)) + sum(len(file.content) for file in resolved.data.attachments or ())


def _utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())  # avoids a copy in the common case


def _files(outgoing: _Outgoing, email: EmailRow) -> list[Attachment]:
    return [
        Attachment(
            org_id=email.org_id,
            email_id=email.id,
            position=position,
            filename=file.filename,
            content_type=file.type,
            content_id=file.content_id,
            size=len(file.content),
            data=file.content,
        )
        for position, file in enumerate(outgoing.resolved.data.attachments or ())
    ]


def _rows(outgoing: _Outgoing, email: EmailRow) -> list[NewRow]:
    link = outgoing.resolved.reader_link
    variables = {} if link is None else {READER_LINK: link.path}
    return [
        NewRow(
            id=email.id if position == 0 else uuid7(),
            org_id=email.org_id,
            kind=MailKind.TRANSACTIONAL,
            content_id=email.content_id,
            to_email=address.email,
            recipient_type=kind,
            message_id=email.message_id,
            email_id=email.id,
            account_id=email.account_id,
            from_email=outgoing.resolved.data.from_.email,
            due_at=email.scheduled_at,
            error=reason_for(variables, outgoing.refused.get(address.email)),
            variables=variables,
        )
        for position, (kind, address) in enumerate(outgoing.recipients)
    ]
