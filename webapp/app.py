"""Builds the Quart app from its layers."""

from quart import Quart

from webapp import api, health, pages
from webapp.config import Settings, source_dir
from webapp.http import compression, error_pages, hosts, request_ids
from webapp.http.auth import audit_actor, throttles
from webapp.http.body.admission import MAX_BYTES, BoundedRequest
from webapp.http.body.finish_on_disconnect import FinishingConnection
from webapp.pages.shared.template_cache import cache_compiled_templates

BODY_SECONDS = 60


def create_app(settings: Settings) -> Quart:
    app = Quart("webapp", template_folder=str(source_dir("templates")), static_folder=str(source_dir("static")))
    app.asgi_http_class, app.request_class = FinishingConnection, BoundedRequest
    app.url_map.merge_slashes = False  # a path with two slashes is another path
    app.config.update(MAX_CONTENT_LENGTH=MAX_BYTES, BODY_TIMEOUT=BODY_SECONDS, PENNYPOST=settings)
    request_ids.register(app)
    hosts.register(app)
    audit_actor.register(app)
    compression.register(app)
    error_pages.register(app)
    health.register(app)
    throttles.register(app)
    api.register(app)
    pages.register(app)
    return app


def create_service(settings: Settings) -> Quart:
    """Raises ConfigError."""
    app = create_app(settings)
    cache_compiled_templates(app, settings.data_dir / "templates")
    return app
