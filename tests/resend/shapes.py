"""Resend's OpenAPI document, which every answer of the door is held against.

From https://github.com/resend/resend-openapi at fd6f395f2114e13806025f0c330921c901d62bb1, MIT; without its white space.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

Schema = dict[str, Any]
DOCUMENT: Schema = json.loads(
    (Path(__file__).parents[1] / "vendor" / "resend-openapi@1.5.0" / "resend.json").read_text()
)
# Operations whose documented answer is not the one that Resend and its clients have, and what is in it.
OTHERS: dict[tuple[str, str], set[str]] = {
    ("PATCH", "/emails/{email_id}"): {"object", "id"},
    ("POST", "/emails/{email_id}/cancel"): {"object", "id"},
}
# Fields that are documented, because a list has the schema of a single one, and not there.
LEFT_OUT: dict[tuple[str, str], set[str]] = {
    ("GET", "/emails"): {"object", "html", "text"},
    # Filters of dynamic segments have another form; these members are for one type of event alone.
    ("GET", "/segments/{id}"): {"filter"},
    ("GET", "/domains/{domain_id}"): {"tracking_subdomain"},
    ("GET", "/broadcasts/{id}/recipients"): {"count", "bounce_type", "clicked_links"},
}


def check_shape(method: str, path: str, status: int, body: Any) -> None:
    """Fail unless the answer has the documented status and every documented field, of the documented type or null."""
    assert status < 500, (method, path, body)
    if status >= 400:
        assert set(body) == {"statusCode", "name", "message"}, body
        assert body["statusCode"] == status
        assert isinstance(body["message"], str)
        return
    key = operation_at(method, path)
    if key is None:
        return
    if key in OTHERS:
        assert set(body) == OTHERS[key]
        return
    responses = DOCUMENT["paths"][key[1]][key[0].lower()]["responses"]
    assert str(status) in responses, (method, path, status)
    schema = resolved(responses[str(status)]["content"]["application/json"]["schema"])
    Draft202012Validator(schema).validate(body)
    missing = set(missing_in(schema, body)) - LEFT_OUT.get(key, set())
    assert not missing, (method, path, missing, body)


def operation_at(method: str, path: str) -> tuple[str, str] | None:
    """The documented operation at the path, words before ids."""
    parts = path.partition("?")[0].removeprefix("/resend").split("/")
    for template, operations in sorted(DOCUMENT["paths"].items(), key=lambda item: item[0].count("{")):
        wanted = template.split("/")
        is_here = len(wanted) == len(parts) and all(
            w == p or w.startswith("{") for w, p in zip(wanted, parts, strict=True)
        )
        if is_here and method.lower() in operations:
            return method, template
    return None


def resolved(schema: Any) -> Any:
    """The schema without references, and each property may be null, which the document says of few."""
    if isinstance(schema, list):
        return [resolved(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return resolved(DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    made = {name: resolved(part) for name, part in schema.items() if name not in ("example", "default", "properties")}
    properties = schema.get("properties", {})
    return made | {
        "properties": {name: {"anyOf": [resolved(part), {"type": "null"}]} for name, part in properties.items()}
    }


def missing_in(schema: Schema, body: Any) -> Iterator[str]:
    """The documented fields that are not in the body."""
    if isinstance(body, list):
        for item in body:
            yield from missing_in(schema.get("items", {}), item)
    elif isinstance(body, dict):
        for name, part in schema.get("properties", {}).items():
            if name not in body:
                yield name
            else:
                yield from missing_in(part["anyOf"][0], body[name])
        for part in schema.get("allOf", ()):
            yield from missing_in(part, body)
