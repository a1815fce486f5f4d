"""What the apps of one process share: each test makes its own, and most of that would be the same work again."""

from collections.abc import Callable
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from quart import Quart
from quart.routing import QuartRule

Builder = Callable[..., tuple[str, str]]

_builders: dict[tuple[Any, ...], Builder] = {}


def share() -> None:
    """Let the apps of this process share what is compiled of their routes and templates; they share no state."""
    Quart.url_rule_class = _Rule
    Quart.jinja_options = {**Quart.jinja_options, "bytecode_cache": _Templates()}


class _Rule(QuartRule):
    """A rule whose builder of addresses is compiled once; a builder is given its rule with each call."""

    def _compile_builder(self, append_unknown: bool = True) -> Builder:  # noqa: FBT001, FBT002 - as it is inherited
        key = (self.rule, self.subdomain, self.host, *sorted((self.defaults or {}).items()), append_unknown)
        if key not in _builders:
            _builders[key] = super()._compile_builder(append_unknown)
        return _builders[key]


class _Templates(BytecodeCache):
    """Compiled templates, kept in memory; jinja2 compares the source with what was compiled."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()
