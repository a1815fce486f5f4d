"""People, their memberships, sessions and links."""

from uuid import UUID

from tortoise import fields

from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import TableModel
from webapp.models.organization import Organization

EMAIL_LENGTH, NAME_LENGTH = 254, 100  # characters


class User(TableModel):
    email = fields.CharField(max_length=EMAIL_LENGTH, unique=True)
    password_hash = fields.CharField(max_length=255)
    first_name = fields.CharField(max_length=NAME_LENGTH, default="", db_default="")
    last_name = fields.CharField(max_length=NAME_LENGTH, default="", db_default="")
    totp_secret: str | None = fields.TextField(null=True)  # sealed; None: no second step
    totp_step = fields.BigIntField(null=True)  # of the last code used, because each counts once
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "users"

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def display_name(self) -> str:
        return self.full_name or self.email

    @property
    def name_and_email(self) -> str:
        """At most EMAIL_LENGTH characters, for records that outlive the person."""
        name = self.full_name[: max(0, EMAIL_LENGTH - len(f" <{self.email}>"))].rstrip()
        return f"{name} <{self.email}>" if name else self.email

    async def lock(self) -> None:
        """Locks and reloads the row until the transaction ends without blocking inserts of the person's rows."""
        # FOR UPDATE could deadlock with an invitation, which locks its organization first and then the inviter.
        await User.filter(id=self.id).select_for_update(no_key=True)
        await self.refresh_from_db()

    async def lock_if_password_unchanged(self) -> bool:
        """Locks the row until the transaction ends; False if the password hash has changed since it was read."""
        return bool(await User.filter(id=self.id, password_hash=self.password_hash).select_for_update())


class RecoveryCode(TableModel):
    user: fields.ForeignKeyRelation[User] = fields.ForeignKeyField("models.User", related_name="recovery_codes")
    user_id: UUID
    code_hash = fields.CharField(max_length=64)  # keyed: see two_step

    class Meta:
        table = "recovery_codes"
        indexes = (("user_id",),)


class Membership(OrgModel):
    user: fields.ForeignKeyRelation[User] = fields.ForeignKeyField("models.User", related_name="memberships")
    user_id: UUID
    role = fields.CharField(max_length=16)
    notify_about: fields.Field[list[str] | None] = fields.JSONField(null=True)  # None: the role's defaults

    class Meta:
        table = "memberships"
        unique_together = (("org_id", "user_id"),)
        indexes = (("user_id",),)


class Session(TableModel):
    token_hash = fields.CharField(max_length=64, unique=True)
    user: fields.ForeignKeyRelation[User] = fields.ForeignKeyField("models.User", related_name="sessions")
    user_id: UUID
    org: fields.ForeignKeyRelation[Organization] = fields.ForeignKeyField("models.Organization")
    org_id: UUID  # the organization shown
    csrf_token = fields.CharField(max_length=64)
    address = fields.CharField(max_length=64)
    user_agent = fields.CharField(max_length=255)
    last_seen_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()

    class Meta:
        table = "sessions"
        indexes = (("user_id",), ("expires_at",))


class OneTimeLink(TableModel):
    """A link for an address, one per purpose; requested links have their own purposes and unknown tokens."""

    token_hash = fields.CharField(max_length=64, unique=True)
    purpose = fields.CharField(max_length=16)
    email = fields.CharField(max_length=254)  # as in User
    language = fields.CharField(max_length=2, null=True)  # of a requested one's email
    expires_at = fields.DatetimeField()  # for a requested one, the next try

    class Meta:
        table = "one_time_links"
        unique_together = (("purpose", "email"),)
        indexes = (("expires_at",),)


class Invitation(OrgModel):
    email = fields.CharField(max_length=254)  # as in User
    role = fields.CharField(max_length=16)
    token_hash = fields.CharField(max_length=64, unique=True)
    inviter: fields.ForeignKeyNullableRelation[User] = fields.ForeignKeyField(
        "models.User", null=True, on_delete=fields.SET_NULL, related_name="invitations"
    )
    inviter_id: UUID | None
    sent_at = fields.DatetimeField()  # most recently
    expires_at = fields.DatetimeField()

    class Meta:
        table = "invitations"
        unique_together = (("org_id", "email"),)
        indexes = (("expires_at",), ("inviter_id",))


class ClaimLink(TableModel):
    """The link that creates the first owner; there is at most one."""

    token_hash = fields.CharField(max_length=64, unique=True)

    class Meta:
        table = "claim_links"
