"""Searches an organization's latest content for a picture's address."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from webapp import db

RUNS = VERSIONS = EMAILS = 2_000  # newest ones searched
EMAIL_BYTES = 100 * 1024 * 1024  # of their bodies


class EmailsWith(NamedTuple):
    """The emails with a text, newest first, among the `searched` newest; `is_all` if these are all."""

    ids: Sequence[UUID]
    searched: int
    is_all: bool


async def campaigns_with(org_id: UUID, text: str) -> list[UUID]:
    """The campaigns, including deleted ones, whose latest runs sent a content with this text."""
    query = f"""SELECT DISTINCT r.campaign_id FROM (
        {_newest("campaign_runs", "campaign_id", "content_id")} {RUNS}
        ) r JOIN contents c ON c.id = r.content_id WHERE {_has("c", "html", "text")} ORDER BY r.campaign_id"""
    return await db.fetch_ids(query, org_id, text)


async def templates_once_with(org_id: UUID, text: str) -> list[UUID]:
    """The templates with an earlier version that has this text."""
    source = "COALESCE(CAST(v.source AS TEXT), '')"
    query = f"""SELECT DISTINCT v.template_id FROM (
        {_newest("template_versions", "template_id", "source", "body")} {VERSIONS}
        ) v WHERE {_has("v", "body")} OR {db.dialect().contains(source, "$2")}"""
    return await db.fetch_ids(query, org_id, text)


async def emails_with(org_id: UUID, text: str, limit: int = EMAILS, most_bytes: int = EMAIL_BYTES) -> EmailsWith:
    """Searches the newest `limit` transactional emails, with bodies of `most_bytes` in total."""
    newest, bytes_of = _newest("emails", "id", "content_id"), db.dialect().octets
    bodies = db.dialect().with_each("contents", "c", "c.id = e.content_id")
    sizes = await db.fetch(
        f"""SELECT COALESCE({bytes_of("c.html")}, 0) + COALESCE({bytes_of("c.text")}, 0) AS size
        FROM ({newest} {limit + 1}) e {bodies} ORDER BY e.id DESC""",
        org_id,
    )
    searched, left = 0, most_bytes
    for row in sizes[:limit]:
        left -= row["size"]
        if left < 0:
            break
        searched += 1
    query = f"""SELECT e.id FROM ({newest} {searched}) e {bodies}
        WHERE {_has("c", "html", "text")} ORDER BY e.id DESC"""
    return EmailsWith(await db.fetch_ids(query, org_id, text), searched, searched == len(sizes))


def _newest(table: str, *columns: str) -> str:
    """The newest rows of $1 by an interval, which forces the right index: PostgreSQL might read others' rows."""
    return (
        f"SELECT {', '.join(columns)} FROM {table} WHERE org_id BETWEEN $1 AND $1 ORDER BY org_id DESC, id DESC LIMIT"
    )


def _has(table: str, *columns: str) -> str:
    has = [db.dialect().contains(f"COALESCE({table}.{column}, '')", "$2") for column in columns]
    return f"({' OR '.join(has)})"
