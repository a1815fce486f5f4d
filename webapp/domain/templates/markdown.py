"""Reads the Markdown of text blocks: paragraphs, lists, bold, italic and links."""

import html
import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

# No part matches beyond the next character of its kind, so matching takes linear time.
INLINE = re.compile(
    r"\\(?P<literal>[\\*\[\]])"
    r"|\[(?P<words>[^\[\]\n]+)\]\((?P<url>[^()\s]+)\)"
    r"|\*\*\*(?=\S)(?P<both>[^*\n]*[^*\s])\*\*\*"
    r"|\*\*(?=\S)(?P<bold>[^*\n]*[^*\s])\*\*"
    r"|\*(?=\S)(?P<italic>[^*\n]*[^*\s])\*"
)
EMPHASES = {"both": "<strong><em>{}</em></strong>", "bold": "<strong>{}</strong>", "italic": "<em>{}</em>"}
BULLET = re.compile(r"[-*] +(?=\S)")
NUMBER = re.compile(r"(\d{1,3})[.)] +(?=\S)")


class Styles(NamedTuple):
    link: str
    paragraph: str = "margin:0 0 16px"
    last: str = "margin:0"  # a block's last paragraph or list


class _Line(NamedTuple):
    kind: str  # "p", "ul", "ol", or "" for an empty line
    words: str
    number: int = 1


def to_html(text: str, styles: Styles) -> str:
    """One element per paragraph or list; escapes HTML in the text."""
    groups = [(kind, list(lines)) for kind, lines in groupby(_lines(text), key=lambda line: line.kind) if kind]
    written = []
    for number, (kind, lines) in enumerate(groups, 1):
        margin = styles.last if number == len(groups) else styles.paragraph
        if kind == "p":
            words = "<br />".join(inline(line.words, styles.link) for line in lines)
            written.append(f'<p style="{margin}">{words}</p>')
        else:
            start = f' start="{lines[0].number}"' if lines[0].number != 1 else ""
            items = "".join(f'<li style="margin:0 0 4px">{inline(line.words, styles.link)}</li>' for line in lines)
            written.append(f'<{kind}{start} style="{margin};padding-left:24px">{items}</{kind}>')
    return "".join(written)


def inline(text: str, link_style: str) -> str:
    pieces, start = [], 0
    for match in INLINE.finditer(text):
        pieces += [html.escape(text[start : match.start()], quote=False), _element(match, link_style)]
        start = match.end()
    return "".join([*pieces, html.escape(text[start:], quote=False)])


def urls_of(text: str) -> Iterator[str]:
    for match in INLINE.finditer(text):
        if match["url"]:
            yield match["url"]
        for name in EMPHASES:
            if match[name]:
                yield from urls_of(match[name])


def _element(match: re.Match[str], link_style: str) -> str:
    name = match.lastgroup or ""
    words = match[name]
    if name == "literal":
        return html.escape(words)
    if name == "url":
        return f'<a href="{html.escape(words)}" style="{link_style}">{inline(match["words"], link_style)}</a>'
    return EMPHASES[name].format(inline(words, link_style))


def _lines(text: str) -> Iterator[_Line]:
    for written in text.splitlines():
        line = written.strip()
        if bullet := BULLET.match(line):
            yield _Line("ul", line[bullet.end() :])
        elif number := NUMBER.match(line):
            yield _Line("ol", line[number.end() :], int(number[1]))
        else:
            yield _Line("p" if line else "", line)
