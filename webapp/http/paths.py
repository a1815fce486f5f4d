"""Tells paths of the API from those of pages."""

from collections.abc import Sequence

API_PATHS = ("/v1", "/api/v1")
UNDER_API = tuple(f"{path}/" for path in API_PATHS)


def is_api_path(path: str) -> bool:
    return f"{path}/".startswith(UNDER_API)


def is_under(path: str, prefixes: Sequence[str]) -> bool:
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in prefixes)
