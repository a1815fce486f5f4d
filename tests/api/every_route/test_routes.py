"""Every API route is documented and has a trailing-slash twin, and the API describes itself at its root."""

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from quart import Quart

from tests.api.conftest import NOT_FOUND, Api
from webapp import __version__
from webapp.config import Settings
from webapp.errors import (
    ApiError,
    BatchError,
    Busy,
    DuplicateContact,
    FieldError,
    ItemError,
    MethodNotAllowed,
    NotFound,
    PlanLimitExceeded,
    RateLimitExceeded,
    Unauthorized,
    ValidationError,
    WrongAddress,
)
from webapp.http.error_pages import body_of
from webapp.http.openapi.document import document, parts_of
from webapp.models.event import EventType

LEGACY = "/api/v1"


def api_rules(app: Quart) -> list[tuple[str, str, str]]:
    """Endpoint, method and path of every route under /v1 and /api/v1."""
    return [
        (rule.endpoint, method, re.sub(r"<[^>:]*:", "<", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods or ())
        if rule.rule.startswith(("/v1", LEGACY)) and method != "HEAD"
    ]


async def test_both_addresses_have_the_same_routes_and_compose_is_on_the_older_alone(app: Quart) -> None:
    rules = {(method, path) for _, method, path in api_rules(app)}
    current = {(method, path) for method, path in rules if path.startswith("/v1")}
    older = {(method, path.removeprefix("/api")) for method, path in rules - current}
    assert older == current | {("POST", "/v1/compose")}


async def test_a_path_that_is_none_is_absent_and_tells_nothing_without_a_key(api: Api, keyless: Api) -> None:
    for path in ("nothing", "accounts/", "/accounts", "accounts/x/y", "%00", "%FF"):
        assert await api.get(f"/v1/{path}") == (404, NOT_FOUND), path
        assert (await keyless.get(f"/v1/{path}"))[0] == 401, path


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("PUT", "/v1/accounts", {"GET", "HEAD", "POST"}), ("GET", "/v1/emails/batch", {"POST"})],
)
async def test_a_method_that_is_not_for_a_path_is_named(api: Api, method: str, path: str, allowed: set[str]) -> None:
    response = await api.send(method, path)
    assert response.status_code == 405
    assert set(response.headers["Allow"].split(", ")) == allowed
    assert "RateLimit-Remaining" in response.headers
    assert json.loads(await response.get_data()) == {
        "error": "MethodNotAllowed",
        "message": f"{method} is not allowed here: use {' or '.join(sorted(allowed - {'HEAD'}))}",
    }


def operation_paths(app: Quart) -> list[tuple[str, str]]:
    """Every method and path of the API that needs a key, with ids that name nothing left out."""
    return [
        (method, path)
        for endpoint, method, path in api_rules(app)
        if "<" not in path and getattr(app.view_functions[endpoint], "guard", "public") != "public"
    ]


async def test_an_unknown_query_parameter_is_refused_by_every_route(app: Quart, api: Api, keyless: Api) -> None:
    for method, path in operation_paths(app):
        status, answer = await api.answer(method, f"{path}?x_unknown=1")
        assert (status, answer["details"][0]["field"]) == (400, "x_unknown"), (method, path)
        assert answer["message"].startswith("x_unknown is not a query parameter here"), (method, path)
        if not path.startswith(LEGACY):  # both are more requests than an address may send without a key
            assert (await keyless.answer(method, f"{path}?x_unknown=1"))[0] == 401


@pytest.mark.parametrize(
    ("path", "query", "message"),
    [
        ("contacts", "pageSize=5", "pageSize is not a query parameter here: did you mean page_size?"),
        ("contacts", "segmentid=5", "segmentid is not a query parameter here: did you mean segment_id?"),
        ("templates", "zzz", "zzz is not a query parameter here: use page, page_size"),
        ("brand", "zzz=1", "zzz is not a query parameter here"),
    ],
)
async def test_the_nearest_query_parameter_is_named(api: Api, path: str, query: str, message: str) -> None:
    status, answer = await api.get(f"/v1/{path}?{query}")
    assert (status, answer["message"]) == (400, message)


async def test_a_callers_request_id_comes_back_unless_it_could_harm_a_log(api: Api) -> None:
    for given in ("abcd-1234", "0" * 64):
        response = await api.send("GET", "/v1/accounts", headers={"X-Request-Id": given})
        assert response.headers["X-Request-Id"] == given
    for given in ("short", "0" * 65, "with space", "äöüäöüäö", "a_b_c_d_e_f"):
        response = await api.send("GET", "/v1/accounts", headers={"X-Request-Id": given})
        assert len(response.headers["X-Request-Id"]) == 32, given


async def test_the_openapi_document_is_valid_and_served(app: Quart, keyless: Api) -> None:
    status, served = await keyless.get("/openapi.json")
    assert (status, served["openapi"]) == (200, "3.1.0")
    validate(served)
    async with app.app_context():
        assert served == json.loads(json.dumps(document()))


@pytest.fixture
async def served(keyless: Api) -> dict[str, Any]:
    """The OpenAPI document as a client gets it (see the test above), made once for all tests."""
    return await keyless._document()


def operations_of(served: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """What is documented, by method and path."""
    return {
        (method.upper(), path): operation
        for path, operations in served["paths"].items()
        for method, operation in operations.items()
    }


def resolved(served: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """The part itself, or the component that it refers to."""
    if "$ref" not in part:
        return part
    kind, name = part["$ref"].split("/")[-2:]
    found: dict[str, Any] = served["components"][kind][name]
    return found


async def test_the_openapi_document_leaves_nothing_out(app: Quart, served: dict[str, Any]) -> None:
    described = operations_of(served)
    views = {
        (method, path.replace("<", "{").replace(">", "}")): app.view_functions[endpoint]
        for endpoint, method, path in api_rules(app)
        if not path.startswith(LEGACY)
    }
    assert set(described) == set(views)
    tags = {tag["name"] for tag in served["tags"]}
    for route, operation in described.items():
        takes_key = "Idempotency-Key" in {parameter["name"] for parameter in operation["parameters"]}
        assert takes_key == hasattr(views[route], "idempotent")
        assert operation["summary"]
        assert set(operation["tags"]) <= tags
    shown = json.dumps(served["components"]["schemas"]["Account"])
    for flag in ("has_smtp_password", "has_bounce_imap_password", '"password"'):
        shown = shown.replace(flag, "")
    assert "password" not in shown


# What the contract lets a body have beside `error` and `message`.
ADDED = {
    "ValidationError": {"details", "missing_variables", "errors", "contact_id"},  # `errors`: of a batch
    "PlanLimitExceeded": {"limit", "max", "current"},
}


async def test_every_error_of_the_service_is_documented_as_it_is(served: dict[str, Any]) -> None:
    """Each class of errors has a schema with its name, which has what the contract says, and its own body fits."""
    documented = {
        schema["properties"]["error"]["const"]: schema
        for schema in served["components"]["schemas"].values()
        if "const" in schema.get("properties", {}).get("error", {})
    }
    raised: list[ApiError] = [
        ValidationError.of("name", "name is required"),
        ValidationError("no value", missing_variables=["name"]),
        BatchError([ItemError(1, "to is required")], [FieldError("1.to", "1.to is required")]),
        Unauthorized(),
        PlanLimitExceeded("too many", "", "max_accounts", 2, 2),
        PlanLimitExceeded("not at all", "", "allow_automation", None, None),
        DuplicateContact(uuid4()),
        NotFound(),
        NotFound("segment_id: segment not found"),
        RateLimitExceeded("too many", 1),
        Busy("too many", 1),
        WrongAddress("the form has expired.", "https://mail.example.com"),
    ]
    known = {MethodNotAllowed, *(type(error) for error in raised)}
    raised += [kind("so it is") for kind in set(every_error()) - known]
    for error in raised:
        body = json.loads(json.dumps(body_of(error)))
        Draft202012Validator(documented[error.name] | {"components": served["components"]}).validate(body)
    assert set(documented) == {error.name for error in raised}
    for name, schema in documented.items():  # the tests' client holds every answer against these schemas
        assert set(schema["properties"]) == {"error", "message"} | ADDED.get(name, set()), name


def every_error(kind: type[ApiError] = ApiError) -> Iterator[type[ApiError]]:
    """The classes of the service's errors; a test may have made others."""
    for child in kind.__subclasses__():
        if child.__module__ == "webapp.errors":
            yield child
            yield from every_error(child)


async def test_no_schema_has_a_default_of_null(served: dict[str, Any]) -> None:
    """Generated clients would send it, where leaving a field out means something else."""
    schemas = [*served["components"]["schemas"].values(), *served["paths"].values()]
    assert [part for schema in schemas for part in parts_of(schema) if part.get("default", "") is None] == []


async def test_no_field_of_a_body_has_a_default(served: dict[str, Any]) -> None:
    """Generated clients would require it, or send it where leaving a field out means something else."""
    schemas = served["components"]["schemas"]
    assert [name for name, schema in schemas.items() for part in parts_of(schema) if "default" in part] == []
    assert schemas["NewContact"]["properties"]["status"]["description"].endswith("Default: subscribed.")


async def test_a_body_is_required_where_nothing_is_no_choice(served: dict[str, Any]) -> None:
    paths = served["paths"]
    assert paths["/v1/segments/{segment_id}/contacts"]["post"]["requestBody"]["required"]
    assert not paths["/v1/campaigns/{campaign_id}/send"]["post"]["requestBody"]["required"]


async def test_every_body_has_an_example_that_fits_it(served: dict[str, Any]) -> None:
    bodies = [
        body
        for operation in operations_of(served).values()
        for body in (operation.get("requestBody"), *operation["responses"].values())
        if body is not None
    ]
    for body in bodies:
        content = resolved(served, body)["content"]
        if "*/*" in content:  # a file
            continue
        (media,) = content.values()
        Draft202012Validator(media["schema"] | {"components": served["components"]}).validate(media["example"])
        assert "..." not in json.dumps(media["example"]).replace('"smtp_password": "..."', ""), media["example"]


async def test_every_type_of_event_is_a_webhook_with_an_example_that_fits(served: dict[str, Any]) -> None:
    assert set(served["webhooks"]) == set(EventType)
    for kind, methods in served["webhooks"].items():
        media = methods["post"]["requestBody"]["content"]["application/json"]
        Draft202012Validator(media["schema"] | {"components": served["components"]}).validate(media["example"])
        assert media["example"]["type"] == kind
        assert "..." not in json.dumps(media["example"])


NOUNS = (
    *(
        "accounts",
        "brand",
        "campaigns",
        "contacts",
        "emails",
        "events",
        "forms",
        "mail-logs",
        "media",
        "metrics",
        "sandbox/messages",
        "segments",
    ),
    *("suppressions", "templates", "topics", "usage", "webhooks"),
)
DISCOVERY = ["name", "version", "documentation_url", "openapi_url", "resources"]


async def test_the_discovery_says_what_this_is_and_where_to_read_on(keyless: Api, settings: Settings) -> None:
    for path in ("/", "/v1", "/api/v1"):
        response = await keyless.send("GET", path, headers={"Accept": "application/json"})
        assert response.status_code == 200
        (data,) = (await response.get_json()).values()
        assert list(data) == DISCOVERY
        assert (data["name"], data["version"]) == ("Pennypost", __version__)
        assert data["documentation_url"] == f"{settings.base_url}/reference"
        assert data["openapi_url"] == f"{settings.base_url}/openapi.json"
        methods = ["DELETE", "GET", "PATCH", "POST"]
        assert data["resources"][0] == {"name": "accounts", "path": "/v1/accounts", "methods": methods}
        assert [one["path"] for one in data["resources"] if one["name"] != "compose"] == [f"/v1/{one}" for one in NOUNS]


async def test_what_it_names_is_there(keyless: Api, api: Api, settings: Settings) -> None:
    _, body = await keyless.get("/v1")
    for url in (body["data"]["documentation_url"], body["data"]["openapi_url"]):
        assert (await keyless.send("GET", url.removeprefix(settings.base_url))).status_code == 200
    for resource in body["data"]["resources"]:
        assert (await api.get(resource["path"]))[0] == 200
        assert (await keyless.get(resource["path"]))[0] == 401


async def test_a_browser_that_prefers_html_goes_to_the_dashboard_and_a_program_does_not(keyless: Api) -> None:
    for path, accept, status in (
        ("/", "text/html,application/xhtml+xml,*/*;q=0.8", 302),
        ("/", "*/*", 200),
        ("/", "application/json, text/html;q=0.5", 200),
        ("/v1", "text/html", 200),
    ):
        assert (await keyless.send("GET", path, headers={"Accept": accept})).status_code == status, accept


async def test_the_older_address_has_the_same_rows_and_names_its_successor(api: Api, rival_api: Api) -> None:
    _, made = await api.post("/api/v1/contacts", {"email": "ada@example.org"})
    path = f"/contacts/{made['data']['id']}"
    assert await api.get(f"/v1{path}") == await api.get(f"/api/v1{path}") == (200, made)
    assert (await rival_api.get(f"/api/v1{path}"))[0] == 404
    for method, where in (("GET", path), ("PATCH", path), ("DELETE", path), ("GET", "/nothing")):
        response = await api.send(method, f"/api/v1{where}", json={} if method == "PATCH" else None)
        assert response.headers["Link"] == f'</v1{where}>; rel="successor-version"'
        assert response.headers["Deprecation"].startswith("@")
        assert "Deprecation" not in (await api.send("GET", f"/v1{where}")).headers
