"""Shows a secret once, on one page; until then the browser stores it encrypted in a cookie."""

import json
from typing import Any
from uuid import UUID

from quart import Response, g, request

from webapp import clock, crypto
from webapp.errors import NotFound
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.forms import redirect, render_page

SHOWN_SECONDS = 300  # within which the page must be opened


def seal_secret(cookie: str, row_id: UUID, secret: str, path: str) -> str:
    """The encrypted secret with its cookie, page and expiry, as text for `redirect_with`."""
    sealed = crypto.seal(secret, _bound_to(cookie, row_id))
    return json.dumps([cookie, path, sealed, clock.now().timestamp() + SHOWN_SECONDS])


def redirect_with(secret: str) -> Response:
    cookie, path, sealed, ends_at = json.loads(secret)
    response = redirect(path)
    set_cookie(response, cookie, sealed, max_age=max(0, int(ends_at - clock.now().timestamp())), path=path)
    return response


def read_secret(cookie: str, row_id: UUID) -> str | None:
    """The secret in this page's cookie, if any. Raises NotFound for a forged cookie."""
    sealed = read_cookie(cookie, request.path)
    if not sealed:
        return None
    try:
        return crypto.unseal(sealed, _bound_to(cookie, row_id))
    except Exception:  # noqa: BLE001 - the cookie may be any text
        raise NotFound from None


async def render_secret(page: str, cookie: str, **context: Any) -> Response:
    response = await render_page(page, **context)
    drop_cookie(response, cookie, path=request.path)
    return response


def _bound_to(cookie: str, row_id: UUID) -> str:
    return f"{cookie}:{row_id}:{g.visit.session.id}"
