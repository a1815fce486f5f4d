"""Every starter is a letter that may be sent as it is: whole, readable, and small."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from uuid import uuid4

import hypothesis
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis.strategies import SearchStrategy, integers

from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.rendering import missing_variables, render_tags
from webapp.domain.templates.blocks import load_blocks
from webapp.domain.templates.compile import blocks_letter
from webapp.domain.templates.run_compiler import compile_letter, compile_letters
from webapp.domain.templates.starters import STARTERS, Starter
from webapp.domain.templates.style import READABLE, VISIBLE, LetterStyle, contrast
from webapp.sending.mime.html_text import text_of

BYTES = 60_000
LINKS = {"unsubscribe_url": "https://post.example/unsubscribe/x", "browser_url": "https://post.example/view/x"}
LIGHT = LetterStyle(address="12 Canal Street", logo_url="https://example.com/logo.png", sender="Acme")
TRANSACTIONAL = {"receipt", "password-reset"}
every_starter = pytest.mark.parametrize("starter", STARTERS, ids=lambda starter: starter.key)


@cache
def compiled_in(style: LetterStyle) -> dict[str, str]:
    """The HTML of all starters by their keys, which one process compiles."""
    makes = [partial(blocks_letter, load_blocks(starter.blocks), style) for starter in STARTERS]
    with ThreadPoolExecutor(1) as thread:  # tests in a browser have a loop in their own
        letters = thread.submit(asyncio.run, compile_letters(uuid4(), makes)).result()
    return {starter.key: str(letter) for starter, letter in zip(STARTERS, letters, strict=True)}


def compiled(starter: Starter, style: LetterStyle = LIGHT) -> str:
    return compiled_in(style)[starter.key]


def filled(starter: Starter, style: LetterStyle = LIGHT, **values: object) -> str:
    return render_tags(compiled(starter, style), values, ContentKind.HTML)


@every_starter
def test_it_compiles_and_every_tag_has_a_default(starter: Starter) -> None:
    html = compiled(starter)
    assert len(html.encode()) < BYTES
    assert missing_variables([starter.subject, html], {}) == []
    for shown in (text_of(filled(starter)), render_tags(starter.subject, {}, ContentKind.SUBJECT)):
        assert not re.search(r"\{\{|\{%|\[\w+\]|lorem|undefined|None", shown)


@every_starter
def test_it_begins_with_words(starter: Starter) -> None:
    assert starter.blocks[0].get("text")


@every_starter
def test_its_links_lead_somewhere_and_its_pictures_have_words(starter: Starter) -> None:
    soup = BeautifulSoup(filled(starter, **LINKS), "lxml")
    links = [str(link["href"]) for link in soup.select("a")]
    assert all(link.startswith("https://") for link in links)
    assert (LINKS["unsubscribe_url"] in links) is (starter.key not in TRANSACTIONAL)
    assert all(link.text.strip() for link in soup.select("a"))
    assert [image["alt"] for image in soup.select("img")] == ["Acme"]
    assert soup.select_one("html")["lang"]
    alone = BeautifulSoup(filled(starter), "lxml")  # as programs send it
    assert not [link for link in alone.select("a") if not str(link["href"]).startswith("https://")]


def dark_rules(html: str) -> dict[str, str]:
    """The colours that the letter has in dark mode, by where they are."""
    rules = html.partition("@media (prefers-color-scheme: dark) {")[2].partition("</style>")[0]
    found = re.findall(r"\.letter-?(\w*)[^{}]*?( a)? \{ ([^{}]*) \}", rules)
    return {
        f"{place}{' a' if link and place == 'words' else ''} {name}".strip(): color
        for place, link, body in found
        for name, color in re.findall(r"([\w-]+): (#[0-9a-f]{6}) !important", body)
    }


def any_color() -> SearchStrategy[str]:
    return integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@hypothesis.settings(max_examples=15)
@given(background=any_color(), text=any_color(), accent=any_color(), button=any_color())
def test_dark_mode_makes_every_brand_readable_on_a_dark_ground(
    background: str, text: str, accent: str, button: str
) -> None:
    html = compiled(STARTERS[1], LIGHT._replace(background=background, text=text, accent=accent, button=button))
    rules = dark_rules(html)
    if contrast("#ffffff", background) > contrast("#000000", background):
        assert rules == {}  # it is dark by itself
        assert '<meta name="color-scheme" content="light only"' in html
        return
    assert '<meta name="color-scheme" content="light dark"' in html
    ground = rules["background-color"]
    assert contrast("#ffffff", ground) > 10
    for words in ("color", "words color", "words a color", "quiet color"):
        assert contrast(rules[words], ground) >= READABLE, words
    assert contrast(rules["button background"], ground) >= VISIBLE
    assert contrast(rules["button color"], rules["button background"]) >= READABLE


def test_html_with_colours_of_its_own_keeps_the_ground_they_were_chosen_for() -> None:
    plain, colored = ({"type": "code", "html": f"<p{style}>Words</p>"} for style in ("", ' style="color:#222222"'))
    for block, ground in ((plain, "letter-words"), (colored, "letter-own")):
        html = asyncio.run(compile_letter(uuid4(), partial(blocks_letter, load_blocks([block]), LIGHT)))
        words = BeautifulSoup(html, "lxml").find("p", string="Words")
        assert words.find_parent("td")["class"] == [ground]
        assert dark_rules(html)["own background-color"] == LIGHT.background
