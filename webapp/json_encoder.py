"""Encodes the JSON of responses, webhooks and jobs."""

import json
from typing import Any

import orjson


def encode(body: Any) -> bytes:
    try:
        return orjson.dumps(body, default=str)  # `default` encodes asyncpg's ids, a subclass of UUID
    except TypeError:  # integers beyond 64 bits, enums as keys, lone surrogates
        text = json.dumps(body, default=str, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")
