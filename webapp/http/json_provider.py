"""JSON by orjson."""

from typing import Any

import orjson
from quart import Response
from quart.json.provider import JSONProvider

from webapp.json_encoder import encode


class OrjsonProvider(JSONProvider):
    def dumps(self, obj: Any, **_: Any) -> str:
        return encode(obj).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return Response(encode(self._prepare_response_obj(args, kwargs)), content_type="application/json")
