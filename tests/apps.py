"""The app of the tests: one for each process, as most of what makes it would be the same work again."""

import asyncio

from quart import Quart

from webapp.app import create_app
from webapp.config import Settings

_made: list[Quart] = []
_config: dict[str, object] = {}


def app_of(settings: Settings) -> Quart:
    """The app with these settings, and with nothing in its memory, as `create_app` makes it.

    Who adds a route to an app, or needs two of them, calls `create_app`.
    """
    if not _made:
        _made.append(create_app(settings))
        _config.update(_made[0].config)
    (app,) = _made
    hooks = app.extensions["hooks"]
    app.extensions.clear()
    app.extensions["hooks"] = hooks
    app.config.clear()
    app.config.update(_config | {"PENNYPOST": settings})
    app.shutdown_event = asyncio.Event()
    return app
