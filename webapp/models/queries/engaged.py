"""Finds the recipients with hits in a campaign, each once."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.db.dialects import Values
from webapp.models.organization import Organization
from webapp.models.queries.campaign_report import VERDICT, ranks


class EngagedSearch(NamedTuple):
    """Recipients with a hit on the pixel, or with `clicked` on a link, by their best verdict.

    Verdicts are ordered in `best_first`; hits without one are "waiting". `url` is a link's, `run_id` a run's.
    """

    campaign_id: UUID
    best_first: Sequence[str]
    clicked: bool = False
    url: str | None = None
    run_id: UUID | None = None


class EngagedRow(NamedTuple):
    """A recipient's hits; `mail_log_id` is of an email that they are on."""

    contact_id: UUID
    mail_log_id: UUID
    verdict: str
    first_at: datetime
    last_at: datetime


async def page_of_engaged(
    org: Organization, search: EngagedSearch, verdicts: Sequence[str], limit: int, offset: int
) -> tuple[Mapping[str, int], list[EngagedRow]]:
    """The recipients by their best verdict, and those with one of these verdicts, the latest first hit first.

    One statement, because grouping the hits of a large campaign takes most of the time.
    """
    values = Values()
    grouped, among = _grouped(org, search, values), [str(search.best_first.index(verdict)) for verdict in verdicts]
    first = f"first_at DESC, contact_id LIMIT {values.name(limit)} OFFSET {values.name(offset)}"
    query = f"""WITH g AS MATERIALIZED ({grouped})
        SELECT c.best AS counted, c.recipients, p.*, {_email_of("p", org, search, values)} AS mail_log_id
        FROM (SELECT best, COUNT(*) AS recipients FROM g GROUP BY best) c
        LEFT JOIN (SELECT * FROM g WHERE best IN ({", ".join(among)}) ORDER BY {first}) p ON p.best = c.best
        ORDER BY first_at DESC, contact_id"""
    rows = await db.fetch(query, *values)
    counts = {search.best_first[row["counted"]]: int(row["recipients"]) for row in rows}
    return counts, _rows(search, (row for row in rows if row["contact_id"] is not None))


async def engaged_after(org: Organization, search: EngagedSearch, after: UUID, limit: int) -> list[EngagedRow]:
    """Recipients in the order of their contacts' ids, from the next one after `after`."""
    values = Values()
    grouped = _grouped(org, search, values, f"AND h.contact_id > {values.name(after)}")
    query = f"""SELECT p.*, {_email_of("p", org, search, values)} AS mail_log_id
        FROM ({grouped} ORDER BY contact_id LIMIT {values.name(limit)}) p ORDER BY contact_id"""
    return _rows(search, await db.fetch(query, *values))


async def count_opens_and_clicks(org: Organization, campaign_id: UUID, best_first: Sequence[str]) -> list[db.Row]:
    """Recipients by `clicked` and the `best` (an index of `best_first`) of their hits."""
    return await db.fetch(
        f"""SELECT clicked, best, COUNT(*) AS recipients FROM (
              SELECT h.link_id IS NOT NULL AS clicked, {_best(best_first)} AS best FROM mail_hits h
              WHERE h.campaign_id = $1 AND h.org_id = $2 AND h.contact_id IS NOT NULL
              GROUP BY h.contact_id, h.link_id IS NOT NULL) AS a
            GROUP BY clicked, best""",
        campaign_id,
        org.id,
    )


def _grouped(org: Organization, search: EngagedSearch, values: Values, more: str = "") -> str:
    return f"""SELECT h.contact_id AS contact_id, {_best(search.best_first)} AS best,
        MIN(h.created_at) AS first_at, MAX(h.created_at) AS last_at
        {_hits(org, search, values)} {more} GROUP BY h.contact_id"""


def _email_of(recipient: str, org: Organization, search: EngagedSearch, values: Values) -> str:
    """The newest email of a recipient with such hits."""
    own = f"{_hits(org, search, values)} AND h.contact_id = {recipient}.contact_id"
    return f"(SELECT h.mail_log_id {own} ORDER BY h.mail_log_id DESC LIMIT 1)"


def _hits(org: Organization, search: EngagedSearch, values: Values) -> str:
    owner = values.name(org.id)
    conditions = f"h.campaign_id = {values.name(search.campaign_id)} AND h.org_id = {owner}"
    conditions += f" AND h.contact_id IS NOT NULL AND h.link_id IS {'NOT NULL' if search.clicked else 'NULL'}"
    if search.url is not None:
        conditions += f""" AND h.link_id IN (SELECT l.id FROM tracked_links l
            WHERE l.org_id = {owner} AND l.url = {values.name(search.url)})"""
    if search.run_id is not None:
        conditions += f" AND h.run_id = {values.name(search.run_id)}"
    return f"FROM mail_hits h WHERE {conditions}"


def _best(best_first: Sequence[str]) -> str:
    return f"MIN({ranks(VERDICT, best_first)})"


def _rows(search: EngagedSearch, rows: Iterable[db.Row]) -> list[EngagedRow]:
    return [
        EngagedRow(
            dialects.as_uuid(row["contact_id"]),
            dialects.as_uuid(row["mail_log_id"]),
            search.best_first[row["best"]],
            dialects.as_instant(row["first_at"]),
            dialects.as_instant(row["last_at"]),
        )
        for row in rows
    ]
