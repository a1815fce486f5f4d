"""Plan limits, their usage, and the effect of reaching them."""

from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp.domain.instance.retention import audit_days
from webapp.domain.organizations import is_only_one
from webapp.domain.plans import limits
from webapp.domain.plans.plans import plan_table
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.models.usage import Metric

blueprint = Blueprint("usage", __name__, url_prefix="/usage")
# The name of each limit, and the effect of reaching it, as the end of a sentence.
WORDS = {
    Metric.EMAILS: (
        "Recipients",
        "sends that would go over it are rejected. Email that is already queued still goes out.",
    ),
    Metric.API_REQUESTS: (
        "API requests",
        "API calls return 403 until next month. The dashboard keeps working, and queued email still goes out.",
    ),
    Metric.CAMPAIGNS: (
        "Campaigns created",
        "you can't create more until next month, even if you delete some. Existing campaigns keep running.",
    ),
    Metric.CONTACTS: ("Contacts", "you can't add contacts until you delete some. Existing contacts still get email."),
    Metric.ACCOUNTS: ("Sending accounts", "you can't add another until you delete one. Existing ones keep sending."),
    Metric.TEMPLATES: ("Templates", "you can't create another until you delete one. Existing ones keep working."),
    Metric.MEDIA: ("Media", "you can't upload more until you delete some. Existing ones stay where they are used."),
    Metric.SUPPRESSIONS: (
        "Suppressed addresses",
        "you can't add or import more until you remove some. Bounces and complaints are still added.",
    ),
    Metric.WEBHOOKS: ("Webhooks", "you can't create another until you delete one. Existing ones keep working."),
}
PATHS = {
    Metric.EMAILS: "/mail-logs",
    Metric.CAMPAIGNS: "/campaigns",
    Metric.CONTACTS: "/contacts",
    Metric.ACCOUNTS: "/accounts",
    Metric.TEMPLATES: "/templates",
    Metric.MEDIA: "/media",
    Metric.SUPPRESSIONS: "/suppressions",
    Metric.WEBHOOKS: "/webhooks",
}


@blueprint.get("")
@guarded(Action.READ)
async def show() -> ResponseReturnValue:
    plan, uses = await limits.plan_use(g.caller.org)
    by_metric = {use.metric: use for use in uses}
    is_limited = any(use.maximum is not None for use in uses)
    lines = [(by_metric[metric], label, at_the_end) for metric, (label, at_the_end) in WORDS.items()]
    return await render_template(
        "usage/show.html",
        plan=plan,
        has_plans=is_limited or not await is_only_one(),
        resets_at=limits.next_month(),
        groups=[
            ("This month", [line for line in lines if line[0].is_monthly]),
            ("Total", [line for line in lines if not line[0].is_monthly]),
        ],
        paths=PATHS,
        plans=list(plan_table()),
        audit_days=audit_days(g.caller.org),
    )
