"""Hourly limits of organizations, beside those of their plans."""

from datetime import datetime
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.models.usage import OrgUsage

HOUR = 3600


async def increment_within(org_id: UUID, what: str, most: int, at: datetime) -> bool:
    """Counts one more in the hour of `at`; False when that would exceed `most`."""
    hour = f"{int(at.timestamp()) // HOUR:07}"
    await OrgUsage.filter(org_id=org_id, metric=what, period__lt=hour).delete()
    rows = await db.fetch(
        f"""INSERT INTO org_usage (id, created_at, org_id, metric, period, used)
            VALUES ($1, {db.dialect().now}, $2, $3, $4, 1)
            ON CONFLICT (org_id, metric, period) DO UPDATE SET used = org_usage.used + 1 WHERE org_usage.used < $5
            RETURNING id""",
        uuid7(),
        org_id,
        what,
        hour,
        most,
    )
    return bool(rows)
