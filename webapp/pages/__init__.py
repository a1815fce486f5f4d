"""The dashboard."""

from quart import Quart


def register(app: Quart) -> None:
    """Add the blueprints."""
