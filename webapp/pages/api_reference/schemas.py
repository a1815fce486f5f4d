"""Describes JSON schemas of the OpenAPI document: types in words, fields in rows."""

from collections.abc import Iterator
from typing import Any, NamedTuple

Schema = dict[str, Any]
PLURALS = {"string": "strings", "object": "objects", "integer": "integers", "uuid": "uuids"}


class FieldRow(NamedTuple):
    """A field of a body or a parameter; `name` is its path inside the body, like `tags[].name`."""

    name: str
    kind: str
    required: bool
    text: str


class Schemas:
    def __init__(self, document: Schema) -> None:
        self._components: Schema = document["components"]

    def resolve(self, schema: Schema) -> Schema:
        name = schema.get("$ref", "").rpartition("/")[2]
        found: Schema = self._components["schemas"][name] if name else schema
        return found

    def response(self, response: Schema) -> Schema:
        """Follows a response's `$ref`, keeping its own description."""
        name = response.get("$ref", "").rpartition("/")[2]
        return (self._components["responses"][name] | response) if name else response

    def fields(self, schema: Schema, prefix: str = "") -> Iterator[FieldRow]:
        whole = self.resolve(schema)
        for name, field in whole.get("properties", {}).items():
            required = name in whole.get("required", ())
            text = str(field.get("description", ""))
            default = field.get("default")
            if default is not None:
                text = f"{text} Default: {default}.".strip()
            yield FieldRow(f"{prefix}{name}", self.kind(field), required, text)
            for inner, mark in self._objects_in(field):
                yield from self.fields(inner, f"{prefix}{name}{mark}.")

    def _objects_in(self, schema: Schema) -> Iterator[tuple[Schema, str]]:
        for one in schema.get("anyOf", [schema]):
            for inner, mark in ((one, ""), (one.get("items", {}), "[]")):
                if "properties" in self.resolve(inner):
                    yield inner, mark

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
