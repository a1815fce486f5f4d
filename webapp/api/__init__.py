"""The API at /v1, and at /api/v1 for older clients."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from quart import Blueprint, Quart, Request, Response
from quart.json.provider import DefaultJSONProvider
from werkzeug.routing import BaseConverter, Map
from werkzeug.urls import iri_to_uri

from webapp.api import compose, discovery
from webapp.api.discovery import LEGACY
from webapp.api.responses.events import payload_of
from webapp.http import rate_limit, request_log
from webapp.http.auth import api_key
from webapp.http.hooks import hooks_of
from webapp.http.openapi import document
from webapp.json_encoder import encode
from webapp.models.event import EventType

_modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
NOUNS = [module for module in _modules if hasattr(module, "blueprint")]
SUCCESSORS = {"/v1/compose": "/v1/emails"}  # renamed resources
DEPRECATED_SINCE = 1_795_132_800  # 2026-11-20, the day of /v1 (RFC 9745)


class OrjsonProvider(DefaultJSONProvider):
    def response(self, *args: Any, **kwargs: Any) -> Response:
        return Response(encode(self._prepare_response_obj(args, kwargs)), content_type="application/json")


class Other(BaseConverter):
    """Anything but `words`."""

    def __init__(self, url_map: Map, *words: str) -> None:
        super().__init__(url_map)
        self.regex = rf"(?!(?:{'|'.join(words)})\Z){'[^/]' if self.part_isolating else '.'}+"


class OtherAddress(Other):
    """An id or an email address, which may contain a slash."""

    part_isolating = False


def register(app: Quart) -> None:
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False  # because they need no key, and browsers call no API across origins
    app.json = OrjsonProvider(app)
    request_log.register(app)  # first, so that it times the other hooks
    api_key.register(app)
    app.url_map.converters |= {"other": Other, "address": OtherAddress}
    rate_limit.register(app)
    app.add_url_rule("/", "root", discovery.root)
    for name, path in (("v1", "/v1"), ("legacy_v1", LEGACY)):
        version = Blueprint(name, __name__)
        for noun in NOUNS:
            if noun is not compose or path == LEGACY:
                version.register_blueprint(noun.blueprint)
        app.register_blueprint(version, url_prefix=path)
    hooks_of(app).after.append(_name_successor)
    compose.register(app)
    document.register(app, {kind.value: payload_of(kind) for kind in EventType})


def _name_successor(request: Request, response: Response) -> None:
    if request.path == LEGACY or request.path.startswith(f"{LEGACY}/"):
        path = request.path.removeprefix("/api")
        successor = iri_to_uri(SUCCESSORS.get(path, path))
        response.headers["Deprecation"] = f"@{DEPRECATED_SINCE}"
        response.headers["Link"] = f'<{successor}>; rel="successor-version"'
