"""Letters that crash compilers or make them write without end are refused at every door, and cost the others nothing."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.api.conftest import Api
from tests.factories import make_template
from tests.pages.conftest import Visitor
from tests.pages.test_starters import upload
from tests.support.hostile_letters import PIECES, REFUSED, REFUSED_HTML, mjml_of
from tests.support.loop_stalls import watched_loop
from webapp.domain.templates.blocks import CodeBlock
from webapp.domain.templates.compile import blocks_letter
from webapp.domain.templates.mjml import mjml_letter
from webapp.domain.templates.run_compiler import compile_letters
from webapp.domain.templates.style import LetterStyle
from webapp.errors import ValidationError
from webapp.models import Organization, Template

STALL_SECONDS = 0.05


@pytest.mark.parametrize("name", [*REFUSED, *REFUSED_HTML])
async def test_a_hostile_letter_is_refused_and_nobody_waits(api: Api, acme: Organization, name: str) -> None:
    source, fault = (REFUSED | REFUSED_HTML)[name]
    field = "mjml" if name in REFUSED else "blocks"
    letter = source if name in REFUSED else [{"type": "code", "html": source}]
    await api.get("/v1/templates")  # the first request makes the document that answers are held against
    async with watched_loop() as stalls:
        status, refusal = await api.post("/v1/templates", {"name": "x", field: letter})
    assert (status, refusal["details"][0]["field"].split("[")[0]) == (400, field)
    assert fault in refusal["message"]
    assert max(stalls) < STALL_SECONDS
    assert await Template.of(acme).count() == 0


def at_every_door(letters: Iterable[str], *chosen: str) -> list[Any]:
    """The chosen letters; all others in a soak, as each door leads to the same compiler, and each is a process."""
    return [pytest.param(name, marks=[] if name in chosen else pytest.mark.soak) for name in letters]


@pytest.mark.parametrize("name", at_every_door(REFUSED, "mj-class"))
async def test_hostile_mjml_is_refused_at_every_door(api: Api, owner: Visitor, acme: Organization, name: str) -> None:
    mjml, fault = REFUSED[name]
    template = await make_template(acme, body="<p>Kept</p>")
    page = await owner.get("/templates/new?kind=mjml")
    form = {"csrf_token": page.token, "kind": "mjml", "name": "x", "subject": "x", "mjml": mjml}
    await api.get("/v1/templates")  # the first request makes the document that answers are held against
    async with watched_loop() as stalls:
        status, made = await api.post("/v1/templates", {"name": "x", "mjml": mjml})
        changed = await api.patch(f"/v1/templates/{template.id}", {"kind": "mjml", "mjml": mjml})
        preview = await owner.post("/templates/preview", form=form)
        saved = await owner.post("/templates", form=form)
        opened = await upload(owner, mjml.encode(), "news.mjml")
    assert (status, made["details"][0]["field"]) == (400, "mjml")
    assert fault in made["message"]
    assert changed == (400, made)
    for shown in (preview, saved, opened):
        assert fault.split(": ")[-1].replace("<", "") in shown.text.replace("<", "")
    assert max(stalls) < STALL_SECONDS
    assert [(one.id, one.body) for one in await Template.of(acme)] == [(template.id, "<p>Kept</p>")]


@pytest.mark.parametrize("name", at_every_door(REFUSED_HTML, "a long rule for all elements"))
async def test_hostile_html_of_a_block_is_refused_at_every_door(
    api: Api, owner: Visitor, acme: Organization, name: str
) -> None:
    html, fault = REFUSED_HTML[name]
    template = await make_template(acme, body="<p>Kept</p>")
    page = await owner.get("/templates/new?kind=blocks")
    form = {"csrf_token": page.token, "kind": "blocks", "name": "x", "subject": "x"}
    form |= {"blocks[0].type": "code", "blocks[0].html": html}
    blocks = [{"type": "code", "html": html}]
    await api.get("/v1/templates")  # the first request makes the document that answers are held against
    async with watched_loop() as stalls:
        status, made = await api.post("/v1/templates", {"name": "x", "blocks": blocks})
        changed = await api.patch(f"/v1/templates/{template.id}", {"kind": "blocks", "blocks": blocks})
        preview = await owner.post("/templates/preview", form=form)
    assert (status, made["details"][0]["field"].split("[")[0]) == (400, "blocks")
    assert fault in made["message"]
    assert changed == (400, made)
    assert fault in preview.text
    assert max(stalls) < STALL_SECONDS
    assert [(one.id, one.body) for one in await Template.of(acme)] == [(template.id, "<p>Kept</p>")]


@dataclass(frozen=True)
class Document:
    """MJML or the HTML of a block, of pieces, some of them repeated."""

    pieces: list[tuple[str, int]]
    element: str
    head: str

    @property
    def text(self) -> str:
        content = "".join(piece * times for piece, times in self.pieces)[:200_000]
        return mjml_of(f"<{self.element}>{content}</{self.element}>" if self.element else content, self.head)


DOCUMENTS = st.builds(
    Document,
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from([1, 1, 1, 2, 300])), max_size=12),
    st.sampled_from(["mj-text", "mj-raw", "mj-table", "html", ""]),
    st.sampled_from(["", "<mj-style>*{a:b}</mj-style>", '<mj-style inline="inline">*{a:b}</mj-style>']),
)


@settings(max_examples=6)
@given(st.lists(DOCUMENTS, min_size=12, max_size=12))
def test_no_document_ends_the_process_or_makes_more_than_a_multiple_of_its_length(
    letters: list[Document],
) -> None:
    makes = []
    for document in letters:
        if document.element == "html":
            block = CodeBlock.model_construct(type="code", html=document.text, show_when=None)
            makes.append(lambda block=block: blocks_letter([block], LetterStyle()))
        else:
            makes.append(lambda text=document.text: mjml_letter(text))

    async def compiled() -> list[str | ValidationError]:
        async with watched_loop() as stalls:
            found = await compile_letters(uuid4(), makes)
        assert max(stalls) < STALL_SECONDS
        return found

    for document, letter in zip(letters, asyncio.run(compiled()), strict=True):
        if isinstance(letter, str):
            assert len(letter) <= 10_000 + 100 * len(document.text)
        elif document.element != "html":
            assert re.search(r"line \d+", str(letter)), str(letter)
