"""Counts when people first opened the emails of a campaign's runs, and when they first followed a link in them."""

from collections.abc import Collection
from uuid import UUID

from webapp import db
from webapp.models.mail_log import PERSON
from webapp.models.organization import Organization
from webapp.models.queries.campaign_report import VERDICT


async def count_first_hits(org: Organization, run_ids: Collection[UUID], seconds: int) -> list[db.Row]:
    """Emails by `kind` ("opened" or "clicked") and `slot`, the seconds since 1970 divided by `seconds`."""
    sql = db.dialect()
    query = f"""SELECT kind, {sql.epoch("first_at")} / {seconds} AS slot, COUNT(*) AS emails
        FROM (SELECT CASE WHEN h.link_id IS NULL THEN 'opened' ELSE 'clicked' END AS kind, MIN(h.created_at) AS first_at
              FROM mail_hits h WHERE h.run_id {sql.among("$1")} AND h.org_id = $2 AND {VERDICT} = '{PERSON}'
              GROUP BY h.mail_log_id, 1) AS firsts
        GROUP BY 1, 2 ORDER BY 2"""
    return await db.fetch(query, list(run_ids), org.id)
