"""Sizes of contents, without loading them."""

from collections.abc import Iterable
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.models.organization import Organization


async def content_sizes(org: Organization, content_ids: Iterable[UUID]) -> dict[UUID, int]:
    """The bytes of subject and bodies by content id."""
    sql = db.dialect()
    size = " + ".join(f"COALESCE({sql.octets(column)}, 0)" for column in ("subject", "html", "text"))
    rows = await db.fetch(
        f"SELECT id, {size} AS size FROM contents WHERE org_id = $1 AND id IN {sql.ids('$2')}",
        org.id,
        dialects.json_ids(content_ids),
    )
    return {dialects.as_uuid(row["id"]): row["size"] for row in rows}
