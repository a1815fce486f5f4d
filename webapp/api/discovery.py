"""Discovery: `GET /v1`, `GET /api/v1`, and `GET /` for programs."""

from quart import Blueprint, ResponseReturnValue, current_app, redirect, request
from quart_schema import security_scheme
from typing_extensions import TypedDict

from webapp import __version__
from webapp.api.responses import One, answers
from webapp.config import settings
from webapp.http.error_pages import prefers_html

LEGACY = "/api/v1"

blueprint = Blueprint("discovery", __name__)


class Resource(TypedDict):
    """A resource, its path and its methods."""

    name: str
    path: str
    methods: list[str]


class Discovery(TypedDict):
    """The service and its resources."""

    name: str
    version: str
    documentation_url: str
    openapi_url: str
    resources: list[Resource]


@blueprint.get("")
@security_scheme([{}])
@answers(One[Discovery])
async def show() -> object:
    """List the available resources and documentation links. No API key required."""
    resources = _resources_of("/v1")
    if request.path == LEGACY:
        resources = _resources_of(LEGACY) | resources
    base_url = settings().base_url
    return {
        "name": "Pennypost",
        "version": __version__,
        "documentation_url": f"{base_url}/reference",
        "openapi_url": f"{base_url}/openapi.json",
        "resources": [resources[noun] for noun in sorted(resources)],
    }


async def root() -> ResponseReturnValue:
    answer: ResponseReturnValue = redirect("/home") if prefers_html() else await show()
    return answer


def _resources_of(address: str) -> dict[str, Resource]:
    by_noun: dict[str, set[str]] = {}
    paths: dict[str, str] = {}
    for rule in current_app.url_map.iter_rules():
        if rule.rule.startswith(f"{address}/"):
            noun = rule.rule.removeprefix(f"{address}/").partition("/")[0]
            by_noun.setdefault(noun, set()).update(rule.methods or ())
            paths[noun] = min(paths.get(noun, rule.rule), rule.rule, key=len)
    return {
        noun: {
            "name": noun.replace("-", "_"),
            "path": paths[noun],
            "methods": sorted(methods - {"HEAD", "OPTIONS"}),
        }
        for noun, methods in by_noun.items()
    }
