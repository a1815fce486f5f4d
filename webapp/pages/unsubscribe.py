"""The page of a campaign email's unsubscribe link; opening it changes nothing, because scanners follow links.

Email programs also submit its form (RFC 8058), without our cookie or token, and do not follow redirects.
"""

from quart import Blueprint, ResponseReturnValue, render_template, request

from webapp.domain.contacts import unsubscribe
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.http.forms import FORM

blueprint = Blueprint("unsubscribe", __name__, url_prefix="/unsubscribe")


@blueprint.route("/<token>", methods=FORM)
@public
async def leave(token: str) -> ResponseReturnValue:
    act = unsubscribe.unsubscribe if request.method == "POST" else unsubscribe.find_subscription
    return await render_template("unsubscribe/show.html", subscription=await act(token), token=token)


@blueprint.post("/<token>/undo")
@public
async def undo(token: str) -> ResponseReturnValue:
    subscription = await unsubscribe.subscribe_again(token)
    is_refused = subscription.email is not None and not subscription.is_subscribed
    page = await render_template("unsubscribe/show.html", subscription=subscription, token=token, is_back=True)
    return page, 409 if is_refused else 200


@blueprint.post("/<token>/tracking")
@public
async def tracking(token: str) -> ResponseReturnValue:
    is_tracked = (await request.form).get("tracking") == "on"
    subscription = await unsubscribe.choose_tracking(token, is_tracked=is_tracked)
    return await render_template("unsubscribe/show.html", subscription=subscription, token=token, has_chosen=True)


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> ResponseReturnValue:
    return await render_template("unsubscribe/unknown.html"), 404
