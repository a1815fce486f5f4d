"""Merge tags: Liquid in subjects and bodies, bounded, reading nothing but its variables."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from liquid.exceptions import LiquidError

from webapp.domain.merge_tags.budget import Budget, Kind
from webapp.domain.merge_tags.filters import Invented
from webapp.domain.merge_tags.liquid import Context, render_nodes
from webapp.domain.merge_tags.parser import SOURCE_LENGTH, MergeTemplate, fault_of, read_template
from webapp.sending.mime.headers import BREAKS

__all__ = [
    "SOURCE_LENGTH",
    "Kind",
    "Parsed",
    "defaulted_variables",
    "has_tags",
    "is_html",
    "missing_variables",
    "names_shown",
    "parse_tags",
    "render_tags",
]

ELEMENT_NAMES = (
    "a|abbr|address|area|article|aside|audio|b|base|bdi|bdo|big|blink|blockquote|body|br|button|"
    "canvas|caption|center|cite|code|col|colgroup|dd|del|details|dfn|dir|div|dl|dt|em|embed|"
    "fieldset|figcaption|figure|font|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|"
    "html|i|iframe|img|input|ins|kbd|label|legend|li|link|main|map|mark|marquee|menu|meta|nav|"
    "noscript|object|ol|option|p|param|picture|pre|q|s|samp|script|section|select|small|source|"
    "span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|"
    "time|title|tr|tt|u|ul|var|video|wbr"
)
ELEMENTS = frozenset(ELEMENT_NAMES.split("|"))
HTML_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)(?:[\s/][^<>]*)?>")


class Parsed(NamedTuple):
    """The names of a template's variables in the order of their use, and of those that it needs."""

    variables: tuple[str, ...]
    required: tuple[str, ...]


def parse_tags(source: str) -> Parsed:
    """Which variables a template has. Raises ValueError: "has a fault at line 1, column 8: ..."."""
    template = read_template(source)
    return Parsed(template.variables, tuple(dict.fromkeys(place[0] for place in template.needed)))


def defaulted_variables(source: str) -> frozenset[str]:
    """The variables that have a `default` somewhere. Raises ValueError where the template does not parse."""
    return read_template(source).defaulted


def has_tags(source: str) -> bool:
    """Whether there can be a tag in it; what has none is sent as it is, however long."""
    return "{{" in source or "{%" in source


def render_tags(source: str, variables: Mapping[str, Any], kind: Kind, budget: Budget | None = None) -> str:
    """A template with its values. Raises ValueError where it does not parse or passes a bound.

    The `budget` is one that it shares with others; what has no tags counts by its length, and is returned all the same.
    """
    budget = budget or Budget()
    if not has_tags(source):
        budget.output_bytes -= len(source.encode())
        return source
    template = _begin(source, budget)
    try:
        text = render_nodes(template.bound, variables, kind, budget)
    except LiquidError as error:
        raise fault_of(error, source) from None
    return BREAKS.sub("", text) if kind is Kind.SUBJECT else text


def _begin(source: str, budget: Budget) -> MergeTemplate:
    template = read_template(source)
    try:
        budget.begin(template, template.nodes)
    except LiquidError as error:
        raise fault_of(error, source) from None
    return template


def missing_variables(sources: Iterable[str], variables: Mapping[str, Any], budget: Budget | None = None) -> list[str]:
    """What the templates need and `variables` has no value for; null and "" are none. Raises ValueError.

    Of `{{ order.total }}` it is `order`, or `order.total` where there is an order without one.
    """
    budget = budget or Budget()
    templates = [_begin(source, budget) for source in sources if has_tags(source)]
    found = [name for template in templates for name in _missing(template, variables)]
    return list(dict.fromkeys(found))


def _missing(template: MergeTemplate, variables: Mapping[str, Any]) -> Iterator[str]:
    """Of each place without a value its shortest part that has none."""
    context = Context(template.bound, variables, Kind.TEXT)
    for place in template.needed:
        for length in range(1, len(place) + 1):
            if context.value_at(place[:length]) in (None, ""):
                yield ".".join(str(part) for part in place[:length])
                break


def names_shown(variables: Iterable[str]) -> dict[str, Invented]:
    """Values for nobody: each tag shows its name in brackets, one with a `default` shows that."""
    return {name: Invented(f"[{name}]") for name in variables}


def is_html(body: str) -> bool:
    """Whether a body is HTML: it has at least one HTML tag. `<ada@example.org>` is none."""
    return any(tag[1].lower() in ELEMENTS for tag in HTML_TAG.finditer(body))
