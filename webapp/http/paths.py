"""Distinguishes the paths of programs, at one of the doors with a key, from those of pages."""

from collections.abc import Sequence

V1_PATHS = ("/v1", "/api/v1")
RESEND = "/resend"
API_PATHS = (*V1_PATHS, RESEND)
UNDER_API = tuple(f"{path}/" for path in API_PATHS)


def is_api_path(path: str) -> bool:
    return f"{path}/".startswith(UNDER_API)


def is_under(path: str, prefixes: Sequence[str]) -> bool:
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in prefixes)
