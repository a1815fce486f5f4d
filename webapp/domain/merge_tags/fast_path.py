"""Simple templates, split once into text and values, and rendered without the library.

Simple are tags that show a variable, with or without a `default`. All other templates, and every rendering close to a
bound, go through `render_tags`; the output of both is the same.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from liquid.ast import Node
from liquid.builtin.expressions import FilteredExpression, Path, StringLiteral
from liquid.builtin.expressions.arguments import PositionalArgument

from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.filters import plain_text
from webapp.domain.merge_tags.html_escaping import SCHEME_DONE, HtmlContext, State, advance, escaped
from webapp.domain.merge_tags.liquid import TextNode, ValueNode
from webapp.domain.merge_tags.merge_tags import has_tags
from webapp.domain.merge_tags.parser import read_template
from webapp.sending.mime.headers import BREAKS
from webapp.sending.mime.preencoded import fill_gaps, with_gaps

SOURCE_LENGTH = 64 * 1024  # characters; far from every bound of a rendering
MAX_SLOTS = 100
VALUE_LENGTH = 2_000  # characters; half as many of a subject with its values, which may have 4,000 bytes
TOTAL_VALUE_LENGTH = 50_000  # characters
PLAIN = (str, int, float, bool, type(None))  # lists and objects may hold anything


class ValueSlot(NamedTuple):
    name: str
    default: str | None
    context: HtmlContext | None = None
    following: str = ""


class SlotValues(NamedTuple):
    written: list[str]
    plain: list[str]


class FastTemplate(NamedTuple):
    """A template in pieces: literal, value, literal and so on."""

    kind: ContentKind
    pieces: list[str]
    slots: tuple[ValueSlot, ...]

    @property
    def literals(self) -> list[str]:
        return self.pieces[::2]

    def values(self, variables: Mapping[str, Any]) -> SlotValues | None:
        written, plain, length = [], [], 0
        for name, default, context, following in self.slots:
            text = variables.get(name)
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
        """The text for one recipient; None where `render_tags` has to render it."""
        if not self.slots:
            return self.pieces[0]
        values = self.values(variables)
        if values is None:
            return None
        text = "".join(fill_gaps(self.pieces, values.written))
        return None if self.kind is ContentKind.SUBJECT and len(text) > VALUE_LENGTH // 2 else text


def compile_tags(source: str, kind: ContentKind) -> FastTemplate | None:
    """The template in pieces; None where it is not simple. Raises ValueError where it does not parse."""
    if len(source) > SOURCE_LENGTH:
        return None
    if not has_tags(source):
        return FastTemplate(kind, [source], ())
    compiler = _TemplateCompiler(kind)
    for node in read_template(source).bound.nodes:
        if not compiler.add(node):
            return None
    return compiler.compiled()


class _TemplateCompiler:
    """Collects literals and slots; in html with the context of each slot, which no value can change."""

    def __init__(self, kind: ContentKind) -> None:
        self._kind = kind
        self._literals, self._slots = [""], list[ValueSlot]()
        self._context = HtmlContext()
        self._is_open = False  # a value has begun an address that has not ended

    def add(self, node: Node) -> bool:
        if isinstance(node, TextNode):
            self._add_text(node.text)
            return True
        return isinstance(node, ValueNode) and len(self._slots) < MAX_SLOTS and self._add_slot(node)

    def _add_text(self, text: str) -> None:
        self._literals[-1] += BREAKS.sub("", text) if self._kind is ContentKind.SUBJECT else text
        if self._kind is ContentKind.HTML:
            self._is_open = self._is_open and self._context.quote not in text
            self._context = advance(self._context, text)

    def _add_slot(self, node: ValueNode) -> bool:
        found = _variable_of(node)
        if found is None or not self._is_settled():
            return False
        name, default = found
        context = self._context if self._kind is ContentKind.HTML else None
        self._slots.append(ValueSlot(name, default, context, node.following))
        self._literals.append("")
        self._is_open = self._context.is_address and self._context.text != SCHEME_DONE
        return True

    def _is_settled(self) -> bool:
        """True if no value can change the context of this slot and of what follows it."""
        if self._kind is not ContentKind.HTML or self._context.state is State.TEXT:
            return True
        return self._context.state is State.QUOTED and not self._is_open

    def compiled(self) -> FastTemplate:
        return FastTemplate(self._kind, with_gaps(self._literals, ""), tuple(self._slots))


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
