"""Builds the OpenAPI 3.1 document of /v1 from the routes."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from quart import Quart, Response, current_app
from quart_schema import HttpSecurityScheme, Info, OpenAPIProvider, QuartSchema, Server, Tag
from werkzeug.routing.converters import BaseConverter
from werkzeug.routing.rules import Rule

from webapp import __version__
from webapp.config import settings
from webapp.http.auth.permissions import needed_role
from webapp.http.openapi.errors import RATE, error_components, headers_of, refusals_of
from webapp.http.openapi.examples import example_of
from webapp.json_encoder import encode

PATH = "/openapi.json"
DESCRIPTION = """Send email from your own accounts.

Every request except discovery needs an `Authorization: Bearer <API key>` header. Resources in other organizations
return 404. An unsupported method on an existing path returns 405 with `Allow`. Requests are rate limited (429, with
`RateLimit-*` in every response) and limited per month (403). Every response has an `X-Request-Id`. Retry only 429
and 5xx, with exponential backoff."""

Schema = dict[str, Any]

# The resources in the specification's order.
TAGS = {
    "Discovery": "Available resources and their paths.",
    "Accounts": "Sending identities: SMTP servers and Google accounts, each with a daily limit.",
    "Segments": "Audiences and their contacts.",
    "Contacts": "The people you send to.",
    "Templates": "Subjects and bodies with merge tags.",
    "Brand": "The style of emails made of blocks.",
    "Media": "Pictures for your emails, stored here and shown from this server.",
    "Campaigns": "A template sent to a segment, manually or on a schedule.",
    "Emails": "Transactional email, one at a time or in batches.",
    "Mail logs": "Delivery history, one row per recipient.",
    "Suppressions": "Addresses and domains that get no email.",
    "Events": "What happened to emails, contacts, campaigns and accounts.",
    "Webhooks": "Endpoints of yours that events are posted to.",
}
METHODS = ("GET", "POST", "PATCH", "DELETE")

# Fields of bodies that refer to a resource of the organization; 404 if it does not exist.
REFERENCES = {
    "account_id",
    "account_key",
    "contact_id",
    "contact_ids",
    "filter",
    "segment_id",
    "segments",
    "sender_account_ids",
    "template",
    "template_id",
}
FINDERS = {"contacts_index"}  # whose query can cause 404; other lists are then empty

IDEMPOTENCY_KEY: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Makes retries safe for 24 hours: the same key and body return the first response.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 256},
    "example": "order-4711",
}
BOUNDS = {"ge": "minimum", "le": "maximum"}  # which pydantic does not translate after a BeforeValidator


def register(app: Quart) -> None:
    app.config["QUART_SCHEMA_CONVERSION_PREFERENCE"] = "pydantic"
    app.config["QUART_SCHEMA_CONVERT_CASING"] = False
    app.add_url_rule(PATH, "openapi", _serve)


async def _serve() -> Response:
    encoded: bytes | None = current_app.extensions.get("openapi_json")
    if encoded is None:
        encoded = current_app.extensions["openapi_json"] = encode(document())
    return Response(encoded, content_type="application/json")


def document() -> Schema:
    known: Schema | None = current_app.extensions.get("openapi")
    if known is None:
        described = QuartSchema(
            info=Info(title="Pennypost", version=__version__, description=DESCRIPTION),
            servers=[Server(url=settings().base_url)],
            tags=[Tag(name, text) for name, text in TAGS.items()],
            security_schemes={"api_key": HttpSecurityScheme(scheme="bearer", bearer_format="svc_live_...")},
            security=[{"api_key": []}],
        )
        provider = DocumentProvider(current_app._get_current_object(), described)  # type: ignore[attr-defined]  # noqa: SLF001 - a proxy's
        known = current_app.extensions["openapi"] = provider.schema()
    return known


class DocumentProvider(OpenAPIProvider):
    def __init__(self, app: Quart, extension: QuartSchema) -> None:
        super().__init__(app, extension)
        self._known: Schema = {}

    def schema(self) -> Schema:
        built = super().schema()
        built["paths"] = dict(built["paths"])
        for kind, parts in error_components().items():
            built["components"].setdefault(kind, {}).update(parts)
        tidy(built["components"]["schemas"])
        for operations in built["paths"].values():
            for operation in operations.values():
                bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
                for media in (media for body in bodies for media in body.get("content", {}).values()):
                    media["example"] = example_of(media["schema"], built["components"]["schemas"])
        return built

    def generate_rules(self) -> Iterable[Rule]:
        rules = [rule for rule in super().generate_rules() if re.match(r"/v1(/|$)", rule.rule)]
        return sorted(rules, key=self._rank)

    def _rank(self, rule: Rule) -> tuple[int, str]:
        path = re.sub("<.*?>", "~", rule.rule)  # so that ids sort after words and before longer paths
        return list(TAGS).index(self._tag_of(rule)), path

    def generate_methods(self, rule: Rule) -> Iterable[str]:
        return sorted(set(super().generate_methods(rule)) - {"OPTIONS"}, key=METHODS.index)

    def _tag_of(self, rule: Rule) -> str:
        module: str = self._app.view_functions[rule.endpoint].__module__
        return module.rpartition(".")[2].replace("_", " ").capitalize()

    def operation_id(self, method: str, path: str, func: Callable[..., Any]) -> str | None:  # noqa: ARG002 - its signature
        noun = func.__module__.rpartition(".")[2]
        return f"{noun}_{func.__name__}"

    def build_path_parameter(self, name: str, converter: BaseConverter) -> Schema:
        parameter = super().build_path_parameter(name, converter)
        if name.endswith("_id"):
            parameter["schema"] = {"type": "string", "format": "uuid"}
        if name == "suppression_id":
            parameter["schema"] = {"type": "string", "minLength": 1}
            parameter["description"] = "The id, the email address, or `*@` and the domain."
        return parameter

    def build_request_body(self, model: Any, source: Any) -> tuple[Schema, Schema]:
        body, definitions = super().build_request_body(model, source)
        (media,) = body["content"].values()
        if "anyOf" in media["schema"]:  # an array or an object, never both
            media["schema"]["oneOf"] = media["schema"].pop("anyOf")
        media["schema"] = by_name(model.__name__, media["schema"], definitions)
        return body | {"required": not takes_nothing(model), "description": inspect.getdoc(model) or ""}, self._unique(
            definitions
        )

    def build_response_object(self, model: Any, headers_model: Any) -> tuple[Schema, Schema]:
        response, definitions = super().build_response_object(model, headers_model)
        media = response["content"]["application/json"]
        description = "One page of results." if "meta" in media["schema"]["properties"] else description_of(model)
        media["schema"] = by_name(name_of(model), media["schema"], definitions)
        return response | {"description": description}, self._unique(definitions)

    def _unique(self, definitions: Schema) -> Schema:
        """Raises ValueError for a second schema of the same name, which would silently replace the first."""
        for name, schema in definitions.items():
            if self._known.setdefault(name, schema) != schema:
                raise ValueError(f"two different schemas are called {name}")
        return definitions

    def build_paths(self, rule: Rule) -> tuple[Schema, Schema]:
        paths, components = super().build_paths(rule)
        for operations in paths.values():
            for operation in operations.values():
                self._complete(operation, rule, components)
        return paths, components

    def _complete(self, operation: Schema, rule: Rule, components: Schema) -> None:
        tidy(operation["parameters"])
        view = self._app.view_functions[rule.endpoint]
        role = needed_role(view)
        operation["tags"] = [self._tag_of(rule)]
        added = RATE if role else ()
        if hasattr(view, "idempotent"):
            operation["parameters"] = [*operation["parameters"], IDEMPOTENCY_KEY]
            added = (*added, "Idempotency-Replayed")
        successes = {
            str(status): response | {"headers": headers_of(*added)}
            for status, response in operation["responses"].items()
        }
        named = set(fields_of(operation.get("requestBody", {}), components)) & REFERENCES
        has_references = bool(named) or operation["operationId"] in FINDERS
        operation["responses"] = successes | refusals_of(view, operation, has_references=has_references)
        if role is not None:
            operation["description"] = f"{operation['description'].strip()}\n\nRequires role: `{role}`.".strip()


def takes_nothing(model: type[BaseModel]) -> bool:
    try:
        model.model_validate({})
    except ValidationError:
        return False
    return True


def description_of(model: Any) -> str:
    return inspect.getdoc(next(iter(get_args(model)), model)) or "Success."


def name_of(model: Any) -> str:
    origin = get_origin(model)
    if origin is None:
        return str(model.__name__)
    (shape,) = get_args(model)
    name: str = shape.__name__
    return name + {"One": "Response", "Many": "List"}[origin.__name__]


def by_name(name: str, schema: Schema, definitions: Schema) -> Schema:
    definitions[name] = schema
    return {"$ref": f"#/components/schemas/{name}"}


def fields_of(schema: Any, components: Schema) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from fields_of(item, components)
    elif isinstance(schema, dict):
        yield from schema.get("properties", ())
        if "$ref" in schema:
            yield from fields_of(components[schema["$ref"].rpartition("/")[2]], components)
        for key in schema.keys() - {"examples", "$ref"}:
            yield from fields_of(schema[key], components)


def tidy(schema: Any) -> None:
    """Removes pydantic's titles, which would become types of generated clients, and corrects its bounds."""
    if isinstance(schema, list):
        for item in schema:
            tidy(item)
    elif isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        for name, bound in BOUNDS.items():
            if name in schema:
                schema[bound] = schema.pop(name)
        for key in schema.keys() - {"examples"}:
            tidy(schema[key])
