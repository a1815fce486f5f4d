"""Merge tags: bounded Liquid in subjects and bodies, which reads nothing but its variables."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from liquid.exceptions import LiquidError

from webapp.domain.merge_tags.budget import Budget, ContentKind
from webapp.domain.merge_tags.filters import Placeholder
from webapp.domain.merge_tags.liquid import Context, render_nodes
from webapp.domain.merge_tags.parser import fault_of, read_template
from webapp.sending.mime.headers import BREAKS

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


def has_tags(source: str) -> bool:
    """True if the text may have a tag; any other is sent as it is, however long."""
    return "{{" in source or "{%" in source


def render_tags(source: str, variables: Mapping[str, Any], kind: ContentKind, budget: Budget | None = None) -> str:
    """The template with its values. Raises ValueError where it does not parse or exceeds a bound.

    A text without tags is charged to the `budget` by its length, and returned in any case.
    """
    budget = budget or Budget()
    if not has_tags(source):
        budget.output_bytes -= len(source.encode())
        return source
    template = read_template(source)
    try:
        budget.begin(template, template.nodes)
        text = render_nodes(template.bound, variables, kind, budget)
    except LiquidError as error:
        raise fault_of(error, source) from None
    return BREAKS.sub("", text) if kind is ContentKind.SUBJECT else text


def missing_variables(sources: Iterable[str], variables: Mapping[str, Any], budget: Budget | None = None) -> list[str]:
    """The required variables without a value, like `order.total`; null and "" are none. Raises ValueError."""
    budget = budget or Budget()
    missing: dict[str, None] = {}
    for source in filter(has_tags, sources):
        template = read_template(source)
        try:
            budget.begin(template, template.nodes)
        except LiquidError as error:
            raise fault_of(error, source) from None
        context = Context(template.bound, variables, ContentKind.TEXT)
        for path in template.required:
            for length in range(1, len(path) + 1):
                if context.value_at(path[:length]) in (None, ""):
                    missing[".".join(str(part) for part in path[:length])] = None
                    break
    return list(missing)


def placeholder_values(variables: Iterable[str]) -> dict[str, Placeholder]:
    """Sample values: a tag shows its name in brackets, or its `default`."""
    return {name: Placeholder(f"[{name}]") for name in variables}


def is_html(body: str) -> bool:
    """True if the body has an HTML tag; `<ada@example.org>` is none."""
    return any(tag[1].lower() in ELEMENTS for tag in HTML_TAG.finditer(body))
