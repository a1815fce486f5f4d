"""Builds the API's nouns, endpoints and errors from the OpenAPI document."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock
from typing import Any, NamedTuple

from quart import current_app

from webapp import errors
from webapp.config import settings
from webapp.http.openapi.document import document, with_default
from webapp.http.openapi.examples import ID
from webapp.pages.api_reference.samples import CodeSample, Request, pretty, samples_of

FIRST_CLAUSE = re.compile(r"[^,:;.]+")
ID_IN_PATH = re.compile(r"\{\w+\}")
STATUS_AHEAD = re.compile(r"^\d{3}[:,] ")
Schema = dict[str, Any]
_building = Lock()
PLURALS = {"string": "strings", "object": "objects", "integer": "integers", "uuid": "uuids"}


class FieldRow(NamedTuple):
    name: str
    kind: str
    required: bool
    text: str


def _resolved(part: Schema, kind: str = "schemas") -> Schema:
    """The part of the document, with what its reference names."""
    name = part.get("$ref", "").rpartition("/")[2]
    return (document()["components"][kind][name] | part) if name else part


def _fields(schema: Schema, prefix: str = "") -> Iterator[FieldRow]:
    whole = _resolved(schema)
    for name, field in whole.get("properties", {}).items():
        required = name in whole.get("required", ())
        yield FieldRow(f"{prefix}{name}", _kind(field), required, str(field.get("description", "")))
        for option in field.get("anyOf", [field]):
            for inner, mark in ((option, ""), (option.get("items", {}), "[]")):
                yield from _fields(inner, f"{prefix}{name}{mark}.")


def _kind(schema: Schema) -> str:
    schema = _resolved(schema)
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    if "const" in schema:
        return str(schema["const"]).lower()
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(option) for option in schema["anyOf"]))
    if schema.get("type") == "array":
        inner = _kind(schema.get("items", {}))
        return f"array of {PLURALS.get(inner, inner)}"
    if isinstance(schema.get("type"), list):
        return " or ".join(schema["type"])
    return str(schema.get("format") or schema.get("contentEncoding") or schema.get("type", "any"))


class Refusal(NamedTuple):
    status: int
    name: str
    text: str

    @property
    def anchor(self) -> str:
        return f"error-{self.name.replace(' ', '-')}"


@dataclass(frozen=True)
class ApiEndpoint:
    id: str
    method: str
    path: str
    summary: str
    paragraphs: list[str]
    parameters: list[FieldRow]
    body: list[FieldRow]
    body_text: str
    status: int
    answer: str  # empty for a file
    answer_text: str
    answer_fields: list[FieldRow]
    refusals: list[Refusal]
    samples: list[CodeSample]

    @property
    def title(self) -> str:
        clause = FIRST_CLAUSE.match(self.summary)
        return clause[0] if clause else self.summary

    @property
    def answer_anchor(self) -> str:
        return f"answer-{self.id}"

    def anchor_of(self, row: FieldRow) -> str:
        return f"{self.id}.{row.name.replace('[]', '')}"


class ApiNoun(NamedTuple):
    slug: str
    name: str
    text: str
    endpoints: list[ApiEndpoint]

    @property
    def path(self) -> str:
        return f"/reference/{self.slug}"


def api_nouns() -> dict[str, ApiNoun]:
    """The nouns by slug, in the document's order; built once per app."""
    with _building:
        known: dict[str, ApiNoun] | None = current_app.extensions.get("api_nouns")
        if known is None:
            known = current_app.extensions["api_nouns"] = {noun.slug: noun for noun in _nouns()}
    return known


def _nouns() -> Iterator[ApiNoun]:
    described = document()
    by_tag: dict[str, list[ApiEndpoint]] = {tag["name"]: [] for tag in described["tags"]}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            by_tag[operation["tags"][0]].append(_endpoint(method.upper(), path, operation))
    for tag in described["tags"]:
        slug = tag["name"].lower().replace(" ", "-")
        yield ApiNoun(slug, tag["name"], tag["description"], by_tag[tag["name"]])


def _endpoint(method: str, path: str, operation: Schema) -> ApiEndpoint:
    whole_body = operation.get("requestBody", {})
    content: Schema = whole_body.get("content", {})
    is_form = "multipart/form-data" in content
    body: Schema = next(iter(content.values()), {})
    statuses = {int(status): _resolved(response, "responses") for status, response in operation["responses"].items()}
    done = max(status for status in statuses if status < HTTPStatus.BAD_REQUEST)  # 201 if there is 200 too
    answer = statuses[done]["content"].get("application/json")
    return ApiEndpoint(
        id=operation["operationId"],
        method=method,
        path=path,
        summary=operation["summary"],
        paragraphs=[text for text in operation["description"].split("\n\n") if text],
        parameters=[_parameter(parameter) for parameter in operation["parameters"]],
        body=list(_fields(body.get("schema", {}))),
        body_text=whole_body.get("description", ""),
        status=done,
        answer=pretty(answer["example"]) if answer else "",
        answer_text=statuses[done]["description"],
        answer_fields=list(_fields(answer["schema"])) if answer else [],
        refusals=[
            Refusal(status, HTTPStatus(status).phrase, response["description"])
            for status, response in statuses.items()
            if status >= HTTPStatus.BAD_REQUEST
        ],
        samples=samples_of(
            Request(
                method=method,
                url=f"{settings().base_url}{ID_IN_PATH.sub(ID, path)}",
                body=None if is_form else body.get("example"),
                needs_key=operation.get("security") != [{}],
                form=body["example"] if is_form else None,
                answers_file=answer is None,
            )
        ),
    )


def _parameter(parameter: Schema) -> FieldRow:
    text = parameter.get("description") or f"The {parameter['name'].removesuffix('_id').replace('_', ' ')}'s id."
    text = with_default(text, parameter["schema"])
    return FieldRow(parameter["name"], _kind(parameter["schema"]), bool(parameter.get("required")), text)


def api_errors() -> list[Refusal]:
    kinds = [kind for kind in errors.ApiError.__subclasses__() if kind.__module__ == errors.__name__]
    refusals = []
    for kind in sorted(kinds, key=lambda kind: kind.status):
        text = STATUS_AHEAD.sub("", (kind.__doc__ or "").strip())
        refusals.append(Refusal(kind.status, kind.name, text[:1].upper() + text[1:]))
    return refusals
