"""A request id for every request: in the response, in the log, on error pages."""

from quart import Quart


def register(app: Quart) -> None:
    """Add the hooks."""
