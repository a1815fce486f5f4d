"""Requests made of Resend's OpenAPI document, right and wrong ones: each is answered in its shape, and none with a fault."""

import re
from collections import Counter
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from tests.factories import make_account, make_one_of_each
from tests.resend.conftest import Door
from tests.resend.shapes import DOCUMENT, Schema, resolved
from tests.support.path_ids import make_path_ids
from webapp.models import Organization

EACH = 12  # requests of each operation
HOSTILE: list[Any] = [
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    "",
    " ",
    "x" * 3_000,
    "ä\u202e\n\r\x7f",
    "{{{FIRST_NAME|{{{",
    "{% for a in b %}",
    "{{ a",
    "<script>",
    "a@b",
    "Ada <ada@example.org>, bob@example.org",
    "2026-13-45",
    "in 9999999999 years",
    [],
    [None],
    [[]],
    {},
    {"id": []},
    {"a": {"b": {"c": 1}}},
]
TEXTS = [
    "Ada",
    "ada@example.org",
    "Ada <news@acme.example>",
    "https://example.com/a",
    "in 2 hours",
    "email.sent",
    "aGk=",
]
NOUNS = {"audience": "segment", "broadcast": "campaign", "log": "request", "domain": "account", "api_key": "key"}
OPERATIONS = [
    (method.upper(), path, operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
]


class Maker:
    def __init__(self, random: Random, ids: dict[str, str]) -> None:
        self.random, self.ids = random, ids

    def path(self, template: str) -> str:
        """The template with ids that are there, and with others."""
        noun = template.split("/")[1].replace("-", "_").removesuffix("s").replace("propertie", "property")

        def filled(place: re.Match[str]) -> str:
            name = noun if place[1] == "id" else place[1].removesuffix("_id")
            known = self.ids.get(f"{NOUNS.get(name, name).removeprefix('contact_')}_id", str(uuid4()))
            others = [str(uuid4()), "ada@example.org", "x", "%00", "%C3%A4", "a" * 300]
            return known if self.random.random() < 0.7 else self.random.choice(others)

        return re.sub(r"\{(\w+)\}", filled, template)

    def query(self, operation: Schema) -> str:
        names = ["x_unknown", *(parameter["name"] for parameter in parameters_of(operation, "query"))]
        values = ["1", "100", "0", "x", "", str(uuid4()), "bounce", "\u0000"]
        chosen = [name for name in names if self.random.random() < 0.3]
        return urlencode({name: self.random.choice(values) for name in chosen})

    def body(self, operation: Schema) -> Any:
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        return {} if content is None else self.value(resolved(content["schema"]), "")

    def value(self, schema: Any, name: str, depth: int = 0) -> Any:
        if depth > 6 or self.random.random() < 0.08:
            return self.random.choice(HOSTILE)
        options = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
        if options:
            return self.value(
                options[0] if self.random.random() < 0.8 else self.random.choice(options), name, depth + 1
            )
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        kinds = schema.get("type")
        kind = kinds[0] if isinstance(kinds, list) else kinds
        if kind == "array":
            return [self.value(schema.get("items", {}), name, depth + 1) for _ in range(self.random.randrange(4))]
        if schema.get("properties"):
            return self.members(schema, depth)
        simple = {"integer": 3, "number": 2.5, "boolean": True, "object": {"city": "Berlin"}}
        return simple[kind] if kind in simple else self.text(name)

    def members(self, schema: Schema, depth: int) -> Schema:
        required = schema.get("required", ())
        names = [name for name in schema["properties"] if name in required or self.random.random() < 0.4]
        made = {name: self.value(schema["properties"][name], name, depth + 1) for name in names}
        return made | ({"x_unknown": {"a": [1]}} if self.random.random() < 0.3 else {})

    def text(self, name: str) -> str:
        if name.endswith("_id") or name == "segments":
            return self.ids.get(f"{NOUNS.get(name.removesuffix('_id'), name.removesuffix('_id'))}_id", "x")
        likely = {
            "email": "ada@example.org",
            "emails": "b@example.org",
            "to": "c@example.org",
            "from": "news@acme.example",
        }
        likely |= {
            "endpoint": "https://example.com/hooks",
            "events": "email.sent",
            "subject": "Hello",
            "html": "<p>Hi</p>",
        }
        return likely.get(name) if name in likely and self.random.random() < 0.8 else self.random.choice(TEXTS)


def parameters_of(operation: Schema, place: str) -> list[Schema]:
    return [part for part in map(resolved_parameter, operation.get("parameters", ())) if part["in"] == place]


def resolved_parameter(part: Schema) -> Schema:
    name = part.get("$ref", "").rpartition("/")[2]
    parameter: Schema = DOCUMENT["components"]["parameters"][name] if name else part
    return parameter


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_operation_answers_in_its_shape(door: Door, acme: Organization, seed: int) -> None:
    account = await make_account(acme, from_email="news@acme.example")
    random, statuses, others = Random(seed), Counter[int](), await make_path_ids(acme)
    for _ in range(EACH):
        ids = others | await make_one_of_each(acme, account)
        for method, template, operation in random.sample(OPERATIONS, len(OPERATIONS)):
            maker = Maker(random, ids)
            path, asked = maker.path(template), maker.query(operation)
            kwargs = {"json": maker.body(operation)} if method in ("POST", "PATCH") else {}
            status, _ = await door.answer(method, f"{path}?{asked}", **kwargs)
            statuses[status] += 1
    assert statuses.keys() <= {200, 201, 404, 422}, statuses
    assert min(statuses[status] for status in (200, 201, 404, 422)) > EACH
