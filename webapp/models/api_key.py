"""API keys."""

from datetime import datetime
from uuid import UUID

from tortoise import fields
from tortoise.queryset import QuerySet

from webapp.models.base.org_model import OrgModel
from webapp.models.people import User


class ApiKey(OrgModel):
    """Only the SHA-256 and the first characters of the key are stored."""

    name = fields.CharField(max_length=200)
    role = fields.CharField(max_length=16)
    key_hash = fields.CharField(max_length=64, unique=True)
    prefix = fields.CharField(max_length=16)
    maker: fields.ForeignKeyNullableRelation[User] = fields.ForeignKeyField(
        "models.User", null=True, on_delete=fields.SET_NULL
    )
    maker_id: UUID | None
    expires_at = fields.DatetimeField(null=True)
    revoked_at = fields.DatetimeField(null=True)
    last_used_at = fields.DatetimeField(null=True)
    # The scope, see domain/key_scope.py; empty lists allow everything.
    allowed_from: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])
    allowed_account_ids: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])
    allowed_networks: fields.Field[list[str]] = fields.JSONField(default=list, db_default=[])

    class Meta:
        table = "api_keys"
        indexes = (("org_id", "id"), ("maker_id",), ("prefix",))

    @classmethod
    def with_org(cls, **which: str) -> "QuerySet[ApiKey]":
        return cls.filter(**which).select_related("org")

    def has_expired(self, at: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= at

    def is_valid(self, at: datetime) -> bool:
        return self.revoked_at is None and not self.has_expired(at)

    async def revoke(self, at: datetime) -> bool:
        """False if it is revoked already."""
        is_ours = bool(await type(self).filter(id=self.id, revoked_at=None).update(revoked_at=at))
        if is_ours:
            self.revoked_at = at
        return is_ours
