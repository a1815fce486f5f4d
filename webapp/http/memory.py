"""What an app remembers between requests, by name in `app.extensions`; each is made when it is first asked for."""

from collections.abc import Callable
from typing import Any, cast

from quart import Quart


class Memory(dict[str, Any]):
    def __init__(self) -> None:
        super().__init__()
        self.makers: dict[str, Callable[[], object]] = {}

    def __missing__(self, name: str) -> Any:
        made = self[name] = self.makers[name]()
        return made


def remember(app: Quart, name: str, make: Callable[[], object]) -> None:
    cast("Memory", app.extensions).makers[name] = make
