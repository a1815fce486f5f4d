"""Content with its merge values filled in: what is sent is what is shown."""

import html
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol


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
    def subject(self) -> str: ...

    @property
    def html(self) -> str | None: ...

    @property
    def text(self) -> str | None: ...


def rendered(content: Stored, variables: Mapping[str, Any]) -> Rendered:  # noqa: ARG001 - merge tags come with templates
    """`content` for one recipient."""
    return Rendered(content.subject, content.html, content.text)
