"""A compose's account, content and recipients with their variables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp.addresses import Address
from webapp.domain.contacts.contacts import contacts_named, merge_values
from webapp.domain.emails.choose_account import account_named
from webapp.domain.emails.compose.inputs import NewCompose
from webapp.domain.merge_tags.budget import Budget, run_in_render_pool
from webapp.domain.merge_tags.rendering import MergeSource, check_missing, fill_in
from webapp.domain.templates.templates import ContentSource, source_of, template_named
from webapp.errors import ValidationError
from webapp.models import Account, Contact, Content, Organization
from webapp.models.contact import ContactStatus

UNSUBSCRIBED = "the contact is unsubscribed"


@dataclass(frozen=True)
class ComposeRecipient:
    """A recipient of a compose and the id of its row; `refusal` is the reason why there is no mail for it."""

    email: str
    variables: Mapping[str, Any]
    contact_id: UUID | None = None
    refusal: str | None = None
    row_id: UUID = field(default_factory=uuid7)


@dataclass(frozen=True)
class ComposeDraft:
    """A compose's parts; each merge tag has a value for each recipient."""

    account: Account
    sender: Address
    content: Content
    recipients: Sequence[ComposeRecipient]

    @property
    def deliverable(self) -> list[ComposeRecipient]:
        return [one for one in self.recipients if one.refusal is None]


async def resolve(org: Organization, data: NewCompose) -> ComposeDraft:
    """Loads the parts of a compose, in the organization.

    Raises NotFound, and ValidationError for an account without an address, a template without subject or body, and
    merge tags without a value, which it lists.
    """
    account = await account_named(org, data.account_key)
    sender = _sender(account)
    source = await _source(org, data)
    draft = ComposeDraft(account, sender, source.content(org.id), await _recipients(org, data))
    if draft.content.is_template and draft.deliverable:
        await run_in_render_pool(org.id, _check_tags, source, [one.variables for one in draft.deliverable])
    return draft


def _sender(account: Account) -> Address:
    if account.from_email is None:
        raise ValidationError.of("account_key", f"account_key names an account without a from address: {account.name}")
    return Address(account.from_name or "", account.from_email)


async def _source(org: Organization, data: NewCompose) -> ContentSource:
    if data.template_id is not None:
        return source_of(await template_named(org, data.template_id))
    subject, body = data.subject or "", data.body or ""
    return ContentSource(MergeSource("subject", "subject", subject), MergeSource("body", "body", body))


async def _recipients(org: Organization, data: NewCompose) -> list[ComposeRecipient]:
    given = data.variables or {}
    if data.recipients.contact_ids is not None:
        return [_contact(contact, given) for contact in await contacts_named(org, data.recipients.contact_ids)]
    first: dict[str, str] = {}
    for email in data.recipients.emails or ():
        first.setdefault(email.lower(), email)
    return [ComposeRecipient(email, given) for email in first.values()]


def _contact(contact: Contact, given: Mapping[str, Any]) -> ComposeRecipient:
    """A contact as a recipient; the request's variables override the contact's."""
    refusal = UNSUBSCRIBED if contact.status == ContactStatus.UNSUBSCRIBED else None
    return ComposeRecipient(contact.email, {**merge_values(contact), **given}, contact.id, refusal)


def _check_tags(source: ContentSource, given: Sequence[Mapping[str, Any]]) -> None:
    """Raises ValidationError for a tag without a value for some recipient, and for content that cannot be rendered."""
    budget = Budget()
    check_missing("variables", source, given, budget)
    fill_in(source.subject, source.body, given[0], budget)
