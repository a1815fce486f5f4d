"""Cookies: one way to read and to set them, so that none is forgotten half open."""

from typing import Literal

from quart import Request, Response, request

from webapp.config import settings


def read_cookie(name: str, path: str = "/") -> str:
    """The value that the browser keeps for `path`; empty without one."""
    return cookie_of(request, name, path)


def cookie_of(asked: Request, name: str, path: str = "/") -> str:
    """As `read_cookie`, of a request that is not yet being answered."""
    return asked.cookies.get(_prefixed(name, path), "")


def set_cookie(
    response: Response,
    name: str,
    value: str,
    *,
    max_age: int,
    path: str = "/",
    same_site: Literal["Lax", "Strict"] = "Lax",
) -> None:
    """Set a cookie that no script reads, for `max_age` seconds."""
    response.set_cookie(
        _prefixed(name, path),
        value,
        max_age=max_age,
        path=path,
        httponly=True,
        secure=settings().is_secure,
        samesite=same_site,
    )


def drop_cookie(response: Response, name: str, path: str = "/") -> None:
    """Make the browser forget a cookie."""
    is_secure = settings().is_secure
    response.delete_cookie(_prefixed(name, path), path=path, httponly=True, secure=is_secure, samesite="Lax")


def _prefixed(name: str, path: str) -> str:
    """The name by which a browser lets nobody but this host set the cookie, where it can promise that.

    With a path of its own it promises less: that it came over https (RFC 6265bis, 4.1.3).
    """
    if not settings().is_secure:
        return name
    return f"__Host-{name}" if path == "/" else f"__Secure-{name}"
