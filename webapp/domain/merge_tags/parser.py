"""A template, parsed: which variables it has, which of them it needs, and that nothing in it is beyond bounds.

A tag needs its variables unless it has a `default`. A variable that only a condition asks for is not needed, and where
a condition asks for it, neither are the tags inside that show it. A list that a loop goes through is needed, unless
the loop has an `else`; it may be empty.
"""

import inspect
import itertools
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

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

from webapp.domain.merge_tags.budget import Kind
from webapp.domain.merge_tags.dates import pattern_fault, read_date
from webapp.domain.merge_tags.filters import FILTERS
from webapp.domain.merge_tags.liquid import AnyBlank, Context, MergeTags, ShownNode, WeighedFor

SOURCE_LENGTH = 500_000  # characters; what mail programs show ends at a fifth of it
RANGE = 1_000
DEPTH = 30  # of an expression
SMALL = 32_768  # characters
ENVIRONMENT = MergeTags()
SIGNATURES = {name: inspect.signature(function) for name, function in FILTERS.items()}

Names = frozenset[str]
Place = tuple[Any, ...]  # a variable's name, and the names or numbers that lead on into its value


class MergeTemplate(NamedTuple):
    """A parsed template; `variables` are names in the order of their use, `needed` what must have a value.

    `defaulted` are the names that have a `default` somewhere.

    `nodes` is how much there is to go through: texts, tags and what stands in them.
    """

    bound: BoundTemplate
    variables: tuple[str, ...]
    needed: tuple[Place, ...]
    defaulted: Names
    nodes: int


def read_template(source: str) -> MergeTemplate:
    """The template, kept: campaigns render one for everybody. Raises ValueError with line and column."""
    return _kept(source) if len(source) <= SMALL else _kept_large(source)


def _parse(source: str) -> MergeTemplate:
    if len(source) > SOURCE_LENGTH:
        raise ValueError(f"must have {SOURCE_LENGTH:,} characters at most")
    try:
        bound = ENVIRONMENT.from_string(source)
        reader = _Reader(bound)
    except LiquidError as error:
        raise fault_of(error, source) from None
    return MergeTemplate(
        bound, tuple(reader.variables), tuple(reader.needed), frozenset(reader.defaulted), reader.nodes
    )


_kept = lru_cache(maxsize=128)(_parse)  # of which each has a megabyte at most
_kept_large = lru_cache(maxsize=8)(_parse)


def fault_of(error: LiquidError, source: str) -> ValueError:
    """The fault with its place; one without a place is at the end, where something was still open."""
    at = error.token.start_index if error.token and error.token.start_index >= 0 else len(source)
    line, column = source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at)
    what = "a tag is nested too deeply" if isinstance(error.__cause__, RecursionError) else error.message
    return ValueError(f"has a fault at line {line}, column {column}: {what}")


class _Reader:
    """Goes through a parsed template once: its variables, what it needs of them, and what is not allowed."""

    def __init__(self, bound: BoundTemplate) -> None:
        self.variables: dict[str, None] = {}
        self.needed: dict[Place, None] = {}
        self.defaulted: set[str] = set()
        self._assigned: set[str] = set()
        self.nodes = 0
        self._static = Context(bound, {}, Kind.TEXT)
        self._read(bound.nodes, frozenset(), frozenset(), in_loop=False)

    def _read(self, nodes: Iterable[Node], own: Names, asked: Names, *, in_loop: bool) -> None:
        """`own` are the names of the loops around, `asked` those that a condition around asks for."""
        for node in nodes:
            self.nodes += 1
            if isinstance(node, WeighedFor):
                self._read_loop(node, own, asked, in_loop=in_loop)
            elif isinstance(node, ShownNode | AssignNode):
                self._read_value(node.expression, own, asked)
                self._assigned.update(node.template_scope())
            elif isinstance(node, BreakNode | ContinueNode) and not in_loop:
                raise LiquidSyntaxError("break and continue stand in loops", token=node.token)
            else:
                tested = {place[0] for test in node.expressions() for place in self._places(test, own)}
                self._read(node.children(self._static), own, asked | tested, in_loop=in_loop)

    def _read_loop(self, node: WeighedFor, own: Names, asked: Names, *, in_loop: bool) -> None:
        loop = node.expression
        listed = self._places(loop.iterable, own)
        if node.default is None:
            self._need(listed, asked)
        else:
            asked |= {place[0] for place in listed}
            self._read([node.default], own, asked, in_loop=in_loop)
        for option in (loop.limit, loop.offset):
            if option is not None:
                self._places(option, own)
        before = self.nodes
        self._read([node.block], own | {loop.identifier, "forloop"}, asked, in_loop=True)
        node.weight = self.nodes - before

    def _read_value(self, expression: Expression, own: Names, asked: Names) -> None:
        places = self._places(expression, own)
        filters = expression.filters or () if isinstance(expression, FilteredExpression) else ()
        for used in filters:
            _check_filter(used)
        if filters and filters[0].name == "date" and isinstance(expression, FilteredExpression):
            _check_date(expression.left, filters[0])
        if "default" in [used.name for used in filters]:
            self.defaulted.update(place[0] for place in places)
        else:
            self._need(places, asked)

    def _need(self, places: Iterable[Place], asked: Names) -> None:
        self.needed |= dict.fromkeys(place for place in places if place[0] not in asked)

    def _places(self, expression: Expression, own: Names, depth: int = 0) -> list[Place]:
        """Where in the variables an expression reads."""
        if depth > DEPTH:
            raise LiquidSyntaxError("a tag is nested too deeply", token=expression.token)
        found = []
        self.nodes += 1
        if isinstance(expression, Path):
            place = _place(expression)
            if place[0] not in own and place[0] not in self._assigned:
                self.variables[place[0]] = None
                found.append(place)
        elif isinstance(expression, RangeLiteral):
            _check_range(expression)
        elif isinstance(expression, Blank):
            expression.__class__ = AnyBlank  # the library's parser cannot be told of another
        for child in expression.children():
            found += self._places(child, own, depth + 1)
        return found


def _place(path: Path) -> Place:
    """The path as far as it is written out; `x[y]` ends before y."""
    name = path.path[0]
    if not isinstance(name, str):
        raise LiquidSyntaxError("a variable has a name", token=path.token)
    parts = itertools.takewhile(lambda part: not isinstance(part, Path), path.path[1:])
    return (str(name), *[part for part in parts if isinstance(part, str | int)])


def _check_filter(used: Filter) -> None:
    """Raise LiquidSyntaxError for a filter that is not known, or that takes other arguments."""
    if used.name not in SIGNATURES:
        raise LiquidSyntaxError(f"unknown filter '{used.name}'", token=used.token)
    named = {given.name: None for given in used.args if isinstance(given, KeywordArgument)}
    listed = [None for given in used.args if not isinstance(given, KeywordArgument)]
    try:
        SIGNATURES[used.name].bind(None, *listed, **named)
    except TypeError:
        raise LiquidSyntaxError(f"the filter '{used.name}' takes other arguments", token=used.token) from None
    if used.name == "date":
        _check_pattern(used)


def _check_pattern(used: Filter) -> None:
    """Raise LiquidSyntaxError for a pattern that is written out and has parts that are not known."""
    pattern = used.args[0].value
    if isinstance(pattern, StringLiteral) and (fault := pattern_fault(pattern.value)) is not None:
        raise LiquidSyntaxError(fault, token=used.token)


def _check_date(value: Expression, used: Filter) -> None:
    """Raise LiquidSyntaxError for a value that is written out and is no date."""
    if isinstance(value, StringLiteral | IntegerLiteral | FloatLiteral) and read_date(str(value.value)) is None:
        raise LiquidSyntaxError(f"date has no date in {str(value.value)[:40]!r}", token=used.token)


def _check_range(found: RangeLiteral) -> None:
    """Raise LiquidSyntaxError for a range that is not one of two numbers, or a long one: loops make lists of them."""
    start, stop = (end.value if isinstance(end, IntegerLiteral) else None for end in (found.start, found.stop))
    if start is None or stop is None or stop - start > RANGE:
        raise LiquidSyntaxError(f"a range goes from a number to one at most {RANGE:,} larger", token=found.token)
