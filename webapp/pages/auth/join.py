"""The page of an invitation's link; opening it changes nothing, because mail scanners do."""

from typing import Any

from quart import Blueprint, current_app, g, render_template
from quart.typing import ResponseReturnValue

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
from webapp.errors import ApiError, NotFound
from webapp.http.auth.audit_actor import act_as_person
from webapp.http.auth.permissions import public
from webapp.http.auth.session import current_visit, this_browser
from webapp.http.flashes import flash
from webapp.http.forms import Form, page_error, see_other
from webapp.models import Invitation, Organization
from webapp.pages.auth.two_step import let_in

blueprint = Blueprint("join", __name__, url_prefix="/join")
LABELS = {"password": "The password"}


@blueprint.get("/<token>")
@public
async def show(token: str) -> ResponseReturnValue:
    visit = await current_visit()
    try:
        invitation = await find_by_token(token)
    except NotFound:
        return await _useless()
    state = await state_for(invitation, visit.user if visit else None)
    return await render_template("join/show.html", **_about(token, invitation, state, Form()))


@blueprint.post("/<token>")
@public
async def accept(token: str) -> ResponseReturnValue:
    visit, form = await current_visit(), await Form.sent()
    try:
        invitation = await find_by_token(token)
        state = await state_for(invitation, visit.user if visit else None)
        return await _accept(token, invitation, state, form)
    except NotFound:
        return await _useless()
    except ApiError as refusal:
        form.refuse(refusal, LABELS)
        return await page_error("join/show.html", refusal, **_about(token, invitation, state, form))


def _about(token: str, invitation: Invitation, state: InvitationState, form: Form) -> dict[str, Any]:
    offered = Role(invitation.role)
    return {"token": token, "invitation": invitation, "offered": offered, "state": state, "form": form}


async def _accept(token: str, invitation: Invitation, state: InvitationState, form: Form) -> ResponseReturnValue:
    if state is InvitationState.WELCOME:
        act_as_person(g.visit.user)
        _greet(await join(token, g.visit))
        return see_other("/home")
    if state is InvitationState.NEW:
        opened = await join_as_new(token, form.read(NewUserForm), this_browser())
        _greet(invitation.org)
        return await let_in(opened, invitation.email)
    if state is InvitationState.HOMELESS:
        throttle = current_app.extensions["sign_in_throttle"]
        found = await join_as_existing(token, form.read(ExistingUserForm), this_browser(), throttle)
        _greet(invitation.org)
        return await let_in(found, invitation.email)
    return see_other(f"/join/{token}")


def _greet(org: Organization) -> None:
    flash(f"Welcome to {org.name}.")


async def _useless() -> ResponseReturnValue:
    """The same page for every link that does not work, whatever the reason."""
    return await render_template("join/useless.html"), 404
