"""Usage: every limit of the plan, how much of it is used, and what happens at its end."""

from quart import Blueprint, g, render_template
from quart.typing import ResponseReturnValue

from webapp.domain.plan_usage import Metric, plan_use
from webapp.domain.retention import audit_days
from webapp.domain.roles import Action
from webapp.http.guard import guarded

blueprint = Blueprint("usage", __name__, url_prefix="/usage")
# Of each limit: what it is called, and what happens when it is reached.
WORDS = {
    Metric.EMAILS: (
        "Recipients",
        "Sends that would pass it are refused whole, and nothing of them is queued. What is queued already goes out.",
    ),
    Metric.API_REQUESTS: (
        "API requests",
        "Programs are answered 403 until the month is over. These pages go on, and mail that waits goes out.",
    ),
    Metric.CAMPAIGNS: (
        "Campaigns made",
        "No more can be made this month. Deleting one gives nothing back; those there are go on.",
    ),
    Metric.CONTACTS: ("Contacts", "New ones are refused until some are deleted. Those there are get their mail."),
    Metric.ACCOUNTS: ("Sending accounts", "No more can be added until one is deleted. Those there are go on sending."),
    Metric.TEMPLATES: ("Templates", "No more can be made until one is deleted. Those there are stay usable."),
}


@blueprint.get("")
@guarded(Action.READ)
async def show() -> ResponseReturnValue:
    stand = await plan_use(g.caller.org)
    by_metric = {use.metric: use for use in stand.uses}
    lines = [(by_metric[metric], label, at_the_end) for metric, (label, at_the_end) in WORDS.items()]
    return await render_template(
        "usage/show.html",
        plan=stand.plan,
        resets_at=stand.resets_at,
        groups=[
            ("This month", [line for line in lines if line[0].is_monthly]),
            ("At any time", [line for line in lines if not line[0].is_monthly]),
        ],
        audit_days=audit_days(g.caller.org),
    )
