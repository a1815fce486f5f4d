"""Protects against forms of other sites."""

from urllib.parse import urlsplit

from quart import Quart, Request, Response, g, request

from webapp import crypto
from webapp.config import settings
from webapp.domain.auth.sessions import SignedInUser
from webapp.errors import Forbidden, PayloadTooLarge, WrongAddress
from webapp.http.auth.cookies import read_cookie, set_cookie
from webapp.http.hooks import hooks_of

FIELD = "csrf_token"
HEADER = "X-CSRF-Token"
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
FORM_BYTES = 256 * 1024
COOKIE_SECONDS = 24 * 3600
STALE = "This form has expired. Go back, reload the page and try again."


def csrf_token() -> str:
    visit: SignedInUser | None = g.get("visit")
    if visit is not None:
        return visit.session.csrf_token
    if "anonymous_token" not in g:
        nonce = crypto.new_token()
        g.anonymous_token = _anonymous_token() or f"{nonce}.{crypto.sign('door', nonce)}"
    token: str = g.anonymous_token
    return token


def register(app: Quart) -> None:
    hooks_of(app).after_pages.append(_remember)


async def _remember(_: Request, response: Response) -> None:
    token = g.get("anonymous_token")
    if token and token != read_cookie("door"):
        set_cookie(response, "door", token, max_age=COOKIE_SECONDS)


async def check_form(visit: SignedInUser | None, *, is_public: bool, max_bytes: int = FORM_BYTES) -> None:
    """Raises Forbidden or PayloadTooLarge unless the form comes from one of our pages."""
    check_origin()
    if (request.content_length or 0) > max_bytes or "Transfer-Encoding" in request.headers:
        raise PayloadTooLarge(f"the form must be {max_bytes // 1024} KiB at most and state its size")
    if request.mimetype not in FORM_TYPES:
        raise Forbidden("This page only accepts forms from its own site.")
    check_token(visit, (await request.form).get(FIELD, ""), is_public=is_public)


def check_token(visit: SignedInUser | None, typed: str, *, is_public: bool = False) -> None:
    """Raises Forbidden unless the form or the header has a valid token."""
    token = request.headers.get(HEADER) or typed
    valid = [visit.session.csrf_token] if visit else []
    if (visit is None or is_public) and (anonymous := _anonymous_token()):  # the form may predate signing in
        valid.append(anonymous)
    if not (token.isascii() and any(crypto.same(token, known) for known in valid)):
        raise _stale()


def _stale() -> Forbidden:
    """Names the configured address if the browser says that the page was opened at another one.

    Browsers may reject our cookies there, for example those of https:// at http://.
    """
    site = settings().base_url
    opened_at = request.headers.get("Origin") or request.headers.get("Referer")
    if opened_at is None or _origin(opened_at) == _origin(site):
        return Forbidden(STALE)
    return WrongAddress("This page was opened at another address, where its forms don't work.", site)


def _origin(url: str) -> tuple[str, str]:
    scheme, _, rest = url.lower().partition("://")
    return scheme, rest.partition("/")[0]


def check_origin() -> None:
    """Raises Forbidden if the browser says that the form is from another site; check its token, too."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden("This form was submitted from another site.")
    origin = request.headers.get("Origin")
    site = settings().base_url
    if origin is not None and origin.partition("://")[2] not in (request.host, urlsplit(site).netloc):
        raise WrongAddress("This form was submitted from another site.", site)


def _anonymous_token() -> str | None:
    token = read_cookie("door")
    nonce, _, signature = token.partition(".")
    return token if crypto.is_signed("door", nonce, signature) else None
