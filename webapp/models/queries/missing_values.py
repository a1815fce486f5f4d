"""Members of a segment that lack values a mail shows."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.models.contact import STANDARD_FIELDS, Contact
from webapp.models.outbox.run_rows import WANTS_MAIL


class MissingValues(NamedTuple):
    checked: int
    incomplete: int
    by_name: dict[str, int]


async def count_missing(segment_id: UUID, fields: Mapping[str, Sequence[str]], most: int) -> MissingValues:
    """Counts over at most `most` members who want mail, whom each name has all of its `fields` to get a value from."""
    names = list(fields)
    custom = list(dict.fromkeys(one for name in names for one in fields[name] if one not in STANDARD_FIELDS))
    lacks = [f"COALESCE({', '.join(_value(one, custom) for one in fields[name])}, '') = ''" for name in names]
    counts = [f"SUM(CASE WHEN {lack} THEN 1 ELSE 0 END) AS lacks{number}" for number, lack in enumerate(lacks)]
    any_lack = " OR ".join(lacks) or "false"
    query = f"""SELECT COUNT(*) AS checked,
          {", ".join([f"SUM(CASE WHEN {any_lack} THEN 1 ELSE 0 END) AS incomplete", *counts])}
        FROM (SELECT {", ".join(f"c.{name}" for name in STANDARD_FIELDS)}, c.custom_fields
              FROM segment_contacts n JOIN contacts c ON c.id = n.contact_id AND c.org_id = n.org_id
              WHERE n.segment_id = $1 AND {WANTS_MAIL} LIMIT $2) c"""
    (found,) = await db.fetch(query, segment_id, most, *custom)
    by_name = {name: int(found[f"lacks{number}"] or 0) for number, name in enumerate(names)}
    return MissingValues(int(found["checked"]), int(found["incomplete"] or 0), by_name)


async def field_names(org_id: UUID, segment_id: UUID, most: int) -> set[str]:
    """The names of custom fields that `most` of its members have."""
    members = Contact.filter(org_id=org_id, memberships__segment_id=segment_id).limit(most)
    return {name for one in await members.only("id", "custom_fields") for name in one.custom_fields}


def _value(name: str, custom: Sequence[str]) -> str:
    """The contact `c`'s value of a name as text; the names of custom fields are the parameters from $3 on."""
    if name in STANDARD_FIELDS:
        return f"c.{name}"
    return f"CAST({db.dialect().member('c.custom_fields', f'CAST(${custom.index(name) + 3} AS TEXT)')} AS TEXT)"
