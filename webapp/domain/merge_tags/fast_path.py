"""Renders templates of variables, `default` and conditions without the library, like `render_tags` would."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from liquid import BoundTemplate
from liquid.ast import BlockNode, Node
from liquid.builtin.expressions import BooleanExpression, FilteredExpression, Path, StringLiteral
from liquid.builtin.expressions.arguments import PositionalArgument
from liquid.builtin.tags.if_tag import IfNode
from liquid.builtin.tags.unless_tag import UnlessNode
from liquid.exceptions import LiquidError
from liquid.expression import Expression

from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.filters import plain_text
from webapp.domain.merge_tags.html_escaping import SCHEME_DONE, HtmlContext, HtmlState, advance, escaped
from webapp.domain.merge_tags.liquid import RENDER_ERRORS, Context, TextNode, ValueNode, variable_named
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import has_tags
from webapp.sending.mime.headers import BREAKS
from webapp.sending.mime.preencoded import fill_gaps, with_gaps

SOURCE_LENGTH = 64 * 1024  # characters; far below the bounds of rendering
MAX_SLOTS = 100
VALUE_LENGTH = 2_000  # characters; half of this for subjects, which may have 4,000 bytes
TOTAL_VALUE_LENGTH = 50_000  # characters
PLAIN = (str, int, float, bool, type(None))  # lists and objects may contain anything


Decided = tuple[bool, ...]


class ValueSlot(NamedTuple):
    name: str
    default: str | None
    context: HtmlContext | None = None
    following: str = ""


class SlotValues(NamedTuple):
    written: list[str]
    plain: list[str]


class FastTemplate(NamedTuple):
    kind: ContentKind
    pieces: list[str]
    slots: tuple[ValueSlot, ...]

    @property
    def literals(self) -> list[str]:
        return self.pieces[::2]

    def values(self, variables: Mapping[str, Any]) -> SlotValues | None:
        written, plain, length = [], [], 0
        for name, default, context, following in self.slots:
            text = variables[name] if name in variables else variable_named(variables, name)  # avoids most calls
            if default is not None and (text is None or text is False or text == ""):
                text = default
            if not isinstance(text, str):
                if not isinstance(text, PLAIN):
                    return None
                text = plain_text(text)
            if len(text) > VALUE_LENGTH:
                return None
            if context is not None:
                shown = escaped(text, context, following)
            else:
                shown = text if text.isprintable() or self.kind is not ContentKind.SUBJECT else BREAKS.sub("", text)
            written.append(shown)
            plain.append(text if shown or not text else "")
            length += len(shown)
        return None if length > TOTAL_VALUE_LENGTH else SlotValues(written, plain)

    def render(self, variables: Mapping[str, Any]) -> str | None:
        """One recipient's text; None if `render_tags` must render it."""
        if not self.slots:
            return self.pieces[0]
        values = self.values(variables)
        if values is None:
            return None
        text = "".join(fill_gaps(self.pieces, values.written))
        return None if self.kind is ContentKind.SUBJECT and len(text) > VALUE_LENGTH // 2 else text


class Conditions:
    """The conditions of `if` and `unless` tags outside of loops, in template order."""

    def __init__(self, template: BoundTemplate) -> None:
        self._template = template
        self._expressions = list(_expressions_of(template.nodes))
        self._names = list(map(_name_of, self._expressions))

    def decide(self, variables: Mapping[str, Any]) -> Decided | None:
        """The outcome of each condition, even if not reached; None if one has none."""
        context: Context | None = None
        outcomes = []
        for expression, name in zip(self._expressions, self._names, strict=True):
            if name is not None:  # the common case, which takes the library ten times as long
                value = variable_named(variables, name)
                outcomes.append(value is not None and value is not False)
                continue
            context = context or Context(self._template, variables, ContentKind.TEXT)
            try:
                outcomes.append(bool(expression.evaluate(context)))
            except (LiquidError, *RENDER_ERRORS):
                return None
        return tuple(outcomes)

    def nodes(self, decided: Decided) -> Iterator[Node]:
        """The nodes to render for these outcomes; without outcomes, the tags themselves."""
        by_expression = dict(zip(map(id, self._expressions), decided, strict=False))
        return _rendered(self._template.nodes, by_expression)


def conditions_of(source: str) -> Conditions:
    """Raises ValueError if the template does not parse."""
    return Conditions(read_template(source).bound)


def compile_tags(source: str, kind: ContentKind, decided: Decided = ()) -> FastTemplate | None:
    """The template in pieces for these outcomes of its conditions; None if it is not simple.

    Raises ValueError if it does not parse.
    """
    if len(source) > SOURCE_LENGTH:
        return None
    if not has_tags(source):
        return FastTemplate(kind, [source], ())
    literals, slots = [""], list[ValueSlot]()
    context = HtmlContext()
    is_open = False  # within an address that began with a value
    for node in conditions_of(source).nodes(decided):
        if isinstance(node, TextNode):
            literals[-1] += BREAKS.sub("", node.text) if kind is ContentKind.SUBJECT else node.text
            if kind is ContentKind.HTML:
                is_open = is_open and context.quote not in node.text
                context = advance(context, node.text)
            continue
        # Values must not change the context of this slot or what follows.
        is_settled = context.state is HtmlState.TEXT or (context.state is HtmlState.QUOTED and not is_open)
        variable = _variable_of(node) if isinstance(node, ValueNode) and is_settled else None
        if not isinstance(node, ValueNode) or variable is None or len(slots) >= MAX_SLOTS:
            return None
        slots.append(ValueSlot(*variable, context if kind is ContentKind.HTML else None, node.following))
        literals.append("")
        is_open = context.is_address and context.text != SCHEME_DONE
    return FastTemplate(kind, with_gaps(literals, ""), tuple(slots))


def _variable_of(node: ValueNode) -> tuple[str, str | None] | None:
    expression = node.expression
    if not isinstance(expression, FilteredExpression) or not isinstance(expression.left, Path):
        return None
    path, filters = expression.left.path, expression.filters or []
    if len(path) != 1 or not isinstance(path[0], str) or len(filters) > 1:
        return None
    name = str(path[0])
    if not filters:
        return name, None
    (used,) = filters
    if used.name != "default" or len(used.args) != 1 or not isinstance(used.args[0], PositionalArgument):
        return None
    default = used.args[0].value
    return (name, default.value) if isinstance(default, StringLiteral) else None


def _expressions_of(nodes: Iterable[Node]) -> Iterator[Expression]:
    for node in nodes:
        if isinstance(node, IfNode | UnlessNode):
            yield node.condition
            yield from _expressions_of(node.consequence.nodes)
            for alternative in node.alternatives:
                yield alternative.expression
                yield from _expressions_of(alternative.block.nodes)
            yield from _expressions_of(node.default.nodes if node.default else ())


def _rendered(nodes: Iterable[Node], outcomes: Mapping[int, bool], *, is_blank: bool = False) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, IfNode | UnlessNode) and id(node.condition) in outcomes:
            block = _block_of(node, outcomes)
            if block is not None:
                yield from _rendered(block.nodes, outcomes, is_blank=block.blank)
        elif not (is_blank and isinstance(node, TextNode)):  # the library omits blank blocks
            yield node


def _block_of(node: IfNode | UnlessNode, outcomes: Mapping[int, bool]) -> BlockNode | None:
    if outcomes[id(node.condition)] is isinstance(node, IfNode):
        return node.consequence
    chosen = (branch.block for branch in node.alternatives if outcomes[id(branch.expression)])
    return next(chosen, node.default)


def _name_of(expression: Expression) -> str | None:
    path = expression.expression if isinstance(expression, BooleanExpression) else expression
    is_name = isinstance(path, Path) and len(path.path) == 1 and isinstance(path.path[0], str)
    return str(path.path[0]) if is_name and isinstance(path, Path) else None
