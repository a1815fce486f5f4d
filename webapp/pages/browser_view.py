"""The page of a campaign email's "view in browser" link: the sandboxed email."""

from quart import Blueprint, Response, request, url_for

from webapp.domain.mail_logs.mail_logs import find_viewed
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.pages.mail.frame import mail_page
from webapp.pages.shared.reader_page import render_notice

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
    return await _notice("notice.gone_title", "notice.gone", 410) if mail is None else mail_page(mail, HEADERS)


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> Response:
    return await _notice("notice.link_title", "notice.link_email", 404)


async def _notice(heading: str, text: str, status: int) -> Response:
    here = url_for("browser_view.show", **(request.view_args or {}))
    page = await render_notice(here, heading, text, status=status)
    page.headers.update(HEADERS)
    return page
