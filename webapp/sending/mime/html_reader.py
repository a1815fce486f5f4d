"""Reads HTML as browsers do, as far as a text part needs, in linear time and memory; no input crashes it.

Pure Python, because a crash in a C parser would take down the whole process. A 15 KB newsletter takes 2.0 ms of CPU
(lxml: 1.6 ms), 23 bytes take 0.03 ms (lxml: 0.11 ms).
"""

import re
from collections.abc import Mapping
from typing import Protocol

from webapp.sending.mime.html_entities import unescape_attribute, unescape_text

# Possessive throughout, so that each character is read once. An unfinished tag ends the document.
TAG = re.compile(
    r"<(/?)([a-zA-Z][^\s/>]*+)"
    r"((?:[\s/]++|[^\s/>=]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>][^\s>]*+)?+)?+|=)*+)>"
)
ATTRIBUTE = re.compile(r"([^\s/>=]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>][^\s>]*+))?+)?+")
HIDING = re.compile("style|hidden", re.IGNORECASE)
OPEN_TAG = re.compile("</?[a-zA-Z]")
MARKUP = re.compile("<(?=[a-zA-Z/!?])")  # any other "<" is text
COMMENT_END = re.compile("--!?>")

VOID = {
    *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link"),
    *("meta", "param", "source", "track", "wbr"),
}
RAW = {"iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"}  # contain text, not elements
WITH_ATTRIBUTES = {"a", "img", "li", "ol"}
CELLS = {"td", "th", "caption"}
ROWS = {"tr", "tbody", "thead", "tfoot"}
SCOPES = CELLS | {"table", "ul", "ol", "dl"}  # an end tag inside one of them closes nothing outside it
HEAD = {"base", "link", "meta", "noscript", "script", "style", "template", "title"}
# The open elements that each of these closes when it starts.
ENDED: dict[str, tuple[str, ...]] = {
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "option": ("option",),
    "tr": ("tr",),
    **dict.fromkeys(("tbody", "thead", "tfoot"), ("tr", "tbody", "thead", "tfoot")),
}
ENDING_P = {
    *("address", "article", "aside", "blockquote", "center", "details", "div", "dl", "fieldset", "figcaption"),
    *("figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p"),
    *("pre", "section", "summary", "table", "ul"),
}
CELLS_AND_ROWS = CELLS | ROWS
ENDING = CELLS_AND_ROWS | ENDING_P | set(ENDED)
NO_ATTRIBUTES: Mapping[str, str] = {}
_raw_ends = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in RAW}


class Writer(Protocol):
    """Receives elements and texts in document order; every started element also ends."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...

    def end(self, tag: str) -> None: ...

    def data(self, text: str) -> None: ...


class _Scope:
    """The open elements within a table, cell or list."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.open: list[str] = []
        self.counts: dict[str, int] = {}


class HtmlReader:
    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._scopes = [_Scope("")]
        self._scope_counts: dict[str, int] = {}
        self._is_in_head = False

    def read(self, html: str) -> None:
        """Reads a whole document; the writer's exceptions pass through."""
        at, data = 0, self._writer.data
        while markup := MARKUP.search(html, at):
            if markup.start() > at:
                data(unescape_text(html[at : markup.start()]))
            at = self._read_markup(html, markup.start())
        if at < len(html):
            data(unescape_text(html[at:]))
        while self._scopes:
            self._end_scope()

    def _read_markup(self, html: str, start: int) -> int:
        """Reads a tag or comment and returns its end, or the end of the document if it is unfinished."""
        if tag := TAG.match(html, start):
            name = tag[2].lower()
            if tag[1]:
                self._end_tag(name)
                return tag.end()
            self._start_tag(name, tag[3])
            if name in RAW:
                end = _raw_ends[name].search(html, tag.end())
                return end.start() if end else len(html)
            return tag.end()
        if html.startswith("<!--", start):
            end = COMMENT_END.search(html, start + 2)
            return end.end() if end else len(html)
        is_unfinished = OPEN_TAG.match(html, start)
        return len(html) if is_unfinished else (html.find(">", start) + 1) or len(html)

    def _start_tag(self, name: str, written: str) -> None:
        if self._is_in_head and name not in HEAD:
            self._end_tag("head")
        if name in ENDING:
            self._end_for(name)
        scope = self._scopes[-1]
        has_attributes = written and (name in WITH_ATTRIBUTES or HIDING.search(written))
        self._writer.start(name, _attributes(written) if has_attributes else NO_ATTRIBUTES)
        if name in VOID:
            self._writer.end(name)
        elif name in SCOPES:
            self._scopes.append(_Scope(name))
            self._scope_counts[name] = self._scope_counts.get(name, 0) + 1
        else:
            self._is_in_head = self._is_in_head or name == "head"
            scope.open.append(name)
            scope.counts[name] = scope.counts.get(name, 0) + 1

    def _end_for(self, name: str) -> None:
        """Closes the elements that end where this one starts."""
        if name in CELLS_AND_ROWS and self._scopes[-1].name in CELLS:
            self._end_scope()
        scope = self._scopes[-1]
        for ended in ENDED.get(name, ()):
            self._end_in(scope, ended)
        if name in ENDING_P:
            self._end_in(scope, "p")

    def _end_tag(self, name: str) -> None:
        if name in SCOPES:
            while self._scope_counts.get(name):
                if self._end_scope() == name:
                    return
            return
        if name in ROWS and self._scopes[-1].name in CELLS and self._scopes[-2].counts.get(name):
            self._end_scope()
        scope = self._scopes[-1]
        if not scope.counts.get(name) and name in ("p", "br"):
            self._writer.start(name, {})
            self._writer.end(name)
        self._end_in(scope, name)

    def _end_in(self, scope: _Scope, name: str) -> None:
        """Closes an open element and everything in it."""
        while scope.counts.get(name):
            last = scope.open.pop()
            scope.counts[last] -= 1
            self._is_in_head = self._is_in_head and last != "head"
            self._writer.end(last)
            if last == name:
                return

    def _end_scope(self) -> str:
        scope = self._scopes.pop()
        while scope.open:
            self._writer.end(scope.open.pop())
        if scope.name:
            self._scope_counts[scope.name] -= 1
            self._writer.end(scope.name)
        return scope.name


def _attributes(written: str) -> dict[str, str]:
    """The attributes by name; the first of a name wins."""
    values: dict[str, str] = {}
    for attribute in ATTRIBUTE.finditer(written):
        value = attribute[2] or attribute[3] or attribute[4] or ""
        values.setdefault(attribute[1].lower(), unescape_attribute(value))
    return values
