"""The organization's settings."""

from quart import Blueprint, ResponseReturnValue, g, request

from webapp.domain import organizations
from webapp.domain.auth import owners
from webapp.domain.organizations import OrganizationSettings
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, redirect, render_page

blueprint = Blueprint("organization", __name__, url_prefix="/organization")
LABELS = {"name": "Name", "timezone": "Time zone"}


@blueprint.route("", methods=FORM)
@guarded(Action.ORGANIZATION)
async def show() -> ResponseReturnValue:
    org = g.caller.org
    form = await Form.sent({name: getattr(org, name) for name in OrganizationSettings.model_fields})
    if request.method == "POST":
        with form.refusing(LABELS):
            await organizations.change_settings(org, g.caller.user, form.read(OrganizationSettings))
            return redirect("/organization", "Settings saved.")
    return await render_page("organization/show.html", "organization/_form.html", form=form, timezones=_timezones())


def _timezones() -> list[tuple[str, str]]:
    """The common zones, and the organization's own, for which the operator may have used another name."""
    own = g.caller.org.timezone
    zones = owners.TIMEZONES if own in owners.TIMEZONES else (own, *owners.TIMEZONES)
    return [(zone, zone.replace("_", " ")) for zone in zones]
