"""A browser's session: its cookies, and the redirect to the sign-in page."""

from urllib.parse import quote

from quart import Response, ResponseReturnValue, g, request

from webapp.domain.auth import sessions
from webapp.domain.auth.sessions import Browser, NewSession, SignedInUser
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.client_ip import client_address, forwarded_for
from webapp.http.flashes import flash
from webapp.http.forms import see_other, wants_fragment

COOKIE = "session"
DEVICE_SECONDS = 365 * 24 * 3600


async def current_visit() -> SignedInUser | None:
    if "visit" not in g:
        token = read_cookie(COOKIE)
        g.visit = await sessions.find_signed_in_user(token) if token else None
    visit: SignedInUser | None = g.visit
    return visit


def this_browser() -> Browser:
    return Browser(client_address(), request.headers.get("User-Agent", ""), read_cookie("device"), forwarded_for())


async def start_session(response: Response, opened: NewSession) -> Response:
    """Sets the new session's cookies and ends the old one, so that a token planted before sign-in is useless."""
    await sessions.end_session(read_cookie(COOKIE))
    set_cookie(response, COOKIE, opened.token, max_age=int(sessions.ABSOLUTE.total_seconds()))
    set_cookie(response, "device", sessions.device_token(opened.session.user.email), max_age=DEVICE_SECONDS)
    return response


async def stop_session(response: Response) -> Response:
    await sessions.end_session(read_cookie(COOKIE))
    drop_cookie(response, COOKIE)
    return response


def to_sign_in() -> ResponseReturnValue:
    """Signing in leads on to the page, or back to the page of a form that was sent; htmx keeps the form in place."""
    is_sent = request.method == "POST"
    if wants_fragment():
        return Response("", 401, {} if is_sent else {"HX-Redirect": "/sign-in"})
    target = came_from("/home") if is_sent else local_path(request.full_path.rstrip("?"))
    path = f"/sign-in?next={quote(target, safe='')}"
    if is_sent:
        flash("You're signed out, so what you sent wasn't saved.", "warn")
    return see_other(path)


def came_from(default: str) -> str:
    _, _, address = request.headers.get("Referer", "").partition("://")
    _, slash, path = address.partition("/")
    return local_path(f"/{path}") if slash else default


async def sent_back(default: str) -> str:
    """The path in the form's field `back`, or in the link to the form."""
    back = (await request.form).get("back") or request.args.get("back") or default
    return back if local_path(back) == back else default


def local_path(target: str) -> str:
    is_ours = target.startswith("/") and not target.startswith(("//", "/\\"))
    is_plain = target.isascii() and target.isprintable() and len(target) <= 2000  # noqa: PLR2004 - a usual limit for URLs
    return target if is_ours and is_plain else "/home"
