"""Invites people; the link is shown once, and emailed if the instance has a mail server."""

from typing import Any
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, request

from webapp.domain.auth import system_email
from webapp.domain.roles import Action, Role
from webapp.domain.team import invitations
from webapp.domain.team.invitations import NewInvitation
from webapp.http.auth.one_time_secret import read_secret, redirect_with, render_secret, seal_secret
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, submit_once
from webapp.pages.shared import role_labels

blueprint = Blueprint("invitations", __name__, url_prefix="/team/invitations")
COOKIE = "fresh_link"
LABELS = {"email": "Email"}


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.TEAM)
async def create() -> ResponseReturnValue:
    async def invite() -> str:
        invited = await invitations.invite(g.caller.org, g.caller.user, form.read(NewInvitation))
        row_id, email = invited.invitation.id, invited.invitation.email
        if system_email.is_set_up():
            trouble = await invitations.mail_invitation(g.caller.org, invited)
            if trouble is None:
                flash(f"Invitation sent to {email}.")
            else:
                flash(f"Couldn't email the invitation to {email}: {trouble.removesuffix('.')}.", "warn")
        return seal_secret(COOKIE, row_id, invited.link, f"/team/invitations/{row_id}/link")

    form = await Form.sent({"role": "sender"})
    if request.method == "POST":
        with form.refusing(LABELS):
            return redirect_with(await submit_once(form, invite))
    return await render_page("invitations/new.html", form=form, **_choices())


@blueprint.get("/<uuid:invitation_id>/link")
@guarded(Action.TEAM)
async def link(invitation_id: UUID) -> ResponseReturnValue:
    invitation = await invitations.find_invitation(g.caller.org, g.caller.role, invitation_id)
    address = read_secret(COOKIE, invitation.id)
    if address is None:
        return redirect(
            "/team", "Invitation links are shown only once. If you lost this one, create a new link.", "info"
        )
    context = {"invitation": invitation, "given": Role(invitation.role), "link": address}
    return await render_secret("invitations/link.html", COOKIE, **context)


@blueprint.route("/<uuid:invitation_id>/revoke", methods=FORM)
@guarded(Action.TEAM)
async def revoke(invitation_id: UUID) -> ResponseReturnValue:
    if request.method == "POST":
        invitation = await invitations.revoke_invitation(g.caller.org, g.caller.user, invitation_id)
        return redirect("/team", f"Invitation for {invitation.email} revoked. The link no longer works.")
    invitation = await invitations.find_invitation(g.caller.org, g.caller.role, invitation_id)
    return await render_dialog("invitations/revoke.html", invitation=invitation)


def _choices() -> dict[str, Any]:
    return role_labels.choices(role_labels.PEOPLE, g.caller.role) | {"is_mailed": system_email.is_set_up()}
