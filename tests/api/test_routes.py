"""What holds for every route of the API."""

import json
from uuid import uuid4

import pytest
from openapi_spec_validator import validate
from quart import Quart

from tests.api.conftest import Api
from webapp.http.openapi import document

OPEN = {"v1.discovery.show", "legacy_v1.discovery.show"}
LEGACY = "/api/v1"


def api_rules(app: Quart) -> list[tuple[str, str, str]]:
    """Endpoint, method and path of every route under /v1 and /api/v1."""
    return [
        (rule.endpoint, method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods or ())
        if rule.rule.startswith(("/v1", LEGACY)) and method != "HEAD"
    ]


def filled(path: str, row_id: object) -> str:
    """The path with an id in it."""
    return "/".join(str(row_id) if part.startswith("<") else part for part in path.split("/"))


async def test_every_route_but_the_discovery_has_a_guard(app: Quart, nobody: Api) -> None:
    assert len(api_rules(app)) > 20
    for endpoint, method, path in api_rules(app):
        if endpoint in OPEN:
            continue
        assert hasattr(app.view_functions[endpoint], "needed_role"), endpoint
        for row_id in (uuid4(), "nonsense"):
            assert (await nobody.answer(method, filled(path, row_id)))[0] == 401


async def test_both_addresses_have_the_same_routes(app: Quart) -> None:
    rules = {(method, path) for _, method, path in api_rules(app)}
    current = {(method, path) for method, path in rules if path.startswith("/v1")}
    assert {(method, path.removeprefix("/api")) for method, path in rules - current} == current


async def test_the_older_address_names_its_successor(api: Api) -> None:
    for path in ("/api/v1/accounts", "/api/v1", "/api/v1/nothing"):
        response = await api.send("GET", path)
        assert response.headers["Deprecation"].startswith("@")
        assert response.headers["Link"] == f'<{path.removeprefix("/api")}>; rel="successor-version"'
    assert "Deprecation" not in (await api.send("GET", "/v1/accounts")).headers
    assert (await api.get("/api/v1/accounts"))[0] == 200


@pytest.mark.parametrize(
    "path", ["/v1/nothing", "/v1/accounts/", "/v1/accounts/x/y", "/api/v1/nothing", "/v1/%00", "/v1/%FF"]
)
async def test_a_path_that_is_none_is_absent(api: Api, nobody: Api, path: str) -> None:
    for client in (api, nobody):
        response = await client.send("GET", path)
        assert (response.status_code, await response.get_data()) == (404, b'{"error":"Not found"}')


async def test_a_method_that_is_not_for_a_path_is_named(api: Api) -> None:
    response = await api.send("PUT", "/v1/accounts")
    assert response.status_code == 405
    assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert json.loads(await response.get_data()) == {
        "error": "MethodNotAllowed",
        "message": "PUT is not allowed here",
    }


@pytest.mark.parametrize("given", ["abcd-1234", "0" * 64])
async def test_a_callers_request_id_comes_back(api: Api, given: str) -> None:
    response = await api.send("GET", "/v1/accounts", headers={"X-Request-Id": given})
    assert response.headers["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["short", "0" * 65, "with space", "äöüäöüäö", "a_b_c_d_e_f"])
async def test_a_request_id_that_could_harm_a_log_is_replaced(api: Api, given: str) -> None:
    response = await api.send("GET", "/v1/accounts", headers={"X-Request-Id": given})
    assert len(response.headers["X-Request-Id"]) == 32


async def test_the_discovery_needs_no_key_and_names_every_resource(nobody: Api, app: Quart) -> None:
    for path in ("/v1", "/api/v1", "/"):
        status, body = await nobody.get(path)
        assert status == 200
        assert {one["path"] for one in body["data"]["resources"]} == {"/v1/accounts", "/v1/emails", "/v1/mail-logs"}
    assert body["data"]["resources"][0] == {
        "name": "accounts",
        "path": "/v1/accounts",
        "methods": ["DELETE", "GET", "PATCH", "POST"],
    }
    assert body["data"]["openapi_url"].endswith("/openapi.json")


async def test_a_browser_is_sent_to_the_dashboard(nobody: Api) -> None:
    accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    response = await nobody.send("GET", "/", headers={"Accept": accept})
    assert (response.status_code, response.headers["Location"]) == (302, "/home")


async def test_the_openapi_document_is_valid_and_served(app: Quart, nobody: Api) -> None:
    status, served = await nobody.get("/openapi.json")
    assert (status, served["openapi"]) == (200, "3.1.0")
    validate(served)
    async with app.app_context():
        assert served == json.loads(json.dumps(document()))


async def test_the_openapi_document_leaves_nothing_out(app: Quart, nobody: Api) -> None:
    _, served = await nobody.get("/openapi.json")
    described = {
        (method.upper(), path): operation
        for path, operations in served["paths"].items()
        for method, operation in operations.items()
    }
    known = {
        (method, path.replace("<", "{").replace(">", "}"))
        for _, method, path in api_rules(app)
        if not path.startswith(LEGACY)
    }
    assert set(described) == known
    ids = [operation["operationId"] for operation in described.values()]
    assert len(set(ids)) == len(ids)
    for (method, path), operation in described.items():
        assert operation["summary"], path
        assert all(response["description"] for response in operation["responses"].values())
        for parameter in operation["parameters"]:
            if parameter["in"] == "path":
                assert parameter["schema"]["format"] == "uuid"
        if method in ("POST", "PATCH"):
            assert operation["requestBody"]["required"]
            assert {"400", "413", "415"} <= set(operation["responses"])
        if path != "/v1":
            assert {"401", "403", "500", "503"} <= set(operation["responses"])
    assert "password" not in json.dumps(served["components"]["schemas"]["Account"]).replace("has_smtp_password", "")
