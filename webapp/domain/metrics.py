"""Numbers of an organization's emails by outcome, for programs."""

import contextlib
import re
from collections.abc import Sequence
from datetime import date, timedelta
from math import inf
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema

from webapp import clock, db
from webapp.domain.for_each_organization import for_each_organization
from webapp.domain.inputs import Input
from webapp.errors import ValidationError
from webapp.models import Organization
from webapp.models.outbox import outcome_days
from webapp.models.queries import outcomes

DAYS = 30  # unless the caller chooses others
MOST_DAYS = 366
MOST_GROUPS = 1_000
MOST_COUNTED = 1_000_000  # rows that a request reads, which take some seconds
GROUPS = {"day": "day", "account": "account_id", "template": "template_id", "tag": "tag"}
DAY = re.compile(r"2[01]\d\d-\d\d-\d\d", re.ASCII)
ONE = f"(?:{'|'.join(GROUPS)})"


def _day(value: Any) -> date:
    if isinstance(value, str) and DAY.fullmatch(value):
        with contextlib.suppress(ValueError):
            return date.fromisoformat(value)
    raise ValueError("must be a day like 2026-11-20, in the years 2000 to 2199")


def _last(last: date | None, info: ValidationInfo) -> date | None:
    first = info.data.get("from_")
    if first and last and not timedelta(0) <= last - first < timedelta(days=MOST_DAYS):
        raise ValueError(f"must be from 0 to {MOST_DAYS - 1} days after from")
    return last


def _groups(value: Any) -> list[str]:
    groups = [group.strip() for group in str(value).split(",")]
    if not set(groups) <= GROUPS.keys() or len(set(groups)) != len(groups) or len(groups) > 2:  # noqa: PLR2004 - as the error says
        raise ValueError("must be one or two of day, account, template and tag, separated by a comma")
    return groups


Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Groups = Annotated[
    list[str],
    BeforeValidator(_groups),
    WithJsonSchema({"type": "string", "pattern": f"^{ONE}(?:,{ONE})?$", "examples": ["day,account"]}),
]


class MetricsQuery(Input):
    from_: Day | None = Field(
        default=None,
        alias="from",
        description=f"The first day, in the organization's timezone; {DAYS} days if omitted.",
    )
    to: Annotated[Day | None, AfterValidator(_last)] = Field(
        default=None, description="The last day; today if omitted."
    )
    group_by: Groups | None = Field(
        default=None, description="One or two of `day`, `account`, `template` and `tag`, separated by a comma."
    )

    @property
    def groups(self) -> list[str]:
        return [GROUPS[group] for group in self.group_by or ()]


async def count_metrics(org: Organization, query: MetricsQuery) -> tuple[list[dict[str, Any]], bool]:
    """The largest groups, by day and then by their number of emails, and True if there are more.

    Raises ValidationError if the days have too many emails to count.
    """
    first, last = _range(query, clock.today(org.timezone))
    spans = outcomes.spans_of(org.timezone, _days(first, last))
    asked = org.id, org.timezone, spans, query.groups
    async with db.searching(org.id):
        if await outcomes.count_at_most(*asked, MOST_COUNTED) > MOST_COUNTED:
            raise ValidationError.about("from", f"these days have over {MOST_COUNTED:,} emails; choose fewer")
        counted = await outcomes.count_outcomes(*asked, MOST_GROUPS + 1)
    rows = [
        {name: value or 0 for name, value in row.items()} | _named(row, query.groups) for row in counted[:MOST_GROUPS]
    ]
    if query.groups == ["day"]:
        rows += _empty_days(first, last, {str(row["day"]) for row in rows})
    if "day" in query.groups:
        rows.sort(key=lambda row: row["day"])
    return rows, len(counted) > MOST_GROUPS


def _range(query: MetricsQuery, today: date) -> tuple[date, date]:
    last = query.to or (max(today, query.from_) if query.from_ else today)
    first = query.from_ or last - timedelta(days=DAYS - 1)
    if (last - first).days >= MOST_DAYS:
        raise ValidationError.at("to", f"is required if from is over {MOST_DAYS - 1} days ago")
    return first, last


def _named(row: db.Row, groups: Sequence[str]) -> dict[str, Any]:
    """The values of the groups, which may be null; a day as text."""
    return {name: str(row[name]) if name == "day" else row[name] for name in groups}


def _empty_days(first: date, last: date, known: set[str]) -> list[dict[str, Any]]:
    nothing = dict.fromkeys(outcomes.NUMBERS, 0)
    return [{"day": str(day)} | nothing for day in _days(first, last) if str(day) not in known]


def _days(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


async def save_past_days(seconds: float = inf) -> bool:
    """Saves what is final of past days for at most `seconds`, so that requests need not count it; True when done."""
    return await for_each_organization(_save_past_days, "emails of past days could not be counted", seconds)


async def _save_past_days(org: Organization, until: float) -> bool:
    for day in await outcome_days.changed_days(org.id, org.timezone):
        if clock.elapsed() >= until:
            return False
        await outcome_days.save_day(org.id, org.timezone, day)
    while (next_day := await outcome_days.next_day(org.id, org.timezone)) is not None:
        if clock.elapsed() >= until:
            return False
        await outcome_days.save_day(org.id, org.timezone, next_day)
    return True
