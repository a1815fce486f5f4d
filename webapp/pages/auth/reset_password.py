"""Resets a forgotten password through an emailed link."""

from quart import Blueprint, ResponseReturnValue, current_app, render_template, request

from webapp.domain.auth import one_time_links, system_email
from webapp.domain.auth.one_time_links import LinkRequest, Purpose
from webapp.domain.auth.passwords import NewPassword, reset_by_link
from webapp.errors import ApiError, NotFound
from webapp.http.auth.permissions import public
from webapp.http.auth.session import this_browser
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, form_error, page_error, see_other
from webapp.pages.auth.two_step import let_in

blueprint = Blueprint("reset", __name__, url_prefix="/reset")
LABELS = {"new_password": "New password"}


@blueprint.route("", methods=FORM)
@public
async def ask() -> ResponseReturnValue:
    can_mail = system_email.is_set_up()
    if request.method != "POST":
        return await render_template("reset/show.html", form=Form(), can_mail=can_mail)
    if not can_mail:
        return see_other("/reset")
    form, throttle = await Form.sent(), current_app.extensions["link_throttle"]
    try:
        await one_time_links.request_link(Purpose.RESET, form.read(LinkRequest), this_browser(), throttle)
    except ApiError as refusal:
        return await page_error("reset/show.html", refusal, form=form.refuse(refusal), can_mail=True)
    return see_other("/reset/sent")


@blueprint.get("/sent")
@public
async def sent() -> ResponseReturnValue:
    return await render_template("reset/sent.html")


@blueprint.route("/<token>", methods=FORM)
@public
async def set_password(token: str) -> ResponseReturnValue:
    """GET changes nothing, because programs open the links of an email before its reader does."""
    form = Form()
    try:
        email = await one_time_links.find_address(Purpose.RESET, token)
        if request.method != "POST":
            return await render_template("reset/new.html", form=form, email=email)
        form = await Form.sent()
        session = await reset_by_link(token, form.read(NewPassword), this_browser())
    except NotFound:
        return await render_template("reset/void.html"), 404
    except ApiError as refusal:
        return await form_error("reset/new.html", form=form.refuse(refusal, LABELS), email=email)
    flash("Password changed. You've been signed out of all other browsers.")
    return await let_in(session, email)
