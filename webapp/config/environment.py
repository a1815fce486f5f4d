"""Reads settings from environment variables, finds mistyped ones, and splits the URLs in them."""

import difflib
from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import SplitResult, urlsplit

from webapp.errors import ConfigError

T = TypeVar("T")

PREFIX = "PENNYPOST_"
CLOSE, VERY_CLOSE = 0.6, 0.9  # of 1; see difflib.SequenceMatcher.ratio
# For the URLs of servers, whose passwords people forget to encode; errors never repeat a password.
ENCODE = "percent-encode special characters in the password (@ as %40, / as %2F, # as %23, ? as %3F, : as %3A)"


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

    def find(self, name: str, parse: Callable[[str], T]) -> T | None:
        """None if the variable is unset."""
        return self.get(name, "", parse) if self.text(name, "") else None

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


def split_web_url(text: str, example: str) -> SplitResult:
    """Raises ValueError unless it is an http or https URL without a login, query and fragment."""
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise ValueError(f"must be a URL like {example}") from None
    is_plain = parts.username is None and not parts.query and not parts.fragment
    if not is_web or not is_plain or not text.isprintable() or " " in text:
        raise ValueError(f"must be a URL like {example}")
    return parts


def split_server_url(text: str) -> SplitResult:
    """Raises ValueError for a URL whose password may be cut short by a character that is not percent-encoded."""
    if not text.isprintable() or " " in text:
        raise ValueError(f"must not have spaces or control characters: {ENCODE}")
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:  # whose text may contain a part of the password
        raise ValueError(f"has a port that is not a number from 1 to 65535: correct it, or {ENCODE}") from None
    if parts.scheme != "unix" and _is_cut_short(parts):
        raise ValueError(f"has an @ behind its host: {ENCODE}")
    return parts


def _is_cut_short(parts: SplitResult) -> bool:
    if parts.scheme == "s3" and "@" in parts.netloc:  # names in a bucket may have an @
        return False
    is_in_query = any("@" in item and "=" not in item.partition("@")[0] for item in parts.query.split("&"))
    return "@" in parts.path or "@" in parts.fragment or is_in_query
