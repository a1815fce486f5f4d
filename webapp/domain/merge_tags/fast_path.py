"""Templates of the common form, cut once into the text between tags and the values that stand in it.

Common are tags that show a variable, with or without a `default`. All else, and every rendering that comes near a
bound, is `render_tags`'s: what is made here is what that would make.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from liquid.ast import Node
from liquid.builtin.expressions import FilteredExpression, Path, StringLiteral
from liquid.builtin.expressions.arguments import PositionalArgument

from webapp.domain.merge_tags.budget import Kind
from webapp.domain.merge_tags.filters import plain_text
from webapp.domain.merge_tags.html_escaping import PAST_SCHEME, Place, Within, escaped, place_after
from webapp.domain.merge_tags.liquid import ShownNode, TextNode
from webapp.domain.merge_tags.merge_tags import has_tags
from webapp.domain.merge_tags.parser import read_template
from webapp.sending.mime.headers import BREAKS
from webapp.sending.mime.preencoded import fill_gaps, with_gaps

LONGEST = 64 * 1024  # characters of a template; far from every bound of a rendering
MOST_SLOTS = 100
LONGEST_VALUE = 2_000  # characters; of a subject with its values too, which has 4,000 bytes at most
VALUES_TOGETHER = 50_000  # characters
PLAIN = (str, int, float, bool, type(None))  # lists and objects may hold anything


class Slot(NamedTuple):
    """Where a value stands. `place` is None outside of html; `following` is the template's next character."""

    name: str
    default: str | None
    place: Place | None = None
    following: str = ""


class Values(NamedTuple):
    """What the slots of a template show one recipient: as it is written there, and as text."""

    written: list[str]
    plain: list[str]


class Compiled(NamedTuple):
    """A template in pieces: a literal, a place for a slot's value, a literal and so on."""

    kind: Kind
    pieces: list[str]
    slots: tuple[Slot, ...]

    @property
    def literals(self) -> list[str]:
        """The text between the slots."""
        return self.pieces[::2]

    def values(self, variables: Mapping[str, Any]) -> Values | None:
        """The values of the slots, None where the general way has to judge them."""
        written, plain, length = [], [], 0
        for name, default, place, following in self.slots:
            text = variables.get(name)
            if default is not None and (text is None or text is False or text == ""):
                text = default
            if not isinstance(text, str):
                if not isinstance(text, PLAIN):
                    return None
                text = plain_text(text)
            if len(text) > LONGEST_VALUE:
                return None
            if place is not None:
                shown = escaped(text, place, following)
            else:
                shown = text if text.isprintable() or self.kind is not Kind.SUBJECT else BREAKS.sub("", text)
            written.append(shown)
            plain.append(text if shown or not text else "")
            length += len(shown)
        return None if length > VALUES_TOGETHER else Values(written, plain)

    def filled_in(self, variables: Mapping[str, Any]) -> str | None:
        """The text for one recipient, None where the general way has to judge it."""
        if not self.slots:
            return self.pieces[0]
        values = self.values(variables)
        if values is None:
            return None
        text = "".join(fill_gaps(self.pieces, values.written))
        return None if self.kind is Kind.SUBJECT and len(text) > LONGEST_VALUE // 2 else text


def compile_tags(source: str, kind: Kind) -> Compiled | None:
    """The template in pieces, None where it is not of the common form. Raises ValueError where it does not parse."""
    if len(source) > LONGEST:
        return None
    if not has_tags(source):
        return Compiled(kind, [source], ())
    reader = _Reader(kind)
    for node in read_template(source).bound.nodes:
        if not reader.take(node):
            return None
    return reader.compiled()


class _Reader:
    """Collects literals and slots; in html it knows where each slot stands, whatever the values before it are."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._literals, self._slots = [""], list[Slot]()
        self._place = Place()
        self._is_open = False  # whether a value has begun an address that has not ended

    def take(self, node: Node) -> bool:
        """Take a node; whether it is of the common form."""
        if isinstance(node, TextNode):
            self._take_text(node.text)
            return True
        return isinstance(node, ShownNode) and len(self._slots) < MOST_SLOTS and self._take_slot(node)

    def _take_text(self, text: str) -> None:
        self._literals[-1] += BREAKS.sub("", text) if self._kind is Kind.SUBJECT else text
        if self._kind is Kind.HTML:
            self._is_open = self._is_open and self._place.quote not in text
            self._place = place_after(self._place, text)

    def _take_slot(self, node: ShownNode) -> bool:
        found = _variable_of(node)
        if found is None or not self._is_settled():
            return False
        name, default = found
        place = self._place if self._kind is Kind.HTML else None
        self._slots.append(Slot(name, default, place, node.following))
        self._literals.append("")
        self._is_open = self._place.is_address and self._place.text != PAST_SCHEME
        return True

    def _is_settled(self) -> bool:
        """Whether no value can change where this slot and what follows it stand."""
        if self._kind is not Kind.HTML or self._place.within is Within.TEXT:
            return True
        return self._place.within is Within.QUOTED and not self._is_open

    def compiled(self) -> Compiled:
        return Compiled(self._kind, with_gaps(self._literals, ""), tuple(self._slots))


def _variable_of(node: ShownNode) -> tuple[str, str | None] | None:
    """The variable that a tag shows, and its default; None for a tag that does more."""
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
