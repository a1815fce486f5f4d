"""Reads settings from environment variables, and finds mistyped ones."""

import difflib
from collections.abc import Callable, Mapping
from typing import TypeVar

from webapp.errors import ConfigError

T = TypeVar("T")

PREFIX = "PENNYPOST_"
CLOSE, VERY_CLOSE = 0.6, 0.9  # of 1; see difflib.SequenceMatcher.ratio


class Environment:
    """Empty variables count as unset."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._settings: set[str] = set()  # all that were read

    def text(self, name: str, default: str) -> str:
        self._settings.add(name)
        return self._variables.get(name, "").strip() or default

    def get(self, name: str, default: str, parse: Callable[[str], T]) -> T:
        try:
            return parse(self.text(name, default))
        except ValueError as error:
            raise ConfigError(f"{name} {error}") from None

    def mistyped(self) -> list[str]:
        """Sentences about variables that look like settings but were not read."""
        return [
            f"{name} is not a setting{f': did you mean {nearest}?' if nearest else ''}"
            for name in sorted(self._variables.keys() - self._settings)
            if (nearest := self._nearest(name)) or name.startswith(PREFIX)
        ]

    def _nearest(self, name: str) -> str | None:
        """The setting that was probably meant.

        Names without our prefix may belong to other programs, so they must be very close to an unset setting.
        """
        if (bare := name.removeprefix(PREFIX)) in self._settings:
            return bare
        if name.startswith(PREFIX):
            ours = [setting.removeprefix(PREFIX) for setting in self._settings if setting.startswith(PREFIX)]
            nearest = difflib.get_close_matches(bare, ours, 1, CLOSE)
            return f"{PREFIX}{nearest[0]}" if nearest else None
        unset = self._settings - self._variables.keys()
        return next(iter(difflib.get_close_matches(name, unset, 1, VERY_CLOSE)), None)
