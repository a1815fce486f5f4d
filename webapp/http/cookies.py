"""Cookies: one way to set them, so that none is forgotten half open."""

from typing import Literal

from quart import Response

from webapp.config import settings


def secret_name(name: str) -> str:
    """The name of a cookie that only this host may set, where the browser can promise that (RFC 6265bis, 4.1.3.2)."""
    return f"__Host-{name}" if settings().is_secure else name


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
        name, value, max_age=max_age, path=path, httponly=True, secure=settings().is_secure, samesite=same_site
    )


def drop_cookie(response: Response, name: str, path: str = "/") -> None:
    """Make the browser forget a cookie."""
    response.delete_cookie(name, path=path, httponly=True, secure=settings().is_secure, samesite="Lax")
