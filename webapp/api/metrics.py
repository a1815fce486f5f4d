"""/v1/metrics and its response bodies."""

from typing import Annotated, NotRequired
from uuid import UUID

from pydantic import Field, WithJsonSchema
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp.api.responses import answers
from webapp.domain.metrics import MetricsQuery, count_metrics
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query

blueprint = Blueprint("metrics", __name__, url_prefix="/metrics")


class Metrics(TypedDict):
    """The emails of a group, each recipient counted once, by outcome."""

    day: NotRequired[Annotated[str, WithJsonSchema({"type": "string", "format": "date"})]]
    account_id: NotRequired[UUID | None]
    template_id: NotRequired[UUID | None]
    tag: NotRequired[Annotated[str | None, Field(description="`name:value`; null for emails without tags.")]]
    accepted: int
    sent: int
    failed: Annotated[int, Field(description="Without the suppressed ones.")]
    bounced: Annotated[int, Field(description="Those sent that came back later.")]
    complained: int
    suppressed: int
    opened: Annotated[int, Field(description="Opened by a person on the day, whenever they were sent.")]
    clicked: Annotated[int, Field(description="With a link that a person followed on the day.")]


class MetricsList(TypedDict):
    """The groups, by day and then by their number of emails."""

    data: list[Metrics]
    has_more: Annotated[bool, Field(description="Whether there are smaller groups, which are left out.")]


@blueprint.get("")
@guarded(Action.READ)
@query(MetricsQuery)
@answers(MetricsList)
async def index(query_args: MetricsQuery) -> object:
    """Count emails by outcome.

    An email counts on the day that it was accepted, and its opens and clicks on theirs. Without `group_by`, one row
    has the sums of all days. With `group_by=tag`, an email counts for each of its tags. Emails that retention has
    deleted still count, for two years. At most 1,000 groups are returned, the largest ones.
    """
    rows, has_more = await count_metrics(g.caller.org, query_args)
    return {"data": rows, "has_more": has_more}
