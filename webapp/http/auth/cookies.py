"""Cookies with the same flags everywhere."""

from quart import Request, Response, request

from webapp.config import settings


def read_cookie(name: str, path: str = "/", request: Request = request) -> str:
    return request.cookies.get(cookie_name(name, path), "")


def set_cookie(
    response: Response,
    name: str,
    value: str,
    *,
    max_age: int,
    path: str = "/",
) -> None:
    response.set_cookie(
        cookie_name(name, path),
        value,
        max_age=max_age,
        path=path,
        httponly=True,
        secure=settings().is_secure,
        samesite="Lax",
    )


def drop_cookie(response: Response, name: str, path: str = "/") -> None:
    is_secure = settings().is_secure
    response.delete_cookie(cookie_name(name, path), path=path, httponly=True, secure=is_secure, samesite="Lax")


def cookie_name(name: str, path: str = "/") -> str:
    """The cookie's name with the strictest prefix for its path (RFC 6265bis, 4.1.3)."""
    if not settings().is_secure:
        return name
    return f"__Host-{name}" if path == "/" else f"__Secure-{name}"
