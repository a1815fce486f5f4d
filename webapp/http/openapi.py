"""The OpenAPI 3.1 document of /v1, made from the routes."""

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

from quart import Quart, Response, current_app
from quart_schema import HttpSecurityScheme, Info, OpenAPIProvider, QuartSchema, Server
from werkzeug.routing.converters import BaseConverter
from werkzeug.routing.rules import Rule

from webapp import __version__
from webapp.config import settings
from webapp.http.wire import encode

PATH = "/openapi.json"
DESCRIPTION = """Send email over your own accounts.

Every request but the discovery carries `Authorization: Bearer <API key>`. A resource of another organization is
absent (404). Every response has an `X-Request-Id`."""

# Status, the component that describes its body, and when it comes.
READ_ERRORS = {
    "401": ("Error", "The key is missing, wrong, expired or revoked."),
    "403": ("Error", "The key's role is not enough; the message names the one that is."),
    "500": ("Error", "Something went wrong on our side; try again with growing pauses."),
    "503": ("Error", "The service cannot do this just now; nothing was kept."),
}
QUERY_ERRORS = {"400": ("ValidationError", "A value of the query is wrong.")}
ROW_ERRORS = {"404": ("Error", "There is no such resource in the organization.")}
BODY_ERRORS = {
    "400": ("ValidationError", "The body is not what it should be; `message` names the first fault."),
    "404": ("Error", "The path, or a resource that the body names, does not exist in the organization."),
    "408": ("Error", "The body took over 60 seconds to arrive."),
    "413": ("Error", "The body is too large."),
    "415": ("Error", "The body is not application/json."),
}
WRITE_ERRORS = {"409": ("Error", "The state of the resource forbids it.")}

ERROR_SCHEMAS: dict[str, Any] = {
    "Error": {
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {"type": "string", "examples": ["Not found"]},
            "message": {"type": "string"},
        },
    },
    "ValidationError": {
        "type": "object",
        "required": ["error", "message", "details"],
        "properties": {
            "error": {"const": "ValidationError"},
            "message": {"type": "string", "examples": ["name is required"]},
            "details": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["field", "message"],
                    "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
                },
            },
            "missing_variables": {"type": "array", "items": {"type": "string"}},
        },
    },
}


def register(app: Quart) -> None:
    """Serve the document."""
    app.config["QUART_SCHEMA_CONVERSION_PREFERENCE"] = "pydantic"
    app.config["QUART_SCHEMA_CONVERT_CASING"] = False
    app.add_url_rule(PATH, "openapi", _serve)


async def _serve() -> Response:
    encoded: bytes | None = current_app.extensions.get("openapi_json")
    if encoded is None:
        encoded = current_app.extensions["openapi_json"] = encode(document())
    return Response(encoded, content_type="application/json")


def document() -> dict[str, Any]:
    """The document of this app, made once; it names the address under which people reach the instance."""
    known: dict[str, Any] | None = current_app.extensions.get("openapi")
    if known is None:
        described = QuartSchema(
            info=Info(title="Pennypost", version=__version__, description=DESCRIPTION),
            servers=[Server(url=settings().base_url)],
            security_schemes={"api_key": HttpSecurityScheme(scheme="bearer", bearer_format="svc_live_...")},
            security=[{"api_key": []}],
        )
        provider = _Provider(current_app._get_current_object(), described)  # type: ignore[attr-defined]  # noqa: SLF001 - a proxy's
        known = current_app.extensions["openapi"] = provider.schema()
    return known


class _Provider(OpenAPIProvider):
    """What quart-schema leaves out: required bodies, UUIDs in paths, unique operation ids, and every error."""

    def generate_rules(self) -> Iterable[Rule]:
        rules = [rule for rule in super().generate_rules() if re.match(r"/v1(/|$)", rule.rule)]
        return sorted(rules, key=lambda rule: rule.rule)

    def generate_methods(self, rule: Rule) -> Iterable[str]:
        return sorted(method for method in super().generate_methods(rule) if method != "OPTIONS")

    def operation_id(self, method: str, path: str, func: Callable[..., Any]) -> str | None:  # noqa: ARG002 - its signature
        noun = func.__module__.rpartition(".")[2]
        return f"{noun}_{func.__name__}"

    def build_path_parameter(self, name: str, converter: BaseConverter) -> dict[str, Any]:
        parameter = super().build_path_parameter(name, converter)
        if name.endswith("_id"):
            parameter["schema"] = {"type": "string", "format": "uuid"}
        return parameter

    def build_request_body(self, model: Any, source: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The body by reference, so that it has a name in generated clients."""
        body, definitions = super().build_request_body(model, source)
        media = body["content"]["application/json"]
        definitions[model.__name__] = media["schema"]
        media["schema"] = {"$ref": f"#/components/schemas/{model.__name__}"}
        return body | {"required": True, "description": inspect.getdoc(model) or ""}, definitions

    def build_paths(self, rule: Rule) -> tuple[dict[str, Any], dict[str, Any]]:
        paths, components = super().build_paths(rule)
        for operations in paths.values():
            for operation in operations.values():
                self._complete(operation, rule)
        return paths, components

    def _complete(self, operation: dict[str, Any], rule: Rule) -> None:
        view = self._app.view_functions[rule.endpoint]
        operation["tags"] = [view.__module__.rpartition(".")[2].replace("_", " ").capitalize()]
        operation["responses"] = {
            str(status): found | {"description": found["description"] or _description_of(found)}
            for status, found in operation["responses"].items()
        }
        for status, (schema, description) in _errors_of(view, operation).items():
            operation["responses"][status] = {
                "description": description,
                "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}},
            }
        role = getattr(view, "needed_role", None)
        if role is not None:
            operation["description"] = f"{operation['description'].strip()}\n\nNeeds the role `{role}`.".strip()

    def schema(self) -> dict[str, Any]:
        built = super().schema()
        built["paths"] = dict(built["paths"])
        built["components"]["schemas"].update(ERROR_SCHEMAS)
        return built


def _description_of(response: dict[str, Any]) -> str:
    schema: dict[str, Any] = response["content"]["application/json"]["schema"]
    return str(schema.get("description", "It is done."))


def _errors_of(view: Callable[..., Any], operation: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The refusals that an operation can answer with."""
    found = {status: READ_ERRORS[status] for status in ("500", "503")}
    if getattr(view, "needed_role", None) is None:
        return found
    found = dict(READ_ERRORS)
    places = {parameter["in"] for parameter in operation["parameters"]}
    if "query" in places:
        found |= QUERY_ERRORS
    if "requestBody" in operation:
        found |= BODY_ERRORS
    if "path" in places:
        found |= ROW_ERRORS
    is_write = not operation["operationId"].endswith(("_index", "_show"))
    if is_write and "path" in places:
        found |= WRITE_ERRORS
    return dict(sorted(found.items()))
