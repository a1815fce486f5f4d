"""Schemas of the OpenAPI document: what they are called, and what is made right of what pydantic writes."""

import inspect
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from webapp.http.openapi.examples import Examples

Schema = dict[str, Any]

BOUNDS = {"ge": "minimum", "le": "maximum"}  # which pydantic leaves as they are behind a BeforeValidator


def takes_nothing(model: type[BaseModel]) -> bool:
    """Whether the body may be left out: then it counts as an empty object."""
    try:
        model.model_validate({})
    except ValidationError:
        return False
    return True


def description_of(model: Any) -> str:
    """What a response body is, in the words of its shape."""
    return inspect.getdoc(next(iter(get_args(model)), model)) or "It is done."


def name_of(model: Any) -> str:
    """What a response body is called: `AccountResponse` for one, `AccountList` for many."""
    origin = get_origin(model)
    if origin is None:
        return str(model.__name__)
    (shape,) = get_args(model)
    name: str = shape.__name__
    return name + {"One": "Response", "Many": "List"}[origin.__name__]


def by_name(name: str, schema: Schema, definitions: Schema) -> Schema:
    """A reference to the schema, which is kept under this name."""
    definitions[name] = schema
    return {"$ref": f"#/components/schemas/{name}"}


def fields_of(schema: Any, components: Schema) -> Iterator[str]:
    """The names of all fields that a body may have, at any depth."""
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
    """Remove the titles that pydantic makes from names, of which generated clients make types, and right its bounds."""
    if isinstance(schema, list):
        for item in schema:
            tidy(item)
    elif isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        for name in BOUNDS.keys() & schema.keys():
            schema[BOUNDS[name]] = schema.pop(name)
        for key in schema.keys() - {"examples"}:
            tidy(schema[key])


def add_examples(built: Schema) -> None:
    """Give every body an example: the one that stands in its model, or one that is made."""
    examples = Examples(built["components"]["schemas"])
    for operations in built["paths"].values():
        for operation in operations.values():
            bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
            for media in (body["content"]["application/json"] for body in bodies if "content" in body):
                media["example"] = examples.of(media["schema"])
