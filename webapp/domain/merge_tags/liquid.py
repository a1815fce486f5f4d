"""The Liquid of merge tags: which tags there are, what a rendering may cost, how a value is shown.

Of the library's tags only `if`, `unless`, `for` and `assign` are here, with `break`, `continue`, `comment` and `raw`.
Nothing loads, nothing reads a clock, and no tag marks text as safe.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, TextIO

from liquid import BoundTemplate, Environment, Mode
from liquid.ast import Node
from liquid.builtin.content import ContentNode, Literal
from liquid.builtin.expressions.primitive import Blank
from liquid.builtin.illegal import Illegal
from liquid.builtin.output import Output, OutputNode
from liquid.builtin.tags.assign_tag import AssignTag
from liquid.builtin.tags.for_tag import BreakTag, ContinueTag, ForNode, ForTag
from liquid.builtin.tags.if_tag import IfTag
from liquid.builtin.tags.unless_tag import UnlessTag
from liquid.context import RenderContext
from liquid.exceptions import FilterError, LiquidError, ResourceLimitError
from liquid.expression import Expression
from liquid.output import LimitedStringIO
from liquid.token import Token
from liquid.utils import ReadOnlyChainMap

from webapp.domain.merge_tags.budget import Budget, Kind
from webapp.domain.merge_tags.filters import FILTERS, STEPS, plain_text
from webapp.domain.merge_tags.html_escaping import Place, escaped, place_after
from webapp.domain.merge_tags.lexer import read_tokens

NESTING = 20  # blocks within blocks
STEP_CHARACTERS = 50  # of a value count as one step
READ_CHARACTERS = 10  # of html that is read anew count as one step
TRIPPED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)  # what the library lets out


class Context(RenderContext):
    """One rendering: it sees the variables and what the template assigns, and counts its steps."""

    __slots__ = ("budget", "kind", "steps", "weight")

    def __init__(
        self, template: BoundTemplate, variables: Mapping[str, Any], kind: Kind, budget: Budget | None = None
    ) -> None:
        super().__init__(template, globals=variables)
        self.scope = ReadOnlyChainMap(self.locals, self.globals)  # not the library's `now` and `today`
        self.kind, self.steps, self.weight = kind, 0, 1
        self.budget = budget or Budget()

    def spend(self, steps: int) -> None:
        """Count steps. Raises ResourceLimitError when there were too many."""
        self.steps += steps
        if self.steps > self.kind.steps:
            raise ResourceLimitError("takes too much work", token=None)
        self.budget.spend(steps)

    def value_at(self, path: Iterable[object]) -> object:
        """The value at a path, None where there is none."""
        return super().get(list(path), token=None, default=None)

    def get(self, path: list[object], *, token: Token | None, default: object = None) -> object:
        """As `value_at`, counted."""
        found = super().get(path, token=token, default=default)
        self.spend(steps_of(found))
        return found

    def raise_for_loop_limit(self, length: int = 1) -> None:
        """Count what a loop is about to do, all of its rounds."""
        self.spend(length * self.weight)


MOST = max(kind.steps for kind in Kind)


def steps_of(value: object) -> int:
    """What handling a value costs."""
    if isinstance(value, str):
        return 1 + len(value) // STEP_CHARACTERS
    if isinstance(value, list | tuple | dict):
        return _steps_of_all(value)
    return 1


def _steps_of_all(value: list[Any] | tuple[Any, ...] | dict[str, Any]) -> int:
    """The steps of everything in a list or an object; no more is looked at than is allowed."""
    steps = 1
    waiting: list[Any] = [value]
    while waiting and steps <= MOST:
        within = waiting.pop()
        steps += len(within)
        if steps <= MOST:
            for item in within.values() if isinstance(within, dict) else within:
                if isinstance(item, list | tuple | dict):
                    waiting.append(item)
                elif isinstance(item, str):
                    steps += len(item) // STEP_CHARACTERS
    return steps


class AnyBlank(Blank):
    """`blank` in a condition: also what has no value, so that `{% if first_name != blank %}` is what it says."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other is None or super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # as the library's


class HtmlPage(LimitedStringIO):
    """The html of one rendering, and where in it the next character stands."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit, newline="")
        self.place = Place()


class TextNode(ContentNode):
    """Text between tags."""

    __slots__ = ("_step",)

    def __init__(self, token: Token, text: str) -> None:
        super().__init__(token, text)
        self._step: tuple[Place, Place] | None = None  # the latest: as a rule all renderings take the same

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        """Write the text."""
        if isinstance(buffer, HtmlPage) and isinstance(context, Context):
            step = self._step
            if step is None or step[0] != buffer.place:
                context.spend(len(self.text) // READ_CHARACTERS)
                step = self._step = buffer.place, place_after(buffer.place, self.text)
            buffer.place = step[1]
        return super().render_to_output(context, buffer)


class ShownNode(OutputNode):
    """A tag that shows a value."""

    __slots__ = ("following",)

    def __init__(self, token: Token, expression: Expression) -> None:
        super().__init__(token, expression)
        end = token.source.find("}}", token.start_index) + 2
        self.following = token.source[end : end + 1]

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        """Write the value."""
        text = plain_text(self.expression.evaluate(context))
        if not isinstance(buffer, HtmlPage):
            return buffer.write(text)
        text = escaped(text, buffer.place, self.following)
        written = buffer.write(text)
        buffer.place = place_after(buffer.place, text)
        return written


class WeighedFor(ForNode):
    """A loop that knows how many nodes each of its rounds has."""

    __slots__ = ("weight",)
    weight: int

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        """Write all rounds."""
        if isinstance(context, Context):
            context.weight = self.weight
        return super().render_to_output(context, buffer)


class _Text(Literal):
    node_class = TextNode


class _Shown(Output):
    node_class = ShownNode


class _For(ForTag):
    node_class = WeighedFor


class _If(IfTag):
    mode = Mode.STRICT


class _Unless(UnlessTag):
    mode = Mode.STRICT


class MergeTags(Environment):
    """The library with the tags and filters that are allowed, and no other."""

    block_nesting_limit = NESTING

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:  # noqa: ARG002 - the library calls it so
        """Register what is allowed."""
        for tag in (_Text, _Shown, Illegal, _If, _Unless, _For, BreakTag, ContinueTag, AssignTag):
            self.add_tag(tag)
        for name, function in FILTERS.items():
            self.add_filter(name, _counted(name, function))

    def error(self, exc: type[LiquidError] | LiquidError, msg: str | None = None, token: Token | None = None) -> None:
        """Raise a fault, placed at its tag where the library has no place for it: the end of an expression."""
        if isinstance(exc, LiquidError) and exc.token is not None and exc.token.start_index < 0:
            exc.token = token
        super().error(exc, msg, token)

    def tokenizer(self) -> Callable[[str], Iterator[Token]]:
        """Our way of cutting a template into tokens."""
        return read_tokens


def _counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter whose work is counted."""

    @wraps(function)
    def counted(value: Any, *arguments: Any, context: Context, **options: Any) -> Any:
        try:
            result = function(value, *arguments, **options)
        except (ArithmeticError, ValueError) as error:
            raise FilterError(f"{name} has no result for its value", token=None) from error
        context.spend(steps_of(result) + STEPS.get(name, 0))
        return result

    counted.with_context = True  # type: ignore[attr-defined]  # how the library hands over the context
    return counted


def render_nodes(template: BoundTemplate, variables: Mapping[str, Any], kind: Kind, budget: Budget) -> str:
    """The text of a template. Raises LiquidError where a bound is passed or something cannot be computed."""
    context = Context(template, variables, kind, budget)
    most = min(kind.output_bytes, budget.output_bytes)
    page = HtmlPage(most) if kind is Kind.HTML else LimitedStringIO(most, newline="")
    try:
        for node in template.nodes:
            _render(node, context, page)
    finally:
        budget.output_bytes -= page.size
    return page.getvalue()


def _render(node: Node, context: Context, page: TextIO) -> None:
    try:
        node.render(context, page)
    except LiquidError as error:
        error.token = error.token or node.token
        raise
    except TRIPPED as error:
        raise LiquidError("cannot be computed with its values", token=node.token) from error
