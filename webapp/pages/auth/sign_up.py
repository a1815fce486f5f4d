"""Open sign-up: the form for an address, and the page of the emailed link, which creates the organization."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, current_app, render_template, request

from webapp.domain.auth import one_time_links
from webapp.domain.auth.one_time_links import LinkRequest, Purpose
from webapp.domain.auth.sign_up import SignUpForm, check_links_work, check_open, is_open, sign_up
from webapp.errors import ApiError, NotFound
from webapp.http.auth.permissions import public
from webapp.http.auth.session import this_browser
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, form_error, page_error, see_other
from webapp.pages.auth.claim import ZONES
from webapp.pages.auth.two_step import let_in

blueprint = Blueprint("sign_up", __name__, url_prefix="/sign-up")


@blueprint.app_context_processor
def template_context() -> dict[str, Any]:
    return {"may_sign_up": is_open}


@blueprint.route("", methods=FORM)
@public
async def ask() -> ResponseReturnValue:
    check_open()
    if request.method != "POST":
        return await render_template("sign_up/show.html", form=Form())
    form, throttle = await Form.sent(), current_app.extensions["link_throttle"]
    try:
        await one_time_links.request_link(Purpose.SIGN_UP, form.read(LinkRequest), this_browser(), throttle)
    except ApiError as refusal:
        return await page_error("sign_up/show.html", refusal, form=form.refuse(refusal))
    return see_other("/sign-up/sent")


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
    form = Form({"timezone": "UTC"})
    try:
        email = await one_time_links.find_address(Purpose.SIGN_UP, token)
        if request.method != "POST":
            return await render_template("sign_up/new.html", form=form, email=email, timezones=ZONES)
        form = await Form.sent()
        newcomer = form.read(SignUpForm)
        session = await sign_up(token, newcomer, this_browser())
    except NotFound:
        return await render_template("sign_up/void.html"), 404
    except ApiError as refusal:
        return await form_error("sign_up/new.html", form=form.refuse(refusal), email=email, timezones=ZONES)
    flash(f"Welcome to Pennypost. {newcomer.organization} is ready.")
    return await let_in(session, email)
