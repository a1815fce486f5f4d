"""Parses templates; required are variables without `default` or condition, and lists of loops without `else`."""

import inspect
import itertools
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from liquid import BoundTemplate
from liquid.ast import Node
from liquid.builtin.expressions import FilteredExpression, Path
from liquid.builtin.expressions.arguments import KeywordArgument
from liquid.builtin.expressions.filtered import Filter
from liquid.builtin.expressions.primitive import Blank, FloatLiteral, IntegerLiteral, RangeLiteral, StringLiteral
from liquid.builtin.tags.assign_tag import AssignNode
from liquid.builtin.tags.for_tag import BreakNode, ContinueNode
from liquid.exceptions import LiquidError, LiquidSyntaxError
from liquid.expression import Expression

from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.dates import pattern_fault, read_date
from webapp.domain.merge_tags.filters import FILTERS
from webapp.domain.merge_tags.liquid import BlankOrNone, Context, CountedForNode, MergeEnvironment, ValueNode

SOURCE_LENGTH = 500_000  # characters; mail programs cut off at a fifth
RANGE = 1_000
DEPTH = 30  # of an expression
SMALL = 32_768  # characters
ENVIRONMENT = MergeEnvironment()
SIGNATURES = {name: inspect.signature(function) for name, function in FILTERS.items()}

Names = frozenset[str]
VariablePath = tuple[Any, ...]  # a variable's name, then the names or numbers that lead into its value


class MergeTemplate:
    """A parsed template and its variables; `nodes` counts texts, tags and their expressions."""

    def __init__(self, bound: BoundTemplate) -> None:
        self.bound = bound
        self.variables: dict[str, None] = {}  # in order of use
        self.required: dict[VariablePath, None] = {}
        self.defaulted: set[str] = set()
        self._assigned: set[str] = set()
        self.nodes = 0
        self._static = Context(bound, {}, ContentKind.TEXT)
        self._read(bound.nodes, frozenset(), frozenset(), in_loop=False)

    def _read(self, nodes: Iterable[Node], loop_names: Names, tested: Names, *, in_loop: bool) -> None:
        for node in nodes:
            self.nodes += 1
            if isinstance(node, CountedForNode):
                self._read_loop(node, loop_names, tested, in_loop=in_loop)
            elif isinstance(node, ValueNode | AssignNode):
                self._read_value(node.expression, loop_names, tested)
                self._assigned.update(node.template_scope())
            elif isinstance(node, BreakNode | ContinueNode) and not in_loop:
                raise LiquidSyntaxError("break and continue only work in loops", token=node.token)
            else:
                here = {path[0] for test in node.expressions() for path in self._paths(test, loop_names)}
                self._read(node.children(self._static), loop_names, tested | here, in_loop=in_loop)

    def _read_loop(self, node: CountedForNode, loop_names: Names, tested: Names, *, in_loop: bool) -> None:
        loop = node.expression
        listed = self._paths(loop.iterable, loop_names)
        if node.default is None:
            self._require(listed, tested)
        else:
            tested |= {path[0] for path in listed}
            self._read([node.default], loop_names, tested, in_loop=in_loop)
        for option in (loop.limit, loop.offset):
            if option is not None:
                self._paths(option, loop_names)
        before = self.nodes
        self._read([node.block], loop_names | {loop.identifier, "forloop"}, tested, in_loop=True)
        node.weight = self.nodes - before

    def _read_value(self, expression: Expression, loop_names: Names, tested: Names) -> None:
        paths = self._paths(expression, loop_names)
        filters = expression.filters or () if isinstance(expression, FilteredExpression) else ()
        for used in filters:
            _check_filter(used)
        if filters and filters[0].name == "date" and isinstance(expression, FilteredExpression):
            date = expression.left
            if isinstance(date, StringLiteral | IntegerLiteral | FloatLiteral) and read_date(str(date.value)) is None:
                raise LiquidSyntaxError(f"{str(date.value)[:40]!r} is not a date", token=filters[0].token)
        if "default" in [used.name for used in filters]:
            self.defaulted.update(path[0] for path in paths)
        else:
            self._require(paths, tested)

    def _require(self, paths: Iterable[VariablePath], tested: Names) -> None:
        self.required |= dict.fromkeys(path for path in paths if path[0] not in tested)

    def _paths(self, expression: Expression, loop_names: Names, depth: int = 0) -> list[VariablePath]:
        if depth > DEPTH:
            raise LiquidSyntaxError("tags are nested too deeply", token=expression.token)
        paths = []
        self.nodes += 1
        if isinstance(expression, Path):
            path = _path_of(expression)
            if path[0] not in loop_names and path[0] not in self._assigned:
                self.variables[path[0]] = None
                paths.append(path)
        elif isinstance(expression, RangeLiteral):
            ends = (expression.start, expression.stop)
            start, stop = (end.value if isinstance(end, IntegerLiteral) else None for end in ends)
            if start is None or stop is None or stop - start > RANGE:
                what = f"a range needs two whole numbers, at most {RANGE:,} apart"
                raise LiquidSyntaxError(what, token=expression.token)
        elif isinstance(expression, Blank):
            expression.__class__ = BlankOrNone  # the parser has no setting for this
        for child in expression.children():
            paths += self._paths(child, loop_names, depth + 1)
        return paths


def read_template(source: str) -> MergeTemplate:
    """Cached, because a campaign renders one template for everybody. Raises ValueError with line and column."""
    return _cached(source) if len(source) <= SMALL else _cached_large(source)


def _parse(source: str) -> MergeTemplate:
    if len(source) > SOURCE_LENGTH:
        raise ValueError(f"must be at most {SOURCE_LENGTH:,} characters long")
    try:
        return MergeTemplate(ENVIRONMENT.from_string(source))
    except LiquidError as error:
        raise fault_of(error, source) from None


_cached = lru_cache(maxsize=128)(_parse)  # each at most a megabyte
_cached_large = lru_cache(maxsize=8)(_parse)


def fault_of(error: LiquidError, source: str) -> ValueError:
    """The error with line and column, or at the end, where a block is still open."""
    at = error.token.start_index if error.token and error.token.start_index >= 0 else len(source)
    line, column = source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at)
    what = "tags are nested too deeply" if isinstance(error.__cause__, RecursionError) else error.message
    return ValueError(f"has an error at line {line}, column {column}: {what}")


def _path_of(path: Path) -> VariablePath:
    """The path up to its first variable part: `x[y]` ends before y."""
    name = path.path[0]
    if not isinstance(name, str):
        raise LiquidSyntaxError("variable without a name", token=path.token)
    parts = itertools.takewhile(lambda part: not isinstance(part, Path), path.path[1:])
    return (str(name), *[part for part in parts if isinstance(part, str | int)])


def _check_filter(used: Filter) -> None:
    if used.name not in SIGNATURES:
        raise LiquidSyntaxError(f"unknown filter '{used.name}'", token=used.token)
    named = {argument.name: None for argument in used.args if isinstance(argument, KeywordArgument)}
    listed = [None for argument in used.args if not isinstance(argument, KeywordArgument)]
    try:
        SIGNATURES[used.name].bind(None, *listed, **named)
    except TypeError:
        raise LiquidSyntaxError(f"wrong arguments for the filter '{used.name}'", token=used.token) from None
    pattern = used.args[0].value if used.name == "date" else None
    if isinstance(pattern, StringLiteral) and (fault := pattern_fault(pattern.value)) is not None:
        raise LiquidSyntaxError(fault, token=used.token)
