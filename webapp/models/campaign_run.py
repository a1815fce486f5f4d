"""Campaign runs: one sending of a campaign to its audience."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.db import dialects
from webapp.models.base.indexes import IndexWhere
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import TableModel
from webapp.models.organization import Organization

RETRIES_ROW = "retry-row:"  # a run that retries one row has the trigger key RETRIES_ROW + its id


class RunStatus(StrEnum):
    SENDING = "sending"
    COMPLETED = "completed"
    HALTED = "halted"


class RunTrigger(StrEnum):
    API = "api"
    DASHBOARD = "dashboard"
    SCHEDULE = "schedule"
    RETRY = "retry"


class CampaignRun(OrgModel):
    """`epoch` rises with each stop; a worker that claimed rows under an older one stops sending them."""

    campaign_id = fields.UUIDField()  # no foreign key: a run's log outlives its campaign
    status = fields.CharField(max_length=16, default=RunStatus.SENDING)
    trigger = fields.CharField(max_length=16)
    trigger_key = fields.CharField(max_length=80)
    epoch = fields.IntField(default=0)
    content_id = fields.UUIDField(null=True)
    from_email = fields.CharField(max_length=254, null=True)  # its domain ends the Message-IDs
    sender_email = fields.CharField(max_length=254, null=True)  # of all its mail; None: each account's own
    # The audience: a segment, or the failed rows of another run.
    segment_id = fields.UUIDField(null=True)
    segment_filter: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)  # a dynamic one's at the start
    exclude_segment_ids: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])  # static ones
    exclude_filter: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)  # dynamic ones' at the start
    topic_id = fields.UUIDField(null=True)  # the campaign's at the start
    retried_run_id = fields.UUIDField(null=True)
    tracking: fields.Field[dict[str, bool] | None] = fields.JSONField(null=True)  # None: neither opens nor clicks
    joined_after = fields.DatetimeField(null=True)  # only contacts that joined later and are not in the ledger
    expected = fields.IntField(default=0, db_default=0)  # rows still to create, already counted against the plan
    skipped = fields.IntField(default=0, db_default=0)  # subscribed members who have no row
    skipped_paused = fields.IntField(default=0, db_default=0)  # those of them who are paused
    skipped_opted_out = fields.IntField(default=0, db_default=0)  # those of them who left the topic
    bounced = fields.IntField(default=0, db_default=0)  # sent rows that bounced later
    hard_bounces = fields.IntField(default=0, db_default=0)  # those of them about the address
    complained = fields.IntField(default=0, db_default=0)
    is_counted = fields.BooleanField(default=False, db_default=False)  # against the plan's quota
    materialised = fields.BooleanField(default=False)
    materialise_cursor = fields.UUIDField(null=True)  # the last contact whose row was created or skipped
    resuming = fields.BooleanField(default=False, db_default=False)  # its halted rows are being released
    halted_reason = fields.TextField(null=True)  # of an active run: who gave up its waiting rows
    started_at = fields.DatetimeField(null=True)
    finished_at = fields.DatetimeField(null=True)
    # Deleted rows by status.
    frozen_counts: fields.Field[dict[str, int] | None] = fields.JSONField(null=True)
    # All rows by status, including deleted ones, once nothing waits any more; None until then.
    ended_counts: fields.Field[dict[str, int] | None] = fields.JSONField(null=True)
    is_announced = fields.BooleanField(default=False, db_default=False)  # completed: see models/notification.py

    @property
    def skipped_reasons(self) -> dict[str, int]:
        return reasons_of_skipped(self.skipped, self.skipped_paused, self.skipped_opted_out)

    @property
    def retry_key(self) -> str:
        return f"retry:{self.id}"

    @property
    def retried_row_id(self) -> UUID | None:
        """The only row that the run retries; None if it retries all failed ones."""
        prefix, _, row_id = (self.trigger_key or "").rpartition(":")
        return UUID(row_id) if f"{prefix}:" == RETRIES_ROW else None

    class Meta:
        table = "campaign_runs"
        unique_together = (("campaign_id", "trigger_key"),)
        indexes = (
            ("org_id", "id"),
            IndexWhere(fields=("status",), name="runs_sending", where="status = 'sending'"),
            IndexWhere(fields=("id",), name="runs_unmade", where="NOT materialised"),
            IndexWhere(fields=("id",), name="runs_uncounted", where="status <> 'sending' AND ended_counts IS NULL"),
            IndexWhere(fields=("id",), name="runs_news", where="status = 'completed' AND NOT is_announced"),
        )


def reasons_of_skipped(skipped: int, paused: int, opted_out: int) -> dict[str, int]:
    """The members of each reason who were skipped, without those of none."""
    counts = {"suppressed": skipped - paused - opted_out, "paused": paused, "opted out of the topic": opted_out}
    return {reason: count for reason, count in counts.items() if count}


async def campaign_of_run(org_id: UUID, run_id: UUID) -> UUID | None:
    campaign_id = await db.fetch_value(
        "SELECT campaign_id FROM campaign_runs WHERE id = $1 AND org_id = $2", run_id, org_id
    )
    return None if campaign_id is None else dialects.as_uuid(campaign_id)


async def newest_runs(campaign_ids: Iterable[UUID]) -> list[UUID]:
    query = f"""SELECT (SELECT r.id FROM campaign_runs r WHERE r.campaign_id = c.id ORDER BY r.id DESC LIMIT 1) AS id
        FROM campaigns c WHERE c.id {db.dialect().among("$1")}"""
    rows = await db.fetch(query, list(campaign_ids))
    return [dialects.as_uuid(row["id"]) for row in rows if row["id"] is not None]


class CampaignRunAccount(TableModel):
    run: fields.ForeignKeyRelation[CampaignRun] = fields.ForeignKeyField("models.CampaignRun", related_name="accounts")
    account_id = fields.UUIDField()

    class Meta:
        table = "campaign_run_accounts"
        unique_together = (("run_id", "account_id"),)
        indexes = (("account_id",),)


class CampaignContact(OrgModel):
    """The contacts that a campaign was queued for; outlives mail logs, but not the campaign or contact."""

    campaign_id = fields.UUIDField()
    contact_id = fields.UUIDField()

    class Meta:
        table = "campaign_contacts"
        unique_together = (("campaign_id", "contact_id"),)
        indexes = (("org_id",),)

    @classmethod
    async def forget(cls, org: Organization, contact_ids: Iterable[UUID]) -> None:
        sql = db.dialect()
        delete = f"""DELETE FROM campaign_contacts WHERE contact_id {sql.among("$1")}
            AND campaign_id IN (SELECT id FROM campaigns WHERE org_id = $2) RETURNING id"""
        await db.fetch(delete, list(contact_ids), org.id)
