"""The page behind a campaign mail's unsubscribe link; opening it changes nothing, because scanners follow links.

Mail programs POST its form too (RFC 8058), without a cookie or a token of ours, and follow no redirect.
"""

from quart import Blueprint, ResponseReturnValue, render_template

from webapp.domain.contacts import unsubscribe
from webapp.errors import NotFound
from webapp.http.auth.permissions import public

blueprint = Blueprint("unsubscribe", __name__, url_prefix="/unsubscribe")


@blueprint.get("/<token>")
@public
async def show(token: str) -> ResponseReturnValue:
    subscription = await unsubscribe.find_subscription(token)
    return await render_template("unsubscribe/show.html", subscription=subscription, token=token)


@blueprint.post("/<token>")
@public
async def leave(token: str) -> ResponseReturnValue:
    subscription = await unsubscribe.unsubscribe(token)
    return await render_template("unsubscribe/show.html", subscription=subscription, token=token)


@blueprint.post("/<token>/undo")
@public
async def undo(token: str) -> ResponseReturnValue:
    subscription = await unsubscribe.subscribe_again(token)
    is_refused = subscription.email is not None and not subscription.is_subscribed
    page = await render_template("unsubscribe/show.html", subscription=subscription, token=token, is_back=True)
    return page, 409 if is_refused else 200


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> ResponseReturnValue:
    return await render_template("unsubscribe/unknown.html"), 404
