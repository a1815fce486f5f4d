"""JSON for answers, webhooks and jobs, by orjson."""

import json
from typing import Any

import orjson


def encode(body: Any) -> bytes:
    try:
        return orjson.dumps(body, default=str)  # asyncpg's ids are a subclass of UUID, which orjson leaves to `default`
    except TypeError:  # integers beyond 64 bits, keys that are enums, surrogates without their other half
        text = json.dumps(body, default=str, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")
