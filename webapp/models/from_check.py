"""What is known of an account's From domain: its DNS records, and what a server said of a probe email."""

from datetime import datetime, timedelta
from typing import Any, Self
from uuid import UUID

from tortoise import fields
from tortoise.queryset import QuerySet

from webapp import clock, db
from webapp.models.account import Account
from webapp.models.base.org_model import AT_ONCE, DUE_ANEW, LeasedModel
from webapp.models.organization import Organization

PROBE_WITHIN = timedelta(hours=1)  # it is read back, or else counts as lost
NO_PROBE: dict[str, Any] = dict.fromkeys(("token", "email_id", "to", "sent_at", "read_at", "results"))
NOT_CHECKED: dict[str, Any] = {"verdict": "unknown", "findings": [], "records": {}, "checked_at": None}
NEW: dict[str, Any] = NOT_CHECKED | {f"probe_{name}": value for name, value in NO_PROBE.items()}


class FromCheck(LeasedModel):
    account: fields.OneToOneRelation[Account] = fields.OneToOneField("models.Account", related_name="from_check")
    account_id: UUID
    domain = fields.CharField(max_length=255)  # of the account's From address when this was checked
    verdict = fields.CharField(max_length=8, default="unknown")  # passing, failing or unknown
    findings: fields.Field[list[dict[str, Any]]] = fields.JSONField(default=list)
    records: fields.Field[dict[str, list[str]]] = fields.JSONField(default=dict)  # as DNS has them
    checked_at = fields.DatetimeField(null=True)  # the last look at DNS
    probe_token = fields.CharField(max_length=32, null=True)  # in the subject of the probe
    probe_email_id = fields.UUIDField(null=True)
    probe_to = fields.CharField(max_length=254, null=True)
    probe_sent_at = fields.DatetimeField(null=True)
    probe_read_at = fields.DatetimeField(null=True)
    probe_results: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)  # None: the server wrote none

    class Meta:
        table = "from_checks"
        indexes = (("next_at",), ("org_id", "verdict"))

    @property
    def probe_ends_at(self) -> datetime | None:
        """When an unread probe counts as lost."""
        return self.probe_sent_at and self.probe_sent_at + PROBE_WITHIN

    @property
    def awaits_probe(self) -> bool:
        ends_at = self.probe_ends_at
        return self.probe_read_at is None and ends_at is not None and ends_at > clock.now()

    @classmethod
    async def begin(cls, account: Account) -> None:
        """Checks the account's From address anew; call it in the transaction that changes the account."""
        if account.is_sandbox or not account.from_domain:
            await cls.of_account(account).delete()
            return
        await cls.ensure(account)
        await cls.of_account(account).update(domain=account.from_domain, **NEW, **DUE_ANEW)

    @classmethod
    async def ensure(cls, account: Account) -> None:
        """Adds the row unless it is there."""
        row = cls(org_id=account.org_id, account_id=account.id, domain=account.from_domain, next_at=AT_ONCE)
        await cls.bulk_create([row], ignore_conflicts=True)

    @classmethod
    def of_account(cls, account: Account) -> QuerySet[Self]:
        return cls.filter(org_id=account.org_id, account_id=account.id)

    @classmethod
    async def without(cls, limit: int) -> list[Account]:
        """Accounts with a From address, except sandboxes, that have no row."""
        lack = """SELECT id FROM accounts a WHERE from_email IS NOT NULL AND NOT is_sandbox
                  AND NOT EXISTS (SELECT 1 FROM from_checks c WHERE c.account_id = a.id) LIMIT $1"""
        return await Account.filter(id__in=await db.fetch_ids(lack, limit))

    @classmethod
    def awaiting(cls, org: Organization) -> QuerySet[Self]:
        """Those whose probe has not been read yet."""
        since = clock.now() - PROBE_WITHIN
        return cls.of(org).filter(probe_sent_at__gt=since, probe_read_at=None)
