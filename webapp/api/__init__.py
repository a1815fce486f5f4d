"""The /v1 API, and the same under /api/v1 for older clients."""

from quart import Quart


def register(app: Quart) -> None:
    """Add the blueprints."""
