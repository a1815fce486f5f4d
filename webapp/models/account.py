"""Sending accounts and their daily usage."""

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from tortoise import fields

from webapp import db
from webapp.models.base import OrgModel
from webapp.models.queries.suppressed import has_suppressions
from webapp.models.row import TableModel

DEFAULT_CONCURRENCY = 4  # nearly every provider allows as many


class ProviderType(StrEnum):
    SMTP = "smtp"
    GOOGLE = "google"


class AccountStatus(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"  # by a person
    ERROR = "error"  # by the circuit breaker


@cache
def _state(names: frozenset[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A getter of the columns that `is_like` compares, cached as each claim calls it."""
    return attrgetter(*sorted(names - {"announced_at", "last_used_at", "updated_at"}))


class AccountLock(NamedTuple):
    has_suppressions: bool  # of the account's organization


class Account(OrgModel):
    """A sending account; its secrets are encrypted and bound to this row."""

    are_read_together = True

    name = fields.CharField(max_length=200)
    provider_type = fields.CharField(max_length=16)
    account_key = fields.CharField(max_length=32, unique=True)
    daily_mail_limit = fields.IntField()
    concurrency = fields.SmallIntField(default=DEFAULT_CONCURRENCY)  # connections at once, of each worker
    smtp_host = fields.CharField(max_length=255, null=True)
    smtp_port = fields.IntField(null=True)
    smtp_username = fields.CharField(max_length=320, null=True)
    smtp_password = fields.TextField(null=True)
    smtp_security = fields.CharField(max_length=16, null=True)
    google_email = fields.CharField(max_length=254, null=True)
    google_access_token = fields.TextField(null=True)
    google_refresh_token = fields.TextField(null=True)
    google_token_expires_at = fields.DatetimeField(null=True)  # of the access token; None: not known
    from_email = fields.CharField(max_length=254, null=True)
    from_name = fields.CharField(max_length=200, null=True)
    is_sandbox = fields.BooleanField(default=False)
    status = fields.CharField(max_length=16, default=AccountStatus.ACTIVE)
    last_error = fields.TextField(null=True)
    last_used_at = fields.DatetimeField(null=True)
    # The circuit breaker: no claim before rest_until; rests counts the failures in a row, failing_since is the first.
    rest_until = fields.DatetimeField(null=True)
    rests = fields.SmallIntField(default=0)
    failing_since = fields.DatetimeField(null=True)
    # Its server asked it to slow down: its rate is halved `throttles` times until then (queries/account_health.py).
    throttled_until = fields.DatetimeField(null=True)
    throttles = fields.SmallIntField(default=0, db_default=0)
    announced_at = fields.DatetimeField(null=True)  # the latest email to members that it fails
    updated_at = fields.DatetimeField(auto_now=True)

    @property
    def is_failing(self) -> bool:
        """True while its last attempts to connect failed and it is tried again by itself."""
        return self.status == AccountStatus.ACTIVE and self.failing_since is not None

    def is_like(self, other: "Account") -> bool:
        state = _state(frozenset(self._meta.db_fields))
        return bool(state(self) == state(other))

    class Meta:
        table = "accounts"
        indexes = (("org_id", "id"),)

    async def lock_against_deletion(self) -> AccountLock | None:
        """Locks the row against deletion until the transaction ends; None when it is gone."""
        lock = db.dialect().lock("FOR KEY SHARE")  # lets every change pass but a deletion
        query = f"SELECT {has_suppressions('accounts.org_id')} AS has_any FROM accounts WHERE id = $1 {lock}"
        found = await db.fetch(query, self.id)
        return AccountLock(bool(found[0]["has_any"])) if found else None


class AccountUsage(TableModel):
    """Recipients claimed on a day in the organization's timezone; outlives the account."""

    account_id = fields.UUIDField()
    day = fields.DateField()
    used = fields.IntField(default=0)
    is_full = fields.BooleanField(default=False, db_default=False)  # its provider accepts no more on that day

    class Meta:
        table = "account_usage"
        unique_together = (("account_id", "day"),)
