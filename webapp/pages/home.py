"""The home page."""

import asyncio

from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp import clock
from webapp.domain.accounts import accounts
from webapp.domain.home import home
from webapp.domain.home.daily_chart import DayCount, daily_counts
from webapp.domain.mail_logs import mail_logs
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.pages.organization.usage import WORDS
from webapp.pages.shared.charts import BarChart, bar_chart

blueprint = Blueprint("home", __name__)
NEWEST, ACCOUNTS, ACCOUNTS_EXAMINED = 8, 6, 200


@blueprint.get("/home", defaults={"template": "home/show.html"})
@blueprint.get("/home/now", defaults={"template": "home/_moved.html"})  # polled by the open page
@guarded(Action.READ)
async def show(template: str) -> ResponseReturnValue:
    org = g.caller.org
    today, under_way = await asyncio.gather(home.count_today(org), home.active_runs(org))
    items = await accounts.newest_accounts(org, ACCOUNTS_EXAMINED)
    steps, logs = await home.first_steps(org), await mail_logs.latest_items(org, NEWEST)
    context = {
        "day": clock.today(org.timezone),
        "resets_at": clock.next_day(org.timezone),
        "today": today,
        "steps": steps,
        "steps_done": sum(steps.values()),
        "under_way": under_way,
        "attention": await home.find_alerts(org, today, items),
        "limit_names": {metric: words[0] for metric, words in WORDS.items()},
        "accounts": sorted(items, key=lambda item: -item.sent_today)[:ACCOUNTS],
        "sent_to_sandbox": sum(item.sent_today for item in items if item.account.is_sandbox),
        "logs": logs,
        "log_accounts": await mail_logs.accounts_of(org, [line.row for line in logs]),
        "paused": await mail_logs.paused_campaigns(org, [line.row for line in logs]),
    }
    if template == "home/show.html":
        context |= await _charts(today)
    return await render_template(template, **context)


@blueprint.get("/home/chart")
@guarded(Action.READ)
async def chart() -> ResponseReturnValue:
    return await render_template("home/_chart.html", **await _charts(await home.count_today(g.caller.org)))


async def _charts(today: home.Today) -> dict[str, BarChart[DayCount]]:
    days = await daily_counts(g.caller.org, today.handed_in)
    return {
        "chart": bar_chart(days, [(day.sent, day.failed) for day in days]),
        "engagement": bar_chart(days, [(max(day.opened, day.clicked), 0) for day in days]),
        "audience": bar_chart(days, [(day.subscribed or 0, 0) for day in days]),
    }
