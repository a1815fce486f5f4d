"""/healthz and /readyz."""

from quart import Quart


def register(app: Quart) -> None:
    """Add the routes."""
