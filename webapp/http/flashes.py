"""Messages shown once, on the next page; a signed cookie carries them over a redirect."""

import base64
import binascii
from typing import NamedTuple

from quart import Quart, Request, Response, g

from webapp import crypto
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.hooks import after_pages

COOKIE = "flash"
SECONDS = 60
TEXT_LENGTH = 500  # characters; a cookie holds 4 kB


class Flash(NamedTuple):
    """`kind` is good, bad, warn or info."""

    kind: str
    text: str


def flash(text: str, kind: str = "good") -> None:
    _pending().append(Flash(kind, text[:TEXT_LENGTH]))


def pop_flashes() -> list[Flash]:
    shown = _from_cookie() + _pending()
    g.flashes = []
    g.flashes_shown = True
    return shown


def register(app: Quart) -> None:
    after_pages(app, _save)


async def _save(_: Request, response: Response) -> None:
    if _pending():
        set_cookie(response, COOKIE, _signed(_pending()[-1]), max_age=SECONDS)
    elif g.get("flashes_shown") and read_cookie(COOKIE):
        drop_cookie(response, COOKIE)


def _pending() -> list[Flash]:
    pending: list[Flash] = g.setdefault("flashes", [])
    return pending


def _signed(message: Flash) -> str:
    text = base64.urlsafe_b64encode(f"{message.kind} {message.text}".encode(errors="replace")).decode()
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
