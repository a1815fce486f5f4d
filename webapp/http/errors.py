"""Every refusal, rendered once."""

from quart import Quart


def register(app: Quart) -> None:
    """Add the handlers."""
