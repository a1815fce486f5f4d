"""Programs that call the API, each with a key of its own; every answer is held against the OpenAPI document."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from quart import Quart, Response

from tests.apps import app_of
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.roles import Role
from webapp.http.openapi.document import document
from webapp.models import Organization

_documents: list[dict[str, Any]] = []

NOT_FOUND = {"error": "Not found"}


class Api:
    """A client with one key. `get`, `post`, `patch` and `delete` return status and body."""

    def __init__(self, app: Quart, key: str | None) -> None:
        self.app, self.key = app, key
        self._client = app.test_client()

    async def send(self, method: str, path: str, **kwargs: Any) -> Response:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        headers |= kwargs.pop("headers", {})
        response = await self._client.open(path, method=method, headers=headers, **kwargs)
        assert "X-Request-Id" in response.headers
        if path.startswith("/v1"):
            assert response.headers.getlist("Cache-Control") == ["no-store"]
        return response

    async def answer(self, method: str, path: str, **kwargs: Any) -> tuple[int, Any]:
        response = await self.send(method, path, **kwargs)
        data = await response.get_data()
        body = json.loads(data) if response.mimetype == "application/json" else data
        await self._check_documented(method, path, response.status_code, body)
        return response.status_code, body

    async def get(self, path: str, **kwargs: Any) -> tuple[int, Any]:
        return await self.answer("GET", path, **kwargs)

    async def post(self, path: str, body: Any = None, **kwargs: Any) -> tuple[int, Any]:
        return await self.answer("POST", path, json=body, **kwargs)

    async def create(self, path: str, body: dict[str, Any]) -> Any:
        """The row that a POST creates."""
        status, answer = await self.post(path, body)
        assert status == HTTPStatus.CREATED, answer
        return answer["data"]

    async def refused(self, method: str, path: str, body: Any, **kwargs: Any) -> str:
        """The field for which a request is refused."""
        status, answer = await self.answer(method, path, json=body, **kwargs)
        assert (status, answer["error"]) == (400, "ValidationError"), answer
        field: str = answer["details"][0]["field"]
        return field

    async def patch(self, path: str, body: Any = None, **kwargs: Any) -> tuple[int, Any]:
        return await self.answer("PATCH", path, json=body, **kwargs)

    async def delete(self, path: str, **kwargs: Any) -> tuple[int, Any]:
        return await self.answer("DELETE", path, **kwargs)

    async def post_raw(self, path: str, body: bytes, content_type: str | None = "application/json") -> tuple[int, Any]:
        headers = {"Content-Type": content_type} if content_type else {}
        return await self.answer("POST", path, data=body, headers=headers)

    async def _document(self) -> dict[str, Any]:
        """The document of the first app; those of the others differ in their address alone."""
        if not _documents:
            async with self.app.app_context():
                _documents.append(document())
        return _documents[0]

    async def _check_documented(self, method: str, path: str, status: int, body: Any) -> None:
        """Fail unless the OpenAPI document has this status for the route, with a body like this one."""
        described = await self._document()
        if status >= HTTPStatus.BAD_REQUEST:
            check_error(described, body)
        operation = operation_at(described, method, path)
        if operation is None:
            return
        assert str(status) in operation["responses"], f"{method} {path} answers {status}, which is not documented"
        response = operation["responses"][str(status)]
        shared = described["components"]["responses"].get(response.get("$ref", "").rpartition("/")[2])
        if isinstance(body, bytes):
            assert "*/*" in response["content"], f"{method} {path} answers a file, which is not documented"
            return
        schema = (shared or response)["content"]["application/json"]["schema"]
        Draft202012Validator(schema | {"components": described["components"]}).validate(body)


def check_error(described: dict[str, Any], body: Any) -> None:
    """Fail where an error has a field that is not documented: other answers may grow, an error is what it says."""
    for schema in described["components"]["schemas"].values():
        properties = schema.get("properties", {})
        if properties.get("error", {}).get("const", "") == body.get("error"):
            assert set(body) <= set(properties)


def operation_at(described: dict[str, Any], method: str, path: str) -> dict[str, Any] | None:
    """The documented operation that answers at `path`."""
    parts = path.partition("?")[0].removeprefix("/api").split("/")
    for template, operations in described["paths"].items():
        wanted = template.split("/")
        if len(wanted) == len(parts) and all(w in (p, f"{{{w[1:-1]}}}") for w, p in zip(wanted, parts, strict=True)):
            operation: dict[str, Any] | None = operations.get(method.lower())
            return operation
    return None


async def make_api(app: Quart, org: Organization, role: Role = Role.ADMIN, **scope: Any) -> Api:
    """A client with a new key of `org`."""
    issued = await issue_key(org, NewKey.model_validate({"name": f"{role} key", "role": role.value, **scope}))
    return Api(app, issued.secret)


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Quart]:
    """An app as one more process runs it; at the end of the block it has stopped in order."""
    app = create_app(settings)
    async with app.test_app():
        yield app


@pytest.fixture
async def app(settings: Settings, database: str) -> Quart:
    """The app, as every server process makes it."""
    return app_of(settings)


@pytest.fixture
async def started(app: Quart) -> AsyncIterator[None]:
    """The app has started, and stops in order: for files that are about what it does beside its requests."""
    async with app.test_app():
        yield


@pytest.fixture
async def api(app: Quart, acme: Organization) -> Api:
    """Our program: an admin's key of acme."""
    return await make_api(app, acme)


@pytest.fixture
async def rival_api(app: Quart, rival: Organization) -> Api:
    """The stranger's program: an admin's key of rival."""
    return await make_api(app, rival)


@pytest.fixture
async def viewer_api(app: Quart, acme: Organization) -> Api:
    return await make_api(app, acme, Role.VIEWER)


@pytest.fixture
async def sender_api(app: Quart, acme: Organization) -> Api:
    return await make_api(app, acme, Role.SENDER)


@pytest.fixture
async def keyless(app: Quart) -> Api:
    """A program without a key."""
    return Api(app, None)
