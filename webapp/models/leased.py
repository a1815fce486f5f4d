"""Rows that workers take up when they are due, each under a lease, of all organizations in turn."""

from datetime import UTC, datetime
from typing import Any, Self
from uuid import UUID

from tortoise import fields
from uuid_utils.compat import uuid7

from webapp import db
from webapp.models.base import OrgModel
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.queries import lease

MOST_TRIES = 100  # counted at most
AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)  # due by any clock
DUE_ANEW = {"next_at": AT_ONCE, "tries": 0, "lease_token": None, "lease_until": None}


class LeasedModel(OrgModel):
    """A row of an `account`, with when it is due and how often that failed in a row."""

    next_at = fields.DatetimeField()
    tries = fields.SmallIntField(default=0)  # since the last success
    lease_token = fields.UUIDField(null=True)
    lease_until = fields.DatetimeField(null=True)

    class Meta:
        abstract = True

    @classmethod
    async def due(cls, limit: int) -> list[UUID]:
        """The due ones, one per organization in rotation."""
        table = cls._meta.db_table
        return await lease.due_round_robin(table, _is_due(), limit, first="next_at", then="next_at, id")

    @classmethod
    async def claim(cls, row_id: UUID, seconds: float) -> Self | None:
        """Leases it for `seconds` and counts the try; None if it is not due or already leased."""
        counted = f"CASE WHEN tries < {MOST_TRIES} THEN tries + 1 ELSE tries END"
        also = f", lease_token = $3, tries = {counted}"
        if not await lease.lease(cls._meta.db_table, row_id, seconds, _is_due(), also, uuid7()):
            return None
        return await cls.get_or_none(id=row_id).select_related("account", "org")

    async def release(self, **changes: Any) -> bool:
        """Saves the changes and releases the lease; False if the row was changed or leased again since."""
        leased = type(self).filter(id=self.id, lease_token=self.lease_token)
        return bool(await leased.update(lease_token=None, lease_until=None, **changes))


def _is_due() -> str:
    return f"next_at <= {db.dialect().now} AND {NOT_SUSPENDED}"
