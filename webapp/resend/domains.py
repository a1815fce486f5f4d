"""/resend/domains: those of the organization's accounts, which are added and changed as accounts."""

from quart import Blueprint, g

from webapp.domain.accounts import accounts
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.models import Account
from webapp.models.account import AccountStatus
from webapp.resend.shapes import Body, listed, time

blueprint = Blueprint("domains", __name__, url_prefix="/domains")


@blueprint.get("")
@guarded(Action.READ)
async def index() -> Body:
    return listed(map(_outline, await accounts.first_of_domains(g.caller.org)))


@blueprint.get("/<domain_id>")
@guarded(Action.READ, accounts.find_domain)
async def show(account: Account) -> Body:
    return {"object": "domain", **_outline(account), "records": []}


def _outline(account: Account) -> Body:
    return {
        "id": account.id,
        "name": account.from_domain,
        "status": "failed" if account.status == AccountStatus.ERROR else "verified",
        "created_at": time(account.created_at),
        "region": "self-hosted",
        "open_tracking": g.caller.org.track_opens,
        "click_tracking": g.caller.org.track_clicks,
        "tracking_subdomain": None,
        "capabilities": {"sending": "enabled", "receiving": "disabled"},
    }
