"""Secrets that one page shows once: the browser that caused one holds it sealed until it opens that page."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from quart import Response, g, request

from webapp import clock, crypto
from webapp.errors import NotFound
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.forms import done

SHOWN_SECONDS = 300  # how long a fresh secret waits for the page that shows it


class Fresh(NamedTuple):
    """A secret just made: what it is, the page that shows it, and itself sealed."""

    cookie: str
    place: str
    sealed: str
    ends_at: datetime

    @property
    def seconds_left(self) -> int:
        """How long the secret still waits; a form sent again much later brings nothing back."""
        return max(0, int((self.ends_at - clock.now()).total_seconds()))


def keep_fresh(cookie: str, row_id: UUID, secret: str, place: str) -> Fresh:
    """Seal a secret to its row and to this session, for the page at `place`."""
    sealed = crypto.seal(secret, _bound_to(cookie, row_id))
    return Fresh(cookie, place, sealed, clock.now() + timedelta(seconds=SHOWN_SECONDS))


def hand_over(fresh: Fresh) -> Response:
    """Send the browser on to the page, with the secret."""
    response = done(fresh.place)
    set_cookie(response, fresh.cookie, fresh.sealed, max_age=fresh.seconds_left, path=fresh.place)
    return response


def read_fresh(cookie: str, row_id: UUID) -> str | None:
    """The secret that the browser holds for this page; None without one. Raises NotFound for a made-up one."""
    sealed = read_cookie(cookie, request.path)
    if not sealed:
        return None
    try:
        return crypto.unseal(sealed, _bound_to(cookie, row_id))
    except Exception:  # noqa: BLE001 - a cookie is anybody's text
        raise NotFound from None


def shown(text: str, cookie: str) -> Response:
    """The page with the secret; the browser forgets what it held."""
    response = Response(text, mimetype="text/html")
    drop_cookie(response, cookie, path=request.path)
    return response


def _bound_to(cookie: str, row_id: UUID) -> str:
    return f"{cookie}:{row_id}:{g.visit.session.id}"
