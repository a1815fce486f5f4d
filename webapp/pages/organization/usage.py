"""Every plan limit, its usage, and the effect of reaching it."""

from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp.domain.instance.retention import audit_days
from webapp.domain.plans.plans import plan_table
from webapp.domain.plans.usage import plan_use
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.models.usage import Metric

blueprint = Blueprint("usage", __name__, url_prefix="/usage")
# The name of each limit, and the effect of reaching it, as the end of a sentence.
WORDS = {
    Metric.EMAILS: (
        "Recipients",
        "a send that would go over the limit is refused as a whole. Mail already queued still goes out.",
    ),
    Metric.API_REQUESTS: (
        "API requests",
        "programs get 403 until the month ends. These pages keep working, and queued mail still goes out.",
    ),
    Metric.CAMPAIGNS: (
        "Campaigns created",
        "no more can be created this month, and deleting one frees nothing. Existing campaigns keep running.",
    ),
    Metric.CONTACTS: (
        "Contacts",
        "new contacts are refused until you delete some. Existing ones still get their mail.",
    ),
    Metric.ACCOUNTS: ("Sending accounts", "you cannot add another until you delete one. Existing ones keep sending."),
    Metric.TEMPLATES: ("Templates", "you cannot create another until you delete one. Existing ones can still be used."),
}
PATHS = {
    Metric.EMAILS: "/mail-logs",
    Metric.CAMPAIGNS: "/campaigns",
    Metric.CONTACTS: "/contacts",
    Metric.ACCOUNTS: "/accounts",
    Metric.TEMPLATES: "/templates",
}


@blueprint.get("")
@guarded(Action.READ)
async def show() -> ResponseReturnValue:
    usage = await plan_use(g.caller.org)
    by_metric = {use.metric: use for use in usage.uses}
    lines = [(by_metric[metric], label, at_the_end) for metric, (label, at_the_end) in WORDS.items()]
    return await render_template(
        "usage/show.html",
        plan=usage.plan,
        resets_at=usage.resets_at,
        groups=[
            ("This month", [line for line in lines if line[0].is_monthly]),
            ("In total", [line for line in lines if not line[0].is_monthly]),
        ],
        paths=PATHS,
        plans=list(plan_table()),
        audit_days=audit_days(g.caller.org),
    )
