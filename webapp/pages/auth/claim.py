"""The first start: the one-time link that creates the first owner and organization."""

from quart import Blueprint, render_template
from quart.typing import ResponseReturnValue

from webapp.domain.auth import owners, sessions
from webapp.domain.auth.owners import NewOwner
from webapp.errors import ApiError, NotFound
from webapp.http.auth.permissions import public
from webapp.http.auth.session import start_session, this_browser
from webapp.http.flashes import flash
from webapp.http.forms import Form, form_error, see_other

blueprint = Blueprint("claim", __name__, url_prefix="/claim")
ZONES = [(zone, zone.replace("_", " ")) for zone in owners.TIMEZONES]


@blueprint.get("/<token>")
@public
async def show(token: str) -> ResponseReturnValue:
    if not await owners.is_claim_link(token):
        return await render_template("claim/used.html"), 404
    return await render_template("claim/show.html", form=Form({"timezone": "UTC"}), timezones=ZONES)


@blueprint.post("/<token>")
@public
async def claim(token: str) -> ResponseReturnValue:
    form = await Form.sent()
    try:
        user, org = await owners.claim_instance(token, form.read(NewOwner))
    except NotFound:
        return await render_template("claim/used.html"), 404
    except ApiError as refusal:
        form.refuse(refusal)
        return await form_error("claim/show.html", form=form, timezones=ZONES)
    opened = await sessions.open_session(user, org, this_browser())
    flash(f"Welcome. {org.name} is yours.")
    response = see_other("/home")
    return await start_session(response, opened, user.email)
