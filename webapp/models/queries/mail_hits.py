"""Saves and counts hits: requests for links and pixels in tracked emails."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db.dialects import as_uuid
from webapp.models.base.row import columns_of
from webapp.models.organization import Organization
from webapp.models.queries.campaign_report import VERDICT, ranks

MOST_HITS = 20  # per link and email; later ones only count as repeats


class NewHit(NamedTuple):
    """A hit on a link, or with `org_id` on a pixel."""

    id: UUID
    created_at: datetime
    mail_log_id: UUID
    link_id: UUID | None
    org_id: UUID | None
    agent: str
    network: str
    is_head: bool
    is_prefetch: bool
    repeats: int


KINDS = columns_of(NewHit) | {"before": "int"}  # earlier hits of the batch on the same link
LINK_KINDS = {"mail_log_id": "uuid", "link_id": "uuid", "hits": "int"}
SAME_LINK = """h.mail_log_id = k.mail_log_id
    AND COALESCE(CAST(h.link_id AS TEXT), '') = COALESCE(CAST(k.link_id AS TEXT), '')"""
# Transactional emails name no contact.
MAY_BE_TRACKED = """NOT EXISTS (SELECT 1 FROM contacts c WHERE c.id = m.contact_id AND c.do_not_track)
    AND (m.email_id IS NULL OR NOT EXISTS (SELECT 1 FROM contacts c
        WHERE c.org_id = m.org_id AND c.email_key = LOWER(m.to_email) AND c.do_not_track))"""
SHARED = "id, created_at, mail_log_id, link_id, agent, network, is_head, is_prefetch, repeats"


async def save_hits(hits: Sequence[NewHit]) -> None:
    """Saves hits, except on deleted or another organization's emails and by contacts who are not tracked.

    Beyond MOST_HITS per link and email they are counted with the last one; processes saving at once may exceed that.
    """
    sql, before = db.dialect(), Counter[tuple[UUID, UUID | None]]()
    rows = []
    for hit in hits:
        rows.append((*hit, before[hit.mail_log_id, hit.link_id]))
        before[hit.mail_log_id, hit.link_id] += 1
    known = f"SELECT COUNT(*) FROM mail_hits h WHERE {SAME_LINK}"
    insert = f"""INSERT INTO mail_hits (org_id, campaign_id, run_id, contact_id, {SHARED})
        SELECT m.org_id, m.campaign_id, m.campaign_run_id, m.contact_id,
            {", ".join(f"k.{name}" for name in SHARED.split(", "))}
        FROM {sql.table(KINDS)} {sql.with_each("mail_logs", "m", "m.id = k.mail_log_id")}
        WHERE m.org_id = COALESCE(k.org_id, (SELECT l.org_id FROM tracked_links l WHERE l.id = k.link_id))
        AND {MAY_BE_TRACKED} AND ({known}) + k.before < {MOST_HITS}
        ON CONFLICT (id) DO NOTHING RETURNING id"""
    async with db.write_transaction():
        saved = set(await db.fetch_ids(insert, *sql.table_values(rows)))
        others = [hit for hit in hits if hit.id not in saved]
        # Hits that an earlier attempt saved without getting the answer are not repeats.
        query = f"SELECT id FROM mail_hits WHERE id {sql.among('$1')}"
        former = set(await db.fetch_ids(query, [hit.id for hit in others])) if others else set()
        if repeated := [hit for hit in others if hit.id not in former]:
            await _count_repeats(repeated)


async def _count_repeats(hits: Sequence[NewHit]) -> None:
    """Adds the hits to the last one of the same link and email; locks these in order."""
    sql, counts = db.dialect(), Counter[tuple[UUID, UUID | None]]()
    for hit in hits:
        counts[hit.mail_log_id, hit.link_id] += 1 + hit.repeats
    last = f"SELECT h.id FROM mail_hits h WHERE {SAME_LINK} ORDER BY h.id DESC LIMIT 1"
    query = f"""SELECT ({last}) AS id, k.hits FROM {sql.table(LINK_KINDS)}
        {sql.with_each("mail_logs", "m", "m.id = k.mail_log_id")} WHERE {MAY_BE_TRACKED}"""
    rows = await db.fetch(query, *sql.table_values([(*link, count) for link, count in counts.items()]))
    repeats = {as_uuid(row["id"]): row["hits"] for row in rows if row["id"] is not None}
    lock = f"SELECT id FROM mail_hits WHERE id {sql.among('$1')} ORDER BY id {sql.lock('FOR UPDATE')}"
    counted = [(hit_id, repeats[hit_id]) for hit_id in await db.fetch_ids(lock, list(repeats))]
    await db.run_many("UPDATE mail_hits SET repeats = repeats + $2 WHERE id = $1", counted)


async def count_hits(org: Organization, run_id: UUID, verdicts: Sequence[str]) -> list[db.Row]:
    """Recipients by link (None: the pixel) and the first of the `verdicts` that one of their hits has, as `best`.

    Rows with `is_total` count recipients by all their clicks. Hits without a verdict are "waiting".
    """
    best = f"MIN({ranks(VERDICT, verdicts)}) AS best"
    of_run = "FROM mail_hits h WHERE h.run_id = $1 AND h.org_id = $2"
    return await db.fetch(
        f"""SELECT link_id, best, COUNT(*) AS recipients, 0 AS is_total
            FROM (SELECT h.link_id, {best} {of_run} GROUP BY h.mail_log_id, h.link_id) AS a GROUP BY link_id, best
            UNION ALL SELECT NULL, best, COUNT(*), 1
            FROM (SELECT {best} {of_run} AND h.link_id IS NOT NULL GROUP BY h.mail_log_id) AS b GROUP BY best""",
        run_id,
        org.id,
    )
