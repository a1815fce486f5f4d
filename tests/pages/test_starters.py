"""The gallery of starters, and files that people begin with."""

import pytest

from tests.pages.conftest import Page, Visitor
from tests.pages.test_blocks import types_of
from tests.support.pictures import multipart
from webapp.domain.inputs import read_input
from webapp.domain.templates.brand import BrandChanges, change_brand
from webapp.domain.templates.starters import STARTERS
from webapp.models import Organization, Template
from webapp.models.template import TemplateKind

GALLERY = "/templates/starters"
FIRST_VISIT = 200_000  # bytes, as they are sent, of the page, stylesheet, scripts and all previews
MJML = "<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{ first_name }}</mj-text></mj-column></mj-section></mj-body></mjml>"


async def upload(visitor: Visitor, data: bytes, name: str = "news.html", **fields: str) -> Page:
    token = (await visitor.get("/organization/brand")).token
    return await visitor.post("/templates/file", **multipart((name, data), fields={"csrf_token": token, **fields}))


async def test_the_gallery_shows_each_starter_and_stays_light(owner: Visitor, rival_owner: Visitor) -> None:
    page = await owner.get(GALLERY)
    assert [title.text for title in page.soup.select(".starter h2")] == [starter.name for starter in STARTERS]
    size = len(await page.response.get_data(as_text=False))
    for frame in page.soup.select("iframe"):
        assert (frame["loading"], frame["sandbox"], frame["scrolling"]) == ("lazy", [], "no")
        shown = await owner.get(str(frame["src"]))
        assert "[" not in shown.text
        assert shown.response.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
        size += len(await shown.response.get_data(as_text=False))
    for asset in page.soup.select("script[src], link[rel=stylesheet]"):
        path = str(asset.get("src") or asset["href"])
        sent = await owner.get(path, headers={"Accept-Encoding": "gzip"})
        size += len(await sent.response.get_data(as_text=False))
    assert size < FIRST_VISIT
    ways = [str(link["href"]) for link in page.soup.select(".page-head .actions a")]
    assert ways == ["/templates/new?kind=blocks", "/templates/new?kind=html", "/templates/new?kind=mjml", "#file"]
    assert (await rival_owner.get(GALLERY)).status == 200


async def test_a_starter_opens_in_the_editor_and_is_saved_as_it_is(owner: Visitor, acme: Organization) -> None:
    gallery = await owner.get(GALLERY)
    for number, starter in enumerate((STARTERS[0], STARTERS[-1])):
        page = await owner.get(str(gallery.soup.find("a", string=starter.name)["href"]))
        assert page.soup.select_one("#f-name")["value"] == starter.name
        assert types_of(page)[0] == starter.blocks[0]["type"]
        assert await Template.of(acme).count() == number
        page = await owner.submit(page, "/templates")
        assert page.notes == [f"“{starter.name}” saved."]
        saved = await Template.of(acme).get(name=starter.name)
        assert (saved.kind, saved.subject) == (TemplateKind.BLOCKS, starter.subject)
        assert [block["type"] for block in saved.blocks] == [block["type"] for block in starter.blocks]


async def test_a_preview_has_the_brand_of_its_organization(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    await change_brand(acme, read_input(BrandChanges, {"button": "#b45309"}, strict=True))
    path = f"{GALLERY}/rendered?starter=newsletter"
    assert "#b45309" in str((await owner.get(path)).soup)
    assert "#b45309" not in str((await rival_owner.get(path)).soup)


@pytest.mark.parametrize(
    ("name", "data", "field"),
    [("news.html", b"\xef\xbb\xbf<p>Hello {{ first_name }}</p>\r\n", "body"), ("news.html", MJML.encode(), "mjml")],
)
async def test_a_file_opens_in_the_editor(
    owner: Visitor, acme: Organization, name: str, data: bytes, field: str
) -> None:
    page = await upload(owner, data, name)
    assert page.status == 200
    assert page.soup.select_one("#f-name")["value"] == name.partition(".")[0]
    assert page.soup.select_one(f"#f-{field}").text.strip() == data.decode("utf-8-sig").strip()
    assert await Template.of(acme).count() == 0
    await owner.submit(page, "/templates")
    assert (await Template.of(acme).get()).kind == (TemplateKind.MJML if field == "mjml" else TemplateKind.HTML)


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("news.docx", b"PK", "The file must end in .html or .mjml."),
        ("news.html", b"\xff\xfe<\0p\0>", "The file must be UTF-8 text."),
        ("news.mjml", MJML.encode() + b" " * 262_144, "The file must be at most 256 KB."),
    ],
)
async def test_a_file_that_is_no_letter_is_refused(owner: Visitor, name: str, data: bytes, error: str) -> None:
    page = await upload(owner, data, name)
    assert (page.status, page.title) == (422, "Create template")
    assert page.error_at("file") == error


@pytest.mark.parametrize(
    ("name", "data", "field", "error"),
    [
        ("news.mjml", b"<mjml>\n<mj-body><mj-txt></mj-txt></mj-body></mjml>", "mjml", "at line 2: <mj-txt> is not an"),
        ("news.html", b"<p>\n{{ first_name </p>", "body", "at line 2, column 1: unclosed tag"),
    ],
)
async def test_a_faulty_letter_is_shown_with_its_fault(
    owner: Visitor, name: str, data: bytes, field: str, error: str
) -> None:
    page = await upload(owner, data, name)
    assert page.status == 422
    assert error in str(page.error_at(field))
    assert page.soup.select_one(f"#f-{field}").text.strip() == data.decode()


async def test_a_file_for_a_campaign_keeps_the_campaign(owner: Visitor) -> None:
    page = await upload(owner, b"<p>Hi</p>", campaign="0198c2a4-0000-7000-8000-000000000001")
    assert page.soup.select_one("#editor input[name=campaign]")["value"].startswith("0198c2a4")
