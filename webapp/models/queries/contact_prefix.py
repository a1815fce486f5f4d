"""Finds contacts by the start of their address or name, by indexes, however many there are."""

from uuid import UUID

from webapp import db
from webapp.db.dialects import Values, as_uuid
from webapp.models.contact import NAMES, search_form

AFTER_ALL = "\U0010ffff"  # sorts after every character


async def contacts_beginning_with(org_id: UUID, text: str, limit: int) -> list[UUID]:
    """The first ids by address, first name or last name, or by a first name and the start of the last one."""
    sql, values = db.dialect(), Values()
    first_name, last_name = (sql.bytewise(sql.text_member("filter_values", name)) for name in NAMES)
    wanted, own = search_form(text), f"org_id = {values.name(org_id)}"

    def begins(column: str, prefix: str) -> str:
        return f"{column} >= {values.name(prefix)} AND {column} < {values.name(prefix + AFTER_ALL)}"

    keys = {column: begins(column, wanted) for column in (sql.bytewise("email_key"), first_name, last_name)}
    first, _, last = wanted.rpartition(" ")
    scans = [(condition, column) for column, condition in keys.items()]
    if first:
        scans.append((f"{first_name} = {values.name(first)} AND {begins(last_name, last)}", last_name))
    parts = [
        f"SELECT id, {number} AS scan FROM (SELECT id FROM contacts WHERE {own} AND {condition} "
        f"ORDER BY {column} LIMIT {limit}) AS s{number}"
        for number, (condition, column) in enumerate(scans)
    ]
    rows = await db.records(f"{' UNION ALL '.join(parts)} ORDER BY scan", *values)
    return list(dict.fromkeys(as_uuid(row[0]) for row in rows))[:limit]
