"""Test mails of a campaign: what the first member would get, to any address."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from webapp import clock, db
from webapp.addresses import Address
from webapp.domain.campaigns import accounts as campaign_accounts
from webapp.domain.campaigns.inputs import NewTest
from webapp.domain.contacts.contacts import merge_values
from webapp.domain.contacts.unsubscribe import sample_link
from webapp.domain.emails.accept import add_email
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.inputs import read_input
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.merge_tags import names_shown
from webapp.domain.merge_tags.rendering import filled_in
from webapp.domain.templates.content import source_of
from webapp.domain.templates.templates import template_named
from webapp.errors import NotFound, RateLimitExceeded, ValidationError
from webapp.models import Account, Campaign, Contact, Content, Organization, Template
from webapp.models.account import AccountStatus
from webapp.models.queries import hourly_counter

__all__ = ["NewTest", "queue_test", "sample_values", "send_test"]

TESTS_AN_HOUR = 20
HOUR, MINUTE = 3600, 60  # seconds


async def send_test(org: Organization, campaign: Campaign, data: NewTest) -> UUID:
    """Queue one mail with the campaign's content; the id is that of its row.

    Raises ValidationError for what is missing to send, NotFound for an account that is not the organization's,
    RateLimitExceeded after TESTS_AN_HOUR, PlanLimitExceeded.
    """
    if campaign.template_id is None:
        raise ValidationError.of("template_id", "template_id is required to send")
    template = await template_named(org, campaign.template_id)
    content = source_of(template).content(org.id)
    account = await _choose_account(org, campaign, data.account_id)
    return await queue_test(org, content, account, data.to, await sample_values(org, campaign, template))


async def queue_test(org: Organization, content: Content, account: Account, to: str, values: Mapping[str, Any]) -> UUID:
    """Queue one mail with the content filled in, counted among the organization's tests of the hour.

    Raises ValidationError for what no mail can be made of, RateLimitExceeded after TESTS_AN_HOUR, PlanLimitExceeded.
    """
    mail = await run_in_render_pool(org.id, _mail, content, account, to, values)
    async with db.write_transaction():
        await _count(org)
        return await add_email(org, mail)


async def _choose_account(org: Organization, campaign: Campaign, account_id: UUID | None) -> Account:
    if account_id is None:
        accounts = await campaign_accounts.accounts_of(org, campaign)
        return next(account for account in accounts if account.status == AccountStatus.ACTIVE)
    account = await Account.of(org).get_or_none(id=account_id)
    if account is None:
        raise NotFound("account_id names no account of this organization")
    if account.status == AccountStatus.PAUSED or not campaign_accounts.can_send_campaigns(account):
        raise ValidationError.of("account_id", f"account_id names an account that cannot send this: {account.name}")
    return account


async def sample_values(org: Organization, campaign: Campaign, template: Template) -> Mapping[str, Any]:
    """The values of the segment's first member; where there is nobody, each tag shows its default or its name."""
    link = {"unsubscribe_url": sample_link()}
    members = Contact.of(org).filter(memberships__segment_id=campaign.segment_id) if campaign.segment_id else None
    first = await members.order_by("id").first() if members else None
    if first is not None:
        return merge_values(first) | link
    return names_shown(template.variables) | link


def _mail(content: Content, account: Account, to: str, values: Mapping[str, Any]) -> NewEmail:
    """The content filled in, as an email. Raises ValidationError for what no mail can be made of."""
    try:
        mail = filled_in(content, values)
    except ValueError as error:
        raise ValidationError.of("template_id", f"template_id names a template that {error}") from None
    sender = Address(account.from_name or "", account.from_email or "")
    fields = {"from": sender, "to": [to], "account_key": account.account_key, **mail._asdict()}
    return read_input(NewEmail, fields, strict=True)


async def _count(org: Organization) -> None:
    now = clock.now()
    if not await hourly_counter.increment_within(org.id, "campaign_tests", TESTS_AN_HOUR, now):
        wait = HOUR - now.minute * MINUTE - now.second
        raise RateLimitExceeded(f"{TESTS_AN_HOUR} test mails an hour are allowed, and all of this hour are used", wait)
