"""The one-time link of the first start, which creates the first owner and organization."""

from quart import Blueprint, ResponseReturnValue, render_template, request

from webapp.domain.auth import owners, sessions
from webapp.domain.auth.owners import NewOwner
from webapp.errors import ApiError, NotFound
from webapp.http.auth.permissions import public
from webapp.http.auth.session import start_session, this_browser
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, render_page, see_other

blueprint = Blueprint("claim", __name__, url_prefix="/claim")
ZONES = [(zone, zone.replace("_", " ")) for zone in owners.TIMEZONES]


@blueprint.route("/<token>", methods=FORM)
@public
async def claim(token: str) -> ResponseReturnValue:
    form = await Form.sent({"timezone": "UTC"})
    if request.method == "POST":
        try:
            user, org = await owners.claim_instance(token, form.read(NewOwner))
        except NotFound:
            return await render_template("claim/used.html"), 404
        except ApiError as refusal:
            return await render_page("claim/show.html", form=form.refuse(refusal), timezones=ZONES)
        opened = await sessions.open_session(user, org, this_browser())
        flash(f"Welcome to Pennypost. {org.name} is ready.")
        return await start_session(see_other("/home"), opened)
    if not await owners.is_claim_link(token):
        return await render_template("claim/used.html"), 404
    return await render_page("claim/show.html", form=form, timezones=ZONES)
