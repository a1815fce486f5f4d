"""Objects that an app keeps between requests, by name in `app.extensions`, created on first use."""

from collections.abc import Callable
from typing import Any, cast

from quart import Quart


class Memory(dict[str, Any]):
    def __init__(self) -> None:
        super().__init__()
        self.makers: dict[str, Callable[[], object]] = {}

    def __missing__(self, name: str) -> Any:
        value = self[name] = self.makers[name]()
        return value


def remember(app: Quart, name: str, make: Callable[[], object]) -> None:
    cast("Memory", app.extensions).makers[name] = make
