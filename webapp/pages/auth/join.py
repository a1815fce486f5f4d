"""The page behind an invitation's link. Opening it changes nothing: mail scanners do."""

from typing import Any

from quart import Blueprint, current_app, g, render_template
from quart.typing import ResponseReturnValue

from webapp.domain.roles import Role
from webapp.domain.team import join as joining
from webapp.domain.team.join import Invitation, NewColleague, Organization, Returning, Standing
from webapp.errors import ApiError, NotFound
from webapp.http.auth.audit_actor import act_as_person
from webapp.http.auth.permissions import public
from webapp.http.auth.session import current_visit, this_browser
from webapp.http.flashes import flash
from webapp.http.forms import Form, refused_try, see_other
from webapp.pages.auth.two_step import let_in

blueprint = Blueprint("join", __name__, url_prefix="/join")
LABELS = {"password": "The password"}


@blueprint.get("/<token>")
@public
async def show(token: str) -> ResponseReturnValue:
    visit = await current_visit()
    try:
        invitation = await joining.find_by_token(token)
    except NotFound:
        return await _useless()
    standing = await joining.standing_of(invitation, visit.user if visit else None)
    return await render_template("join/show.html", **_about(token, invitation, standing, Form()))


@blueprint.post("/<token>")
@public
async def join(token: str) -> ResponseReturnValue:
    visit, form = await current_visit(), await Form.sent()
    try:
        invitation = await joining.find_by_token(token)
        standing = await joining.standing_of(invitation, visit.user if visit else None)
        return await _take(token, invitation, standing, form)
    except NotFound:
        return await _useless()
    except ApiError as refusal:
        form.refuse(refusal, LABELS)
        return await refused_try("join/show.html", refusal, **_about(token, invitation, standing, form))


def _about(token: str, invitation: Invitation, standing: Standing, form: Form) -> dict[str, Any]:
    offered = Role(invitation.role)
    return {"token": token, "invitation": invitation, "offered": offered, "standing": standing, "form": form}


async def _take(token: str, invitation: Invitation, standing: Standing, form: Form) -> ResponseReturnValue:
    """Do what the page offers to this visitor; where that is nothing, show it."""
    if standing is Standing.WELCOME:
        act_as_person(g.visit.user)
        _greet(await joining.join(token, g.visit))
        return see_other("/home")
    if standing is Standing.NEW:
        opened = await joining.join_as_new(token, form.read(NewColleague), this_browser())
        _greet(invitation.org)
        return await let_in(opened, invitation.email)
    if standing is Standing.HOMELESS:
        throttle = current_app.extensions["sign_in_throttle"]
        found = await joining.join_again(token, form.read(Returning), this_browser(), throttle)
        _greet(invitation.org)
        return await let_in(found, invitation.email)
    return see_other(f"/join/{token}")


def _greet(org: Organization) -> None:
    flash(f"Welcome to {org.name}.")


async def _useless() -> ResponseReturnValue:
    """The same for every link that does not work, whatever the reason."""
    return await render_template("join/useless.html"), 404
