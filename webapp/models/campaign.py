"""Campaigns: a template for a segment, sent on demand or on a schedule."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from tortoise import fields
from tortoise.expressions import Q
from tortoise.queryset import QuerySet

from webapp import db
from webapp.db import dialects
from webapp.models.account import Account
from webapp.models.base.indexes import IndexWhere
from webapp.models.base.org_model import OrgModel
from webapp.models.campaign_run import CampaignRun, RunStatus
from webapp.models.event import EventType
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.media import Media
from webapp.models.outbox.runs import halt_runs
from webapp.models.queries.event_log import NewEvent, record_events
from webapp.models.segment import Segment
from webapp.models.template import Template
from webapp.models.topic import Topic

# Why campaigns were halted when their segment, template, account or topic was deleted.
DELETED = {"segment_id": "its segment was deleted", "template_id": "its template was deleted"}
ACCOUNT_DELETED = "its account was deleted"
TOPIC_DELETED = "its topic was deleted"  # apart, because most campaigns have none


class ScheduleType(StrEnum):
    MANUAL = "manual"
    SCHEDULED_ONCE = "scheduled_once"
    RECURRING = "recurring"
    RECURRING_NEW_CONTACTS = "recurring_new_contacts"


class RecurrenceUnit(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class CampaignStatus(StrEnum):
    DRAFT = "draft"
    SCHEDULED = "scheduled"
    SENDING = "sending"
    SENT = "sent"
    HALTED = "halted"


class Campaign(OrgModel):
    """`anchor_at` is the first run, from which all later ones are computed."""

    are_read_together = True

    title = fields.CharField(max_length=200)
    description = fields.TextField(null=True)
    segment: fields.ForeignKeyNullableRelation[Segment] = fields.ForeignKeyField(
        "models.Segment", null=True, on_delete=fields.SET_NULL
    )
    segment_id: UUID | None
    template: fields.ForeignKeyNullableRelation[Template] = fields.ForeignKeyField(
        "models.Template", null=True, on_delete=fields.SET_NULL
    )
    template_id: UUID | None
    topic: fields.ForeignKeyNullableRelation[Topic] = fields.ForeignKeyField(
        "models.Topic", null=True, on_delete=fields.SET_NULL, related_name="campaigns"
    )
    topic_id: UUID | None  # those who left it get nothing
    schedule_type = fields.CharField(max_length=32, default=ScheduleType.MANUAL)
    scheduled_at = fields.DatetimeField(null=True)
    recurrence_interval = fields.IntField(null=True)
    recurrence_unit = fields.CharField(max_length=8, null=True)
    status = fields.CharField(max_length=16, default=CampaignStatus.DRAFT)
    sender_account_ids: fields.Field[list[str] | None] = fields.JSONField(null=True)  # None: every active account
    # Override the template's and the accounts' values.
    subject = fields.TextField(null=True)
    preview_text = fields.TextField(null=True)
    from_name = fields.CharField(max_length=200, null=True)
    from_email = fields.CharField(max_length=254, null=True)
    reply_to = fields.CharField(max_length=254, null=True)
    media_ids: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])  # attached to each email
    exclude_segment_ids: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])
    utm: fields.Field[dict[str, str | None] | None] = fields.JSONField(null=True)  # source, medium, campaign
    tracking: fields.Field[dict[str, bool] | None] = fields.JSONField(null=True)  # None: the organization's setting
    anchor_at = fields.DatetimeField(null=True)
    next_run_at = fields.DatetimeField(null=True)
    last_run_at = fields.DatetimeField(null=True)
    halted_reason = fields.TextField(null=True)
    is_halt_announced = fields.BooleanField(default=False, db_default=False)  # see models/notification.py
    schedule_note = fields.TextField(null=True)  # about a late or skipped occurrence
    updated_at = fields.DatetimeField(auto_now=True)
    saved_by = fields.CharField(max_length=254, null=True)  # the name of a person or key

    class Meta:
        table = "campaigns"
        indexes = (
            ("org_id", "id"),
            ("segment_id",),
            ("template_id",),
            ("topic_id",),
            IndexWhere(fields=("next_run_at",), name="campaigns_due", where="next_run_at IS NOT NULL"),
            IndexWhere(fields=("id",), name="campaigns_news", where="(status = 'halted') <> is_halt_announced"),
        )

    def set_status(self, status: CampaignStatus, halted_reason: str | None = None) -> None:
        self.status = status
        self.halted_reason = halted_reason  # type: ignore[assignment]  # Tortoise's type is not optional

    @property
    def is_for_new_members(self) -> bool:
        """True if it goes once to each new member of its segment."""
        return self.schedule_type == ScheduleType.RECURRING_NEW_CONTACTS

    @property
    def is_to_be_sent(self) -> bool:
        """True for a draft, and for one sent by hand, which is changed to be sent again."""
        is_sent = self.status == CampaignStatus.SENT and self.schedule_type == ScheduleType.MANUAL
        return self.status == CampaignStatus.DRAFT or is_sent

    @property
    def named_accounts(self) -> list[UUID] | None:
        """The accounts that it is sent from; None for all active ones."""
        return None if self.sender_account_ids is None else [UUID(account_id) for account_id in self.sender_account_ids]

    async def lock(self) -> None:
        """Locks the row until the transaction ends and reloads it. Raises NotFound if it is gone."""
        await db.fetch(f"SELECT id FROM campaigns WHERE id = $1 {db.dialect().lock('FOR UPDATE')}", self.id)
        await self.refresh()


async def lock_references(org_id: UUID, named: Mapping[str, Any]) -> None:
    """Locks the segments, template and topic against deletion until the transaction ends; lock campaigns afterwards."""
    lock = db.dialect().lock("FOR KEY SHARE")
    if excluded := named.get("exclude_segment_ids"):
        query = f"SELECT id FROM segments WHERE id {db.dialect().among('$1')} AND org_id = $2 ORDER BY id {lock}"
        await db.fetch(query, [UUID(segment_id) for segment_id in excluded], org_id)
    for table in ("segment", "template", "topic"):
        if named.get(f"{table}_id") is not None:
            query = f"SELECT id FROM {table}s WHERE id = $1 AND org_id = $2 {lock}"
            await db.fetch(query, named[f"{table}_id"], org_id)


async def lock_campaigns_using(row: Segment | Template) -> None:
    """Locks the campaigns that use this already locked segment or template."""
    column = f"{type(row).__name__.lower()}_id"
    await Campaign.filter(**{column: row.id}).order_by("id").select_for_update()


async def titles_excluding(segment: Segment, limit: int) -> list[str]:
    """The titles of campaigns that exclude the members of this locked segment."""
    query = """SELECT title FROM campaigns WHERE org_id = $1 AND CAST(exclude_segment_ids AS TEXT) LIKE $2
        ORDER BY id LIMIT $3"""
    return [row["title"] for row in await db.fetch(query, segment.org_id, f'%"{segment.id}"%', limit)]


async def campaigns_attaching(media: Media) -> list[UUID]:
    query = "SELECT id FROM campaigns WHERE org_id = $1 AND CAST(media_ids AS TEXT) LIKE $2 ORDER BY id"
    return await db.fetch_ids(query, media.org_id, f'%"{media.id}"%')


async def halt_incomplete(org_id: UUID | None = None) -> None:
    """Halts scheduled campaigns whose segment or template was deleted, locking them in order; commits."""
    scheduled = Campaign.filter(status=CampaignStatus.SCHEDULED, **({} if org_id is None else {"org_id": org_id}))
    incomplete = scheduled.exclude(next_run_at=None).filter(Q(segment_id=None) | Q(template_id=None))
    async with db.write_transaction():
        for campaign in await incomplete.order_by("id").select_for_update():
            await halt(campaign, DELETED["segment_id" if campaign.segment_id is None else "template_id"])


async def scheduled_only_with(account: Account) -> list[Campaign]:
    """The scheduled campaigns that no other account of the organization can send, except the sandbox."""
    return await _left_without(account, Campaign.filter(status=CampaignStatus.SCHEDULED))


async def forget_account(account: Account) -> None:
    """Halts scheduled campaigns that only this account can send, locking all with a schedule in order.

    They name it from then on, as do those that are sending or halted, so that the sandbox sends none of them.
    """
    for campaign in await _left_without(account, Campaign.all().select_for_update()):
        campaign.sender_account_ids = [str(account.id)]
        await campaign.save(update_fields=["sender_account_ids", "updated_at"])
        if campaign.status == CampaignStatus.SCHEDULED:
            await halt(campaign, ACCOUNT_DELETED)


async def are_accounts_gone(campaign: Campaign) -> bool:
    """True if the campaign names accounts, and all of them were deleted."""
    named = campaign.named_accounts
    return bool(named) and not await Account.filter(org_id=campaign.org_id, id__in=named).exists()


async def _left_without(account: Account, campaigns: QuerySet[Campaign]) -> list[Campaign]:
    with_schedule = await campaigns.filter(org_id=account.org_id).exclude(anchor_at=None).order_by("id")
    delivering: Any = Account.filter(org_id=account.org_id, is_sandbox=False).exclude(id=account.id)
    others = set(map(str, await delivering.values_list("id", flat=True)))

    def is_left_without(named: list[str] | None) -> bool:
        return not others if named is None else str(account.id) in named and others.isdisjoint(named)

    return [campaign for campaign in with_schedule if is_left_without(campaign.sender_account_ids)]


async def forget_topic(topic: Topic) -> None:
    """Takes a locked topic from its campaigns, locking them in order, and halts those that are scheduled or sending.

    They would reach those who left it. Runs go by the topic of their start, which the campaign may not have any more.
    """
    active = await CampaignRun.filter(topic_id=topic.id, status=RunStatus.SENDING)
    using = Q(topic_id=topic.id) | Q(id__in=[run.campaign_id for run in active])
    for campaign in await Campaign.filter(using).order_by("id").select_for_update():
        run = await CampaignRun.get_or_none(campaign_id=campaign.id, status=RunStatus.SENDING)
        is_armed = campaign.topic_id == topic.id and campaign.next_run_at is not None
        if campaign.topic_id == topic.id:
            campaign.topic_id = None
            await campaign.save(update_fields=["topic_id", "updated_at"])
        if campaign.status == CampaignStatus.HALTED:
            campaign.set_status(CampaignStatus.HALTED, TOPIC_DELETED)  # because a resume would start it again
            await campaign.save(update_fields=["halted_reason"])
        elif is_armed or (run is not None and run.topic_id == topic.id):
            await halt(campaign, TOPIC_DELETED, run)


async def halt(campaign: Campaign, reason: str, run: CampaignRun | None = None) -> None:
    if run is not None:
        await halt_runs(reason, id=run.id)
    campaign.set_status(CampaignStatus.HALTED, reason)
    campaign.next_run_at = None
    await campaign.save(update_fields=["status", "halted_reason", "next_run_at", "updated_at"])
    values = {"run_id": run and run.id, "reason": reason}
    await record_events([NewEvent(campaign.org_id, EventType.CAMPAIGN_HALTED, values, campaign_id=campaign.id)])


async def due_campaigns(limit: int) -> list[UUID]:
    """The due campaigns in rotation over organizations and otherwise at random, so that none starves the others."""
    rank = "ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY random())"
    due = f"SELECT id, {rank} AS nth FROM campaigns WHERE {_is_due()}"
    return await db.fetch_ids(f"SELECT id FROM ({due}) d ORDER BY nth, random() LIMIT $1", limit)


async def lock_due_campaign(campaign_id: UUID) -> datetime | None:
    """Locks a campaign and returns the database's time; None if it is not due or already locked."""
    sql = db.dialect()
    lock = f"SELECT {sql.now} FROM campaigns WHERE id = $1 AND {_is_due()} {sql.lock('FOR UPDATE SKIP LOCKED')}"
    now = await db.fetch_value(lock, campaign_id)
    return None if now is None else dialects.as_instant(now)


def _is_due() -> str:
    return f"next_run_at <= {db.dialect().now} AND status = '{CampaignStatus.SCHEDULED}' AND {NOT_SUSPENDED}"
