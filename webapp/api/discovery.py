"""What there is: `GET /v1`, `GET /api/v1`, and `GET /` for programs."""

from quart import Blueprint, ResponseReturnValue, current_app, redirect
from quart_schema import document_response, security_scheme

from webapp import __version__
from webapp.api import shapes
from webapp.config import settings
from webapp.http.errors import prefers_html

blueprint = Blueprint("discovery", __name__)


@blueprint.get("")
@security_scheme([{}])
@document_response(shapes.One[shapes.Discovery])
async def show() -> ResponseReturnValue:
    """Name the resources and where their documentation is. Needs no key."""
    return shapes.one(discovery())


async def root() -> ResponseReturnValue:
    """Answer a program, and send a person to the dashboard."""
    if prefers_html():
        return redirect("/home")
    return shapes.one(discovery())


def discovery() -> shapes.Discovery:
    """The resources of the current API, read off its routes."""
    methods: dict[str, set[str]] = {}
    for rule in current_app.url_map.iter_rules():
        if rule.rule.startswith("/v1/"):
            noun = rule.rule.split("/")[2]
            methods.setdefault(noun, set()).update(rule.methods or ())
    base_url = settings().base_url
    return {
        "name": "Pennypost",
        "version": __version__,
        "documentation_url": f"{base_url}/reference",
        "openapi_url": f"{base_url}/openapi.json",
        "resources": [
            {"name": noun.replace("-", "_"), "path": f"/v1/{noun}", "methods": sorted(found - {"HEAD", "OPTIONS"})}
            for noun, found in sorted(methods.items())
        ],
    }
