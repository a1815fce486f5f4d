"""The block editor's buttons and faults, as a browser without scripts sends them."""

from typing import Any

import pytest

from tests.api.templates.test_kinds import LETTER, MJML
from tests.factories import make_template
from tests.pages.conftest import Page, Visitor, content_of
from tests.support.pictures import picture
from webapp.domain.inputs import read_input
from webapp.domain.media.media import add_media
from webapp.domain.templates.brand import BrandChanges, change_brand
from webapp.domain.templates.inputs import NewTemplate
from webapp.domain.templates.templates import add_template
from webapp.models import Brand, Organization, Template

EDITOR = "/templates"
NEW = "/templates/new?kind=blocks"
REFUSED = "Must be an address like https://example.com/news."


def types_of(page: Page) -> list[str]:
    """The types of the blocks, in their order."""
    return [str(field["value"]) for field in page.soup.select('input[name$=".type"]')]


async def press(visitor: Visitor, page: Page, do: str, **fields: str) -> Page:
    """Press a button of the editor on `page`."""
    form = content_of(page.soup.select_one("#editor")) | fields | {"do": do}
    return await visitor.post("/templates/blocks", form=form)


async def test_every_button_changes_the_blocks_and_saves_nothing(owner: Visitor, acme: Organization) -> None:
    page = await owner.get(NEW)
    assert types_of(page) == ["heading", "text", "button", "footer"]
    page = await press(owner, page, "up blocks[1]", name="Mine")
    assert types_of(page) == ["text", "heading", "button", "footer"]
    assert page.soup.select_one("#f-name")["value"] == "Mine"
    page = await press(owner, page, "down blocks[2]")
    page = await press(owner, page, "copy blocks[0]")
    assert types_of(page) == ["text", "text", "heading", "footer", "button"]
    page = await press(owner, page, "delete blocks[0]")
    page = await press(owner, page, "add columns3 blocks")
    assert types_of(page) == ["text", "heading", "footer", "button", "columns", "text", "text", "text"]
    page = await press(owner, page, "add image blocks[4].columns[1]")
    page = await press(owner, page, "move 0 blocks[4].columns[1][1]")
    assert types_of(page) == ["text", "heading", "footer", "button", "columns", "text", "image", "text", "text"]
    page = await press(owner, page, "move 0 blocks[4]")
    assert types_of(page) == ["columns", "text", "image", "text", "text", "text", "heading", "footer", "button"]
    page = await press(owner, page, "move 4 blocks[1]")
    assert types_of(page)[-4:] == ["heading", "footer", "button", "text"]
    assert await Template.of(acme).count() == 0


async def test_a_block_is_added_above_the_footer_that_ends_its_list(owner: Visitor) -> None:
    page = await press(owner, await owner.get(NEW), "add text blocks")
    assert types_of(page) == ["heading", "text", "button", "text", "footer"]
    assert page.soup.select_one("[autofocus]")["name"] == "blocks[3].text"
    page = await press(owner, page, "add footer blocks")
    assert types_of(page)[-2:] == ["footer", "footer"]
    page = await press(owner, page, "add text blocks[5]")
    assert types_of(page)[-3:] == ["footer", "footer", "text"]
    page = await press(owner, page, "add divider blocks")
    assert types_of(page)[-2:] == ["text", "divider"]
    page = await press(owner, page, "add columns blocks")
    page = await press(owner, page, "add footer blocks[8].columns[0]")
    page = await press(owner, page, "add image blocks[8].columns[0]")
    assert types_of(page)[-5:] == ["columns", "text", "image", "footer", "text"]


async def test_blocks_are_added_below_another_one_after_the_other(owner: Visitor) -> None:
    page = await press(owner, await owner.get(NEW), "below blocks[1]")
    assert types_of(page) == ["heading", "text", "button", "footer"]
    below = page.soup.find(attrs={"aria-label": "Add a block below Text 2"})
    assert below.find_previous_sibling("fieldset").legend.text == "Text 2"
    page = await press(owner, page, "add columns blocks[1]")
    assert types_of(page) == ["heading", "text", "columns", "text", "text", "button", "footer"]
    page = await press(owner, page, "below blocks[2].columns[0][0]")
    below = page.soup.find(attrs={"aria-label": "Add a block below Text 1 in column 1"})
    assert "2 columns below" not in below.text
    page = await press(owner, page, "add divider blocks[2].columns[0][0]")
    assert types_of(page) == ["heading", "text", "columns", "text", "divider", "text", "button", "footer"]


async def test_an_image_is_chosen_from_ones_own_library(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    for org, name in ((acme, "Tulips.png"), (rival, "Theirs.png")):
        await add_media(org, name, picture())
    for visitor, name in ((owner, "Tulips.png"), (rival_owner, "Theirs.png")):
        page = await press(visitor, await visitor.get(NEW), "add image blocks")
        page = await press(visitor, page, "images blocks[3]")
        alone = await visitor.get("/media/choices?field=blocks[3].url")
        (radio,) = page.soup.select(".image-choices [type=radio]")
        assert [radio] == alone.soup.select("[type=radio]")
        assert radio.find_next("img")["alt"] == name
        url = str(radio["value"])
        form = content_of(page.soup.select_one("#editor")) | {"blocks[3].image": url, "name": "Mine"}
        assert (await visitor.post(EDITOR, form=form)).soup.find(attrs={"name": "blocks[3].url"})["value"] == url
        brand = await visitor.get("/organization/brand")
        form = content_of(brand.soup.select_one("#brand")) | {"logo_image": url}
        assert (await visitor.post("/organization/brand", form=form)).soup.select_one("#f-logo_url")["value"] == url


async def test_the_example_shows_a_brand_before_it_is_saved(owner: Visitor, acme: Organization) -> None:
    form = content_of((await owner.get("/organization/brand")).soup.select_one("#brand"))
    sample = await owner.post("/organization/brand/sample", form=form | {"button": "#0f766e", "address": "1 Elm Road"})
    assert "#0f766e" in str(sample.soup)
    assert "1 Elm Road" in sample.text
    sample = await owner.post("/organization/brand/sample", form=form | {"text": "#eeeeee"})
    assert "hard to read" in sample.text
    assert await Brand.of(acme).count() == 0


async def test_the_footer_of_a_starter_is_plain_words(owner: Visitor, acme: Organization) -> None:
    page = await owner.get("/templates/new?starter=newsletter")
    form = content_of(page.soup.select_one("#editor"))
    (text,) = [value for name, value in form.items() if name.endswith("].browser")]
    assert text == "View this email in your browser"
    assert "{%" not in str(form.values())
    mail = await owner.post("/templates/preview/mail", form=form)
    assert "/view/" in mail.soup.find("a", string=text)["href"]
    await owner.post(EDITOR, form=form)
    template = await Template.of(acme).get()
    assert '{% if browser_url %}<p style="margin:0 0 8px"><a href="{{ browser_url }}"' in template.body


async def test_a_button_that_fits_nothing_changes_nothing(owner: Visitor) -> None:
    form = await owner.get(NEW)
    for do in (
        "", "up blocks[0]", "up blocks[99]", "delete blocks[-1]", "copy blocks[x]", "add marquee blocks",
        "add columns blocks[0].columns[0]", "move -1 blocks[1]", "move 9999 blocks[1]", "below blocks[9]",
    ):  # fmt: skip
        page = await press(owner, form, do)
        assert (page.status, types_of(page)) == (200, ["heading", "text", "button", "footer"]), do


@pytest.mark.parametrize("path", ["blocks[0]", "blocks[1]", "blocks[2]", "blocks[1].columns[0][1]"])
async def test_a_deleted_block_is_restored_as_it_was(owner: Visitor, acme: Organization, path: str) -> None:
    blocks = [
        {"type": "social", "links": [{"name": "Our blog", "url": "https://example.com"}]},
        {"type": "columns", "columns": [[{"type": "divider"}, {"type": "text", "text": 'A "b"\n{{ c }} <d>'}], []]},
        {"type": "heading", "text": "Last", "level": 2, "align": "right"},
    ]
    letter = await add_template(acme, read_input(NewTemplate, {"name": "Letter", "blocks": blocks}, strict=True))
    before = await owner.get(f"/templates/{letter.id}")
    page = await press(owner, before, f"delete {path}")
    page = await press(owner, page, str(page.soup.select_one(".undo button")["value"]))
    shown, saved = (content_of(visit.soup.select_one("#editor")) for visit in (page, before))
    assert shown == saved | {"form_id": shown["form_id"]}
    assert page.soup.select_one(".undo") is None


@pytest.mark.parametrize(
    ("do", "deleted"),
    [("restore 0 blocks", "{"), ("restore 0 blocks", '{"blocks[0].type": [1]}'), ("restore x blocks", "{}"),
     ("restore 0 blocks[9].columns[0]", "{}")],
)  # fmt: skip
async def test_a_forged_deletion_changes_nothing(owner: Visitor, do: str, deleted: str) -> None:
    page = await press(owner, await owner.get(NEW), do, deleted=deleted)
    assert (page.status, types_of(page)) == (200, ["heading", "text", "button", "footer"])


async def test_no_more_blocks_are_added_than_a_letter_may_have(owner: Visitor) -> None:
    page = await owner.get(NEW)
    many: dict[str, Any] = {f"blocks[{number}].type": "divider" for number in range(200)}
    page = await press(owner, page, "add text blocks", **many)
    assert len(types_of(page)) == 200


async def test_a_saved_letter_is_shown_as_it_was_written_and_saved_the_same(owner: Visitor, acme: Organization) -> None:
    letter = await add_template(acme, read_input(NewTemplate, {"name": "Letter", "blocks": LETTER}, strict=True))
    page = await owner.get(f"/templates/{letter.id}")
    assert len(types_of(page)) == 12
    page = await owner.submit(page, f"/templates/{letter.id}", subject="Changed")
    assert page.notes == ["“Letter” saved."]
    saved = await Template.of(acme).get()
    assert (saved.subject, saved.blocks, saved.body) == ("Changed", letter.blocks, letter.body)


async def test_faults_are_at_their_fields_and_nothing_typed_is_lost(owner: Visitor, acme: Organization) -> None:
    page = await owner.get(NEW)
    fields = {"name": "x", "blocks[2].url": "nowhere", "blocks[1].text": "", "blocks[0].text": "{{ a"}
    page = await owner.submit(page, EDITOR, **fields)
    assert page.status == 422
    assert page.error_at("blocks[2].url") == "Must be an address like https://example.com/news."
    assert page.error_at("blocks[1].text") == "This field is required."
    assert page.soup.find(id="f-blocks[2].url")["value"] == "nowhere"
    page = await owner.submit(page, EDITOR, **fields | {"blocks[2].url": "https://a.example", "blocks[1].text": "b"})
    assert page.error_at("blocks[0].text") == "Has an error at line 1, column 1: unclosed tag; add }}."
    assert await Template.of(acme).count() == 0


async def test_the_preview_says_which_block_has_a_fault_and_leaves_out_empty_ones(owner: Visitor) -> None:
    page = await press(owner, await owner.get(NEW), "add image blocks")
    form = {"csrf_token": page.token, "kind": "blocks", "blocks[0].type": "image", "blocks[1].type": "button"}
    form |= {"blocks[1].text": "Go", "blocks[1].url": "nowhere", "blocks[2].type": "text", "blocks[2].text": "Hello"}
    live = await owner.post("/templates/preview", form=form)
    assert "Button 2: Must be an address like https://example.com/news." in live.text
    inner = {"blocks[3].type": "columns", "blocks[3].columns[1][0].type": "image"}
    inner |= {"blocks[3].columns[1][0].url": "nowhere", "blocks[1].url": "https://a.example"}
    live = await owner.post("/templates/preview", form=form | inner)
    assert "Image 1 in column 2: Must be an address like" in live.text
    framed = await owner.post("/templates/preview/mail", form=form | {"blocks[1].url": "https://a.example"})
    assert framed.soup.body.get_text(" ").split() == ["Go", "Hello"]


async def test_templates_of_mjml_and_text_have_editors_of_their_own(owner: Visitor, acme: Organization) -> None:
    page = await owner.get("/templates/new?kind=mjml")
    bad = await owner.submit(page, EDITOR, name="x", mjml="<mjml>")
    assert "line 1" in (bad.error_at("mjml") or "")
    await owner.submit(page, EDITOR, name="x", mjml=MJML)
    made = await Template.of(acme).get()
    assert (made.kind, made.mjml) == ("mjml", MJML)
    page = await owner.get(f"/templates/{made.id}")
    assert page.soup.select_one("#f-mjml").text.strip() == MJML
    page = await owner.submit(await owner.get("/templates/new?kind=text"), EDITOR, name="y", body="<b>a</b>")
    assert "<b>a</b>" in (await owner.get(f"{page.path.partition('?')[0]}/rendered")).text


async def test_a_stranger_gets_no_letter_of_ours(rival_owner: Visitor, acme: Organization) -> None:
    ours = await make_template(acme)
    page = await press(rival_owner, await rival_owner.get(NEW), "", template_id=str(ours.id))
    assert page.status == 404


async def test_blocks_have_marks_in_the_editors_preview_alone(owner: Visitor, acme: Organization) -> None:
    await change_brand(acme, read_input(BrandChanges, {"logo_url": "https://acme.example/logo.png"}, strict=True))
    template = await add_template(acme, read_input(NewTemplate, {"name": "Letter", "blocks": LETTER}, strict=True))
    assert "logo.png" in template.body
    assert "block-at-" not in template.body
    assert "brand-logo" not in template.body
    for path, is_marked in (("rendered", True), ("thumbnail", False)):
        answer = await owner.get(f"/templates/{template.id}/{path}")
        policy = answer.response.headers["Content-Security-Policy"]
        assert ("block-at-0" in str(answer.soup)) == is_marked
        assert ("brand-logo" in str(answer.soup)) == is_marked
        assert policy.startswith(f"sandbox{' allow-same-origin' * is_marked}; default-src 'none';")
        assert "script" not in policy
    page = await owner.get(f"/templates/{template.id}")
    assert page.soup.select_one("iframe[name=preview]")["sandbox"] == ["allow-same-origin"]
    html = await owner.get("/templates/new?kind=html")
    assert html.soup.select_one("iframe[name=preview]")["sandbox"] == []


@pytest.mark.parametrize(
    ("typed", "saved"),
    [
        ("example.com", "https://example.com"),
        (" shop.example.com:8443/a?b=c#d ", "https://shop.example.com:8443/a?b=c#d"),
        ("müller.de/{{ first_name | downcase }}", "https://müller.de/{{ first_name | downcase }}"),
        ("http://example.com", "http://example.com"),
        ("mailto:ada@example.com", "mailto:ada@example.com"),
        ("{{ unsubscribe_url }}", "{{ unsubscribe_url }}"),
        ("example", None),
        ("ada@example.com", None),
        ("javascript:alert(1)", None),
        ("java.script:alert(1)", None),
    ],
)
async def test_links_without_https_are_completed(
    owner: Visitor, acme: Organization, typed: str, saved: str | None
) -> None:
    page = await press(owner, await owner.get(NEW), "add image blocks")
    page = await press(owner, page, "add social blocks", **{"blocks[3].url": "https://example.com/tulip.png"})
    assert types_of(page) == ["heading", "text", "button", "image", "social", "footer"]
    form = content_of(page.soup.select_one("#editor")) | {"name": "Mine", "subject": "Hello"}
    links = {"blocks[2].url": typed, "blocks[3].link": typed, "blocks[4].links": f"Our shop {typed}"}
    if saved is None or " " in saved:  # the last word of a line of social links is the address
        links["blocks[4].links"] = "Our shop example.com"
    page = await owner.post(EDITOR, form=form | links)
    if saved is None:
        assert [page.error_at(name) for name in ("blocks[2].url", "blocks[3].link")] == [REFUSED] * 2
        assert await Template.of(acme).count() == 0
        return
    blocks = (await Template.of(acme).get()).as_input["blocks"]
    social = "https://example.com" if " " in saved else saved
    assert [blocks[2]["url"], blocks[3]["link"], blocks[4]["links"][0]["url"]] == [saved, saved, social]
