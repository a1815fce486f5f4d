"""The documents, as public pages."""

import re

import pytest
from quart import Quart

from tests.pages.conftest import Visitor
from tests.structure import ROOT


@pytest.mark.parametrize("reader_is", ["a member", "a stranger"])
async def test_every_document_is_a_page_whose_links_lead_to_pages(app: Quart, owner: Visitor, reader_is: str) -> None:
    reader = owner if reader_is == "a member" else Visitor(app)
    overview = await reader.get("/help")
    links = set(re.findall(r'href="(/help/[\w-]+)"', overview.data.decode()))
    assert {link.rpartition("/")[2] for link in links} == {path.stem for path in (ROOT / "docs").glob("*.md")} - {
        "index"
    }
    for link in links:
        page = await reader.get(link)
        assert page.status == 200
        targets = set(re.findall(r'href="(/help[^"#]*)', page.data.decode()))
        assert targets <= links | {"/help"}
    assert (await reader.get("/help/nothing")).status == 404
    assert (await reader.get("/help/index")).status == 404
