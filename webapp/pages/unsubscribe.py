"""The page of a campaign email's unsubscribe link; opening it changes nothing, because scanners follow links.

Email programs also submit its form (RFC 8058), without our cookie or token, and do not follow redirects.
"""

from typing import Any

from quart import Blueprint, Response, current_app, request, url_for

from webapp.domain.contacts import unsubscribe
from webapp.domain.link_signing import ReaderPath
from webapp.domain.personal_data.by_person import ask_by_mail
from webapp.domain.preferences.one_click import leave_by_one_click
from webapp.domain.preferences.preferences import (
    LANGUAGE,
    PAUSES,
    Preferences,
    admit_change,
    find_preferences,
    save_preferences,
)
from webapp.errors import ApiError, Busy, NotFound, RateLimitExceeded
from webapp.http.auth.permissions import public
from webapp.http.forms import FORM, see_other
from webapp.pages.shared.reader_page import page_language, render_notice, render_reader_page

blueprint = Blueprint("unsubscribe", __name__, url_prefix="/unsubscribe")
ONE_CLICK = b"one-click"  # in the body of a mail program's request
SHOWN = "shown."  # before the name of a field, in the hidden one with the value that the page showed


@blueprint.route("/<token>", methods=FORM)
@public
async def leave(token: str) -> Response:
    if request.method == "POST" and ONE_CLICK in (await request.get_data()).lower():
        await leave_by_one_click(token)
    elif request.method == "POST":
        await unsubscribe.unsubscribe(token)
    return await _page(await find_preferences(token))


@blueprint.post("/<token>/undo")
@public
async def undo(token: str) -> Response:
    await admit_change(token, current_app.extensions["choices_throttle"])
    subscription = await unsubscribe.subscribe_again(token)
    is_refused = subscription.email is not None and not subscription.is_subscribed
    return await _page(await find_preferences(token), status=409 if is_refused else 200, is_back=True)


@blueprint.route("/<token>/preferences", methods=FORM)
@public
async def preferences(token: str) -> Response:
    if request.method != "POST":
        here = url_for("unsubscribe.preferences", token=token)
        return await _page(await find_preferences(token), here=here, is_saved="saved" in request.args)
    await admit_change(token, current_app.extensions["choices_throttle"])
    form = await request.form
    shown = {name.removeprefix(SHOWN): value for name, value in form.items() if name.startswith(SHOWN)}
    changed = {name: form.get(name, "") for name, value in shown.items() if form.get(name, "") != value}
    await save_preferences(token, changed)
    asked = None if LANGUAGE in changed else request.args.get("l")
    return see_other(url_for("unsubscribe.preferences", token=token, l=asked, saved=1))


@blueprint.post("/<token>/<any(data, erase):wanted>")
@public
async def ask_for_data(token: str, wanted: str) -> Response:
    contact = (await find_preferences(token)).subscription.contact
    if contact is None:
        raise NotFound
    throttle = current_app.extensions["data_throttle"]
    await ask_by_mail(contact, ReaderPath(wanted), throttle, page_language(contact.language))
    return await render_notice(
        _link(), "preferences_link.sent_title", "data.sent", status=200, org=contact.org, email=contact.email,
        language=contact.language,
    )  # fmt: skip


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> Response:
    return await render_notice(_link(), "notice.link_title", "notice.link_unsubscribe")


@blueprint.errorhandler(Busy)
@blueprint.errorhandler(RateLimitExceeded)
async def ask_again(error: ApiError) -> Response:
    text = "notice.busy" if isinstance(error, Busy) else "notice.too_many"
    page = await render_notice(_link(), "notice.busy_title", text, status=error.status)
    page.headers.update(error.headers())
    return page


def _link() -> str:
    return url_for("unsubscribe.leave", token=(request.view_args or {})["token"])


async def _page(preferences: Preferences, *, here: str | None = None, **context: Any) -> Response:
    subscription, link = preferences.subscription, _link()
    contact = subscription.contact
    return await render_reader_page(
        "unsubscribe/show.html",
        here or link,
        subscription.org,
        link=link,
        language=contact.language if contact else None,
        subscription=subscription,
        preferences=preferences,
        pauses=PAUSES,
        **context,
    )
