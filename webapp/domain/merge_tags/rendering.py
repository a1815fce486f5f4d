"""Merge tags in texts and mail contents: bounded Liquid that reads nothing but its variables."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from liquid.exceptions import LiquidError

from webapp.domain.inputs import SUBJECT_LENGTH
from webapp.domain.merge_tags.budget import Budget, ContentKind
from webapp.domain.merge_tags.filters import Placeholder
from webapp.domain.merge_tags.liquid import Context, render_nodes
from webapp.domain.merge_tags.parser import fault_of, read_template
from webapp.errors import FieldError, ValidationError
from webapp.models import Content
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
    return "{{" in source or "{%" in source


def render_tags(source: str, variables: Mapping[str, Any], kind: ContentKind, budget: Budget | None = None) -> str:
    """Renders the template and charges the budget. Raises ValueError for a fault or an exceeded bound."""
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
    """The required variables without a value, like `order.total`; null and "" do not count. Raises ValueError."""
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
    return {name: Placeholder(f"[{name}]") for name in variables}


def is_html(body: str) -> bool:
    """True if the body has an HTML tag; `<ada@example.org>` is not one."""
    return any(tag[1].lower() in ELEMENTS for tag in HTML_TAG.finditer(body))


class Rendered(NamedTuple):
    subject: str
    html: str | None
    text: str | None

    @property
    def body_html(self) -> str:
        if self.html is not None:
            return self.html
        return html.escape(self.text or "").replace("\r\n", "\n").replace("\n", "<br>\n")


def render_lenient(content: Content, variables: Mapping[str, Any]) -> Rendered:
    try:
        return render_strict(content, variables)
    except ValueError:
        return Rendered(content.subject, content.html, content.text)


def render_strict(content: Content, variables: Mapping[str, Any]) -> Rendered:
    """The content for sending. Raises ValueError with a sentence if it exceeds a bound."""
    if not content.is_template:
        return Rendered(content.subject, content.html, content.text)
    return Rendered(
        render_tags(content.subject, variables, ContentKind.SUBJECT),
        content.html and render_tags(content.html, variables, ContentKind.HTML),
        content.text and render_tags(content.text, variables, ContentKind.TEXT),
    )


class MergeSource(NamedTuple):
    """A text with merge tags, its field, and its name in messages.

    `kind` is known for a body saved as text or compiled.
    """

    field: str
    words: str
    text: str
    kind: ContentKind | None = None

    @property
    def body_kind(self) -> ContentKind:
        return self.kind or (ContentKind.HTML if is_html(self.text) else ContentKind.TEXT)

    def missing(self, variables: Mapping[str, Any], budget: Budget | None = None) -> list[str]:
        """The required variables without a value. Raises ValidationError if a bound is exceeded."""
        with self._as_validation_error():
            return missing_variables([self.text], variables, budget)

    def render(self, variables: Mapping[str, Any], kind: ContentKind, budget: Budget | None = None) -> str:
        """Raises ValidationError if a bound is exceeded."""
        with self._as_validation_error():
            return render_tags(self.text, variables, kind, budget)

    def fault(self, complaint: str) -> ValidationError:
        return ValidationError.of(self.field, f"{self.words} {complaint}")

    @contextmanager
    def _as_validation_error(self) -> Iterator[None]:
        try:
            yield
        except ValueError as fault:
            raise self.fault(str(fault)) from None


def check_missing(
    field: str, sources: Sequence[MergeSource], recipients: Iterable[Mapping[str, Any]], budget: Budget | None = None
) -> None:
    """Raises ValidationError with `missing_variables` unless each of the `recipients` has all required values."""
    missing = dict.fromkeys(
        name for variables in recipients for source in sources for name in source.missing(variables, budget)
    )
    if missing:
        fault = FieldError.at(field, f"has no value for {', '.join(missing)}")
        raise ValidationError(details=[fault], missing_variables=list(missing))


def fill_in(
    subject: MergeSource, body: MergeSource, variables: Mapping[str, Any], budget: Budget | None = None
) -> Rendered:
    """The mail with its values. Raises ValidationError if the result is not valid mail."""
    title = subject.render(variables, ContentKind.SUBJECT, budget).strip()
    if not 1 <= len(title) <= SUBJECT_LENGTH:
        raise subject.fault(
            f"must be 1 to {SUBJECT_LENGTH} characters long, but has {len(title):,} with these variables"
        )
    kind = body.body_kind
    text = body.render(variables, kind, budget)
    if not text.strip():
        raise body.fault("is empty")
    return Rendered(title, text, None) if kind is ContentKind.HTML else Rendered(title, None, text)
