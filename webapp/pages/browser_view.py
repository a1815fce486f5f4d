"""The page of a campaign email's "view in browser" link: the sandboxed email."""

from quart import Blueprint, Response, request, url_for

from webapp.domain.mail_logs.mail_logs import find_viewed
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.pages.mail.frame import mail_page
from webapp.pages.shared.reader_page import render_reader_page

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
    return await _notice(410, "notice.gone_title", "notice.gone") if mail is None else mail_page(mail, HEADERS)


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> Response:
    return await _notice(404, "notice.link_title", "notice.link_email")


async def _notice(status: int, heading: str, text: str) -> Response:
    here = url_for("browser_view.show", **(request.view_args or {}))
    page = await render_reader_page("notice.html", here, None, status=status, heading=heading, text=text)
    page.headers.update(HEADERS)
    return page
