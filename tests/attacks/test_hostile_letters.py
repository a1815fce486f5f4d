"""Letters that crash compilers or make them write without end are refused at every door, and cost the others nothing."""

import asyncio
import re
from dataclasses import dataclass
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


AT_EVERY_DOOR = {"mjml": REFUSED["mj-class"], "blocks": REFUSED_HTML["a long rule for all elements"]}


@pytest.mark.parametrize("kind", AT_EVERY_DOOR)
async def test_a_hostile_letter_is_refused_at_every_door(
    api: Api, owner: Visitor, acme: Organization, kind: str
) -> None:
    source, fault = AT_EVERY_DOOR[kind]
    letter = source if kind == "mjml" else [{"type": "code", "html": source}]
    template = await make_template(acme, body="<p>Kept</p>")
    page = await owner.get(f"/templates/new?kind={kind}")
    form = {"csrf_token": page.token, "kind": kind, "name": "x", "subject": "x"}
    form |= {"mjml": source} if kind == "mjml" else {"blocks[0].type": "code", "blocks[0].html": source}
    await api.get("/v1/templates")  # the first request makes the document that answers are held against
    async with watched_loop() as stalls:
        status, refusal = await api.post("/v1/templates", {"name": "x", kind: letter})
        changed = await api.patch(f"/v1/templates/{template.id}", {"kind": kind, kind: letter})
        pages = [await owner.post(path, form=form) for path in ("/templates/preview", "/templates")]
        if kind == "mjml":
            pages.append(await upload(owner, source.encode(), "news.mjml"))
    assert (status, refusal["details"][0]["field"].split("[")[0]) == (400, kind)
    assert fault in refusal["message"]
    assert changed == (400, refusal)
    for shown in pages:
        assert fault.split(": ")[-1].replace("<", "") in shown.text.replace("<", "")
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
def test_no_document_ends_the_process_or_makes_more_than_a_multiple_of_its_length(letters: list[Document]) -> None:
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
