"""Resets a forgotten password through an emailed link."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, current_app, request

from webapp.domain.auth import one_time_links, system_email
from webapp.domain.auth.one_time_links import LinkRequest, Purpose
from webapp.domain.auth.passwords import NewPassword, reset_by_link
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.http.auth.session import this_browser
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, see_other
from webapp.pages.auth.two_step import let_in
from webapp.pages.auth.words import account_words, render_account_page

blueprint = Blueprint("reset", __name__, url_prefix="/reset")
LABELS = {"new_password": "New password"}


@blueprint.route("", methods=FORM)
@public
async def ask() -> ResponseReturnValue:
    if request.method == "POST" and not system_email.is_set_up():
        return see_other("/reset")
    return await ask_for_link(Purpose.RESET_REQUESTED, "reset", can_mail=system_email.is_set_up())


async def ask_for_link(purpose: Purpose, folder: str, **context: Any) -> ResponseReturnValue:
    form, throttle = await Form.sent(), current_app.extensions["link_throttle"]
    if request.method == "POST":
        with form.refusing():
            link_request, language = form.read(LinkRequest), account_words().language
            await one_time_links.request_link(purpose, link_request, this_browser(), throttle, language)
            return see_other(f"{request.path}/sent")
    return await render_account_page(f"{folder}/show.html", form=form, **context)


@blueprint.get("/sent")
@public
async def sent() -> ResponseReturnValue:
    return await render_account_page("sign_in/link_sent.html", kind="reset", path="/reset")


@blueprint.route("/<token>", methods=FORM)
@public
async def set_password(token: str) -> ResponseReturnValue:
    """GET changes nothing, because programs open the links of an email before its reader does."""
    form = await Form.sent()
    try:
        with form.refusing(LABELS):
            email = await one_time_links.find_address(Purpose.RESET, token)
            if request.method == "POST":
                session = await reset_by_link(token, form.read(NewPassword), this_browser())
                flash("Password changed. You've been signed out of all other browsers.")
                return await let_in(session)
    except NotFound:
        return await render_account_page("sign_in/link_void.html", status=404, kind="reset", path="/reset")
    return await render_account_page("reset/new.html", form=form, email=email)
