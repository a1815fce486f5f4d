"""The page behind the link of a confirmation email; opening it changes nothing, because scanners follow links."""

from typing import Any

from quart import Blueprint, Response, request, url_for

from webapp.domain.forms import confirm
from webapp.domain.forms.confirm import Confirmation, State
from webapp.errors import NotFound, PlanLimitExceeded
from webapp.http.auth.permissions import public
from webapp.http.forms import see_other
from webapp.models.sign_up_form import ConfirmBy
from webapp.pages.shared.reader_page import render_notice, render_reader_page

blueprint = Blueprint("confirmation", __name__, url_prefix="/f/confirm")

RETRY_SECONDS = 3600


@blueprint.get("/<token>")
@public
async def show(token: str) -> Response:
    confirmation = await confirm.find_confirmation(token)
    if request.method == "GET":
        await confirm.record_opening(confirmation)
    return _onward(confirmation) or await _page(token, confirmation)


@blueprint.post("/<token>")
@public
async def act(token: str) -> Response:
    confirmation = await confirm.confirm(token)
    if onward := _onward(confirmation):
        return onward
    # Not when the link is only opened: this one lives longer, and scanners publish what they open.
    preferences = await confirm.preferences_token(confirmation)
    return await _page(token, confirmation, preferences=preferences)


@blueprint.post("/<token>/wrong")
@public
async def refuse(token: str) -> Response:
    confirmation = await confirm.refuse(token)
    return await _page(token, confirmation, is_barred=confirmation.state is State.WAITING)


@blueprint.errorhandler(NotFound)
async def explain(_: NotFound) -> Response:
    return await _notice("notice.link_title", "notice.link_confirm", 404)


@blueprint.errorhandler(PlanLimitExceeded)
async def ask_later(_: PlanLimitExceeded) -> Response:
    page = await _notice("notice.busy_title", "notice.full", 503)
    page.headers["Retry-After"] = str(RETRY_SECONDS)
    return page


def _onward(confirmation: Confirmation) -> Response | None:
    target = confirmation.form.redirect_after_confirm
    return see_other(target) if target and confirmation.state is State.DONE else None


async def _notice(heading: str, text: str, status: int) -> Response:
    here = url_for("confirmation.show", token=str((request.view_args or {})["token"]))
    return await render_notice(here, heading, text, status=status)


async def _page(token: str, confirmation: Confirmation, **context: Any) -> Response:
    form, sign_up = confirmation.form, confirmation.sign_up
    is_waiting = confirmation.state is State.WAITING
    return await render_reader_page(
        "forms/confirm.html",
        url_for("confirmation.show", token=token),
        confirmation.org,
        language=confirmation.submission.language if confirmation.submission else sign_up.language,
        form_target=form.redirect_after_confirm,
        has_script=is_waiting and form.confirm_by == ConfirmBy.CLICK and not context,
        state=confirmation.state,
        email=sign_up.email,
        **context,
    )
