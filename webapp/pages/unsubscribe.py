"""The page of a campaign email's unsubscribe link; opening it changes nothing, because scanners follow links.

Email programs also submit its form (RFC 8058), without our cookie or token, and do not follow redirects.
"""

from typing import Any

from quart import Blueprint, Response, request, url_for

from webapp.domain.contacts import unsubscribe
from webapp.domain.contacts.unsubscribe import Subscription
from webapp.errors import Busy, NotFound
from webapp.http.auth.permissions import public
from webapp.http.forms import FORM
from webapp.models import Organization
from webapp.pages.shared.reader_page import render_reader_page

blueprint = Blueprint("unsubscribe", __name__, url_prefix="/unsubscribe")


@blueprint.route("/<token>", methods=FORM)
@public
async def leave(token: str) -> Response:
    act = unsubscribe.unsubscribe if request.method == "POST" else unsubscribe.find_subscription
    return await _page(token, await act(token))


@blueprint.post("/<token>/undo")
@public
async def undo(token: str) -> Response:
    subscription = await unsubscribe.subscribe_again(token)
    is_refused = subscription.email is not None and not subscription.is_subscribed
    return await _page(token, subscription, status=409 if is_refused else 200, is_back=True)


@blueprint.post("/<token>/tracking")
@public
async def tracking(token: str) -> Response:
    is_tracked = (await request.form).get("tracking") == "on"
    return await _page(token, await unsubscribe.choose_tracking(token, is_tracked=is_tracked), has_chosen=True)


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> Response:
    return await _render(
        _token(), "notice.html", None, status=404, heading="notice.link_title", text="notice.link_unsubscribe"
    )


@blueprint.errorhandler(Busy)
async def ask_again(busy: Busy) -> Response:
    words = {"heading": "notice.busy_title", "text": "notice.busy"}
    page = await _render(_token(), "notice.html", None, status=busy.status, **words)
    page.headers.update(busy.headers())
    return page


def _token() -> str:
    return str((request.view_args or {})["token"])


async def _page(token: str, subscription: Subscription, **context: Any) -> Response:
    return await _render(token, "unsubscribe/show.html", subscription.org, subscription=subscription, **context)


async def _render(token: str, template: str, org: Organization | None, **context: Any) -> Response:
    return await render_reader_page(template, url_for("unsubscribe.leave", token=token), org, **context)
