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
from webapp.pages.shared.navigation import begin_words

PATH = "/help"
INDEX = "index"
ABOUT_THE_CODE = "Understand"  # the caption of documents for those who change it
TREE = re.compile(r"```\{toctree\}\n:caption: (.+)\n(?::.*\n)*\n((?:.+\n)+?)```")
WORD_ENDS = re.compile(r"[^\w-]+")
# What may be wider than the page scrolls in itself, with keys too.
SCROLLING = {
    "<pre>": '<pre tabindex="0">',
    "<table>": '<div class="table-card" tabindex="0"><table class="table">',
    "</table>": "</table></div>",
}

blueprint = Blueprint("help", __name__, url_prefix=PATH)


class Section(NamedTuple):
    """A heading of a document, with the text up to the next one."""

    href: str
    heading: str
    text: str


class Document(NamedTuple):
    title: str
    html: str
    sections: list[Section]


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
    sections: list[Section] = []
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            sections.append(Section(f"{PATH}/{name}#{_anchor(token.content)}", token.content, ""))
        elif token.content:
            sections[-1] = sections[-1]._replace(text=f"{sections[-1].text} {WORD_ENDS.sub(' ', token.content)}")
    html: str = markdown.renderer.render(tokens[3:], markdown.options, {})
    for tag, replacement in SCROLLING.items():
        html = html.replace(tag, replacement)
    return Document(title, html, sections)


def find_sections(query: str, *, about_the_code: bool = False) -> list[tuple[Document, Section]]:
    """Sections whose heading contains all words of the query; if there are none, sections whose text does.

    Searches either the documents about the code or all others. Sections that mention the query most often come first.
    Call it in a thread.
    """
    of_code = groups()[ABOUT_THE_CODE]
    read = [document for name, document in documents().items() if (name in of_code) == about_the_code]
    every = [(document, section) for document in read for section in document.sections]
    called = [(document, section) for document, section in every if begin_words(section.heading, query)]
    if called:
        return called
    others = [(document, section) for document, section in every if begin_words(section.text, query)]
    phrase = query.strip().casefold()
    return sorted(others, key=lambda pair: -pair[1].text.casefold().count(phrase))


def _anchor(heading: str) -> str:
    """As on GitHub and in the site that `make docs` builds."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _address(href: str) -> str:
    return re.sub(r"^([\w-]+)\.md", rf"{PATH}/\1", href)
