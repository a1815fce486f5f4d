"""The page where readers who have no email of an organization ask for the link to their preferences."""

from quart import Blueprint, Response, current_app, request, url_for

from webapp.domain.preferences.link_mail import PreferencesLinkRequest, find_organization, request_link
from webapp.errors import NotFound, RateLimitExceeded
from webapp.http.auth.permissions import public
from webapp.http.auth.session import this_browser
from webapp.http.forms import FORM, Form, see_other
from webapp.pages.shared.reader_page import page_language, render_notice, render_reader_page

blueprint = Blueprint("preferences", __name__, url_prefix="/preferences")


@blueprint.route("/<key>", methods=FORM)
@public
async def ask(key: str) -> Response:
    org, form = await find_organization(key), await Form.sent()
    if request.method == "POST":
        with form.refusing():
            throttle = current_app.extensions["preferences_throttle"]
            await request_link(org, form.read(PreferencesLinkRequest), this_browser(), throttle, page_language())
            return see_other(url_for("preferences.sent", key=key, l=request.args.get("l")))
    is_late = isinstance(form.refusal, RateLimitExceeded)
    status = 429 if is_late else 422 if form.errors else 200
    page = await render_reader_page(
        "preferences/ask.html", request.path, org, status=status, form=form, is_late=is_late
    )
    if form.refusal:
        page.headers.update(form.refusal.headers())
    return page


@blueprint.get("/<key>/sent")
@public
async def sent(key: str) -> Response:
    words = {"heading": "preferences_link.sent_title", "text": "preferences_link.sent", "more": "preferences_link.hint"}
    return await render_notice(request.path, **words, status=200, org=await find_organization(key))


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> Response:
    return await render_notice(request.path, "notice.link_title", "notice.link_preferences")
