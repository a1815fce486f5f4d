"""The API reference, made from the OpenAPI document."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

from quart import Blueprint, render_template
from quart.typing import ResponseReturnValue

from webapp import errors
from webapp.config import settings
from webapp.http.errors import InternalServerError, MethodNotAllowed
from webapp.http.openapi import document
from webapp.http.sessions import public
from webapp.pages.schemas import FieldRow, Schema, Schemas

blueprint = Blueprint("reference", __name__)

STATUS_AHEAD = re.compile(r"^\d{3}[:,] ")
VARIABLE = "$PENNYPOST_API_KEY"


class Refusal(NamedTuple):
    """A status that a caller may get, the `error` that it has in the body, and when."""

    status: int
    name: str
    text: str


@dataclass(frozen=True)
class Endpoint:
    """All that the page says about one method of one path."""

    id: str
    method: str
    path: str
    summary: str
    paragraphs: Sequence[str]
    parameters: Sequence[FieldRow]
    body: Sequence[FieldRow]
    status: int
    answer: str
    refusals: Sequence[Refusal]
    curl: str


@blueprint.get("/reference")
@public
async def show() -> ResponseReturnValue:
    described = document()
    groups: dict[str, list[Endpoint]] = {}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            endpoint = _endpoint(Schemas(described), method.upper(), path, operation)
            groups.setdefault(operation["tags"][0], []).append(endpoint)
    return await render_template(
        "reference/show.html",
        groups=groups,
        refusals=list(_all_refusals()),
        base_url=settings().base_url,
        variable=VARIABLE,
    )


def _endpoint(schemas: Schemas, method: str, path: str, operation: Schema) -> Endpoint:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    statuses = {int(status): response for status, response in operation["responses"].items()}
    done = min(statuses)
    return Endpoint(
        id=operation["operationId"],
        method=method,
        path=path,
        summary=operation["summary"],
        paragraphs=[text for text in operation["description"].split("\n\n") if text],
        parameters=[_parameter(schemas, parameter) for parameter in operation["parameters"]],
        body=list(schemas.fields(body)) if body else [],
        status=done,
        answer=_pretty(schemas.sample(statuses[done]["content"]["application/json"]["schema"])),
        refusals=[
            Refusal(status, HTTPStatus(status).phrase, response["description"])
            for status, response in statuses.items()
            if status != done
        ],
        curl=_curl(method, path, schemas.sample(body) if body else None, needs_key=operation.get("security") != [{}]),
    )


def _parameter(schemas: Schemas, parameter: Schema) -> FieldRow:
    text = parameter.get("description") or f"The {parameter['name'].removesuffix('_id').replace('_', ' ')}'s id."
    default = parameter["schema"].get("default")
    if default is not None:
        text = f"{text} Default: {default}."
    return FieldRow(parameter["name"], schemas.kind(parameter["schema"]), bool(parameter.get("required")), text)


def _curl(method: str, path: str, body: Any, *, needs_key: bool) -> str:
    """A request to paste into a terminal, to this instance."""
    parts = [f"curl {settings().base_url}{path}" if "{" not in path else f"curl '{settings().base_url}{path}'"]
    if method not in ("GET", "POST"):
        parts.append(f"-X {method}")
    if needs_key:
        parts.append(f'-H "Authorization: Bearer {VARIABLE}"')
    if body is not None:
        parts += ["-H 'Content-Type: application/json'", f"-d '{_pretty(body)}'"]
    return " \\\n  ".join(parts)


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _all_refusals() -> Iterator[Refusal]:
    """Every error of the service, from the classes that raise them."""
    kinds: list[type[errors.ApiError]] = [MethodNotAllowed, InternalServerError]
    kinds += [kind for kind in errors.ApiError.__subclasses__() if kind.__module__ == errors.__name__]
    for kind in sorted(kinds, key=lambda kind: kind.status):
        text = STATUS_AHEAD.sub("", (kind.__doc__ or "").strip())
        yield Refusal(kind.status, kind.name, text[:1].upper() + text[1:])
