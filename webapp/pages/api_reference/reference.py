"""The API reference, made from the OpenAPI document."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import NamedTuple

from quart import Blueprint, render_template, request
from quart.typing import ResponseReturnValue

from webapp import errors
from webapp.config import settings
from webapp.http.auth.permissions import public
from webapp.http.error_pages import InternalServerError, MethodNotAllowed
from webapp.http.openapi.document import document
from webapp.pages.api_reference.samples import LANGUAGES, VARIABLE, CodeSample, Request, pretty, samples_of
from webapp.pages.api_reference.schemas import FieldRow, Schema, Schemas

blueprint = Blueprint("reference", __name__)

STATUS_AHEAD = re.compile(r"^\d{3}[:,] ")


class Refusal(NamedTuple):
    """An error status, its `error` in the body, and when it occurs."""

    status: int
    name: str
    text: str


@dataclass(frozen=True)
class EndpointDoc:
    id: str
    method: str
    path: str
    summary: str
    paragraphs: Sequence[str]
    parameters: Sequence[FieldRow]
    body: Sequence[FieldRow]
    body_text: str  # of one that is no object with fields of its own
    status: int
    answer: str
    refusals: Sequence[Refusal]
    samples: Sequence[CodeSample]


@blueprint.get("/reference")
@public
async def show() -> ResponseReturnValue:
    described = document()
    language = request.args.get("language")
    schemas = Schemas(described)
    groups: dict[str, list[EndpointDoc]] = {}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            endpoint = _endpoint(schemas, method.upper(), path, operation)
            groups.setdefault(operation["tags"][0], []).append(endpoint)
    return await render_template(
        "reference/show.html",
        groups=groups,
        purposes={tag["name"]: tag["description"] for tag in described["tags"]},
        refusals=list(_all_refusals()),
        base_url=settings().base_url,
        variable=VARIABLE,
        languages=LANGUAGES,
        language=language if language in LANGUAGES else "curl",
    )


def _endpoint(schemas: Schemas, method: str, path: str, operation: Schema) -> EndpointDoc:
    whole_body = operation.get("requestBody", {})
    body = whole_body.get("content", {}).get("application/json", {})
    statuses = {int(status): schemas.response(response) for status, response in operation["responses"].items()}
    done = min(statuses)
    needs_key = operation.get("security") != [{}]
    return EndpointDoc(
        id=operation["operationId"],
        method=method,
        path=path,
        summary=operation["summary"],
        paragraphs=[text for text in operation["description"].split("\n\n") if text],
        parameters=[_parameter(schemas, parameter) for parameter in operation["parameters"]],
        body=list(schemas.fields(body["schema"])) if body else [],
        body_text=whole_body.get("description", ""),
        status=done,
        answer=pretty(statuses[done]["content"]["application/json"]["example"]),
        refusals=[
            Refusal(status, HTTPStatus(status).phrase, response["description"])
            for status, response in statuses.items()
            if status != done
        ],
        samples=samples_of(Request(method, f"{settings().base_url}{path}", body.get("example"), needs_key)),
    )


def _parameter(schemas: Schemas, parameter: Schema) -> FieldRow:
    text = parameter.get("description") or f"The {parameter['name'].removesuffix('_id').replace('_', ' ')}'s id."
    default = parameter["schema"].get("default")
    if default is not None:
        text = f"{text} Default: {default}."
    return FieldRow(parameter["name"], schemas.kind(parameter["schema"]), bool(parameter.get("required")), text)


def _all_refusals() -> Iterator[Refusal]:
    kinds: list[type[errors.ApiError]] = [MethodNotAllowed, InternalServerError]
    kinds += [kind for kind in errors.ApiError.__subclasses__() if kind.__module__ == errors.__name__]
    for kind in sorted(kinds, key=lambda kind: kind.status):
        text = STATUS_AHEAD.sub("", (kind.__doc__ or "").strip())
        yield Refusal(kind.status, kind.name, text[:1].upper() + text[1:])
