"""The webhooks in the OpenAPI document: the requests that Pennypost posts, by the types of their events."""

from collections.abc import Callable, Mapping
from typing import Any

from webapp.http.openapi.examples import example_of

Schema = dict[str, Any]

HEADERS: Mapping[str, str] = {
    "webhook-id": "The id of the event. It comes again when the event is posted again.",
    "webhook-timestamp": "The time of the request, in seconds since 1970.",
    "webhook-signature": "Signatures of id, timestamp and body, separated by spaces (Standard Webhooks).",
}


def add_webhooks(document: Schema, payloads: Mapping[str, Any], build: Callable[[Any], tuple[Schema, Schema]]) -> None:
    """`build` makes a body of a shape, and the components that it needs."""
    components = document["components"]["schemas"]
    for kind, payload in payloads.items():
        body, definitions = build(payload)
        components |= {name: schema for name, schema in definitions.items() if name not in components}
        (media,) = body["content"].values()
        media["example"] = example_of(media["schema"], components, is_whole=True)
        document.setdefault("webhooks", {})[kind] = {"post": _operation(kind, body | {"required": True})}


def _operation(kind: str, body: Schema) -> Schema:
    return {
        "operationId": f"webhook_{kind.replace('.', '_')}",
        "summary": f"A `{kind}` event.",
        "tags": ["Webhooks"],
        "security": [],
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
            for name, text in HEADERS.items()
        ],
        "requestBody": body,
        "responses": {"2XX": {"description": "The event is accepted. It is posted again after any other answer."}},
    }
