"""Finds contacts by the start of their address or name, by indexes, however many there are."""

from uuid import UUID

from webapp import db
from webapp.db.dialects import Values, as_uuid
from webapp.languages.spelling import search_form
from webapp.models.contact import NAMES, PLAIN_NAMES

AFTER_ALL = "\U0010ffff"  # sorts after every character


async def contacts_beginning_with(org_id: UUID, text: str, limit: int) -> list[UUID]:
    """The first ids by address, first name or last name, or by one of both names and the start of the other.

    Names with accents are also found by their letters without.
    """
    sql, values = db.dialect(), Values()
    written, plain = ([sql.text_member("filter_values", name) for name in names] for names in (NAMES, PLAIN_NAMES))
    wanted, own = search_form(text), f"org_id = {values.name(org_id)}"

    def begins(column: str, prefix: str) -> str:
        return f"{column} >= {values.name(prefix)} AND {column} < {values.name(prefix + AFTER_ALL)}"

    whole, _, start = wanted.rpartition(" ")
    scans = [(begins(column, wanted), column) for column in map(sql.bytewise, ("email_key", *written, *plain))]
    for first_name, last_name in (map(sql.bytewise, names) for names in (written, plain) if whole):
        for name, other in ((first_name, last_name), (last_name, first_name)):
            scans.append((f"{name} = {values.name(whole)} AND {begins(other, start)}", other))
    parts = [
        f"SELECT id, {number} AS scan FROM (SELECT id FROM contacts WHERE {own} AND {condition} "
        f"ORDER BY {column} LIMIT {limit}) AS s{number}"
        for number, (condition, column) in enumerate(scans)
    ]
    rows = await db.records(f"{' UNION ALL '.join(parts)} ORDER BY scan", *values)
    return list(dict.fromkeys(as_uuid(row[0]) for row in rows))[:limit]
