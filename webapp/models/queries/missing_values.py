"""Contacts in a run's audience that lack values an email shows."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from webapp import db
from webapp.db import dialects
from webapp.db.dialects import Values
from webapp.models.campaign_run import CampaignRun
from webapp.models.contact import STANDARD_FIELDS
from webapp.models.outbox.audience import members_of, membership
from webapp.models.outbox.audience_counts import recipients_of


class MissingValues(NamedTuple):
    checked: int
    by_name: dict[str, int]


async def count_missing(
    run: CampaignRun, fields: Mapping[str, Sequence[str]], limit: int, *, are_unreached: bool = False
) -> MissingValues:
    """Counts by name, among at most `limit` who want mail, the contacts without a value in any of its `fields`."""
    names, values = list(fields), Values()
    lacks = [f"COALESCE({', '.join(_value(field, values) for field in fields[name])}, '') = ''" for name in names]
    counts = [f"SUM(CASE WHEN {lack} THEN 1 ELSE 0 END) AS lacks{number}" for number, lack in enumerate(lacks)]
    query = f"""SELECT {", ".join(["COUNT(*) AS checked", *counts])}
        FROM {await recipients_of(run, values, limit, are_unreached=are_unreached)} r
        {db.dialect().with_each("contacts", "c", "c.id = r.id")}"""
    (row,) = await db.fetch(query, *values)
    by_name = {name: int(row[f"lacks{number}"] or 0) for number, name in enumerate(names)}
    return MissingValues(int(row["checked"]), by_name)


async def field_names(run: CampaignRun, limit: int) -> set[str]:
    """The names of the custom fields of `limit` members of the audience."""
    values = Values()
    query = f"SELECT c.custom_fields {members_of(run, values, membership(run, values))} LIMIT {values.name(limit)}"
    return {name for row in await db.fetch(query, *values) for name in dialects.as_json(row["custom_fields"])}


def _value(name: str, values: Values) -> str:
    if name in STANDARD_FIELDS:
        return f"c.{name}"
    return f"CAST({db.dialect().member('c.custom_fields', f'CAST({values.name(name)} AS TEXT)')} AS TEXT)"
