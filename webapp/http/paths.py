"""The paths of the API, which programs ask for; all others are pages."""

from collections.abc import Sequence

API_PATHS = ("/v1", "/api/v1")


def is_api_path(path: str) -> bool:
    return is_under(path, API_PATHS)


def is_under(path: str, prefixes: Sequence[str]) -> bool:
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in prefixes)
