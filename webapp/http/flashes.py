"""Messages shown once, on the next page; an encrypted cookie carries them over a redirect."""

from contextlib import suppress
from typing import NamedTuple

from quart import Quart, Request, Response, g

from webapp import crypto
from webapp.errors import ConfigError
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.hooks import hooks_of

COOKIE = "flash"
SECONDS = 60
TEXT_LENGTH = 500  # characters; a cookie holds 4 kB


class Link(NamedTuple):
    path: str = ""
    words: str = ""


class Flash(NamedTuple):
    """`kind` is good, bad, warn or info; a link without a path is not shown."""

    kind: str
    text: str
    link: Link


def flash(text: str, kind: str = "good", link: Link | None = None) -> None:
    _pending().append(Flash(kind, text[:TEXT_LENGTH], link or Link()))


def pop_flashes() -> list[Flash]:
    shown = _pending()
    with suppress(ConfigError, ValueError):  # the cookie may be any text
        kind, path, words, text = crypto.unseal(read_cookie(COOKIE), COOKIE).split("\n", 3)
        shown = [Flash(kind, text, Link(path, words)), *shown]
    g.flashes = []
    g.flashes_shown = True
    return shown


def register(app: Quart) -> None:
    hooks_of(app).after_pages.append(_save)


async def _save(_: Request, response: Response) -> None:
    if _pending():
        kind, text, link = _pending()[-1]
        text = "\n".join((kind, *link, text)).encode(errors="replace").decode()
        set_cookie(response, COOKIE, crypto.seal(text, COOKIE), max_age=SECONDS)
    elif g.get("flashes_shown") and read_cookie(COOKIE):
        drop_cookie(response, COOKIE)


def _pending() -> list[Flash]:
    pending: list[Flash] = g.setdefault("flashes", [])
    return pending
