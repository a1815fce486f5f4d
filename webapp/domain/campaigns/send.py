"""Sends a campaign to its counted audience by creating a run."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.domain.accounts.selection import campaign_accounts, check_allowed, check_exist
from webapp.domain.audit.audit import AuditAction, record_on
from webapp.domain.campaigns import run_rows
from webapp.domain.campaigns.content import campaign_content
from webapp.domain.campaigns.inputs import NewSend
from webapp.domain.campaigns.runs import Audience, RunView, count_retry, wake_accounts, with_counts
from webapp.domain.campaigns.scheduling import schedule_campaign, validate_schedule
from webapp.domain.campaigns.scope import bind_campaign
from webapp.domain.campaigns.tracked_links import track, tracking_of
from webapp.domain.contacts.contacts import check_wants_mail, reason_against_run
from webapp.domain.event_log import record_campaign
from webapp.domain.media.attachments import freeze_attachments
from webapp.domain.plans import limits
from webapp.domain.suppressions.suppressions import check_not_suppressed
from webapp.errors import Conflict, FieldError, ValidationError
from webapp.models import (
    Account,
    Campaign,
    CampaignRun,
    CampaignRunAccount,
    Contact,
    Content,
    ContentFile,
    MailLog,
    Organization,
    Template,
    TrackedLink,
)
from webapp.models.campaign import CampaignStatus, ScheduleType
from webapp.models.campaign_run import RETRIES_ROW, RunTrigger
from webapp.models.event import EventType
from webapp.models.mail_log import FAILED
from webapp.models.outbox.wishes import Asked, read_wishes
from webapp.models.usage import Metric

NOBODY_LEFT = (
    "none of the failed recipients can be retried: they bounced, unsubscribed, are paused, opted out of the topic, are "
    "suppressed, were retried or got a newer run's email"
)
REACHED_SINCE = "a newer run of the campaign already reached this recipient"
EXCLUDED = "everyone who could be retried is in a segment that the campaign excludes"


async def send_campaign(
    org: Organization, campaign: Campaign, data: NewSend, audience: Audience, trigger: RunTrigger = RunTrigger.API
) -> int:
    """Returns the number of recipients; locks the campaign.

    Raises NotFound, ValidationError, Conflict, PlanLimitExceeded, OutsideScope.
    """
    async with db.write_transaction():
        await campaign.lock()
        if data.sender_account_ids is not None:
            await check_exist(org, data.sender_account_ids)
            await check_allowed(org, data.sender_account_ids)
            campaign.sender_account_ids = list(dict.fromkeys(map(str, data.sender_account_ids)))
        _check_content(campaign)
        if data.send_now:
            queued = await _start(org, campaign, audience, data.sender_account_ids, trigger)
            if queued and campaign.schedule_type == ScheduleType.SCHEDULED_ONCE:
                campaign.anchor_at = campaign.next_run_at = None
            if queued:
                await record_on(campaign, AuditAction.CAMPAIGN_SENT, contacts=queued)
        else:
            queued, is_armed = 0, campaign.next_run_at is not None
            if data.audience == "new":
                raise ValidationError.at("audience", "new can't be combined with send_now false")
            if campaign.schedule_type == ScheduleType.MANUAL:
                raise ValidationError.at("send_now", "can't be false: this campaign has no schedule")
            if not is_armed:
                validate_schedule(campaign)
            _check_idle(campaign)
            if not is_armed:
                await schedule_campaign(org, campaign)
            await bind_campaign(org, campaign, is_arming=not is_armed)
        await campaign.save()
    return queued


def _check_content(campaign: Campaign) -> None:
    missing = [name for name in ("segment_id", "template_id") if getattr(campaign, name) is None]
    if missing:
        raise ValidationError(details=[FieldError.at(name, "is required to send") for name in missing])


def _check_idle(campaign: Campaign) -> None:
    if campaign.status == CampaignStatus.SENDING:
        raise Conflict("this campaign is already sending")
    if campaign.status == CampaignStatus.HALTED:
        raise Conflict("this campaign is halted; resume it first")


async def start_scheduled(org: Organization, campaign: Campaign, audience: Audience, due_at: datetime) -> int:
    """Starts an occurrence once; the caller locks and saves. Raises ValidationError, Conflict, PlanLimitExceeded."""
    key = f"sched:{due_at.isoformat()}"
    if await CampaignRun.of(org).filter(campaign_id=campaign.id, trigger_key=key).exists():
        return 0
    _check_content(campaign)
    _check_idle(campaign)
    return await _start(org, campaign, audience, campaign.named_accounts, RunTrigger.SCHEDULE, key)


async def _start(
    org: Organization,
    campaign: Campaign,
    audience: Audience,
    account_ids: Sequence[UUID] | None,
    trigger: RunTrigger,
    key: str = "",
) -> int:
    content = campaign_content(campaign, await Template.of(org).get(id=campaign.template_id))
    files = await freeze_attachments(org, content, campaign.media_ids)
    accounts = await campaign_accounts(org, account_ids, campaign.from_email, sum(file.size for file in files))
    _check_idle(campaign)
    run = audience.current_run(campaign)
    if not run.expected:
        return 0
    run.trigger, run.trigger_key, run.tracking = trigger, key or str(content.id), tracking_of(org, campaign)
    links = track(content, run.tracking)
    await content.save(force_create=True)
    await TrackedLink.insert_many(links)
    await ContentFile.bulk_create(files)
    return await _begin_run(org, campaign, run, content, accounts)


async def _begin_run(
    org: Organization, campaign: Campaign, run: CampaignRun, content: Content, accounts: Sequence[Account]
) -> int:
    """Saves an unsaved run and creates its first rows; returns the number of its recipients."""
    recipients = run.expected
    run.id, run.content_id, run.sender_email = uuid7(), content.id, content.from_email  # a new id, to sort by its start
    run.from_email = run.sender_email or accounts[0].from_email
    run.is_counted = not all(account.is_sandbox for account in accounts)
    if run.is_counted:
        await limits.consume(org, Metric.EMAILS, recipients)
    await run.save(force_create=True)
    await CampaignRunAccount.bulk_create(
        [CampaignRunAccount(run_id=run.id, account_id=account.id) for account in accounts]
    )
    await run_rows.create_first_rows(org, run)
    await wake_accounts(run)
    campaign.set_status(CampaignStatus.SENDING)
    campaign.last_run_at = run.started_at
    await record_campaign(EventType.CAMPAIGN_STARTED, campaign, run.id)
    return recipients


async def _accounts_of_run(org: Organization, campaign: Campaign, run: CampaignRun) -> list[Account]:
    """The run's accounts that can send, or its campaign's if they were all deleted. Raises Conflict."""
    pulling: Any = await CampaignRunAccount.filter(run_id=run.id).values_list("account_id", flat=True)
    is_any_left = await Account.of(org).filter(id__in=pulling).exists()
    sizes: Any = await ContentFile.of(org).filter(content_id=run.content_id).values_list("size", flat=True)
    try:
        ids = pulling if is_any_left else campaign.named_accounts
        return await campaign_accounts(org, ids, run.sender_email, sum(sizes))
    except ValidationError:  # a retry has no request body to blame
        raise Conflict("none of this run's accounts can send right now") from None


async def retry_run(org: Organization, failed_in: CampaignRun) -> RunView:
    """Sends again to those whom a run failed to reach; locks the campaign. Raises Conflict, PlanLimitExceeded."""
    campaign, key = await Campaign.one_of(org, failed_in.campaign_id), failed_in.retry_key
    audience = await count_retry(org, campaign, failed_in, key)
    async with db.write_transaction():
        await campaign.lock()
        _check_idle(campaign)
        if await CampaignRun.of(org).filter(campaign_id=campaign.id, trigger_key=key).exists():
            raise Conflict("this run was already retried; retry the newer run instead")
        run = await _retry(org, campaign, audience, failed_in, key)
    (retried,) = await with_counts([run])
    return retried


async def retry_recipient(org: Organization, row: MailLog) -> CampaignRun:
    """Sends again to one recipient in a run of its own; locks the campaign.

    Raises Conflict (not failed, retried or reached since, unsubscribed, bounced, paused, opted out, suppressed, not
    idle, something deleted), PlanLimitExceeded.
    """
    campaign = await Campaign.of(org).get_or_none(id=row.campaign_id)
    failed_in = await CampaignRun.of(org).get_or_none(id=row.campaign_run_id)
    contact = await Contact.of(org).get_or_none(id=row.contact_id)
    if row.status != FAILED:
        raise Conflict("only failed emails can be retried")
    if campaign is None or failed_in is None or contact is None:
        raise Conflict("its campaign or contact was deleted")
    key = f"{RETRIES_ROW}{row.id}"
    audience = await count_retry(org, campaign, failed_in, key)
    async with db.write_transaction():
        await campaign.lock()
        _check_idle(campaign)
        keys = [key, failed_in.retry_key]
        if await CampaignRun.of(org).filter(campaign_id=campaign.id, trigger_key__in=keys).exists():
            raise Conflict("this email was already retried")
        check_wants_mail(contact)
        wishes = await read_wishes([Asked(row.id, org.id, contact.id, failed_in.topic_id)])
        if row.id in wishes and (reason := reason_against_run(wishes[row.id])) is not None:
            raise Conflict(f"{contact.email}: {reason}")
        await check_not_suppressed(org, contact.email)
        return await _retry(org, campaign, audience, failed_in, key)


async def _retry(
    org: Organization, campaign: Campaign, audience: Audience, failed_in: CampaignRun, key: str
) -> CampaignRun:
    """Starts a run for the failed recipients of an earlier one and saves the locked campaign. Raises Conflict."""
    accounts = await _accounts_of_run(org, campaign, failed_in)
    content = await Content.of(org).get_or_none(id=failed_in.content_id)
    if content is None:
        raise Conflict("the content of this run is no longer stored")
    run = audience.current_run(campaign)
    run.trigger, run.trigger_key, run.tracking = RunTrigger.RETRY, key, failed_in.tracking
    if run.expected == 0:
        if audience.excluded:
            raise Conflict(EXCLUDED)
        raise Conflict(REACHED_SINCE if run.retried_row_id else NOBODY_LEFT)
    contacts = await _begin_run(org, campaign, run, content, accounts)
    await record_on(campaign, AuditAction.CAMPAIGN_RETRIED, contacts=contacts)
    await campaign.save()
    return run
