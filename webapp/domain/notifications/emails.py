"""Texts of emails to members, in the organization's language; a writer returns None if its event is outdated.

Reasons and errors stay English, as servers and the log have them.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import UTC
from urllib.parse import urlsplit
from uuid import UUID

from webapp import clock
from webapp.config import settings
from webapp.domain.accounts.credentials import sign_in_finding
from webapp.domain.audit.audit import AuditAction
from webapp.domain.auth.system_email import SystemEmail
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.runs import with_counts
from webapp.domain.templates.brand import member_translator
from webapp.languages import Translator
from webapp.logs import hide_secrets
from webapp.models import Account, AuditEntry, Campaign, CampaignRun, Membership, SignUpForm, Webhook
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
    t = await member_translator(member.org)
    totals, sent = await _totals(t, run)
    return _email(
        t,
        member,
        t.plain("team_mail.sent_subject", title=campaign.title, count=t.number(sent)),
        (t.plain("team_mail.finished", title=campaign.title), totals),
        f"campaigns/{campaign.id}",
        "team_mail.view_campaign",
    )


async def write_halted(member: Membership, campaign_id: UUID) -> SystemEmail | None:
    campaign = await Campaign.of(member.org).get_or_none(id=campaign_id, status=CampaignStatus.HALTED)
    if campaign is None or campaign.halted_reason == stop.stopped_by(member.user):
        return None  # who paused it knows
    t = await member_translator(member.org)
    paragraphs = [t.plain("team_mail.paused", title=campaign.title)]
    if campaign.halted_reason:
        reason = stop.paused_because(campaign.halted_reason).removeprefix("paused: ")
        paragraphs[0] += "\n" + t.plain("team_mail.reason", reason=reason)
    run = await stop.halted_run(member.org, campaign)
    if run is not None and run.halted_reason == campaign.halted_reason:
        paragraphs.append((await _totals(t, run))[0])
    paragraphs.append(t.plain("team_mail.paused_next"))
    subject = t.plain("team_mail.paused_subject", title=campaign.title)
    return _email(t, member, subject, paragraphs, f"campaigns/{campaign.id}", "team_mail.view_campaign")


async def write_account(member: Membership, account_id: UUID) -> SystemEmail | None:
    account = await Account.of(member.org).get_or_none(id=account_id)
    if account is None:
        return None
    t = await member_translator(member.org)
    if not (account.status == AccountStatus.ERROR or account.is_failing):
        return _write_ending(t, member, account)
    trouble = "team_mail.cant_connect" if account.is_failing else "team_mail.cant_send"
    subject = t.plain(f"{trouble}_subject", name=account.name)
    name = f"{account.name} ({account.from_email})" if account.from_email else account.name
    error = " ".join((account.last_error or "its server does not accept it").split()).removesuffix(".")
    rest = f"{t.plain('team_mail.waits')} {_remedy(t, account)}"
    paragraphs = (t.plain(trouble, name=name, error=error), rest)
    return _email(t, member, subject, paragraphs, f"accounts/{account.id}", "team_mail.view_account")


async def write_webhook(member: Membership, webhook_id: UUID) -> SystemEmail | None:
    webhook = await Webhook.of(member.org).get_or_none(id=webhook_id, status=WebhookStatus.DISABLED)
    if webhook is None or webhook.disabled_reason is None:
        return None
    t = await member_translator(member.org)
    what = t.plain("team_mail.webhook", url=hide_secrets(webhook.url), reason=webhook.disabled_reason)
    return _email(
        t,
        member,
        t.plain("team_mail.webhook_subject", host=urlsplit(webhook.url).netloc),
        (what, t.plain("team_mail.webhook_next")),
        f"webhooks/{webhook.id}",
        "team_mail.view_webhook",
    )


async def write_form(member: Membership, form_id: UUID) -> SystemEmail | None:
    form = await SignUpForm.of(member.org).get_or_none(id=form_id, closed_until__gt=clock.now())
    if form is None:
        return None
    t = await member_translator(member.org)
    what = f"{t.plain('team_mail.form', name=form.name)} {t.plain('team_mail.form_guarded')}"
    subject = t.plain("team_mail.form_subject", name=form.name)
    paragraphs = (what, t.plain("team_mail.form_next"))
    return _email(t, member, subject, paragraphs, f"forms/{form.id}/edit", "team_mail.view_form")


async def write_erased(member: Membership, contact_id: UUID) -> SystemEmail | None:
    """Names neither the person nor their address."""
    entry = await AuditEntry.of(member.org).filter(action=AuditAction.CONTACT_ERASED, target_id=contact_id).first()
    if entry is None:
        return None
    t, at = await member_translator(member.org), entry.created_at.astimezone(UTC)
    what = t.plain("team_mail.erased", date=t.date(at.date()), time=f"{at:%H:%M}", network=entry.address)
    subject, paragraphs = t.plain("team_mail.erased_subject"), (what, t.plain("team_mail.erased_next"))
    return _email(t, member, subject, paragraphs, "audit", "team_mail.view_audit")


def _write_ending(t: Translator, member: Membership, account: Account) -> SystemEmail | None:
    at = account.oauth_expires_at
    if at is None or sign_in_finding(account) is None:
        return None
    sentences = [t.plain("team_mail.ending", name=account.name, date=t.date(at.date()), time=f"{at:%H:%M}")]
    if account.provider_type == ProviderType.GOOGLE:
        sentences.append(t.plain("team_mail.ending_testing"))
    sentences.append(t.plain("team_mail.reconnect_account"))
    subject = t.plain("team_mail.ending_subject", name=account.name)
    return _email(t, member, subject, [" ".join(sentences)], f"accounts/{account.id}", "team_mail.view_account")


def _remedy(t: Translator, account: Account) -> str:
    if account.is_failing:
        return t.plain("team_mail.keeps_trying")
    if account.provider_type == ProviderType.GOOGLE:
        return t.plain("team_mail.reconnect", provider="Google")
    if account.oauth_provider == OAuthProvider.MICROSOFT:
        return t.plain("team_mail.reconnect", provider="Microsoft")
    return t.plain("team_mail.correct_settings")


async def _totals(t: Translator, run: CampaignRun) -> tuple[str, int]:
    counts = (await with_counts([run]))[0].counts
    unsent = sum(counts.values()) + run.expected - counts[SENT] - counts[FAILED]
    lines = {"sent": counts[SENT], "failed": counts[FAILED], "unsent": unsent}
    words = (t.plain(f"team_mail.{name}", count=t.number(count)) for name, count in lines.items())
    return "\n".join(words), counts[SENT]


def _email(
    t: Translator, member: Membership, subject: str, paragraphs: Iterable[str], path: str, label: str
) -> SystemEmail:
    base_url = settings().base_url
    return SystemEmail(
        to=member.user.email,
        subject=subject,
        before="\n\n".join(paragraphs),
        link=f"{base_url}/{path}",
        label=t.plain(label),
        after=t.plain("team_mail.after", name=member.org.name),
        settings_link=f"{base_url}/security#notifications",
        language=t.language,
    )


Writer = Callable[[Membership, UUID], Awaitable[SystemEmail | None]]
WRITERS: Mapping[NotificationKind, Writer] = {
    NotificationKind.FINISHED: write_finished,
    NotificationKind.HALTED: write_halted,
    NotificationKind.ACCOUNT: write_account,
    NotificationKind.WEBHOOK: write_webhook,
    NotificationKind.FORM: write_form,
    NotificationKind.ERASED: write_erased,
}
