"""Calls functions before and after each request through one hook of Quart, because each of Quart's hooks takes 3 µs.

They get the request itself, because reading an attribute through Quart's `request` or `g` takes 0.7 µs.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from quart import Quart, Request, Response, g, request

from webapp.http.paths import is_api_path

Before = Callable[[Request], None]
After = Callable[[Request, Response], None]
AfterPage = Callable[[Request, Response], Awaitable[None]]


@dataclass
class Hooks:
    """Each is called in the order of registration."""

    before: list[Before] = field(default_factory=list)  # each request; may raise ApiError
    after: list[After] = field(default_factory=list)  # each request; changes the response
    after_pages: list[AfterPage] = field(default_factory=list)  # each request outside the API; changes the response


def hooks_of(app: Quart) -> Hooks:
    hooks: Hooks = app.extensions["hooks"]
    return hooks


def register(app: Quart) -> None:
    hooks = app.extensions["hooks"] = Hooks()

    @app.before_request
    async def begin() -> None:
        current = current_request()
        for hook in hooks.before:
            hook(current)

    @app.after_request
    async def end(response: Response) -> Response:
        current = current_request()
        for hook in hooks.after:
            hook(current, response)
        if not is_api_path(current.path):
            for after_page in hooks.after_pages:
                await after_page(current, response)
        return response


def current_request() -> Request:
    """The object behind Quart's `request`."""
    current: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 - a proxy's
    return current


def current_values() -> Any:
    """The object behind Quart's `g`."""
    return g._get_current_object()  # noqa: SLF001 - a proxy's
