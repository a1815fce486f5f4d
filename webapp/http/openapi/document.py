"""Builds the OpenAPI 3.1 document of /v1 from the routes."""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from quart import Quart, Response, current_app
from quart_schema import HttpSecurityScheme, Info, OpenAPIProvider, QuartSchema, Server, Tag
from werkzeug.routing.converters import BaseConverter
from werkzeug.routing.rules import Rule

from webapp import __version__
from webapp.config import settings
from webapp.http.auth.permissions import needed_role
from webapp.http.downloads import File
from webapp.http.memory import remember
from webapp.http.openapi.errors import MORE_HEADERS, RATE, error_components, headers_of, refusals_of
from webapp.http.openapi.examples import example_of
from webapp.http.openapi.webhooks import add_webhooks
from webapp.json_encoder import encode

PATH = "/openapi.json"
DESCRIPTION = """Send email from your own accounts.

Every request except discovery needs an `Authorization: Bearer <API key>` header. Resources in other organizations
return 404. Unknown query parameters are refused (400). Unknown fields of a body are ignored, and `warnings` beside
`data` names them; sends refuse them. An unsupported method on an existing path returns 405 with `Allow`. Requests are
rate limited (429, with `RateLimit-*` in every response) and limited per month (403). Every response has an
`X-Request-Id`. Retry only 429 and 5xx, with exponential backoff."""

Schema = dict[str, Any]

# The resources in the specification's order.
TAGS = {
    "Discovery": "Available resources and their paths.",
    "Accounts": "Sending identities: SMTP servers, Google and Microsoft accounts, each with a daily limit.",
    "From checks": "Whether mail from an account passes SPF, DKIM and DMARC.",
    "Segments": "Audiences and their contacts.",
    "Contacts": "The people you send to.",
    "Personal data": "All that is stored of a person: to hand it out, and to erase it.",
    "Forms": "Forms by which people sign up, and confirm by email.",
    "Topics": "What contacts can leave or join without leaving the others.",
    "Templates": "Subjects and bodies with merge tags.",
    "Brand": "The style of emails made of blocks.",
    "Media": "Images for your emails, stored here and shown from this server.",
    "Campaigns": "A template sent to a segment, manually or on a schedule.",
    "Emails": "Transactional email, one at a time or in batches.",
    "Mail logs": "Delivery history, one row per recipient.",
    "Sandbox": "The messages that the sandbox account received, for your tests.",
    "Suppressions": "Addresses and domains that get no email.",
    "Metrics": "Numbers of your emails by outcome.",
    "Usage": "Your plan, and what is left of it.",
    "Events": "What happened to emails, contacts, campaigns and accounts.",
    "Webhooks": "Endpoints of yours that events are posted to.",
}
METHODS = ("GET", "POST", "PATCH", "DELETE")

# Fields of bodies that refer to a resource of the organization; 404 if it does not exist.
REFERENCE = re.compile(r"(?!oauth_client_id).*_ids?|account_key|filter|segments|template")
FINDERS = {"contacts_index"}  # whose query can cause 404; other lists are then empty

IDEMPOTENCY_KEY: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Makes retries safe for 24 hours: the same key and body return the first response.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 256},
    "example": "order-4711",
}
FILES = ("application/octet-stream", "*/*")  # generators know the first
WARNINGS: Schema = {"type": "array", "items": {"type": "string"}, "description": "What was ignored in the body."}
BOUNDS = {"ge": "minimum", "le": "maximum"}  # which pydantic does not translate after a BeforeValidator


def register(app: Quart, payloads: Mapping[str, Any]) -> None:
    """`payloads` are the shapes of webhooks' bodies, by type."""
    app.config["QUART_SCHEMA_CONVERSION_PREFERENCE"] = "pydantic"
    app.config["QUART_SCHEMA_CONVERT_CASING"] = False
    remember(app, "openapi", lambda: _build(app, payloads))
    remember(app, "openapi_json", lambda: encode(app.extensions["openapi"]))
    app.add_url_rule(PATH, "openapi", _serve)


async def _serve() -> Response:
    return Response(current_app.extensions["openapi_json"], content_type="application/json")


def document() -> Schema:
    known: Schema = current_app.extensions["openapi"]
    return known


def _build(app: Quart, payloads: Mapping[str, Any]) -> Schema:
    described = QuartSchema(
        info=Info(title="Pennypost", version=__version__, description=DESCRIPTION),
        servers=[Server(url=settings().base_url)],
        tags=[Tag(name, text) for name, text in TAGS.items()],
        security_schemes={"api_key": HttpSecurityScheme(scheme="bearer", bearer_format="svc_live_...")},
        security=[{"api_key": []}],
    )
    return DocumentProvider(app, described, payloads).schema()


class DocumentProvider(OpenAPIProvider):
    def __init__(self, app: Quart, extension: QuartSchema, payloads: Mapping[str, Any]) -> None:
        super().__init__(app, extension)
        self._payloads = payloads
        self._known: Schema = {}

    def schema(self) -> Schema:
        built = super().schema()
        built["paths"] = dict(built["paths"])
        for kind, parts in error_components().items():
            built["components"].setdefault(kind, {}).update(parts)
        add_webhooks(built, self._payloads, lambda shape: self.build_response_object(shape, None))
        tidy(built["components"]["schemas"])
        describe_defaults(built["components"]["schemas"])
        for operations in built["paths"].values():
            for operation in operations.values():
                bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
                contents = [body.get("content", {}) for body in bodies]
                for media in (content[kind] for content in contents for kind in content if kind not in FILES):
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
        if name == "attachment_index":
            parameter["schema"] = {"type": "integer", "minimum": 0}
            parameter["description"] = "The index of the attachment, from 0."
        if name == "template_id":
            parameter["schema"] = {"type": "string", "minLength": 1}
            parameter["description"] = "The id or the alias of a template."
        if name == "suppression_id":
            parameter["schema"] = {"type": "string", "minLength": 1}
            parameter["description"] = "The id, the email address, or `*@` and the domain."
        return parameter

    def build_request_body(self, model: Any, source: Any) -> tuple[Schema, Schema]:
        body, definitions = super().build_request_body(model, source)
        (media,) = body["content"].values()
        if "anyOf" in media["schema"]:  # an array or an object, never both
            media["schema"]["oneOf"] = media["schema"].pop("anyOf")
        body |= {"required": True, "description": inspect.getdoc(model) or ""}
        with suppress(ValidationError):
            model.model_validate({})
            body["required"] = "oneOf" in media["schema"]  # one of its shapes is needed, which the model does not know
        return body, self._named(model.__name__, media, definitions)

    def build_response_object(self, model: Any, headers_model: Any) -> tuple[Schema, Schema]:
        if model is File:
            file: Schema = {"schema": {"type": "string", "format": "binary"}}
            return {"description": inspect.getdoc(File), "content": dict.fromkeys(FILES, file)}, {}
        response, definitions = super().build_response_object(model, headers_model)
        media = response["content"]["application/json"]
        is_page = "meta" in media["schema"]["properties"]
        description = inspect.getdoc(next(iter(get_args(model)), model))
        response |= {"description": "One page of results." if is_page else description}
        return response, self._named(name_of(model), media, definitions)

    def _named(self, name: str, media: Schema, definitions: Schema) -> Schema:
        """The definitions with the body's schema, under `name`.

        Raises ValueError for a second schema of the same name, which would silently replace the first.
        """
        definitions[name] = media["schema"]
        media["schema"] = {"$ref": f"#/components/schemas/{name}"}
        for known, schema in definitions.items():
            if self._known.setdefault(known, schema) != schema:
                raise ValueError(f"two different schemas are called {known}")
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
        if getattr(getattr(view, "json_body", None), "ignored", None):
            self._add_warnings(operation["responses"], components)
        successes = {
            str(status): response | {"headers": headers_of(*added, *MORE_HEADERS.get(int(status), ()))}
            for status, response in operation["responses"].items()
        }
        fields = fields_of(operation.get("requestBody", {}), components)
        has_references = any(map(REFERENCE.fullmatch, fields)) or operation["operationId"] in FINDERS
        operation["responses"] = successes | refusals_of(view, operation, has_references=has_references)
        if role is not None:
            operation["description"] = f"{operation['description'].strip()}\n\nRequires role: `{role}`.".strip()

    def _add_warnings(self, responses: Schema, components: Schema) -> None:
        for response in (response for status, response in responses.items() if int(status) < HTTPStatus.BAD_REQUEST):
            media = response["content"]["application/json"]
            name = media["schema"]["$ref"].rpartition("/")[2]
            schema = components[name] | {"properties": components[name]["properties"] | {"warnings": WARNINGS}}
            components |= self._named(f"{name}WithWarnings", media | {"schema": schema}, {})
            response["content"] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}WithWarnings"}}}


def name_of(model: Any) -> str:
    origin = get_origin(model)
    if origin is None:
        return str(model.__name__)
    (shape,) = get_args(model)
    name: str = shape.__name__
    return name + {"One": "Response", "Many": "List"}[origin.__name__]


def parts_of(schema: Any) -> Iterator[Schema]:
    """The schema and all that it contains, except examples."""
    if isinstance(schema, list):
        for item in schema:
            yield from parts_of(item)
    elif isinstance(schema, dict):
        yield schema
        for key in schema.keys() - {"examples"}:
            yield from parts_of(schema[key])


def fields_of(schema: Schema, components: Schema) -> Iterator[str]:
    for part in parts_of(schema):
        yield from part.get("properties", ())
        if "$ref" in part:
            yield from fields_of(components[part["$ref"].rpartition("/")[2]], components)


def with_default(text: str, schema: Schema) -> str:
    """The description of a field, with its default."""
    default = schema.get("default")
    if default is None:
        return text
    words = "empty" if default == "" else default if isinstance(default, str) else json.dumps(default)
    return f"{text} Default: {words}.".strip()


def describe_defaults(schema: Any) -> None:
    """Moves the defaults of bodies into words, because generators require or send fields that have one."""
    for part in parts_of(schema):
        if "default" in part:
            part["description"] = with_default(part.get("description", ""), part)
            del part["default"]


def tidy(schema: Any) -> None:
    """Removes titles and defaults of null, which would end up in generated clients, and corrects bounds."""
    for part in parts_of(schema):
        if isinstance(part.get("title"), str):
            del part["title"]
        if part.get("default", "") is None:
            del part["default"]
        for name, bound in BOUNDS.items():
            if name in part:
                part[bound] = part.pop(name)
