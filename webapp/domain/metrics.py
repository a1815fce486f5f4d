"""Numbers of an organization's emails by outcome, for programs."""

import contextlib
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema

from webapp import clock, db
from webapp.domain.inputs import Input
from webapp.errors import ValidationError
from webapp.models import Organization
from webapp.models.queries import outcomes

DAYS = 30  # unless the caller chooses others
MOST_DAYS = 366
MOST_GROUPS = 1_000
MOST_COUNTED = 1_000_000  # emails, opens and clicks of a request, which take some seconds
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
    if not set(groups) <= GROUPS.keys() or len(set(groups)) != len(groups) or len(groups) > 2:  # noqa: PLR2004 - as told
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
    spans = outcomes.spans_of(org.timezone, first, last)
    async with db.searching(org.id):
        if await outcomes.count_at_most(org.id, spans, MOST_COUNTED) > MOST_COUNTED:
            raise ValidationError.about("from", f"these days have over {MOST_COUNTED:,} emails; choose fewer")
        found = await outcomes.count_outcomes(org.id, spans, query.groups, MOST_GROUPS + 1)
    rows = [
        {name: value or 0 for name, value in row.items()} | _named(row, query.groups) for row in found[:MOST_GROUPS]
    ]
    if query.groups == ["day"]:
        rows += _empty_days(first, last, {str(row["day"]) for row in rows})
    if "day" in query.groups:
        rows.sort(key=lambda row: row["day"])
    return rows, len(found) > MOST_GROUPS


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
    days = (str(first + timedelta(days=number)) for number in range((last - first).days + 1))
    nothing = dict.fromkeys((*outcomes.OUTCOMES, *outcomes.HITS), 0)
    return [{"day": day} | nothing for day in days if day not in known]
