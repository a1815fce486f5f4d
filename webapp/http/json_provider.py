"""JSON by orjson."""

import json
from typing import Any

import orjson
from quart import Response
from quart.json.provider import JSONProvider


class OrjsonProvider(JSONProvider):
    def dumps(self, obj: Any, **_: Any) -> str:
        return encode(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return Response(encode(self._prepare_response_obj(args, kwargs)), content_type="application/json")


def encode(body: Any) -> bytes:
    try:
        return orjson.dumps(body, default=str)  # asyncpg's ids are a subclass of UUID, which orjson leaves to `default`
    except TypeError:  # `page` has no maximum, and meta repeats it
        return json.dumps(body, default=str, ensure_ascii=False, separators=(",", ":")).encode()
