"""The documents in docs/, as pages of the dashboard."""

import asyncio
import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from markdown_it import MarkdownIt
from quart import Blueprint, render_template
from quart.typing import ResponseReturnValue

from webapp.config import source_dir
from webapp.errors import NotFound
from webapp.http.auth.permissions import public

PATH = "/help"
INDEX = "index"
TREE = re.compile(r"```\{toctree\}\n:caption: (.+)\n(?::.*\n)*\n((?:.+\n)+?)```")
# What may be wider than the page scrolls in itself, with keys too.
SCROLLING = {
    "<pre>": '<pre tabindex="0">',
    "<table>": '<div class="table-card" tabindex="0"><table class="table">',
    "</table>": "</table></div>",
}

blueprint = Blueprint("help", __name__, url_prefix=PATH)


class Document(NamedTuple):
    title: str
    html: str


@blueprint.get("")
@public
async def overview() -> ResponseReturnValue:
    read = await asyncio.to_thread(documents)  # the first time takes a while
    return await render_template("help/overview.html", groups=groups(), documents=read)


@blueprint.get("/<name>")
@public
async def show(name: str) -> ResponseReturnValue:
    read = await asyncio.to_thread(documents)
    if name not in read:
        raise NotFound
    return await render_template("help/document.html", groups=groups(), documents=read, name=name)


@cache
def groups() -> Mapping[str, list[str]]:
    """The names of documents by their captions, as docs/index.md lists them."""
    text = (source_dir("docs") / f"{INDEX}.md").read_text()
    return {caption: names.split() for caption, names in TREE.findall(text)}


@cache
def documents() -> Mapping[str, Document]:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return {name: _read(markdown, name) for names in groups().values() for name in names}


def _read(markdown: MarkdownIt, name: str) -> Document:
    tokens = markdown.parse((source_dir("docs") / f"{name}.md").read_text())
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(inline.content))
    for link in (child for token in tokens for child in token.children or () if child.type == "link_open"):
        link.attrSet("href", _address(str(link.attrGet("href"))))
    title = tokens[1].content  # the first heading, which the page shows itself
    html: str = markdown.renderer.render(tokens[3:], markdown.options, {})
    for tag, replacement in SCROLLING.items():
        html = html.replace(tag, replacement)
    return Document(title, html)


def _anchor(heading: str) -> str:
    """As on GitHub and in the site that `make docs` builds."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _address(href: str) -> str:
    return re.sub(r"^([\w-]+)\.md", rf"{PATH}/\1", href)
