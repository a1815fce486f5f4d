"""Open sign-up: the form for an address, and the page of the emailed link, which creates the organization."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, render_template, request

from webapp.domain.auth import one_time_links
from webapp.domain.auth.one_time_links import Purpose
from webapp.domain.auth.owners import NewOrganization
from webapp.domain.auth.sign_up import check_links_work, check_open, is_open, sign_up
from webapp.errors import ApiError, NotFound
from webapp.http.auth.permissions import public
from webapp.http.auth.session import this_browser
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, render_page
from webapp.pages.auth.claim import ZONES
from webapp.pages.auth.reset_password import ask_for_link
from webapp.pages.auth.two_step import let_in

blueprint = Blueprint("sign_up", __name__, url_prefix="/sign-up")


@blueprint.app_context_processor
def template_context() -> dict[str, Any]:
    return {"may_sign_up": is_open}


@blueprint.route("", methods=FORM)
@public
async def ask() -> ResponseReturnValue:
    check_open()
    return await ask_for_link(Purpose.SIGN_UP_REQUESTED, "sign_up")


@blueprint.get("/sent")
@public
async def sent() -> ResponseReturnValue:
    check_open()
    return await render_template("sign_up/sent.html")


@blueprint.route("/<token>", methods=FORM)
@public
async def create(token: str) -> ResponseReturnValue:
    """GET changes nothing, because programs open the links of an email before its reader does."""
    check_links_work()
    form = await Form.sent({"timezone": "UTC"})
    try:
        email = await one_time_links.find_address(Purpose.SIGN_UP, token)
        if request.method != "POST":
            return await render_template("sign_up/new.html", form=form, email=email, timezones=ZONES)
        newcomer = form.read(NewOrganization)
        session = await sign_up(token, newcomer, this_browser())
    except NotFound:
        return await render_template("sign_up/void.html"), 404
    except ApiError as refusal:
        return await render_page("sign_up/new.html", form=form.refuse(refusal), email=email, timezones=ZONES)
    flash(f"Welcome to Pennypost. {newcomer.organization} is ready.")
    return await let_in(session)
