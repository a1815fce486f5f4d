"""Secrets shown on one page once; the browser holds them sealed in a cookie until it opens that page."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from quart import Response, g, request

from webapp import clock, crypto
from webapp.errors import NotFound
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.forms import redirect

SHOWN_SECONDS = 300  # until the page must have been opened


class OneTimeSecret(NamedTuple):
    cookie: str
    path: str
    sealed: str
    ends_at: datetime

    @property
    def seconds_left(self) -> int:
        return max(0, int((self.ends_at - clock.now()).total_seconds()))


def seal_secret(cookie: str, row_id: UUID, secret: str, path: str) -> OneTimeSecret:
    sealed = crypto.seal(secret, _bound_to(cookie, row_id))
    return OneTimeSecret(cookie, path, sealed, clock.now() + timedelta(seconds=SHOWN_SECONDS))


def redirect_with(fresh: OneTimeSecret) -> Response:
    response = redirect(fresh.path)
    set_cookie(response, fresh.cookie, fresh.sealed, max_age=fresh.seconds_left, path=fresh.path)
    return response


def read_secret(cookie: str, row_id: UUID) -> str | None:
    """The secret in the browser's cookie for this page, if any. Raises NotFound for a forged one."""
    sealed = read_cookie(cookie, request.path)
    if not sealed:
        return None
    try:
        return crypto.unseal(sealed, _bound_to(cookie, row_id))
    except Exception:  # noqa: BLE001 - a cookie is anybody's text
        raise NotFound from None


def shown(text: str, cookie: str) -> Response:
    response = Response(text, mimetype="text/html")
    drop_cookie(response, cookie, path=request.path)
    return response


def _bound_to(cookie: str, row_id: UUID) -> str:
    return f"{cookie}:{row_id}:{g.visit.session.id}"
