"""Sending a campaign: a run is made, and a row queued for every contact of its audience."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tortoise.expressions import Subquery
from tortoise.queryset import QuerySet
from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.domain import campaign_accounts, limits
from webapp.domain.arming import arm, check_schedule
from webapp.domain.campaign_audience import wanting
from webapp.domain.contacts import merge_values
from webapp.domain.limits import Metric
from webapp.domain.new_campaign import NewSend
from webapp.domain.runs import RunView, with_counts
from webapp.domain.stops import wake_accounts
from webapp.domain.template_content import source_of
from webapp.errors import Conflict, FieldError, ValidationError
from webapp.models import (
    Account,
    Campaign,
    CampaignContact,
    CampaignRun,
    CampaignRunAccount,
    Contact,
    Content,
    MailLog,
    Organization,
    Template,
    outbox,
)
from webapp.models.campaign import CampaignStatus, ScheduleType
from webapp.models.campaign_run import RunTrigger
from webapp.models.mail_log import FAILED, MailKind, RecipientType

__all__ = ["NewSend", "retry_run", "send_campaign", "start_scheduled"]

ROWS_AT_ONCE = 1_000


@dataclass(frozen=True)
class _NewRun:
    """What a run is to be made of."""

    campaign: Campaign
    content_id: UUID
    audience: QuerySet[Contact]
    accounts: Sequence[Account]
    trigger: RunTrigger
    trigger_key: str


async def send_campaign(
    org: Organization, campaign: Campaign, data: NewSend, trigger: RunTrigger = RunTrigger.API
) -> int:
    """Start a run and return how many rows are queued, or arm the schedule and return 0.

    Raises NotFound for an account that is not the organization's, ValidationError for what is missing to send,
    Conflict while a run is under way or the campaign is halted, PlanLimitExceeded.
    """
    async with db.write_transaction():
        await campaign.hold()
        if data.sender_account_ids is not None:
            await campaign_accounts.check_named(org, data.sender_account_ids)
            campaign.sender_account_ids = list(dict.fromkeys(map(str, data.sender_account_ids)))
        _check_content(campaign)
        queued = await (_start_now(org, campaign, data, trigger) if data.send_now else _arm_only(org, campaign))
        await campaign.save()
    return queued


def _check_content(campaign: Campaign) -> None:
    missing = [name for name in ("segment_id", "template_id") if getattr(campaign, name) is None]
    if missing:
        raise ValidationError(details=[FieldError(name, f"{name} is required to send") for name in missing])


async def _arm_only(org: Organization, campaign: Campaign) -> int:
    if campaign.schedule_type == ScheduleType.MANUAL:
        raise ValidationError.of("send_now", "send_now false arms a schedule, and this campaign is manual")
    if campaign.next_run_at is None:
        check_schedule(campaign)
    _check_idle(campaign)
    if campaign.next_run_at is None:
        await arm(org, campaign)
    return 0


def _check_idle(campaign: Campaign) -> None:
    if campaign.status == CampaignStatus.SENDING:
        raise Conflict("a run of this campaign is under way")
    if campaign.status == CampaignStatus.HALTED:
        raise Conflict("this campaign is halted: resume it first")


async def _start_now(org: Organization, campaign: Campaign, data: NewSend, trigger: RunTrigger) -> int:
    content = await _content_of(org, campaign)
    accounts = await campaign_accounts.accounts_named(org, data.sender_account_ids)
    _check_idle(campaign)
    audience = wanting(org).filter(memberships__segment_id=campaign.segment_id)
    await content.save(force_create=True)
    queued, _ = await _start(org, _NewRun(campaign, content.id, audience, accounts, trigger, str(content.id)))
    if queued and campaign.schedule_type == ScheduleType.SCHEDULED_ONCE:
        campaign.anchor_at = campaign.next_run_at = None
    return queued


async def _content_of(org: Organization, campaign: Campaign) -> Content:
    """What the campaign's template holds now, not saved yet: later changes of it are for later runs."""
    return source_of(await Template.of(org).get(id=campaign.template_id)).content(org.id)


async def start_scheduled(org: Organization, campaign: Campaign, due_at: datetime) -> int:
    """Start the run of an occurrence and return how many rows are queued; 0, and no run, where there is nobody.

    Once for each `due_at`: a second call returns 0. It is called inside the transaction that holds the campaign, whose
    schedule is the caller's to move on and which the caller saves. Raises ValidationError for what is missing to send,
    Conflict while a run is under way or the campaign is halted, PlanLimitExceeded.
    """
    key = f"sched:{due_at.isoformat()}"
    if await CampaignRun.of(org).filter(campaign_id=campaign.id, trigger_key=key).exists():
        return 0
    _check_content(campaign)
    _check_idle(campaign)
    accounts = await campaign_accounts.accounts_of(org, campaign)
    audience = wanting(org).filter(memberships__segment_id=campaign.segment_id)
    if campaign.schedule_type == ScheduleType.RECURRING_NEW_CONTACTS:
        audience = wanting(org).filter(
            memberships__segment_id=campaign.segment_id, memberships__created_at__gt=campaign.created_at
        )
        queued_before = CampaignContact.of(org).filter(campaign_id=campaign.id)
        audience = audience.exclude(id__in=Subquery(queued_before.values("contact_id")))
    if not await audience.exists():
        return 0
    content = await _content_of(org, campaign)
    await content.save(force_create=True)
    queued, _ = await _start(org, _NewRun(campaign, content.id, audience, accounts, RunTrigger.SCHEDULE, key))
    return queued


async def _start(org: Organization, new: _NewRun) -> tuple[int, CampaignRun | None]:
    """Make the run and its rows, inside the transaction that holds the campaign; none of it for an audience of nobody.

    Raises PlanLimitExceeded.
    """
    wanted = await new.audience.count()
    if wanted == 0:
        return 0, None
    is_counted = not all(account.is_sandbox for account in new.accounts)
    if is_counted:
        await limits.take(org, Metric.EMAILS, wanted)
    run = await _make_run(org, new)
    queued = await _queue(run, new, wanted)
    if is_counted and queued < wanted:  # some unsubscribed at this moment
        await limits.give_back(org, Metric.EMAILS, wanted - queued)
    await wake_accounts(run)
    new.campaign.stand(CampaignStatus.SENDING)
    new.campaign.last_run_at = run.started_at
    return queued, run


async def _make_run(org: Organization, new: _NewRun) -> CampaignRun:
    run = await CampaignRun.create(
        org=org,
        campaign_id=new.campaign.id,
        content_id=new.content_id,
        trigger=new.trigger,
        trigger_key=new.trigger_key,
        materialised=True,
        started_at=clock.now(),
    )
    await CampaignRunAccount.bulk_create(
        [CampaignRunAccount(run_id=run.id, account_id=account.id) for account in new.accounts]
    )
    return run


async def _queue(run: CampaignRun, new: _NewRun, most: int) -> int:
    """One row for each contact of the audience, in the order of their ids; `most` is what the plan was asked for."""
    domain = (new.accounts[0].from_email or "").rpartition("@")[2]
    audience, queued = new.audience.order_by("id"), 0
    while queued < most:
        contacts = await audience.limit(min(ROWS_AT_ONCE, most - queued))
        if not contacts:
            break
        await outbox.add_rows([_row(run, new.content_id, contact, domain) for contact in contacts])
        ledger = [CampaignContact(org_id=run.org_id, campaign_id=run.campaign_id, contact_id=c.id) for c in contacts]
        await CampaignContact.bulk_create(ledger, ignore_conflicts=True)
        queued += len(contacts)
        audience = audience.filter(id__gt=contacts[-1].id)
    return queued


def _row(run: CampaignRun, content_id: UUID, contact: Contact, domain: str) -> outbox.NewRow:
    row_id = uuid7()
    return outbox.NewRow(
        id=row_id,
        org_id=run.org_id,
        kind=MailKind.CAMPAIGN,
        content_id=content_id,
        to_email=contact.email,
        recipient_type=RecipientType.TO,
        message_id=f"<{row_id.hex}@{domain}>",
        campaign_id=run.campaign_id,
        campaign_run_id=run.id,
        contact_id=contact.id,
        variables=merge_values(contact),
    )


async def retry_run(org: Organization, view: RunView) -> RunView:
    """Send a run's mail again to those whom it failed to reach, as a run of its own, to their addresses of today.

    It goes by that run's accounts. Raises Conflict while a run is under way or the campaign is halted, where nothing
    failed or no account can send, and for a second retry of
    one run: it would mail those whom the first has reached. PlanLimitExceeded.
    """
    campaign, key = await Campaign.one_of(org, view.run.campaign_id), f"retry:{view.run.id}"
    async with db.write_transaction():
        await campaign.hold()
        _check_idle(campaign)
        if await CampaignRun.of(org).filter(campaign_id=campaign.id, trigger_key=key).exists():
            raise Conflict("this run was retried already: retry that run")
        accounts = await campaign_accounts.accounts_of_run(org, campaign, view.run)
        failed = MailLog.of(org).filter(campaign_run_id=view.run.id, status=FAILED)
        audience = wanting(org).filter(id__in=Subquery(failed.values("contact_id")))
        content = await Content.of(org).get_or_none(id=view.run.content_id)
        if content is None:
            raise Conflict("what this run sent is no longer kept")
        _, run = await _start(org, _NewRun(campaign, content.id, audience, accounts, RunTrigger.RETRY, key))
        if run is None:
            raise Conflict("there is nobody to retry: no mail of this run failed whose contact wants it still")
        await campaign.save()
    (retried,) = await with_counts([run])
    return retried
