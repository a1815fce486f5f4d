"""Who is signed in, and the guard that every page wears."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any
from urllib.parse import quote, urlsplit

from quart import Blueprint, Response, current_app, g, request
from quart.typing import ResponseReturnValue

from webapp.domain import sessions
from webapp.domain.roles import Role
from webapp.domain.sessions import Browser, Opened, Visit
from webapp.http.caller import Caller
from webapp.http.client import client_address
from webapp.http.cookies import drop_cookie, secret_name, set_cookie
from webapp.http.csrf import check_form
from webapp.http.forms import see_other, wants_fragment

View = Callable[..., Awaitable[Any]]
PUBLIC = "public"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
DEVICE_SECONDS = 365 * 24 * 3600


def signed_in(role: Role = Role.VIEWER) -> Callable[[View], View]:
    """Guard a page: a stranger is sent to the sign-in page, a person below `role` is told so (Forbidden)."""

    def decorate(view: View) -> View:
        @wraps(view)
        async def guarded(*args: Any, **kwargs: Any) -> Any:
            visit = await current_visit()
            if visit is None:
                return to_sign_in()
            g.caller = Caller(visit.org, visit.role, user=visit.user)
            visit.role.require(role)
            return await view(*args, **kwargs)

        guarded.guard = role  # type: ignore[attr-defined]  # read by check_request and the test over all routes
        return guarded

    return decorate


def public(view: View) -> View:
    """Mark a page that needs no sign-in."""
    view.guard = PUBLIC  # type: ignore[attr-defined]  # as above
    return view


def guard_forms(blueprint: Blueprint) -> None:
    """Check each form that is sent to a page of this blueprint, before its view runs."""
    blueprint.before_request(check_request)


async def check_request() -> ResponseReturnValue | None:
    """Know who asks, and refuse a form that is not one of ours."""
    visit = await current_visit()
    if request.method in SAFE_METHODS:
        return None
    view = current_app.view_functions[request.endpoint or ""]
    is_public = getattr(view, "guard", None) == PUBLIC
    if visit is None and not is_public:
        return to_sign_in()
    await check_form(visit, is_public=is_public)
    return None


async def current_visit() -> Visit | None:
    """The session of this request, looked up once."""
    if "visit" not in g:
        token = session_token()
        g.visit = await sessions.find_visit(token) if token else None
    visit: Visit | None = g.visit
    return visit


def session_token() -> str:
    """The token in the session cookie; empty without one."""
    return request.cookies.get(secret_name("session"), "")


def this_browser() -> Browser:
    """What signs in: its address, what it calls itself, and whether it was here before."""
    return Browser(
        client_address(), request.headers.get("User-Agent", ""), request.cookies.get(secret_name("device"), "")
    )


async def start_session(response: Response, opened: Opened, email: str) -> Response:
    """Give the browser its new session and end the one it had: a token planted before sign-in is worth nothing."""
    await sessions.end_session(session_token())
    set_cookie(response, secret_name("session"), opened.token, max_age=int(sessions.ABSOLUTE.total_seconds()))
    set_cookie(response, secret_name("device"), sessions.device_token(email), max_age=DEVICE_SECONDS)
    return response


async def stop_session(response: Response) -> Response:
    """End the session here and in the browser."""
    await sessions.end_session(session_token())
    drop_cookie(response, secret_name("session"))
    return response


def to_sign_in() -> ResponseReturnValue:
    """Send a stranger to the sign-in page, and back afterwards to where they were going."""
    target = request.full_path.rstrip("?") if request.method == "GET" else "/home"
    place = f"/sign-in?next={quote(local_path(target), safe='')}"
    if wants_fragment():
        return Response("", 401, {"HX-Redirect": "/sign-in"})
    return see_other(place)


def came_from(default: str) -> str:
    """The page of ours that the form of this request stands on."""
    parts = urlsplit(request.headers.get("Referer", ""))
    return local_path(parts.path + (f"?{parts.query}" if parts.query else "")) if parts.path else default


def local_path(target: str) -> str:
    """`target` when it is a path of ours, else the home page: nobody is sent to another site."""
    parts = urlsplit(target.replace("\\", "/"))
    is_ours = target.startswith("/") and not target.startswith(("//", "/\\")) and not parts.scheme and not parts.netloc
    is_plain = target.isascii() and target.isprintable() and len(target) <= 2000  # noqa: PLR2004 - what browsers keep
    return target if is_ours and is_plain else "/home"
