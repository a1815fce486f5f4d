"""The environment, read variable by variable."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from webapp.errors import ConfigError

T = TypeVar("T")


class Environment:
    """Variables by name; an empty one counts as unset."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def text(self, name: str, default: str) -> str:
        return self._variables.get(name, "").strip() or default

    def get(self, name: str, default: str, parse: Callable[[str], T]) -> T:
        try:
            return parse(self.text(name, default))
        except ValueError as error:
            raise ConfigError(f"{name} {error}") from None
