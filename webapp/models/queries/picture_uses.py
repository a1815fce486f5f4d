"""Searches what an organization has written and sent last for the address of a picture."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from webapp import db

RUNS = VERSIONS = EMAILS = 2_000  # the newest ones
EMAIL_BYTES = 100 * 1024 * 1024  # of the bodies of these emails


class EmailsWith(NamedTuple):
    """The emails with a text, newest first, among `searched` newest ones; `is_all` where there are no others."""

    ids: Sequence[UUID]
    searched: int
    is_all: bool


async def campaigns_with(org_id: UUID, text: str) -> list[UUID]:
    """The campaigns, deleted ones too, whose last runs sent a content with this text."""
    query = f"""SELECT DISTINCT r.campaign_id FROM (
        {_newest("campaign_runs", "campaign_id", "content_id")} {RUNS}
        ) r JOIN contents c ON c.id = r.content_id WHERE {_has("c", "html", "text")} ORDER BY r.campaign_id"""
    return await db.fetch_ids(query, org_id, text)


async def templates_once_with(org_id: UUID, text: str) -> list[UUID]:
    """The templates that have a version from before with this text."""
    source = "COALESCE(CAST(v.source AS TEXT), '')"
    query = f"""SELECT DISTINCT v.template_id FROM (
        {_newest("template_versions", "template_id", "source", "body")} {VERSIONS}
        ) v WHERE {_has("v", "body")} OR {db.dialect().contains(source, "$2")}"""
    return await db.fetch_ids(query, org_id, text)


async def emails_with(org_id: UUID, text: str, most: int = EMAILS, most_bytes: int = EMAIL_BYTES) -> EmailsWith:
    """The transactional emails among `most` with this text, whose bodies have `most_bytes` together."""
    newest, bytes_of = _newest("emails", "id", "content_id"), db.dialect().octets
    bodies = db.dialect().with_each("contents", "c", "c.id = e.content_id")
    sizes = await db.fetch(
        f"""SELECT COALESCE({bytes_of("c.html")}, 0) + COALESCE({bytes_of("c.text")}, 0) AS size
        FROM ({newest} {most + 1}) e {bodies} ORDER BY e.id DESC""",
        org_id,
    )
    searched, left = 0, most_bytes
    for row in sizes[:most]:
        left -= row["size"]
        if left < 0:
            break
        searched += 1
    query = f"""SELECT e.id FROM ({newest} {searched}) e {bodies}
        WHERE {_has("c", "html", "text")} ORDER BY e.id DESC"""
    return EmailsWith(await db.fetch_ids(query, org_id, text), searched, searched == len(sizes))


def _newest(table: str, *columns: str) -> str:
    """The newest rows of $1, by an interval, for which no other index will do: PostgreSQL might read others' rows."""
    return (
        f"SELECT {', '.join(columns)} FROM {table} WHERE org_id BETWEEN $1 AND $1 ORDER BY org_id DESC, id DESC LIMIT"
    )


def _has(table: str, *columns: str) -> str:
    has = [db.dialect().contains(f"COALESCE({table}.{column}, '')", "$2") for column in columns]
    return f"({' OR '.join(has)})"
