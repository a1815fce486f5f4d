"""Switches between a user's organizations, and leaves one."""

from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, request

from webapp.domain.auth import sessions
from webapp.domain.roles import Action
from webapp.domain.team import team
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import stop_session
from webapp.http.forms import FORM, redirect, render_dialog

blueprint = Blueprint("organizations", __name__, url_prefix="/organizations")


@blueprint.post("/<uuid:org_id>/switch")
@guarded(Action.ONESELF)
async def switch(org_id: UUID) -> ResponseReturnValue:
    org = sessions.own_organization(g.visit, org_id)
    await sessions.move_session(g.visit.session, org)
    return redirect("/home", f"Switched to {org.name}.", "info")


@blueprint.route("/<uuid:org_id>/leave", methods=FORM)
@guarded(Action.ONESELF)
async def leave(org_id: UUID) -> ResponseReturnValue:
    org = sessions.own_organization(g.visit, org_id)
    if request.method == "POST":
        home = await team.leave(g.visit, org)
        if home is None:  # a session needs an organization
            return await stop_session(redirect("/sign-in", f"You left {org.name}."))
        return redirect("/home", f"You left {org.name}.")
    keys = await team.living_keys(org, await team.own_membership(g.visit, org))
    return await render_dialog("team/leave.html", org=org, keys=keys)
