"""/v1/usage and its response body."""

from typing import Annotated

from pydantic import Field
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp.api.responses import One, Time, answers, makes, shaped
from webapp.domain.accounts.today import count_remaining_today
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Use
from webapp.domain.plans.plans import Plan
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded

blueprint = Blueprint("usage", __name__, url_prefix="/usage")
Unlimited = Field(description="null: unlimited.")


class PlanLimit(TypedDict):
    """A limit of the plan, called as in errors."""

    limit: str
    used: int
    max: Annotated[int | None, Unlimited]
    remaining: Annotated[int | None, Unlimited]


class Usage(TypedDict):
    """The plan, and what is left of it."""

    plan: str
    limits: list[PlanLimit]
    resets_at: Annotated[Time, Field(description="When the monthly limits start again.")]
    remaining_today: Annotated[int, Field(description="Recipients that the active accounts may still send to today.")]
    requests_per_second: int
    burst: Annotated[int, Field(description="Requests at once.")]
    kept_days: Annotated[int, Field(description="After so many days, finished emails are deleted.")]
    kept_rows: Annotated[int | None, Field(description="Mail logs that are kept; null: unlimited.")]
    allow_automation: Annotated[bool, Field(description="Whether campaigns can recur.")]
    allow_google_sheet_sync: bool


@makes(PlanLimit)
def _limit(use: Use) -> PlanLimit:
    remaining = None if use.maximum is None else max(use.maximum - use.used, 0)
    return PlanLimit(limit=use.metric.value, used=use.used, max=use.maximum, remaining=remaining)


@makes(Usage)
def _usage(view: tuple[Plan, list[Use], int]) -> Usage:
    plan, uses, remaining = view
    own = {"limits": uses, "resets_at": limits.next_month(), "remaining_today": remaining}
    return shaped(Usage, plan, plan=plan.name, **own)


@blueprint.get("")
@guarded(Action.READ)
@answers(One[Usage])
async def show() -> object:
    """Get the plan, what is used of its limits, and how much can still be sent today.

    API requests are counted within a second, emails without a limit within a minute.
    """
    plan, uses = await limits.plan_use(g.caller.org)
    return plan, uses, await count_remaining_today(g.caller.org)
