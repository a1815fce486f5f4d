"""Lists members, changes their roles, and removes them."""

from typing import Any
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.roles import Action, Role
from webapp.domain.team import invitations, team
from webapp.domain.team.team import NewRole
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, redirect, render_dialog
from webapp.http.paging import ListPaging, query
from webapp.models import Membership
from webapp.pages.shared import role_labels
from webapp.pages.shared.filters import counted

blueprint = Blueprint("team", __name__, url_prefix="/team")


class TeamQuery(ListPaging):
    columns = team.COLUMNS
    default_sort = "-role"


@blueprint.get("")
@guarded(Action.READ)
@query(TeamQuery)
async def index(query_args: TeamQuery) -> ResponseReturnValue:
    members = await team.list_members(g.caller.org, query_args.order)
    waiting = await invitations.list_invitations(g.caller.org) if g.caller.role.may(Action.TEAM) else []
    return await render_template(
        "team/index.html",
        members=members,
        asked=query_args,
        owners=sum(member.role is Role.OWNER for member in members),
        invitations=waiting,
        duties=role_labels.PEOPLE,
    )


@blueprint.route("/members/<uuid:member_id>/role", methods=FORM)
@guarded(Action.TEAM)
async def set_role(member_id: UUID) -> ResponseReturnValue:
    member = await team.find_member(g.caller.org, g.caller.role, member_id)
    form = await Form.sent({"role": member.role})
    if request.method == "POST":
        with form.refusing():
            member = await team.change_role(g.caller.org, g.caller.user, member_id, form.read(NewRole))
            return redirect("/team", f"{member.user.display_name} is now {Role(member.role).with_article}.")
    return await render_dialog("team/role.html", form=form, **await _about(member))


async def _about(member: Membership) -> dict[str, Any]:
    keys = await team.living_keys(g.caller.org, member)
    choices = role_labels.choices(role_labels.PEOPLE, g.caller.role)
    roles = [(role, _with_cost(name, len(team.keys_above_role(keys, role)))) for role, name in choices["roles"]]
    return choices | {"member": member, "keys": keys, "roles": roles}


def _with_cost(name: str, keys: int) -> str:
    return f"{name} ({counted(keys, 'key')} revoked)" if keys else name


@blueprint.route("/members/<uuid:member_id>/remove", methods=FORM)
@guarded(Action.TEAM)
async def remove(member_id: UUID) -> ResponseReturnValue:
    if request.method == "POST":
        member = await team.remove_member(g.caller.org, g.caller.user, member_id)
        return redirect("/team", f"{member.user.display_name} removed from {g.caller.org.name}.")
    member = await team.find_member(g.caller.org, g.caller.role, member_id)
    return await render_dialog("team/remove.html", **await _about(member))
