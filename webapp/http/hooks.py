"""Functions called before each request and after it, all by one hook of Quart's: each of those takes it 3 µs."""

from collections.abc import Callable
from dataclasses import dataclass, field

from quart import Quart, Response, request

from webapp.http.paths import is_api_path

Before = Callable[[], None]
After = Callable[[Response], None]


@dataclass
class _Hooks:
    before: list[Before] = field(default_factory=list)
    after: list[After] = field(default_factory=list)
    after_pages: list[After] = field(default_factory=list)


def register(app: Quart) -> None:
    hooks = app.extensions["hooks"] = _Hooks()

    @app.before_request
    async def begin() -> None:
        for hook in hooks.before:
            hook()

    @app.after_request
    async def end(response: Response) -> Response:
        for hook in hooks.after:
            hook(response)
        if not is_api_path(request.path):
            for hook in hooks.after_pages:
                hook(response)
        return response


def before(app: Quart, hook: Before) -> None:
    """Calls `hook`, which may raise an ApiError, before each request, in the order of registration."""
    app.extensions["hooks"].before.append(hook)


def after(app: Quart, hook: After) -> None:
    """Calls `hook`, which changes the response, after each request."""
    app.extensions["hooks"].after.append(hook)


def after_pages(app: Quart, hook: After) -> None:
    """Calls `hook` after each request but the API's."""
    app.extensions["hooks"].after_pages.append(hook)
