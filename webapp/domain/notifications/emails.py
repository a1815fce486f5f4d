"""Texts of emails to members; a writer returns None if its event is outdated."""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit
from uuid import UUID

from webapp import clock
from webapp.config import settings
from webapp.domain.accounts.credentials import sign_in_finding
from webapp.domain.auth.system_email import SystemEmail
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.runs import with_counts
from webapp.logs import hide_secrets
from webapp.models import Account, Campaign, CampaignRun, Membership, SignUpForm, Webhook
from webapp.models.account import AccountStatus, OAuthProvider, ProviderType
from webapp.models.campaign import CampaignStatus
from webapp.models.event import WebhookStatus
from webapp.models.mail_log import FAILED, SENT
from webapp.models.notification import NotificationKind


async def write_finished(member: Membership, run_id: UUID) -> SystemEmail | None:
    run = await CampaignRun.of(member.org).get_or_none(id=run_id)
    campaign = None if run is None else await Campaign.of(member.org).get_or_none(id=run.campaign_id)
    if run is None or campaign is None:
        return None
    totals, sent = await _totals(run)
    contacts = f"{sent:,} contact{'' if sent == 1 else 's'}"
    return _email(
        member,
        f"“{campaign.title}” was sent to {contacts}",
        f"The campaign “{campaign.title}” has finished.\n\n{totals}",
        f"campaigns/{campaign.id}",
        "View campaign",
    )


async def write_halted(member: Membership, campaign_id: UUID) -> SystemEmail | None:
    campaign = await Campaign.of(member.org).get_or_none(id=campaign_id, status=CampaignStatus.HALTED)
    if campaign is None or campaign.halted_reason == stop.stopped_by(member.user):
        return None  # who paused it knows
    paragraphs = [f"The campaign “{campaign.title}” was {stop.paused_because(campaign.halted_reason)}."]
    run = await stop.halted_run(member.org, campaign)
    if run is not None and run.halted_reason == campaign.halted_reason:
        paragraphs.append((await _totals(run))[0])
    paragraphs.append("Nothing more of it is sent until someone resumes it on its page:")
    return _email(
        member, f"“{campaign.title}” was paused", "\n\n".join(paragraphs), f"campaigns/{campaign.id}", "View campaign"
    )


async def write_account(member: Membership, account_id: UUID) -> SystemEmail | None:
    account = await Account.of(member.org).get_or_none(id=account_id)
    if account is None:
        return None
    if not (account.status == AccountStatus.ERROR or account.is_failing):
        return _write_ending(member, account)
    name = f"“{account.name}”" + (f" ({account.from_email})" if account.from_email else "")
    trouble = "can't connect" if account.is_failing else "can't send"
    error = " ".join((account.last_error or "its server does not accept it").split()).removesuffix(".")
    return _email(
        member,
        f"The account “{account.name}” {trouble}",
        f"The account {name} {trouble}: {error}.\n\nIts email waits until it works again. {_remedy(account)}",
        f"accounts/{account.id}",
        "View account",
    )


async def write_webhook(member: Membership, webhook_id: UUID) -> SystemEmail | None:
    webhook = await Webhook.of(member.org).get_or_none(id=webhook_id, status=WebhookStatus.DISABLED)
    if webhook is None or webhook.disabled_reason is None:
        return None
    host = urlsplit(webhook.url).netloc
    return _email(
        member,
        f"The webhook to {host} was disabled",
        f"The webhook {hide_secrets(webhook.url)} was disabled: {webhook.disabled_reason}.\n\n"
        "Fix the endpoint, enable the webhook on its page, then replay what failed:",
        f"webhooks/{webhook.id}",
        "View webhook",
    )


async def write_form(member: Membership, form_id: UUID) -> SystemEmail | None:
    form = await SignUpForm.of(member.org).get_or_none(id=form_id, closed_until__gt=clock.now())
    if form is None:
        return None
    return _email(
        member,
        f"Bots sign up by the form “{form.name}”",
        f"The form “{form.name}” had at least five times as many sign-ups in the last hour as usual, and hardly anyone "
        "confirmed. For an hour its page asks browsers for a proof of work, which people don't notice, and few "
        "sign-ups without one are mailed.\n\n"
        "If it's on another site, look for what leads there. The figures are on its page:",
        f"forms/{form.id}/edit",
        "View form",
    )


def _write_ending(member: Membership, account: Account) -> SystemEmail | None:
    finding = sign_in_finding(account)
    if account.oauth_expires_at is None or finding is None:
        return None
    return _email(
        member,
        f"The sign-in of “{account.name}” ends soon",
        f"The account “{account.name}” stops sending soon. {finding}",
        f"accounts/{account.id}",
        "View account",
    )


def _remedy(account: Account) -> str:
    if account.is_failing:
        return "Pennypost keeps trying; if its server has changed, correct the settings on its page:"
    if account.provider_type == ProviderType.GOOGLE:
        return "Reconnect Google on its page:"
    if account.oauth_provider == OAuthProvider.MICROSOFT:
        return "Reconnect Microsoft on its page:"
    return "Correct its settings, or test its login, on its page:"


async def _totals(run: CampaignRun) -> tuple[str, int]:
    counts = (await with_counts([run]))[0].counts
    unsent = sum(counts.values()) + run.expected - counts[SENT] - counts[FAILED]
    lines = {"Sent": counts[SENT], "Failed": counts[FAILED], "Not sent": unsent}
    return "\n".join(f"{name}: {count:,}" for name, count in lines.items()), counts[SENT]


def _email(member: Membership, subject: str, before: str, path: str, label: str) -> SystemEmail:
    base_url = settings().base_url
    return SystemEmail(
        to=member.user.email,
        subject=subject,
        before=before,
        link=f"{base_url}/{path}",
        label=label,
        after=f"You get this email as a member of {member.org.name}. Choose which emails you get:",
        settings_link=f"{base_url}/security#notifications",
    )


Writer = Callable[[Membership, UUID], Awaitable[SystemEmail | None]]
WRITERS: Mapping[NotificationKind, Writer] = {
    NotificationKind.FINISHED: write_finished,
    NotificationKind.HALTED: write_halted,
    NotificationKind.ACCOUNT: write_account,
    NotificationKind.WEBHOOK: write_webhook,
    NotificationKind.FORM: write_form,
}
