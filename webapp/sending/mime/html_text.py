"""Makes the text part for an HTML body in one pass, in linear time and memory."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from webapp.sending.mime.html_entities import NO_CHARACTER, unescape_text
from webapp.sending.mime.html_reader import HtmlReader

HTML_LENGTH = 4_000_000  # characters; mail programs show a fortieth of this
DEPTH = 500  # of elements; newsletters have about 40
LINES = 100_000  # each takes as much memory as 80 characters
PART_LENGTH = 500_000  # characters per step when only tags are removed
INDENTED = 8  # levels of lists
CELL_LENGTH, TABLE_WIDTH = 40, 100  # characters; a wider table is for layout
STYLE_LENGTH = 2_000  # characters of a style attribute
NUMBER_LENGTH = 6  # digits

SPACES = re.compile(r"[ \t\n\f\r]+")  # in html
TAG = re.compile(r"<[^<>]*>")
CELL = "\0"  # ends a table cell; the HTML contains none

HIDDEN = {"head", "iframe", "script", "select", "style", "svg", "template", "textarea", "title"}
PARAGRAPHS = {"blockquote", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "p", "pre"}
BLOCKS = {
    *("address", "article", "aside", "body", "caption", "center", "dd", "details", "div", "dt", "fieldset"),
    *("figcaption", "footer", "form", "header", "li", "main", "nav", "ol", "section", "summary", "table", "tr", "ul"),
}
BULLETS = ("* ", "+ ", "o ", "- ")


def text_of(html: str) -> str:
    """The text with links as `words <url>`; at most 20 times as long as the HTML.

    HTML without tags keeps its lines. If it is too long or nested too deeply, its tags are removed, links included.
    """
    if "<" not in html:
        return unescape_text(html)
    if len(html) > HTML_LENGTH:
        return _without_tags(html)
    writer = _Writer()
    try:
        HtmlReader(writer).read(html.encode("utf-8", "replace").decode().replace(CELL, NO_CHARACTER))
    except _TooMuchError:
        return _without_tags(html)
    return writer.close()


def _without_tags(html: str) -> str:
    """Works in parts that end before a tag, because each tag takes memory."""
    start, text = 0, ""
    while start < len(html):
        end = html.rfind("<", start + 1, start + PART_LENGTH) if start + PART_LENGTH < len(html) else len(html)
        end = end if end > start else start + PART_LENGTH
        text += SPACES.sub(lambda spaces: "\n" if "\n" in spaces[0] else " ", TAG.sub("\n", html[start:end]))
        start = end
    return unescape_text(text).strip("\n ")


class _TooMuchError(Exception):
    pass


class _Element(NamedTuple):
    is_preformatted: bool = False
    href: str = ""


class _Writer:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []  # the parts of the next line
        self._breaks = 0  # line ends due before the next word
        self._has_space = False  # a space is due before the next word
        self._elements = [_Element()]
        self._hidden = 0  # depth inside a hidden element
        self._lists: list[int | None] = []  # the next item's number in each open list, None for bullets
        self._bullet = ""
        self._is_row_empty = self._is_first_cell = True
        self._wordless = 0  # open links without words so far
        self._wordless_link = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        style = _style(attributes["style"][:STYLE_LENGTH]) if "style" in attributes else {}
        if self._hidden or tag in HIDDEN or "hidden" in attributes or style.get("display") == "none":
            self._hidden += 1
            return
        is_preformatted = self._elements[-1].is_preformatted or tag == "pre"
        if "white-space" in style:
            is_preformatted = style["white-space"].startswith("pre")
        href = _link_target(attributes.get("href", "")) if tag == "a" else ""
        self._elements.append(_Element(is_preformatted, href))
        if len(self._elements) > DEPTH:
            raise _TooMuchError
        self._break_around(tag)
        self._begin(tag, attributes)

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        match tag:
            case "a" if self._elements[-1].href:
                self._wordless += 1
            case "br":
                self._end_line_now()
            case "img":
                words = SPACES.sub(" ", attributes.get("alt") or attributes.get("title") or "").strip(" ")
                if words:
                    self._has_space = True
                    self._write(words)
                    self._has_space = True
            case "ul":
                self._lists.append(None)
            case "ol":
                self._lists.append(_number(attributes.get("start", ""), 1))
            case "li":
                self._begin_item(attributes.get("value", ""))
            case "tr":
                self._is_row_empty = self._is_first_cell = True
            case "td" | "th":
                self._begin_cell()

    def end(self, tag: str) -> None:
        if self._hidden:
            self._hidden -= 1
            return
        href = self._elements.pop().href
        if href:
            self._end_link(href)
        elif tag in ("ul", "ol"):
            self._lists.pop()
            self._bullet = ""
        self._break_around(tag)

    def data(self, text: str) -> None:
        if self._hidden:
            return
        if self._elements[-1].is_preformatted:
            for number, line in enumerate(text.split("\n")):
                if number:
                    self._end_line_now()
                if line:
                    self._write(line)
            return
        words = SPACES.sub(" ", text)
        self._has_space = self._has_space or words.startswith(" ")
        if words != " ":
            self._write(words.strip(" "))
            self._has_space = words.endswith(" ")

    def close(self) -> str:
        self._end_line()
        lines: list[str] = []
        for is_table, group in groupby(self._lines, key=lambda line: CELL in line):
            rows = list(group)
            lines += _rows(rows) if is_table else rows
        return "\n".join(lines).strip("\n") or self._wordless_link

    def _write(self, words: str) -> None:
        self._begin_line()
        if self._has_space and len(self._line) > 1 and self._line[-1] != CELL:
            self._line.append(" ")
        self._line.append(words)
        self._wordless, self._has_space, self._is_row_empty = 0, False, False

    def _break_around(self, tag: str) -> None:
        """Ends the line before the next word around a block; paragraphs get an empty line."""
        if tag in PARAGRAPHS:
            self._breaks = 2
        elif tag in BLOCKS:
            self._breaks = max(self._breaks, 1)

    def _begin_line(self) -> None:
        if self._breaks:
            if self._line:
                self._end_line()
            if self._breaks > 1:
                self._end_line()
            self._breaks = 0
        if not self._line:
            indent = 4 * min(len(self._lists), INDENTED)
            self._line.append(self._bullet.rjust(indent))
            self._bullet = ""

    def _end_line_now(self) -> None:
        self._begin_line()
        self._end_line()

    def _end_line(self) -> None:
        """Ends a line; consecutive empty lines become one, and leading ones are dropped."""
        line = "".join(self._line).rstrip(" ")
        self._line, self._has_space = [], False
        if line or (self._lines and self._lines[-1]):
            self._lines.append(line)
        if len(self._lines) > LINES:
            raise _TooMuchError

    def _begin_item(self, value: str) -> None:
        number = self._lists[-1] if self._lists else None
        if number is None:
            self._bullet = BULLETS[max(len(self._lists) - 1, 0) % len(BULLETS)]
        else:
            number = _number(value, number)
            self._lists[-1], self._bullet = number + 1, f"{number}. "

    def _begin_cell(self) -> None:
        """Separates a cell from the previous one unless that ended its own line."""
        if not self._is_first_cell and (self._is_row_empty or not self._breaks):
            self._begin_line()
            self._line.append(CELL)
            self._is_row_empty = False
        self._is_first_cell = False

    def _end_link(self, href: str) -> None:
        if self._wordless:
            self._wordless -= 1
            self._wordless_link = self._wordless_link or f"<{href}>"
        elif self._line:
            if self._line[-1] != href:  # otherwise the words are the address
                self._line.append(f" <{href}>")
        elif not self._lines[-1].endswith(href):
            self._lines[-1] += f" <{href}>"


def _link_target(href: str) -> str:
    """The link's address, or empty if it only points within the email."""
    address = SPACES.sub(" ", href).strip(" ").removeprefix("mailto:")
    return "" if address.startswith("#") else address


def _style(text: str) -> dict[str, str]:
    """Important properties override others, later ones override earlier ones."""
    declarations = sorted(text.lower().split(";"), key=lambda declaration: "!" in declaration)
    pairs = (declaration.partition("!")[0].partition(":") for declaration in declarations)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _number(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) <= NUMBER_LENGTH else default


def _rows(lines: Iterable[str]) -> Iterator[str]:
    """Columns for a table of figures; otherwise cells side by side, or below each other if they are long."""
    table = [[cell.strip(" ") for cell in line.split(CELL)] for line in lines]
    widths: list[int] = []
    for cells in table:
        widths += [0] * (len(cells) - len(widths))
        for column, cell in enumerate(cells):
            widths[column] = max(widths[column], len(cell))
    is_figures = max(widths) <= CELL_LENGTH and sum(widths) <= TABLE_WIDTH
    for cells in table:
        if is_figures:
            columns = zip(cells, widths, strict=False)
            yield "  ".join(cell.ljust(width) for cell, width in columns if width).rstrip(" ")
        else:
            between = "\n" if max(map(len, cells)) > CELL_LENGTH else "  "
            yield between.join(cell for cell in cells if cell)
