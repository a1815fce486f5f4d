"""Mail with its outcomes in the response, or withdrawn at a deadline (the specification's "Compose")."""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.addresses import Address
from webapp.batcher import Batcher
from webapp.db.errors import is_outage
from webapp.domain.contacts.contacts import contacts_named, merge_values
from webapp.domain.emails.choose_account import NO_ACCOUNT, account_named
from webapp.domain.emails.compose.inputs import NewCompose
from webapp.domain.instance import workers
from webapp.domain.instance.suspension import require_sending
from webapp.domain.key_scope import current_scope
from webapp.domain.merge_tags.budget import Budget, run_in_render_pool
from webapp.domain.merge_tags.rendering import MergeSource, check_missing, fill_in
from webapp.domain.plans import limits
from webapp.domain.templates.templates import ContentSource, source_of, template_named
from webapp.errors import NotFound, ServiceUnavailable, ValidationError
from webapp.models import Account, Content, Organization
from webapp.models.account import AccountStatus
from webapp.models.contact import ContactStatus
from webapp.models.mail_log import MailKind, RecipientType
from webapp.models.outbox import emails
from webapp.models.outbox.insert import NewRow, add_rows
from webapp.models.queries.contacts.suppressed import reasons_against
from webapp.models.queries.refusals import is_refusal
from webapp.models.usage import Metric
from webapp.queue import Job, enqueue
from webapp.sending.outcomes import DELIVERY_UNKNOWN, within_limit

log = logging.getLogger(__name__)

COMPOSE_SECONDS = 55.0  # from the request until the last body must begin
IN_FLIGHT_SECONDS = 2.0  # after that, for the reply to the last body
ANSWER_SECONDS = 59.0  # the remainder is for saving the last outcomes
STOP_SECONDS = 5.0  # for messages in flight when the app stops; requests have 8
UNSUBSCRIBED = "the contact is unsubscribed"
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.25  # seconds between two queries of the outcomes
ASKED_AT_ONCE = 100  # composes of an organization, each with RECIPIENTS rows


@dataclass(frozen=True)
class ComposeRecipient:
    """`refusal` is why there is no mail for them; suppressed ones have a failed row, unsubscribed ones none."""

    email: str
    variables: Mapping[str, Any]
    contact_id: UUID | None = None
    refusal: str | None = None
    row_id: UUID = field(default_factory=uuid7)


@dataclass(frozen=True)
class ComposeDraft:
    """The parts of a compose; each merge tag has a value for each recipient."""

    account: Account
    sender: Address
    content: Content
    recipients: Sequence[ComposeRecipient]

    @property
    def deliverable(self) -> list[ComposeRecipient]:
        return [recipient for recipient in self.recipients if recipient.refusal is None]

    def outcomes(self, errors: Mapping[UUID, str | None]) -> list[tuple[str, str | None]]:
        return [(recipient.email, recipient.refusal or errors.get(recipient.row_id)) for recipient in self.recipients]


class ComposeService:
    def __init__(
        self, *, seconds: float = COMPOSE_SECONDS, answer_within: float = ANSWER_SECONDS, grace: float = STOP_SECONDS
    ) -> None:
        self._seconds, self._answer_within, self._grace = seconds, answer_within, grace
        self._stopped_at: float | None = None
        # One query for outcomes at a time per organization, and one for the state per account.
        self._outcomes: Batcher[UUID, Collection[UUID], Mapping[UUID, str | None]] = Batcher(
            _outcomes_of, ASKED_AT_ONCE
        )
        self._reasons: Batcher[UUID, Organization, str | None] = Batcher(_reasons_not_sending, limit=10_000)

    def stop(self) -> None:
        self._stopped_at = clock.elapsed()

    async def compose(self, org: Organization, data: NewCompose) -> list[tuple[str, str | None]]:
        """The recipients' addresses with their errors, None if sent; commits.

        Raises NotFound, ValidationError, PlanLimitExceeded while nothing is sent, or ServiceUnavailable.
        """
        began = clock.elapsed()
        deadline = began + self._seconds
        draft = await _resolve(org, data)
        if draft.deliverable:
            await self._require_service()
        await _add_rows(org, draft, deadline - clock.elapsed())
        if not draft.deliverable:
            return draft.outcomes({})
        try:
            async with asyncio.timeout(began + self._answer_within - clock.elapsed()):
                return draft.outcomes(await self._wait_for_outcomes(org, draft, deadline))
        except TimeoutError:
            raise ServiceUnavailable(
                "the results can't be saved right now: don't send it again, check the mail logs later"
            ) from None

    async def _require_service(self) -> None:
        if self._stopped_at is not None:
            raise ServiceUnavailable("the service is shutting down; nothing was sent")
        await require_sending()
        if not await workers.is_worker_alive():
            raise ServiceUnavailable("no worker is running to send it; nothing was sent")

    async def _wait_for_outcomes(
        self, org: Organization, draft: ComposeDraft, deadline: float
    ) -> Mapping[UUID, str | None]:
        """Each row's error, None if sent; keeps waiting while the database is unavailable."""
        ids = [recipient.row_id for recipient in draft.deliverable]
        pause = FIRST_PAUSE
        while True:
            try:
                outcomes = await self._outcomes.ask(org.id, ids)
                if len(outcomes) == len(ids):
                    return outcomes
                await self._withdraw(org, draft, ids, deadline)
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("the outcomes of a compose cannot be read or saved: %s", error)
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)

    async def _withdraw(self, org: Organization, draft: ComposeDraft, ids: Collection[UUID], deadline: float) -> None:
        """Fails rows that can no longer be sent, and at the end those in flight, which may have arrived."""
        now, end = clock.elapsed(), deadline + IN_FLIGHT_SECONDS
        reason: str | None
        unanswered = f"no response within {self._seconds:g} seconds"
        if self._stopped_at is not None:
            end, reason = min(end, self._stopped_at + self._grace), "the service shut down before it was sent"
            unanswered = "no response before the service shut down"
        elif now >= deadline:
            reason = emails.EXPIRED
        else:
            reason = await self._reasons.ask(draft.account.id, org)
        if reason is not None:
            await emails.withdraw(ids, reason)
        if now >= end:
            await emails.fail_in_flight(ids, DELIVERY_UNKNOWN + unanswered)


async def _resolve(org: Organization, data: NewCompose) -> ComposeDraft:
    """Raises NotFound, and ValidationError for an account without an address or tags without a value."""
    account = await account_named(org, data.account_key)
    if account.from_email is None:
        raise ValidationError.about("account_key", f"{account.name} has no From address")
    current_scope().require_sender(account.from_email)
    sender = Address(account.from_name or "", account.from_email)
    if data.template_id is not None:
        source = source_of(await template_named(org, data.template_id))
    else:
        subject, body = data.subject or "", data.body or ""
        source = ContentSource(MergeSource("subject", "subject", subject), MergeSource("body", "body", body))
    recipients = await _recipients(org, data)
    reasons = await reasons_against(org.id, {recipient.email for recipient in recipients})
    recipients = [replace(item, refusal=item.refusal or reasons.get(item.email)) for item in recipients]
    draft = ComposeDraft(account, sender, source.content(org.id), recipients)
    if draft.content.is_template and draft.deliverable:
        await run_in_render_pool(org.id, _check_tags, source, [recipient.variables for recipient in draft.deliverable])
    return draft


async def _recipients(org: Organization, data: NewCompose) -> list[ComposeRecipient]:
    variables = data.variables or {}
    if data.recipients.contact_ids is None:
        first: dict[str, str] = {}
        for email in data.recipients.emails or ():
            first.setdefault(email.lower(), email)
        return [ComposeRecipient(email, variables) for email in first.values()]
    recipients = []
    for contact in await contacts_named(org, data.recipients.contact_ids):
        refusal = UNSUBSCRIBED if contact.status == ContactStatus.UNSUBSCRIBED else None
        recipients.append(ComposeRecipient(contact.email, {**merge_values(contact), **variables}, contact.id, refusal))
    return recipients


def _check_tags(source: ContentSource, variables: Sequence[Mapping[str, Any]]) -> None:
    """Raises ValidationError for tags without a value, and content that cannot be rendered."""
    budget = Budget()
    check_missing("variables", source, variables, budget)
    fill_in(source.subject, source.body, variables[0], budget)


async def _outcomes_of(_: UUID, asked: Sequence[Collection[UUID]]) -> list[Mapping[UUID, str | None]]:
    outcomes = await emails.final_outcomes([row_id for ids in asked for row_id in ids])
    return [{row_id: outcomes[row_id] for row_id in ids if row_id in outcomes} for ids in asked]


async def _reasons_not_sending(account_id: UUID, asked: Sequence[Organization]) -> list[str | None]:
    account, reason = await Account.of(asked[0]).get_or_none(id=account_id), None
    if account is None:
        reason = "the account was deleted"
    elif account.status == AccountStatus.PAUSED:
        reason = "the account is paused"
    elif account.rest_until is not None and account.rest_until > clock.now():
        error = account.last_error
        on_hold = "the account is temporarily on hold after an error: "
        reason = within_limit(error, on_hold) if error else "the account could not send it"
    return [reason] * len(asked)


async def _add_rows(org: Organization, draft: ComposeDraft, seconds: float) -> None:
    """Inserts rows that expire after `seconds`; locks the account; commits. Raises PlanLimitExceeded, NotFound."""
    account = draft.account
    recipients = [item for item in draft.recipients if item.refusal is None or is_refusal(item.refusal)]
    if not recipients:
        return
    async with db.write_transaction():
        if await account.lock_against_deletion() is None:
            raise NotFound(NO_ACCOUNT)
        if draft.deliverable and not account.is_sandbox:
            await limits.consume(org, Metric.EMAILS, len(draft.deliverable))
        await draft.content.save(force_create=True)
        due_at = await emails.compose_due_at(seconds)
        await add_rows([_row(draft, recipient, due_at) for recipient in recipients])
        enqueue(Job.WAKE, account.id)


def _row(draft: ComposeDraft, recipient: ComposeRecipient, due_at: datetime) -> NewRow:
    return NewRow(
        id=recipient.row_id,
        org_id=draft.content.org_id,
        kind=MailKind.COMPOSE,
        content_id=draft.content.id,
        to_email=recipient.email,
        recipient_type=RecipientType.TO,
        message_id=f"<{recipient.row_id.hex}@{draft.sender.domain}>",
        account_id=draft.account.id,
        contact_id=recipient.contact_id,
        from_email=draft.sender.email,
        due_at=due_at,
        error=recipient.refusal,
        variables=dict(recipient.variables) if draft.content.is_template else {},
    )
