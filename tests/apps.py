"""What the tests of one process share: each makes an app and connects, and most of that would be the same work again."""

from collections.abc import Callable
from types import CodeType, MethodType
from typing import Any, NamedTuple

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from quart import Quart
from quart.routing import QuartMap, QuartRule
from tortoise.apps import Apps
from werkzeug.routing import BaseConverter
from werkzeug.routing.matcher import State, StateMachineMatcher
from werkzeug.routing.rules import Rule, RulePart

Builder = Callable[..., tuple[str, str]]


class _Compiled(NamedTuple):
    """What a rule of one app may have from that of another."""

    parts: list[RulePart]
    trace: list[tuple[bool, str]]
    converters: dict[str, BaseConverter]
    arguments: set[str]
    builders: tuple[Builder, Builder]


_build = Apps._build_initial_querysets
_built: set[tuple[type[Any], type[Any]]] = set()  # a model, and the kind of database that it is ready for
_compiled: dict[tuple[Any, ...], _Compiled] = {}


_sorted: dict[tuple[Any, ...], State] = {}  # by what the rules are, in their order


def share() -> None:
    """Let this process compile its routes, its templates and what it asks of its tables once; tests share no state."""
    Quart.url_rule_class, Quart.url_map_class = _Rule, _Map
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
    """A rule that is compiled once for all apps; a builder of addresses is given its rule with each call."""

    def compile(self) -> None:
        key = (self.rule, self.subdomain, self.host, self.merge_slashes, *sorted((self.defaults or {}).items()))
        if key not in _compiled:
            super().compile()
            builders = (self._compile_builder(append_unknown=False), self._compile_builder(append_unknown=True))
            _compiled[key] = _Compiled(self._parts, self._trace, self._converters, self.arguments, builders)
        self._parts, self._trace, self._converters, self.arguments, (build, build_unknown) = _compiled[key]
        self._build, self._build_unknown = MethodType(build, self), MethodType(build_unknown, self)


class _Map(QuartMap):
    """A map whose rules are sorted once for all apps that have the same."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._matcher = _Matcher(self.merge_slashes)


class _Matcher(StateMachineMatcher):
    """Sorts its rules when it is asked first; what it finds may be the like rule of an earlier app."""

    def __init__(self, merge_slashes: bool) -> None:  # noqa: FBT001 - as werkzeug has it
        super().__init__(merge_slashes)
        self._added: list[Rule] = []

    def add(self, rule: Rule) -> None:
        self._added.append(rule)

    def update(self) -> None:
        key = tuple(
            (id(rule._parts), rule.endpoint, frozenset(rule.methods or ()), rule.strict_slashes, rule.websocket)
            for rule in self._added
        )  # what is compiled is kept, so that no other has its address
        if key not in _sorted:
            self._root = State()
            for rule in self._added:
                super().add(rule)
            super().update()
            _sorted[key] = self._root
        self._root = _sorted[key]


class _Templates(BytecodeCache):
    """Compiled templates, kept in memory for as long as their source is the same."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code
        self._kept[bucket.key, bucket.checksum] = bucket.code
