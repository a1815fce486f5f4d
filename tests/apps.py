"""What the tests of one process share: each makes an app and connects, and most of that would be the same work again."""

from collections.abc import Callable
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from quart import Quart
from quart.routing import QuartRule
from tortoise.apps import Apps

Builder = Callable[..., tuple[str, str]]

_build = Apps._build_initial_querysets
_built: set[tuple[type[Any], type[Any]]] = set()  # a model, and the kind of database that it is ready for
_builders: dict[tuple[Any, ...], Builder] = {}


def share() -> None:
    """Let this process compile its routes, its templates and what it asks of its tables once; tests share no state."""
    Quart.url_rule_class = _Rule
    Apps._build_initial_querysets = _build_once  # type: ignore[method-assign]  # it has no other switch
    Quart.jinja_options = {**Quart.jinja_options, "bytecode_cache": _Templates()}


def _build_once(self: Apps) -> None:
    """What each model asks of its table depends on the kind of database alone; a process has one, or starts anew."""
    wanted = {(model, model._meta.db.executor_class) for app in self.apps.values() for model in app.values()}
    if wanted != _built:
        _build(self)
        _built.clear()
        _built.update(wanted)


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
