"""Sending accounts, their daily usage, and the mailboxes that bounces come back to."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, Self
from uuid import UUID

from tortoise import fields
from uuid_utils.compat import uuid7

from webapp import db
from webapp.models.base import OrgModel
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.organization import Organization
from webapp.models.queries.suppressed import has_suppressions
from webapp.models.row import TableModel

MOST_TRIES = 100  # that are counted
AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)  # due by every clock
DEFAULT_CONCURRENCY = 4  # nearly every provider allows as many


class ProviderType(StrEnum):
    SMTP = "smtp"
    GOOGLE = "google"


class AccountStatus(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"  # by a person
    ERROR = "error"  # by the circuit breaker


class BounceReading(StrEnum):
    """The mailbox that later bounces and complaints are read from."""

    OFF = "off"
    ACCOUNT = "account"  # the account's own
    MAILBOX = "mailbox"  # another one, which gets nothing else


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
    smtp_password_for = fields.TextField(null=True)  # where it may be sent: domain/accounts/credentials.py
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
    bounce_reading = fields.CharField(max_length=8, default=BounceReading.OFF, db_default="off")
    bounce_imap_host = fields.CharField(max_length=255, null=True)
    bounce_imap_port = fields.IntField(null=True)
    bounce_imap_security = fields.CharField(max_length=16, null=True)
    bounce_imap_username = fields.CharField(max_length=320, null=True)
    bounce_imap_password = fields.TextField(null=True)
    bounce_imap_password_for = fields.TextField(null=True)
    bounce_warning = fields.TextField(null=True)  # the latest report that blames the sender and not the address
    bounce_warned_at = fields.DatetimeField(null=True)
    bounce_verp = fields.BooleanField(default=False, db_default=False)  # the return path of each email has a tag
    bounce_verp_works = fields.BooleanField(null=True)  # its server accepts such senders; null: it was not asked yet
    bounce_verp_error = fields.TextField(null=True)  # why it does not work
    announced_at = fields.DatetimeField(null=True)  # the latest email to members that it fails
    updated_at = fields.DatetimeField(auto_now=True)

    @property
    def is_failing(self) -> bool:
        """True while its last attempts to connect failed and it is tried again by itself."""
        return self.status == AccountStatus.ACTIVE and self.failing_since is not None

    def tags_return_path(self, mail_from: str | None) -> bool:
        """True for its own address alone: bounces of another one may come to a mailbox that isn't read."""
        tags = self.bounce_verp and self.bounce_verp_works is True and self.bounce_reading != BounceReading.OFF
        return tags and (mail_from or "").lower() == (self.from_email or "").lower()

    def is_like(self, other: "Account") -> bool:
        state = _state(frozenset(self._meta.db_fields))
        return bool(state(self) == state(other))

    class Meta:
        table = "accounts"
        indexes = (("org_id", "id"),)

    @classmethod
    async def with_keys(cls, org: Organization, keys: Collection[str]) -> list[Self]:
        return await cls._lookup("org_id", org.id, "account_key", keys)

    async def lock_against_deletion(self) -> AccountLock | None:
        """Locks the row against deletion until the transaction ends; None when it is gone."""
        lock = db.dialect().lock("FOR KEY SHARE")  # lets every change pass but a deletion
        query = f"SELECT {has_suppressions('accounts.org_id')} AS has_any FROM accounts WHERE id = $1 {lock}"
        found = await db.fetch(query, self.id)
        return AccountLock(bool(found[0]["has_any"])) if found else None

    async def save_verp_test(self, *, works: bool | None, error: str | None = None) -> None:
        """Saves if tagged return paths work (None: the server is to be asked), and why not.

        It saves nothing where the account was changed since it was read.
        """
        unchanged = type(self).filter(id=self.id, updated_at=self.updated_at)
        await unchanged.update(bounce_verp_works=works, bounce_verp_error=error)


class AccountUsage(TableModel):
    """Recipients claimed on a day in the organization's timezone; outlives the account."""

    account_id = fields.UUIDField()
    day = fields.DateField()
    used = fields.IntField(default=0)
    is_full = fields.BooleanField(default=False, db_default=False)  # its provider accepts no more on that day

    class Meta:
        table = "account_usage"
        unique_together = (("account_id", "day"),)


class MailboxReading(OrgModel):
    """The state of reading bounces of an account; there is one while it is switched on."""

    account: fields.OneToOneRelation[Account] = fields.OneToOneField("models.Account", related_name="reading")
    account_id: UUID
    cursor = fields.TextField(null=True)  # where the next reading begins; null: at the messages of the last days
    next_at = fields.DatetimeField()
    tries = fields.SmallIntField(default=0)  # readings that failed since the last good one
    lease_token = fields.UUIDField(null=True)
    lease_until = fields.DatetimeField(null=True)
    read_at = fields.DatetimeField(null=True)  # the last good one
    messages = fields.BigIntField(default=0)  # that were read
    last_error = fields.TextField(null=True)

    class Meta:
        table = "mailbox_readings"
        indexes = (("next_at",),)

    @classmethod
    async def due(cls, limit: int) -> list[UUID]:
        """Those that are due, of all organizations in turn."""
        rank = "ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY next_at, id)"
        due = f"SELECT id, next_at, {rank} AS nth FROM mailbox_readings WHERE {_is_due()}"
        return await db.fetch_ids(f"SELECT id FROM ({due}) AS d ORDER BY nth, next_at, id LIMIT $1", limit)

    @classmethod
    async def claim(cls, reading_id: UUID, seconds: float) -> Self | None:
        """Leases it for `seconds` and counts the try; None when it is not due or leased already."""
        update = f"""UPDATE mailbox_readings SET lease_token = $2, lease_until = {db.dialect().later("$3")},
            tries = CASE WHEN tries < {MOST_TRIES} THEN tries + 1 ELSE tries END
            WHERE id = $1 AND {_is_due()} RETURNING id"""
        rows = await db.fetch(update, reading_id, uuid7(), seconds)
        return await cls.get_or_none(id=reading_id).select_related("account", "org") if rows else None

    async def save_if_leased(self, **changes: Any) -> bool:
        """False when the mailbox was changed or leased by another since."""
        return bool(await type(self).filter(id=self.id, lease_token=self.lease_token).update(**changes))

    @classmethod
    async def begin(cls, account: Account) -> None:
        """Makes the mailbox of the account due, from its beginning; call it in the transaction that changes it."""
        fresh = {"cursor": None, "next_at": AT_ONCE, "tries": 0, "lease_token": None, "lease_until": None}
        if not await cls.filter(account_id=account.id).update(**fresh, last_error=None):
            await cls.create(org_id=account.org_id, account_id=account.id, next_at=AT_ONCE)

    @classmethod
    async def end(cls, account: Account) -> None:
        await cls.filter(account_id=account.id).delete()


def _is_due() -> str:
    now = db.dialect().now
    return f"next_at <= {now} AND (lease_until IS NULL OR lease_until <= {now}) AND {NOT_SUSPENDED}"


class BounceReport(OrgModel):
    """A report that was read from the mailbox of an account, which it outlives."""

    account_id = fields.UUIDField()
    kind = fields.CharField(max_length=16)
    sub_type = fields.CharField(max_length=24, null=True)  # of a bounce
    recipient = fields.CharField(max_length=254, null=True)  # null: the reporter withholds it
    verdict = fields.TextField()
    mail_log_id = fields.UUIDField(null=True)  # null: it was ignored
    is_certain = fields.BooleanField(default=False)  # by an id that only its recipient knows

    class Meta:
        table = "bounce_reports"
        indexes = (("org_id", "id"), ("account_id", "id"), ("org_id", "recipient"))
