"""The Liquid of merge tags: no tag loads a template, reads a clock or marks text as safe."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, TextIO

from liquid import BoundTemplate, Environment, Mode
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

from webapp.domain.merge_tags.budget import Budget, ContentKind
from webapp.domain.merge_tags.filters import FILTERS, STEPS, plain_text
from webapp.domain.merge_tags.html_escaping import HtmlContext, advance, escaped
from webapp.domain.merge_tags.lexer import read_tokens

NESTING = 20  # of blocks
STEP_CHARACTERS = 50  # of a value per step
READ_CHARACTERS = 10  # per step, of HTML whose context changed
RENDER_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)  # not caught by the library


class OtherCase(dict[str, Any]):
    """The variables by case-folded name, for names that do not match otherwise."""

    def __init__(self, variables: Mapping[str, Any]) -> None:
        super().__init__()
        self._variables = variables

    def __missing__(self, name: str) -> Any:
        if not self:
            for other, value in self._variables.items():
                self.setdefault(other.casefold(), value)
        if (folded := name.casefold()) in self:
            return self[folded]
        raise KeyError(name)


def variable_named(variables: Mapping[str, Any], name: str) -> Any:
    """The variable with this name in any case, or None."""
    if name in variables:
        return variables[name]
    folded = name.casefold()
    return next((value for other, value in variables.items() if other.casefold() == folded), None)


class Context(RenderContext):
    __slots__ = ("budget", "kind", "steps", "weight")

    def __init__(
        self, template: BoundTemplate, variables: Mapping[str, Any], kind: ContentKind, budget: Budget | None = None
    ) -> None:
        super().__init__(template, globals=variables)
        self.scope = ReadOnlyChainMap(
            self.locals, self.globals, OtherCase(self.globals)
        )  # leaves out the library's `now` and `today`
        self.kind, self.steps, self.weight = kind, 0, 1
        self.budget = budget or Budget()

    def charge(self, steps: int) -> None:
        """Raises ResourceLimitError when there were too many steps."""
        self.steps += steps
        if self.steps > self.kind.steps:
            raise ResourceLimitError("takes too long to render", token=None)
        self.budget.charge(steps)

    def value_at(self, path: Iterable[object]) -> object:
        """The value at a path, if any, without charging."""
        return super().get(list(path), token=None, default=None)

    def get(self, path: list[object], *, token: Token | None, default: object = None) -> object:
        value = super().get(path, token=token, default=default)
        self.charge(cost_of(value))
        return value

    def raise_for_loop_limit(self, length: int = 1) -> None:
        self.charge(length * self.weight)


MOST = max(kind.steps for kind in ContentKind)


def cost_of(value: object) -> int:
    if isinstance(value, str):
        return 1 + len(value) // STEP_CHARACTERS
    steps = 1
    waiting = [value] if isinstance(value, list | tuple | dict) else []
    while waiting and steps <= MOST:
        items = waiting.pop()
        steps += len(items)
        if steps <= MOST:
            for item in items.values() if isinstance(items, dict) else items:
                if isinstance(item, list | tuple | dict):
                    waiting.append(item)
                elif isinstance(item, str):
                    steps += len(item) // STEP_CHARACTERS
    return steps


class BlankOrNone(Blank):
    """`blank` in conditions, which a missing value equals too, so that `{% if first_name != blank %}` works."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other is None or super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # as the library's


class HtmlPage(LimitedStringIO):
    def __init__(self, limit: int) -> None:
        super().__init__(limit, newline="")
        self.context = HtmlContext()


class TextNode(ContentNode):
    __slots__ = ("_step",)

    def __init__(self, token: Token, text: str) -> None:
        super().__init__(token, text)
        self._step: tuple[HtmlContext, HtmlContext] | None = None  # the latest, which most renderings repeat

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        if isinstance(buffer, HtmlPage) and isinstance(context, Context):
            step = self._step
            if step is None or step[0] != buffer.context:
                context.charge(len(self.text) // READ_CHARACTERS)
                step = self._step = buffer.context, advance(buffer.context, self.text)
            buffer.context = step[1]
        return super().render_to_output(context, buffer)


class ValueNode(OutputNode):
    __slots__ = ("following",)

    def __init__(self, token: Token, expression: Expression) -> None:
        super().__init__(token, expression)
        end = token.source.find("}}", token.start_index) + 2
        self.following = token.source[end : end + 1]

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        text = plain_text(self.expression.evaluate(context))
        if not isinstance(buffer, HtmlPage):
            return buffer.write(text)
        text = escaped(text, buffer.context, self.following)
        written = buffer.write(text)
        buffer.context = advance(buffer.context, text)
        return written


class CountedForNode(ForNode):
    __slots__ = ("weight",)
    weight: int

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        if isinstance(context, Context):
            context.weight = self.weight
        return super().render_to_output(context, buffer)


class _TextTag(Literal):
    node_class = TextNode


class _ValueTag(Output):
    node_class = ValueNode


class _ForTag(ForTag):
    node_class = CountedForNode


class _IfTag(IfTag):
    mode = Mode.STRICT


class _UnlessTag(UnlessTag):
    mode = Mode.STRICT


class MergeEnvironment(Environment):
    block_nesting_limit = NESTING

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:  # noqa: ARG002 - the library calls it so
        for tag in (_TextTag, _ValueTag, Illegal, _IfTag, _UnlessTag, _ForTag, BreakTag, ContinueTag, AssignTag):
            self.add_tag(tag)
        for name, function in FILTERS.items():
            self.add_filter(name, _counted(name, function))

    def error(self, exc: type[LiquidError] | LiquidError, msg: str | None = None, token: Token | None = None) -> None:
        """Raises the error at the tag where the library knows no position: at the end of an expression."""
        if isinstance(exc, LiquidError) and exc.token is not None and exc.token.start_index < 0:
            exc.token = token
        super().error(exc, msg, token)

    def tokenizer(self) -> Callable[[str], Iterator[Token]]:
        return read_tokens


def _counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def counted(value: Any, *arguments: Any, context: Context, **options: Any) -> Any:
        try:
            result = function(value, *arguments, **options)
        except (ArithmeticError, ValueError) as error:
            raise FilterError(f"the filter '{name}' can't use this value", token=None) from error
        context.charge(cost_of(result) + STEPS.get(name, 0))
        return result

    counted.with_context = True  # type: ignore[attr-defined]  # makes the library pass the context
    return counted


def render_nodes(template: BoundTemplate, variables: Mapping[str, Any], kind: ContentKind, budget: Budget) -> str:
    """The rendered template. Raises LiquidError if a bound is exceeded or something cannot be computed."""
    context = Context(template, variables, kind, budget)
    limit = min(kind.output_bytes, budget.output_bytes)
    page = HtmlPage(limit) if kind is ContentKind.HTML else LimitedStringIO(limit, newline="")
    try:
        for node in template.nodes:
            try:
                node.render(context, page)
            except LiquidError as error:
                error.token = error.token or node.token
                raise
            except RENDER_ERRORS as error:
                raise LiquidError("can't be computed with these values", token=node.token) from error
    finally:
        budget.output_bytes -= page.size
    return page.getvalue()
