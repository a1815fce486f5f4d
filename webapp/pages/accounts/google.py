"""Connects a Google account through Google's consent page."""

from uuid import UUID

from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.config import settings
from webapp.domain import google_connect
from webapp.domain.accounts import accounts
from webapp.domain.google_connect import ATTEMPT
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.errors import ApiError
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import in_words, see_other
from webapp.models import Account, Segment

blueprint = Blueprint("google", __name__, url_prefix="/accounts")
COOKIE = "google"


@blueprint.get("/google")
@blueprint.get("/<uuid:account_id>/google")
@blueprint.get("/<uuid:account_id>/google/sheets/<uuid:segment_id>")
@guarded(Action.ACCOUNTS)
async def show(account_id: UUID | None = None, segment_id: UUID | None = None) -> ResponseReturnValue:
    """The page with the link to Google, because our Content-Security-Policy allows no form that leads there."""
    account = await accounts.find_account(g.caller.org, account_id) if account_id else None
    segment = await segments.find_segment(g.caller.org, segment_id) if segment_id else None
    if account is not None and account.provider_type != "google":  # `callback` would refuse it anyway
        flash(f"“{account.name}” isn't a Google account.", "bad")
        return see_other(f"/accounts/{account.id}")
    if segment is not None:
        g.nav_path = "/segments"
    page = {"account": account, "segment": segment, "redirect_uri": google_connect.redirect_uri()}
    if not settings().google.has_client:
        return await render_template("accounts/google.html", **page, url=None)
    url, sealed_state = google_connect.begin(g.visit.session, account, segment_id=segment_id)
    response = Response(await render_template("accounts/google.html", **page, url=url))
    set_cookie(response, COOKIE, sealed_state, max_age=int(ATTEMPT.total_seconds()))
    return response


@blueprint.get("/google/callback")
@guarded(Action.ACCOUNTS)
async def callback() -> ResponseReturnValue:
    """Always redirects, so that the URL with the code leaves the address bar."""
    sealed_state = read_cookie(COOKIE)
    params = {name: request.args.get(name, "") for name in ("state", "code", "error")}
    try:
        account, segment_id = await google_connect.finish(g.caller.org, g.visit.session, sealed_state, **params)
    except ApiError as refusal:
        flash(in_words(refusal), "bad")
        response = see_other(_begun_at(*await google_connect.target_of(g.caller.org, g.visit.session, sealed_state)))
    else:
        flash(f"“{account.name}” connected.")
        path = f"/accounts/{account.id}" if segment_id is None else f"/segments/{segment_id}/sheet"
        response = see_other(path)
    drop_cookie(response, COOKIE)
    return response


def _begun_at(account: Account | None, segment: Segment | None) -> str:
    if account is None:
        return "/accounts/google"
    if account.provider_type != "google":
        return f"/accounts/{account.id}"
    path = f"/accounts/{account.id}/google"
    return f"{path}/sheets/{segment.id}" if segment else path
