"""The home page: today, the accounts, the newest mail, the first steps."""

from typing import Any

from quart import Blueprint, g, render_template
from quart.typing import ResponseReturnValue

from webapp import clock
from webapp.domain import accounts, home, mail_events, mail_logs
from webapp.domain.lists import Page
from webapp.domain.roles import Action
from webapp.http.guard import guarded

blueprint = Blueprint("home", __name__)
NEWEST = 8


@blueprint.get("/home")
@guarded(Action.READ)
async def show() -> ResponseReturnValue:
    return await render_template("home/show.html", **await _context())


@blueprint.get("/home/now")
@guarded(Action.READ)
async def now() -> ResponseReturnValue:
    """What the open page asks for every few seconds."""
    return await render_template("home/_now.html", **await _context())


async def _context() -> dict[str, Any]:
    org = g.caller.org
    logs = await mail_logs.latest_lines(org, NEWEST)
    return {
        "day": clock.today(org.timezone),
        "today": await home.count_today(org),
        "steps": await home.first_steps(org),
        "accounts": (await accounts.list_accounts(org, Page(1, 6))).rows,
        "logs": logs,
        "account_names": await mail_events.account_names(org, [line.row for line in logs]),
    }
