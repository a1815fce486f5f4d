"""Counters of an organization's use of its plan limits."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from tortoise import fields
from uuid_utils.compat import uuid7

from webapp import db
from webapp.db import dialects
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import id_lower_bound
from webapp.models.mail_log import IN_ANY_STATE
from webapp.models.queries.refusals import was_refused


class Metric(StrEnum):
    ACCOUNTS = "max_accounts"
    CONTACTS = "max_contacts"
    TEMPLATES = "max_templates"
    SUPPRESSIONS = "max_suppressions"
    WEBHOOKS = "max_webhooks"
    MEDIA = "media_bytes"
    CAMPAIGNS = "max_campaigns_per_month"
    EMAILS = "monthly_email_quota"
    API_REQUESTS = "api_requests_per_month"

    @property
    def is_bytes(self) -> bool:
        return self is Metric.MEDIA


MONTHLY = frozenset({Metric.CAMPAIGNS, Metric.EMAILS, Metric.API_REQUESTS})

# Usage of organization $1, since ID $2 for monthly limits. The sandbox's account and mail are free, and so are skipped
# recipients; a run's mail counts in the month in which the run began.
COUNTS = {
    Metric.ACCOUNTS: "SELECT COUNT(*) FROM accounts WHERE org_id = $1 AND NOT is_sandbox",
    Metric.CONTACTS: "SELECT COUNT(*) FROM contacts WHERE org_id = $1",
    Metric.TEMPLATES: "SELECT COUNT(*) FROM templates WHERE org_id = $1",
    Metric.SUPPRESSIONS: "SELECT COUNT(*) FROM suppressions WHERE org_id = $1",
    Metric.WEBHOOKS: "SELECT COUNT(*) FROM webhooks WHERE org_id = $1 AND status <> 'deleted'",
    Metric.MEDIA: "SELECT COALESCE(SUM(bytes), 0) AS used FROM media WHERE org_id = $1",
    Metric.CAMPAIGNS: "SELECT COUNT(*) FROM campaigns WHERE org_id = $1 AND id >= $2",
    Metric.EMAILS: f"""SELECT COUNT(*) FROM mail_logs WHERE org_id = $1 AND {IN_ANY_STATE} AND id >= $2
                      AND (campaign_run_id IS NULL OR campaign_run_id >= $2)
                      AND NOT {was_refused("error")} AND NOT EXISTS
                      (SELECT 1 FROM accounts a WHERE a.id = mail_logs.account_id AND a.is_sandbox)""",
}
# Rows that active runs must still create.
UNMADE_EMAILS = """SELECT COALESCE(SUM(expected), 0) FROM campaign_runs
                   WHERE org_id = $1 AND id >= $2 AND is_counted AND NOT materialised"""
PRUNED_EMAILS = "pruned_emails"  # in org_usage: mail deleted in its own month


class OrgUsage(OrgModel):
    """Usage of a plan limit; `period` is a month in UTC like 2026-11, or empty if the limit is not monthly."""

    metric = fields.CharField(max_length=32)
    period = fields.CharField(max_length=7)
    used = fields.BigIntField(default=0)

    class Meta:
        table = "org_usage"
        unique_together = (("org_id", "metric", "period"),)


def month_of(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m}"


async def count_rows(org_id: UUID, metric: Metric, month: datetime | None) -> int:
    """Usage counted from rows: present, still to be created, and pruned since `month`, its first instant."""
    values: list[Any] = [org_id] if month is None else [org_id, id_lower_bound(month)]
    used = "COUNT(*) AS used"
    if metric is Metric.EMAILS and month is not None:  # in one statement, because rows may change between two
        used = f"""COUNT(*) + COALESCE((SELECT used FROM org_usage WHERE org_id = $1 AND period = $3
                   AND metric = '{PRUNED_EMAILS}'), 0) + ({UNMADE_EMAILS}) AS used"""
        values.append(month_of(month))
    return int(await db.fetch_value(COUNTS[metric].replace("COUNT(*)", used, 1), *values))


async def count_pruned(org_id: UUID, month: datetime, count: int) -> None:
    await open_counter(org_id, PRUNED_EMAILS, month_of(month), 0)
    await add_use(org_id, PRUNED_EMAILS, month_of(month), count, None)


async def open_counter(org_id: UUID, metric: str, period: str, used: int) -> None:
    """Inserts the counter unless it exists, waiting for a concurrent insert; call it in a transaction."""
    counter = OrgUsage(org_id=org_id, metric=metric, period=period, used=used)
    await OrgUsage.bulk_create([counter], ignore_conflicts=True)


async def add_use(org_id: UUID, metric: str, period: str, count: int, maximum: int | None) -> bool:
    """Adds to the counter, which stays locked until the commit; False if that would exceed `maximum`."""
    update = f"""UPDATE org_usage SET used = {db.dialect().greatest}(used + $4, 0)
        WHERE org_id = $1 AND metric = $2 AND period = $3 AND (CAST($5 AS BIGINT) IS NULL OR used + $4 <= $5)
        RETURNING used"""
    rows = await db.fetch(update, org_id, str(metric), period, count, maximum)
    return bool(rows)


async def used_of(org_id: UUID, metric: Metric, period: str) -> int | None:
    """None if nothing counts it."""
    query = "SELECT used FROM org_usage WHERE org_id = $1 AND metric = $2 AND period = $3"
    rows = await db.records(query, org_id, str(metric), period)
    return rows[0]["used"] if rows else None


async def uses_of(org_id: UUID, month: str) -> dict[str, int]:
    """The counters of the month and those that are not monthly, by metric."""
    query = "SELECT metric, used FROM org_usage WHERE org_id = $1 AND period IN ('', $2)"
    return {row["metric"]: row["used"] for row in await db.records(query, org_id, month)}


async def raise_to_at_least(org_id: UUID, metric: Metric, period: str, used: int) -> None:
    await OrgUsage.filter(org_id=org_id, metric=metric, period=period, used__lt=used).update(used=used)


async def add_uses(metric: Metric, uses: Mapping[tuple[UUID, str], int]) -> dict[tuple[UUID, str], int]:
    """Adds to counters, inserting missing ones except for deleted organizations; returns their values."""
    added = [(uuid7(), org_id, period, used) for (org_id, period), used in uses.items()]
    columns = {"id": "uuid", "org_id": "uuid", "period": "varchar(7)", "used": "bigint"}
    insert = f"""INSERT INTO org_usage (id, created_at, org_id, metric, period, used)
        SELECT id, {db.dialect().now}, org_id, '{metric}', period, used
        FROM {db.dialect().table(columns)} WHERE org_id IN (SELECT id FROM organizations)
        ORDER BY org_id, period
        ON CONFLICT (org_id, metric, period) DO UPDATE SET used = org_usage.used + excluded.used
        RETURNING org_id, period, used"""
    rows = await db.fetch(insert, *db.dialect().table_values(added))
    return {(dialects.as_uuid(row["org_id"]), str(row["period"])): int(row["used"]) for row in rows}


async def drop_counter(org_id: UUID, metric: Metric) -> None:
    await OrgUsage.filter(org_id=org_id, metric=metric).delete()


async def drop_counters_on(plans: Collection[str], metric: Metric) -> None:
    await OrgUsage.filter(metric=metric, org__plan__in=list(plans)).delete()


async def counted_on(plans: Collection[str], metric: Metric, period: str) -> list[UUID]:
    rows = OrgUsage.filter(metric=metric, period=period, org__plan__in=list(plans))
    return await rows.values_list("org_id", flat=True)  # type: ignore[return-value]  # a flat list holds the column's values


async def increment_within_hour(org_id: UUID, metric: str, limit: int, at: datetime) -> bool:
    """Counts one more in the hour of `at`; False if that would exceed `limit`."""
    hour = f"{int(at.timestamp()) // 3600:07}"
    await OrgUsage.filter(org_id=org_id, metric=metric, period__lt=hour).delete()
    await open_counter(org_id, metric, hour, 0)
    return await add_use(org_id, metric, hour, 1, limit)
