"""Connects an account through the consent page of Google or Microsoft."""

from uuid import UUID

from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.domain import oauth_connect
from webapp.domain.accounts import accounts
from webapp.domain.oauth_connect import ATTEMPT
from webapp.domain.oauth_providers import PROVIDERS, ConnectProvider, connected_with
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.errors import ApiError
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import in_words, see_other
from webapp.models import Account, Segment
from webapp.models.account import OAuthProvider

blueprint = Blueprint("connect", __name__, url_prefix="/accounts")
COOKIE = "oauth"
GOOGLE, MICROSOFT, GRAPH = ({"provider": name} for name in PROVIDERS)


@blueprint.get("/google", defaults=GOOGLE)
@blueprint.get("/microsoft", defaults=MICROSOFT)
@blueprint.get("/graph", defaults=GRAPH)
@blueprint.get("/<uuid:account_id>/google", defaults=GOOGLE)
@blueprint.get("/<uuid:account_id>/microsoft", defaults=MICROSOFT)
@blueprint.get("/<uuid:account_id>/graph", defaults=GRAPH)
@blueprint.get("/<uuid:account_id>/google/sheets/<uuid:segment_id>", defaults=GOOGLE)
@guarded(Action.ACCOUNTS)
async def show(provider: str, account_id: UUID | None = None, segment_id: UUID | None = None) -> ResponseReturnValue:
    """The page with the link to the provider, because our Content-Security-Policy allows no form that leads there."""
    at = PROVIDERS[provider]
    account = await accounts.find_account(g.caller.org, account_id) if account_id else None
    segment = await segments.find_segment(g.caller.org, segment_id) if segment_id else None
    if account is not None and not at.fits(account):  # `callback` would refuse it anyway
        flash(f"“{account.name}” isn't a {at.label} account.", "bad")
        return see_other(f"/accounts/{account.id}")
    if segment is not None:
        g.nav_path = "/segments"
    page = {"provider": at, "account": account, "segment": segment, "connected": account and connected_with(account)}
    if not at.client.has_client:
        return await render_template("accounts/connect.html", **page, url=None)
    url, sealed_state = oauth_connect.begin(at, g.visit.session, account, segment_id=segment_id)
    response = Response(await render_template("accounts/connect.html", **page, url=url))
    set_cookie(response, COOKIE, sealed_state, max_age=int(ATTEMPT.total_seconds()))
    return response


@blueprint.get("/google/callback", defaults=GOOGLE)
@blueprint.get("/microsoft/callback", defaults=MICROSOFT)
@guarded(Action.ACCOUNTS)
async def callback(provider: str) -> ResponseReturnValue:
    """Always redirects, so that the URL with the code leaves the address bar."""
    sealed_state = read_cookie(COOKIE)
    params = {name: request.args.get(name, "") for name in ("state", "code", "error")}
    try:
        account, segment_id = await oauth_connect.finish(
            OAuthProvider(provider), g.caller.org, g.visit.session, sealed_state, **params
        )
    except ApiError as refusal:
        flash(in_words(refusal), "bad")
        target = await oauth_connect.target_of(g.caller.org, g.visit.session, sealed_state)
        response = see_other(f"/accounts/{provider}" if target is None else _begun_at(*target))
    else:
        flash(f"“{account.name}” connected.")
        path = f"/accounts/{account.id}" if segment_id is None else f"/segments/{segment_id}/sheet"
        response = see_other(path)
    drop_cookie(response, COOKIE)
    return response


def _begun_at(provider: ConnectProvider, account: Account | None, segment: Segment | None) -> str:
    if account is None:
        return f"/accounts/{provider.name}"
    if not provider.fits(account):
        return f"/accounts/{account.id}"
    path = f"/accounts/{account.id}/{provider.name}"
    return f"{path}/sheets/{segment.id}" if segment else path
