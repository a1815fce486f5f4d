"""Builds the Quart app from its layers."""

import contextlib
from collections.abc import Awaitable, Callable
from functools import lru_cache
from inspect import iscoroutinefunction
from typing import Any

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from quart import Quart

from webapp import api, health, pages, resend
from webapp.config import Settings, source_dir
from webapp.file_locks import make_data_dir
from webapp.http import client_ip, compression, error_pages, hooks, hosts, request_ids, request_metrics
from webapp.http.body.admission import MAX_BYTES, BoundedRequest
from webapp.http.body.finish_on_disconnect import FinishingConnection
from webapp.http.memory import Memory

BODY_SECONDS = 60


class _App(Quart):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.extensions = Memory()
        self._is_coroutine_function = lru_cache(1_000)(iscoroutinefunction)

    def ensure_async(self, func: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        """Caches which functions are coroutines: asking takes 1 µs, and Quart asks for each hook of each request."""
        return func if self._is_coroutine_function(func) else super().ensure_async(func)


def create_app(settings: Settings) -> Quart:
    app = _App("webapp", template_folder=str(source_dir("templates")), static_folder=str(source_dir("static")))
    app.asgi_http_class, app.request_class = FinishingConnection, BoundedRequest
    app.url_map.merge_slashes = False  # a path with two slashes is a different path
    app.config.update(MAX_CONTENT_LENGTH=MAX_BYTES, BODY_TIMEOUT=BODY_SECONDS, RESPONSE_TIMEOUT=None)
    app.config.update(PENNYPOST=settings)
    shared = (hooks, request_ids, hosts, client_ip, compression, error_pages, request_metrics)
    layers = (*shared, health, api, resend, pages)
    for layer in layers:
        layer.register(app)
    return app


class _TemplateCache(FileSystemBytecodeCache):
    """Compiled templates by name and text, which saves a tenth of a second on first visits."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):  # a full disk slows the next start down but breaks no page
            super().dump_bytecode(bucket)


def create_service(settings: Settings) -> Quart:
    """The app with a cache of compiled templates in a folder that only this user can write. Raises ConfigError."""
    app = create_app(settings)
    folder = settings.data_dir / "templates"
    make_data_dir(folder)
    app.jinja_env.bytecode_cache = _TemplateCache(str(folder))
    return app
