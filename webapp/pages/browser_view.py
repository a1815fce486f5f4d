"""The page of a campaign email's "view in browser" link: the sandboxed email."""

from quart import Blueprint, Response, render_template

from webapp.domain.mail_logs.mail_logs import find_viewed
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.pages.mail.frame import mail_page

blueprint = Blueprint("browser_view", __name__, url_prefix="/view")
HEADERS = {
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",  # because anyone with the link can read the email
    "Cache-Control": "private, no-store",
}


@blueprint.get("/<token>")
@public
async def show(token: str) -> Response:
    mail = await find_viewed(token)
    return await _refusal("gone", 410) if mail is None else mail_page(mail, HEADERS)


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> Response:
    return await _refusal("unknown", 404)


async def _refusal(name: str, status: int) -> Response:
    return Response(await render_template(f"browser_view/{name}.html"), status, HEADERS, mimetype="text/html")
