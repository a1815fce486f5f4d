"""Sending accounts, their daily usage, and the mailboxes that bounces come back to."""

from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Self
from uuid import UUID

from tortoise import fields

from webapp import db
from webapp.models.base.org_model import AT_ONCE, DUE_ANEW, LeasedModel, OrgModel
from webapp.models.base.row import TableModel
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.organization import Organization
from webapp.models.queries import lease
from webapp.models.queries.contacts.suppressed import refuses_addresses

EXPIRY_WARNING = timedelta(hours=48)  # before a sign-in ends
RENEW_EVERY = timedelta(days=7)  # unused sign-ins lapse; Microsoft's after 90 days
DEFAULT_CONCURRENCY = 4  # which nearly every provider allows
NOT_OF_SENDING = {"announced_at", "campaigns_held_until", "last_used_at", "lease_until", "updated_at"}


class ProviderType(StrEnum):
    SMTP = "smtp"
    GOOGLE = "google"
    MICROSOFT = "microsoft"  # by Microsoft Graph


class SmtpAuth(StrEnum):
    PASSWORD = "password"  # noqa: S105 - no secret
    OAUTH2 = "oauth2"


class OAuthProvider(StrEnum):
    MICROSOFT = "microsoft"
    GOOGLE = "google"
    CUSTOM = "custom"


class OAuthGrant(StrEnum):
    REFRESH_TOKEN = "refresh_token"  # noqa: S105 - a person signed in once
    CLIENT_CREDENTIALS = "client_credentials"  # an app's own rights, without a person


class AccountStatus(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"  # by a person
    ERROR = "error"  # by the circuit breaker


class BounceReading(StrEnum):
    """The mailbox that later bounces and complaints are read from."""

    OFF = "off"
    ACCOUNT = "account"  # the account's own
    MAILBOX = "mailbox"  # a separate one, which receives nothing else


class Account(OrgModel):
    """Its secrets are encrypted and bound to this row."""

    are_read_together = True

    name = fields.CharField(max_length=200)
    provider_type = fields.CharField(max_length=16)
    account_key = fields.CharField(max_length=32, unique=True)
    daily_mail_limit = fields.IntField()
    concurrency = fields.SmallIntField(default=DEFAULT_CONCURRENCY)  # connections per worker
    # The paces (models/outbox/pace.py), of all workers together, and the window and ramp as the API writes them.
    max_per_minute = fields.IntField(null=True)
    max_per_hour = fields.IntField(null=True)
    min_gap_seconds = fields.IntField(null=True)
    send_window: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    ramp: fields.Field[dict[str, int] | None] = fields.JSONField(null=True)
    reserve_for_transactional = fields.IntField(null=True)  # of the daily quota
    campaigns_held_until = fields.DatetimeField(null=True)  # by the window or the reserve
    smtp_host = fields.CharField(max_length=255, null=True)
    smtp_port = fields.IntField(null=True)
    smtp_username = fields.CharField(max_length=320, null=True)
    smtp_password = fields.TextField(null=True)
    smtp_password_for = fields.TextField(null=True)  # the servers that may get it: domain/accounts/credentials.py
    smtp_security = fields.CharField(max_length=16, null=True)
    google_email = fields.CharField(max_length=254, null=True)
    google_access_token = fields.TextField(null=True)
    google_refresh_token = fields.TextField(null=True)
    google_token_expires_at = fields.DatetimeField(null=True)  # the access token; None if unknown
    microsoft_email = fields.CharField(max_length=254, null=True)
    smtp_auth = fields.CharField(max_length=8, default=SmtpAuth.PASSWORD, db_default="password")
    oauth_provider = fields.CharField(max_length=16, null=True)
    oauth_access_token = fields.TextField(null=True)
    oauth_refresh_token = fields.TextField(null=True)
    oauth_token_expires_at = fields.DatetimeField(null=True)  # the access token; None if unknown
    oauth_expires_at = fields.DatetimeField(null=True)  # the sign-in, also Google's; None if unknown
    oauth_renew_at = fields.DatetimeField(null=True)  # the sign-in, also Google's; None: as soon as possible
    lease_until = fields.DatetimeField(null=True)  # of the process that renews the sign-in
    oauth_token_url = fields.TextField(null=True)
    oauth_grant = fields.CharField(max_length=20, default=OAuthGrant.REFRESH_TOKEN, db_default="refresh_token")
    oauth_scope = fields.TextField(null=True)  # what to ask the token endpoint of a custom provider for
    oauth_client_id = fields.TextField(null=True)
    oauth_client_secret = fields.TextField(null=True)
    from_email = fields.CharField(max_length=254, null=True)
    from_name = fields.CharField(max_length=200, null=True)
    is_sandbox = fields.BooleanField(default=False)
    status = fields.CharField(max_length=16, default=AccountStatus.ACTIVE)
    last_error = fields.TextField(null=True)
    last_used_at = fields.DatetimeField(null=True)
    # The circuit breaker: no claims before rest_until; rests counts failures in a row since failing_since.
    rest_until = fields.DatetimeField(null=True)
    rests = fields.SmallIntField(default=0)
    failing_since = fields.DatetimeField(null=True)
    # Its server asked us to slow down: the rate is halved `throttles` times until then (queries/account_health.py).
    throttled_until = fields.DatetimeField(null=True)
    throttles = fields.SmallIntField(default=0, db_default=0)
    slowed_until = fields.DatetimeField(null=True)  # towards some providers of recipients: ProviderSlowdown
    bounce_reading = fields.CharField(max_length=8, default=BounceReading.OFF, db_default="off")
    bounce_imap_host = fields.CharField(max_length=255, null=True)
    bounce_imap_port = fields.IntField(null=True)
    bounce_imap_security = fields.CharField(max_length=16, null=True)
    bounce_imap_username = fields.CharField(max_length=320, null=True)
    bounce_imap_password = fields.TextField(null=True)
    bounce_imap_password_for = fields.TextField(null=True)
    bounce_warning = fields.TextField(null=True)  # the latest report that blames the sender
    bounce_warned_at = fields.DatetimeField(null=True)
    bounce_verp = fields.BooleanField(default=False, db_default=False)  # tags each email's return path
    bounce_verp_works = fields.BooleanField(null=True)  # the server accepts tagged senders; None: not tested yet
    bounce_verp_error = fields.TextField(null=True)
    announced_at = fields.DatetimeField(null=True)  # when members were last emailed about its failure
    updated_at = fields.DatetimeField(auto_now=True)
    from_check: Any  # its FromCheck or None, if fetched with the account

    @property
    def from_domain(self) -> str:
        """Of its from address, in lower case; empty without one."""
        return (self.from_email or "").lower().rpartition("@")[2]

    @property
    def has_oauth_sign_in(self) -> bool:
        """True if it signs in with the `oauth_*` fields; Google accounts have tokens of their own."""
        return self.smtp_auth == SmtpAuth.OAUTH2 or self.provider_type == ProviderType.MICROSOFT

    @property
    def is_failing(self) -> bool:
        """True while connecting fails and is retried automatically."""
        return self.status == AccountStatus.ACTIVE and self.failing_since is not None

    def tags_return_path(self, mail_from: str | None) -> bool:
        """True only for its own address: bounces to another one may reach a mailbox that is not read."""
        tags = self.bounce_verp and self.bounce_verp_works is True and self.bounce_reading != BounceReading.OFF
        return tags and (mail_from or "").lower() == (self.from_email or "").lower()

    def is_like(self, other: "Account") -> bool:
        return self.changes_since(other) <= NOT_OF_SENDING

    def changes_since(self, before: "Account") -> set[str]:
        return {name for name in self._meta.db_fields if getattr(self, name) != getattr(before, name)}

    class Meta:
        table = "accounts"
        indexes = (("org_id", "id"),)

    @classmethod
    async def with_keys(cls, org: Organization, keys: Collection[str]) -> list[Self]:
        return await cls._lookup("org_id", org.id, "account_key", keys)

    @classmethod
    async def due_for_renewal(cls, limit: int) -> list[UUID]:
        """Those whose sign-in is to be renewed, one per organization in rotation."""
        return await lease.in_turn("accounts", _is_renewal_due(), limit, first="oauth_renew_at", then="id")

    @classmethod
    async def claim_renewal(cls, account_id: UUID, seconds: float) -> Self | None:
        """The account, due again after `seconds`; None if another worker was faster."""
        later = db.dialect().later("$2")
        update = f"UPDATE accounts SET oauth_renew_at = {later} WHERE id = $1 AND {_is_renewal_due()} RETURNING id"
        return await cls.get_or_none(id=account_id) if await db.fetch(update, account_id, seconds) else None

    async def lease(self, seconds: float) -> datetime | None:
        """Leases the account to renew its sign-in; the lease's end, None if it is leased already, or gone."""
        return await lease.lease("accounts", self.id, seconds, "true")

    async def release(self, leased_until: datetime) -> None:
        """Ends the lease with this end, and none that another process has taken after it."""
        after = leased_until + timedelta(seconds=1)  # because SQLite compares texts
        await type(self).filter(id=self.id, lease_until__lt=after).update(lease_until=None)

    async def lock_against_deletion(self) -> bool | None:
        """Locks the row against deletion until the transaction ends.

        Returns None if it is gone, otherwise True if its organization has suppressions or erased addresses.
        """
        lock = db.dialect().lock("FOR KEY SHARE")  # allows every change except deletion
        query = f"SELECT {refuses_addresses('accounts.org_id')} AS has_any FROM accounts WHERE id = $1 {lock}"
        rows = await db.fetch(query, self.id)
        return bool(rows[0]["has_any"]) if rows else None

    async def save_verp_test(self, *, works: bool | None, error: str | None = None) -> None:
        """Saves if tagged return paths work (None: not tested), unless the account has changed since it was read."""
        unchanged = type(self).filter(id=self.id, updated_at=self.updated_at)
        await unchanged.update(bounce_verp_works=works, bounce_verp_error=error)


def _is_renewal_due() -> str:
    is_connected = "(oauth_refresh_token IS NOT NULL OR google_refresh_token IS NOT NULL)"
    return f"{is_connected} AND (oauth_renew_at IS NULL OR oauth_renew_at <= {db.dialect().now}) AND {NOT_SUSPENDED}"


class AccountUsage(TableModel):
    """Recipients claimed on a day in the organization's timezone; outlives the account."""

    account_id = fields.UUIDField()
    day = fields.DateField()
    used = fields.IntField(default=0)
    is_full = fields.BooleanField(default=False, db_default=False)  # the provider accepts no more that day
    # By the account's paces: models/outbox/pace.py
    next_message_at = fields.DatetimeField(null=True)
    next_of_hour_at = fields.DatetimeField(null=True)
    next_after_gap_at = fields.DatetimeField(null=True)
    # Of an account with a ramp: its limit that day, and what decides the next one's.
    ramp_limit = fields.IntField(null=True)
    refused = fields.IntField(default=0, db_default=0)
    had_error = fields.BooleanField(default=False, db_default=False)

    class Meta:
        table = "account_usage"
        unique_together = (("account_id", "day"),)


class ProviderSlowdown(OrgModel):
    """A provider of recipients that asked an account to slow down; over once its halvings have ended."""

    account: fields.ForeignKeyRelation[Account] = fields.ForeignKeyField("models.Account", related_name="slowdowns")
    account_id: UUID
    provider = fields.CharField(max_length=16)
    per_minute = fields.IntField()  # before it was halved
    throttles = fields.SmallIntField()
    throttled_until = fields.DatetimeField()  # when one halving ends, and then another each time as long
    asked_at = fields.DatetimeField()
    reply = fields.TextField()
    next_message_at = fields.DatetimeField(null=True)
    next_slot_at = fields.DatetimeField(null=True)  # for a message that waits behind others

    class Meta:
        table = "provider_slowdowns"
        unique_together = (("account_id", "provider"),)


class MailboxReading(LeasedModel):
    """The progress of reading an account's bounces; exists while that is switched on."""

    account: fields.OneToOneRelation[Account] = fields.OneToOneField("models.Account", related_name="reading")
    account_id: UUID
    cursor = fields.TextField(null=True)  # where the next reading begins; None: a few days ago
    read_at = fields.DatetimeField(null=True)  # the last success
    messages = fields.BigIntField(default=0)  # read so far
    last_error = fields.TextField(null=True)

    class Meta:
        table = "mailbox_readings"
        indexes = (("next_at",),)

    @classmethod
    async def begin(cls, account: Account) -> None:
        """Restarts reading the account's mailbox; call it in the transaction that changes the account."""
        if not await cls.filter(account_id=account.id).update(cursor=None, last_error=None, **DUE_ANEW):
            await cls.create(org_id=account.org_id, account_id=account.id, next_at=AT_ONCE)

    @classmethod
    async def end(cls, account: Account) -> None:
        await cls.filter(account_id=account.id).delete()


class BounceReport(OrgModel):
    """A report read from an account's mailbox; outlives the account."""

    account_id = fields.UUIDField()
    kind = fields.CharField(max_length=16)
    sub_type = fields.CharField(max_length=24, null=True)  # of a bounce
    recipient = fields.CharField(max_length=254, null=True)  # None: withheld by the reporter
    verdict = fields.TextField()
    mail_log_id = fields.UUIDField(null=True)  # None: ignored
    is_certain = fields.BooleanField(default=False)  # matched by an ID that only the recipient knows

    class Meta:
        table = "bounce_reports"
        indexes = (("org_id", "id"), ("account_id", "id"), ("org_id", "recipient"))
