"""The home page: today, what is under way, what needs somebody, the last month, the accounts, the first steps."""

from typing import Any

from quart import Blueprint, current_app, g, render_template
from quart.typing import ResponseReturnValue

from webapp import clock
from webapp.domain import accounts, home, mail_events, mail_logs
from webapp.domain.attention import needs_attention
from webapp.domain.day_counts import count_days
from webapp.domain.lists import Page
from webapp.domain.roles import Action
from webapp.domain.run_progress import RunWatch
from webapp.http.guard import guarded
from webapp.pages.charts import bar_chart
from webapp.pages.usage import WORDS

blueprint = Blueprint("home", __name__)
NEWEST = 8


@blueprint.get("/home")
@guarded(Action.READ)
async def show() -> ResponseReturnValue:
    chart = bar_chart(await count_days(g.caller.org))
    return await render_template("home/show.html", chart=chart, **await _context())


@blueprint.get("/home/now")
@guarded(Action.READ)
async def now() -> ResponseReturnValue:
    """What the open page asks for every few seconds."""
    return await render_template("home/_moved.html", **await _context())


async def _context() -> dict[str, Any]:
    org = g.caller.org
    logs = await mail_logs.latest_lines(org, NEWEST)
    watch: RunWatch = current_app.extensions.setdefault("run_watch", RunWatch())
    return {
        "day": clock.today(org.timezone),
        "resets_at": clock.next_day(org.timezone),
        "today": await home.count_today(org),
        "steps": await home.first_steps(org),
        "under_way": await home.runs_under_way(org, watch),
        "attention": await needs_attention(org),
        "limit_names": {metric: words[0] for metric, words in WORDS.items()},
        "accounts": (await accounts.list_accounts(org, Page(1, 6))).rows,
        "logs": logs,
        "account_names": await mail_events.account_names(org, [line.row for line in logs]),
    }
