"""The page of an invitation's link; opening it changes nothing, because mail scanners open links."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, current_app, g, request

from webapp.domain.audit.audit import act_as
from webapp.domain.auth.sessions import NewSession, PendingTwoFactor
from webapp.domain.roles import Role
from webapp.domain.team.join import (
    ExistingUserForm,
    InvitationState,
    NewUserForm,
    find_by_token,
    join,
    join_as_existing,
    join_as_new,
    state_for,
)
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.http.auth.session import current_visit, this_browser
from webapp.http.client_ip import client_address
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, see_other
from webapp.models import Invitation
from webapp.pages.auth.two_step import let_in
from webapp.pages.auth.words import render_account_page

blueprint = Blueprint("join", __name__, url_prefix="/join")
LABELS = {"password": "Password"}


@blueprint.route("/<token>", methods=FORM)
@public
async def show(token: str) -> ResponseReturnValue:
    visit, form = await current_visit(), await Form.sent()
    try:
        with form.refusing(LABELS):
            invitation = await find_by_token(token)
            state = await state_for(invitation, visit.user if visit else None)
            context: dict[str, Any] = {
                "token": token,
                "invitation": invitation,
                "offered": Role(invitation.role),
                "state": state,
            }
            if request.method == "POST":
                return await _accept(token, invitation, state, form)
    except NotFound:  # the page never says why a link does not work
        return await render_account_page("join/useless.html", status=404)
    return await render_account_page("join/show.html", **context, form=form)


async def _accept(token: str, invitation: Invitation, state: InvitationState, form: Form) -> ResponseReturnValue:
    welcome = f"Welcome to {invitation.org.name.removesuffix('.')}."
    if state is InvitationState.WELCOME:
        act_as(g.visit.user, client_address())
        await join(token, g.visit)
        flash(welcome)
        return see_other("/home")
    session: NewSession | PendingTwoFactor
    if state is InvitationState.NEW:
        session = await join_as_new(token, form.read(NewUserForm), this_browser())
    elif state is InvitationState.HOMELESS:
        throttle = current_app.extensions["sign_in_throttle"]
        session = await join_as_existing(token, form.read(ExistingUserForm), this_browser(), throttle)
    else:
        return see_other(f"/join/{token}")
    flash(welcome)
    return await let_in(session)
