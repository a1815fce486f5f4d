"""Test emails of accounts, templates and campaigns, at most 20 an hour per organization."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import Field

from webapp import clock, db
from webapp.addresses import Address
from webapp.domain.accounts.selection import campaign_accounts, can_carry, can_send_campaigns, has_domain
from webapp.domain.campaigns.content import campaign_content
from webapp.domain.campaigns.inputs import NewTest
from webapp.domain.campaigns.preview import first_member_values
from webapp.domain.emails.accept import accept_email
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.resolve_content import resolve_email
from webapp.domain.inputs import SUBJECT_LENGTH, EmailAddress, Input, read_input
from webapp.domain.media.attachments import freeze_attachments, read_attachment
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.rendering import render_strict
from webapp.domain.templates.preview import sample_values
from webapp.domain.templates.templates import source_of, template_named
from webapp.errors import NotFound, RateLimitExceeded, ValidationError
from webapp.models import Account, Campaign, Content, ContentFile, Organization, Template, User, usage
from webapp.models.account import AccountStatus
from webapp.models.queries.contacts.suppressed import reasons_against

TESTS_AN_HOUR = 20
PREFIX = "[Test] "  # of the subjects of templates and campaigns
HOUR, MINUTE = 3600, 60  # seconds


class NewAccountTest(Input):
    to: EmailAddress = Field(description="The address to send to.")


class SentTest(NamedTuple):
    row_id: UUID
    to: str
    is_in_sandbox: bool

    @property
    def text(self) -> str:
        where = "the sandbox only; nobody receives it" if self.is_in_sandbox else self.to
        return f"Test sent to {where}."


async def send_account_test(org: Organization, account: Account, data: NewAccountTest) -> SentTest:
    """Raises ValidationError for a suppressed address, RateLimitExceeded, PlanLimitExceeded."""
    at = clock.now().astimezone(ZoneInfo(org.timezone)).strftime("%-d %B %Y, %H:%M")
    words = f"If you're reading this, your account {account.name} in {org.name} works. Sent on {at} ({org.timezone})."
    content = Content(org_id=org.id, subject=f"Test from {account.name}", html=None, text=words)
    return await _queue(org, content, account, data.to, {})


async def send_template_test(org: Organization, template: Template, person: User, sample: str = "") -> SentTest:
    """Raises ValidationError, RateLimitExceeded after TESTS_AN_HOUR, PlanLimitExceeded."""
    if not template.subject.strip() or not template.body.strip():
        raise ValidationError("An email needs a subject and a body.")
    values = await sample_values(org, sample, template.variables)
    account = _first_able(await campaign_accounts(org, None))
    return await _queue(org, source_of(template).content(org.id), account, person.email, values, PREFIX)


async def send_campaign_test(
    org: Organization, campaign: Campaign, data: NewTest, *, is_for_new: bool = False
) -> SentTest:
    """Renders for the first recipient, or with `is_for_new` for one whom the campaign has not reached.

    Raises NotFound, and like `send_template_test`.
    """
    if campaign.template_id is None:
        raise ValidationError.at("template_id", "is required to send")
    template = await template_named(org, campaign.template_id)
    content = campaign_content(campaign, template)
    files = await freeze_attachments(org, content, campaign.media_ids)
    attached = sum(file.size for file in files)
    account = await Account.of(org).get_or_none(id=data.account_id) if data.account_id else None
    if data.account_id is None:
        account = _first_able(await campaign_accounts(org, campaign.named_accounts, campaign.from_email, attached))
    elif account is None:
        raise NotFound("account_id: account not found")
    elif (
        account.status == AccountStatus.PAUSED
        or not can_send_campaigns(account)
        or not can_carry(account, attached)
        or (content.from_email is not None and not has_domain(account, content.from_email))
    ):
        raise ValidationError.about("account_id", f"{account.name} can't send this")
    values = await first_member_values(org, campaign, template, is_for_new=is_for_new)
    return await _queue(org, content, account, data.to, values, PREFIX, files)


def _first_able(accounts: list[Account]) -> Account:
    active = [account for account in accounts if account.status == AccountStatus.ACTIVE]
    return min(active, key=lambda account: account.is_failing)


async def _attachment(file: ContentFile) -> dict[str, Any]:
    try:
        attached = await read_attachment(file)
    except ValueError as error:
        raise ValidationError.about("media_ids", str(error)) from None
    return {"filename": attached.filename, "content_type": attached.content_type, "content": attached.data}


async def _queue(
    org: Organization,
    content: Content,
    account: Account,
    to: str,
    values: Mapping[str, Any],
    prefix: str = "",
    files: Sequence[ContentFile] = (),
) -> SentTest:
    for reason in (await reasons_against(org.id, [to])).values():  # else it would seem to have been sent
        raise ValidationError.at("to", f"gets no email: {to} is {reason}")

    attachments = [await _attachment(file) for file in files]

    def render() -> NewEmail:
        try:
            mail = render_strict(content, values)
        except ValueError as error:
            raise ValidationError.about("template_id", f"the template {error}") from None
        sender = Address(content.from_name or account.from_name or "", content.from_email or account.from_email or "")
        fields = {"from": sender, "to": [to], "account_key": account.account_key, **mail._asdict()}
        if attachments:
            fields["attachments"] = attachments
        if content.reply_to is not None:
            fields["reply_to"] = [content.reply_to]
        email = read_input(NewEmail, fields, strict=True)
        return email.model_copy(update={"subject": f"{prefix}{email.subject}"[:SUBJECT_LENGTH]})

    email = await run_in_render_pool(org.id, render)
    async with db.write_transaction():
        now = clock.now()
        if not await usage.increment_within_hour(org.id, "campaign_tests", TESTS_AN_HOUR, now):
            raise RateLimitExceeded(
                f"Limit of {TESTS_AN_HOUR} test emails per hour reached. Try again later",
                HOUR - now.minute * MINUTE - now.second,
            )
        row_id = await accept_email(org, await resolve_email(org, email))
    return SentTest(row_id, to, account.is_sandbox)
