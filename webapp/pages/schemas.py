"""JSON schemas of the OpenAPI document, told to people: types in words, fields in rows, values as samples."""

from collections.abc import Iterator
from typing import Any, NamedTuple

Schema = dict[str, Any]
SAMPLES = {
    "uuid": "019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a10",
    "date-time": "2026-11-20T09:30:00.000Z",
    "email": "ada@example.com",
    "boolean": True,
    "integer": 1,
    "number": 1.0,
    "string": "...",
    "object": {},
    "null": None,
}
# Fields whose names say more than their types.
NAMED: Schema = {
    "account_key": "acc_5QkZ0fJtV2mX8yLr3bNw7cAd",
    "bcc": [],
    "body_html": "<p>It is on its way.</p>",
    "cc": [],
    "email": "ada@example.org",
    "filename": "invoice.pdf",
    "content_type": "application/pdf",
    "from": "Acme <hello@example.com>",
    "from_email": "hello@example.com",
    "html": "<p>It is on its way.</p>",
    "message_id": "<019a9f6e5c1a7cc39d6e0f6f5f3b2a10@example.com>",
    "smtp_host": "smtp.example.com",
    "smtp_port": 587,
    "smtp_username": "hello@example.com",
    "subject": "Your order",
    "text": "It is on its way.",
    "to": ["Ada <ada@example.org>"],
    "to_email": "ada@example.org",
}
PLURALS = {"string": "strings", "object": "objects", "integer": "integers", "uuid": "uuids"}


class FieldRow(NamedTuple):
    """A field of a body or a parameter; `name` has the path inside the body, like `tags[].name`."""

    name: str
    kind: str
    required: bool
    text: str


class Schemas:
    """The schemas of one document, by name."""

    def __init__(self, document: Schema) -> None:
        self._components: Schema = document["components"]["schemas"]

    def resolve(self, schema: Schema) -> Schema:
        """The schema itself, or the one it refers to."""
        name = schema.get("$ref", "").rpartition("/")[2]
        found: Schema = self._components[name] if name else schema
        return found

    def fields(self, schema: Schema, prefix: str = "") -> Iterator[FieldRow]:
        """The fields of an object and of the objects inside it."""
        whole = self.resolve(schema)
        for name, field in whole.get("properties", {}).items():
            required = name in whole.get("required", ())
            text = str(field.get("description", ""))
            default = field.get("default")
            if default is not None:
                text = f"{text} Default: {default}.".strip()
            yield FieldRow(f"{prefix}{name}", self.kind(field), required, text)
            inner = self._items(field)
            if inner is not None:
                yield from self.fields(inner, f"{prefix}{name}[].")

    def _items(self, schema: Schema) -> Schema | None:
        """What an array of objects holds."""
        for one in schema.get("anyOf", [schema]):
            items = one.get("items")
            if items and self.resolve(items).get("properties"):
                return self.resolve(items)
        return None

    def kind(self, schema: Schema) -> str:
        """The type in words: `string or null`, `array of objects`, `smtp, google`."""
        schema = self.resolve(schema)
        if "enum" in schema:
            return " | ".join(str(value) for value in schema["enum"])
        if "const" in schema:
            return str(schema["const"]).lower()
        if "anyOf" in schema:
            return " or ".join(dict.fromkeys(self.kind(one) for one in schema["anyOf"]))
        if schema.get("type") == "array":
            inner = self.kind(schema.get("items", {}))
            return f"array of {PLURALS.get(inner, inner)}"
        return str(schema.get("format") or schema.get("contentEncoding") or schema.get("type", "any"))

    def sample(self, schema: Schema) -> Any:
        """A value that the schema describes."""
        schema = self.resolve(schema)
        found = next((schema[key] for key in ("const", "default") if schema.get(key) is not None), None)
        examples = schema.get("examples") or schema.get("enum") or [found]
        if isinstance(examples[0], dict):
            return {name: examples[0][name] for name in schema["properties"] if name in examples[0]}  # in its order
        if found is not None or examples[0] is not None:
            return found if found is not None else examples[0]
        if "anyOf" in schema:
            return self.sample(schema["anyOf"][0])
        if "properties" in schema:
            return {name: NAMED.get(name) or self.sample(field) for name, field in schema["properties"].items()}
        if schema.get("type") == "array":
            return [self.sample(schema["items"])]
        return SAMPLES.get(schema.get("format", ""), SAMPLES.get(schema.get("type", "string")))
