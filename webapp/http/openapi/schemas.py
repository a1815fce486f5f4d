"""Schemas of the OpenAPI document: their names, and corrections of pydantic's output."""

import inspect
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from webapp.http.openapi.examples import Examples

Schema = dict[str, Any]

BOUNDS = {"ge": "minimum", "le": "maximum"}  # pydantic does not translate them behind a BeforeValidator


def takes_nothing(model: type[BaseModel]) -> bool:
    """True if the body may be left out and then counts as an empty object."""
    try:
        model.model_validate({})
    except ValidationError:
        return False
    return True


def description_of(model: Any) -> str:
    return inspect.getdoc(next(iter(get_args(model)), model)) or "It is done."


def name_of(model: Any) -> str:
    """The name of a response body: `AccountResponse` for one, `AccountList` for many."""
    origin = get_origin(model)
    if origin is None:
        return str(model.__name__)
    (shape,) = get_args(model)
    name: str = shape.__name__
    return name + {"One": "Response", "Many": "List"}[origin.__name__]


def by_name(name: str, schema: Schema, definitions: Schema) -> Schema:
    definitions[name] = schema
    return {"$ref": f"#/components/schemas/{name}"}


def fields_of(schema: Any, components: Schema) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from fields_of(item, components)
    elif isinstance(schema, dict):
        yield from schema.get("properties", ())
        if "$ref" in schema:
            yield from fields_of(components[schema["$ref"].rpartition("/")[2]], components)
        for key in schema.keys() - {"examples", "$ref"}:
            yield from fields_of(schema[key], components)


def tidy(schema: Any) -> None:
    """Removes pydantic's titles, which would become types of generated clients, and corrects its bounds."""
    if isinstance(schema, list):
        for item in schema:
            tidy(item)
    elif isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        for name, bound in BOUNDS.items():
            if name in schema:
                schema[bound] = schema.pop(name)
        for key in schema.keys() - {"examples"}:
            tidy(schema[key])


def add_examples(built: Schema) -> None:
    examples = Examples(built["components"]["schemas"])
    for operations in built["paths"].values():
        for operation in operations.values():
            bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
            for media in (body["content"]["application/json"] for body in bodies if "content" in body):
                media["example"] = examples.of(media["schema"])
