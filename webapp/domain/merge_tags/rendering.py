"""Content with its merge values filled in: what is sent is what is shown."""

import html
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from webapp.domain.merge_tags.merge_tags import Kind, render_tags


class Rendered(NamedTuple):
    """Subject and bodies of one recipient's message; of the bodies one at least is there."""

    subject: str
    html: str | None
    text: str | None

    @property
    def body_html(self) -> str:
        """The html; for a mail without one the text, escaped, with its line breaks."""
        if self.html is not None:
            return self.html
        return html.escape(self.text or "").replace("\r\n", "\n").replace("\n", "<br>\n")


class Stored(Protocol):
    """What is filled in: a content row has these."""

    @property
    def is_template(self) -> bool: ...

    @property
    def subject(self) -> str: ...

    @property
    def html(self) -> str | None: ...

    @property
    def text(self) -> str | None: ...


def rendered(content: Stored, variables: Mapping[str, Any]) -> Rendered:
    """`content` for one recipient, to be shown. What passes a bound is shown with its tags as they stand."""
    try:
        return filled_in(content, variables)
    except ValueError:
        return Rendered(content.subject, content.html, content.text)


def filled_in(content: Stored, variables: Mapping[str, Any]) -> Rendered:
    """`content` for one recipient, to be sent. Raises ValueError, with a sentence, where it passes a bound."""
    if not content.is_template:
        return Rendered(content.subject, content.html, content.text)
    return Rendered(
        render_tags(content.subject, variables, Kind.SUBJECT),
        content.html and render_tags(content.html, variables, Kind.HTML),
        content.text and render_tags(content.text, variables, Kind.TEXT),
    )
