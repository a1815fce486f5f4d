"""The team: who is in the organization, their roles, and taking them out of it."""

from typing import Any
from uuid import UUID

from quart import Blueprint, g, render_template
from quart.typing import ResponseReturnValue

from webapp.domain import invitations, team
from webapp.domain.roles import Action, Role
from webapp.domain.team import Membership, NewRole
from webapp.errors import ApiError
from webapp.http.flashes import flash
from webapp.http.forms import Form, done, refused, wants_fragment
from webapp.http.guard import guarded
from webapp.pages import role_words

blueprint = Blueprint("team", __name__, url_prefix="/team")


@blueprint.get("")
@guarded(Action.READ)
async def index() -> ResponseReturnValue:
    members = await team.list_members(g.caller.org)
    waiting = await invitations.list_invitations(g.caller.org) if g.caller.role.may(Action.TEAM) else []
    return await render_template(
        "team/index.html", members=members, owners=_owners(members), invitations=waiting, words=role_words.PEOPLE
    )


def _owners(members: list[team.Member]) -> int:
    return sum(one.role is Role.OWNER for one in members)


@blueprint.get("/members/<uuid:member_id>/role")
@guarded(Action.TEAM)
async def ask_role(member_id: UUID) -> ResponseReturnValue:
    member = await team.find_member(g.caller.org, g.caller.role, member_id)
    template = "team/_role.html" if wants_fragment() else "team/role.html"
    return await render_template(template, form=Form({"role": member.role}), **await _about(member))


@blueprint.post("/members/<uuid:member_id>/role")
@guarded(Action.TEAM)
async def set_role(member_id: UUID) -> ResponseReturnValue:
    member = await team.find_member(g.caller.org, g.caller.role, member_id)
    form = await Form.sent()
    try:
        member = await team.change_role(g.caller.org, g.caller.user, member_id, form.read(NewRole))
    except ApiError as refusal:
        form.refuse(refusal)
        return await refused("team/role.html", "team/_role.html", form=form, **await _about(member))
    flash(f"{member.user.email} is {Role(member.role).with_article} now.")
    return done("/team")


async def _about(member: Membership) -> dict[str, Any]:
    """Somebody and their keys, and for each role that may be given how many of those it would cost."""
    keys = await team.living_keys(g.caller.org, member)
    choices = [
        (role, _with_cost(words, len(team.beyond(keys, Role(role)))))
        for role, words in role_words.options(role_words.PEOPLE, g.caller.role)
    ]
    return {"member": member, "keys": keys, "roles": choices}


def _with_cost(words: str, keys: int) -> str:
    """`Viewer (2 keys revoked): reads`; the cost stands where no small screen cuts it off."""
    return words.replace(":", f" ({keys:,} key{'' if keys == 1 else 's'} revoked):", 1) if keys else words


@blueprint.get("/members/<uuid:member_id>/remove")
@guarded(Action.TEAM)
async def ask_remove(member_id: UUID) -> ResponseReturnValue:
    member = await team.find_member(g.caller.org, g.caller.role, member_id)
    template = "team/_remove.html" if wants_fragment() else "team/remove.html"
    return await render_template(template, **await _about(member))


@blueprint.post("/members/<uuid:member_id>/remove")
@guarded(Action.TEAM)
async def remove(member_id: UUID) -> ResponseReturnValue:
    member = await team.remove_member(g.caller.org, g.caller.user, member_id)
    flash(f"{member.user.email} is no longer in {g.caller.org.name}.")
    return done("/team")
