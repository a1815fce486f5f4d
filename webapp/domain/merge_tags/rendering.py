"""Content with its merge values, for sending and for showing."""

import html
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.merge_tags import render_tags


class Rendered(NamedTuple):
    """Subject and bodies of one recipient's message, with one body at least."""

    subject: str
    html: str | None
    text: str | None

    @property
    def body_html(self) -> str:
        """The html; for a mail without one the escaped text with its line breaks."""
        if self.html is not None:
            return self.html
        return html.escape(self.text or "").replace("\r\n", "\n").replace("\n", "<br>\n")


class Stored(Protocol):
    @property
    def is_template(self) -> bool: ...

    @property
    def subject(self) -> str: ...

    @property
    def html(self) -> str | None: ...

    @property
    def text(self) -> str | None: ...


def render_lenient(content: Stored, variables: Mapping[str, Any]) -> Rendered:
    """The content for showing; where it exceeds a bound, its tags are left as they are."""
    try:
        return render_strict(content, variables)
    except ValueError:
        return Rendered(content.subject, content.html, content.text)


def render_strict(content: Stored, variables: Mapping[str, Any]) -> Rendered:
    """The content for sending. Raises ValueError, with a sentence, where it exceeds a bound."""
    if not content.is_template:
        return Rendered(content.subject, content.html, content.text)
    return Rendered(
        render_tags(content.subject, variables, ContentKind.SUBJECT),
        content.html and render_tags(content.html, variables, ContentKind.HTML),
        content.text and render_tags(content.text, variables, ContentKind.TEXT),
    )
