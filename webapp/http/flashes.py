"""A sentence for the next page: what changed. It travels in a signed cookie, so that it survives the redirect."""

import base64
import binascii
from typing import NamedTuple

from quart import Quart, Response, g

from webapp import crypto
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie

COOKIE = "flash"
SECONDS = 60
LONGEST = 500  # characters; a cookie holds 4 kB


class Flash(NamedTuple):
    """What happened, and whether it is good, bad, warn or info."""

    kind: str
    text: str


def flash(text: str, kind: str = "good") -> None:
    """Say `text` on the page that this request draws, or on the one it redirects to."""
    _waiting().append(Flash(kind, text[:LONGEST]))


def take_flashes() -> list[Flash]:
    """What is to be said on this page; each is said once."""
    found = _from_cookie() + _waiting()
    g.flashes = []
    g.flashes_shown = True
    return found


def register(app: Quart) -> None:
    """Carry what was not shown over to the next request."""

    @app.after_request
    async def keep(response: Response) -> Response:
        if _waiting():
            set_cookie(response, COOKIE, _packed(_waiting()[-1]), max_age=SECONDS)
        elif g.get("flashes_shown") and read_cookie(COOKIE):
            drop_cookie(response, COOKIE)
        return response


def _waiting() -> list[Flash]:
    if "flashes" not in g:
        g.flashes = []
    waiting: list[Flash] = g.flashes
    return waiting


def _packed(one: Flash) -> str:
    text = base64.urlsafe_b64encode(f"{one.kind} {one.text}".encode(errors="replace")).decode()
    return f"{text}.{crypto.sign('flash', text)}"


def _from_cookie() -> list[Flash]:
    text, _, signature = read_cookie(COOKIE).partition(".")
    if not crypto.is_signed("flash", text, signature):
        return []
    try:
        kind, _, words = base64.urlsafe_b64decode(text).decode().partition(" ")
    except (binascii.Error, UnicodeDecodeError):
        return []
    return [Flash(kind, words)]
