"""The versions of a template on their pages."""

from tests.api.templates.test_kinds import LETTER
from tests.factories import make_template, make_version
from tests.pages.conftest import Visitor
from webapp.models import Organization, Template, TemplateVersion


async def test_a_version_is_looked_at_and_restored(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme)
    place = f"/templates/{template.id}"
    assert "No versions yet" in (await owner.get(f"{place}/versions")).text
    page = await owner.submit(await owner.get(place), place, subject="Other", body="<p>Other</p>")
    (link,) = (await owner.get(f"{place}/versions")).soup.select("td a")
    page = await owner.get(link["href"])
    assert "Hello" in page.text
    assert (await owner.get(f"{link['href']}/rendered")).text == "Hello"
    page = await owner.submit(page, f"{link['href']}/restore")
    assert page.notes == ["Version restored. What the template had before is a version now."]
    assert page.path == place
    now = await Template.of(acme).get()
    assert (now.subject, now.body) == ("Hello", "<p>Hello</p>")
    assert [one.subject for one in await TemplateVersion.of(acme).order_by("id")] == ["Hello", "Other"]


async def test_a_version_of_blocks_is_shown_compiled_and_one_of_text_as_text(
    owner: Visitor, acme: Organization
) -> None:
    template = await make_template(acme)
    blocks = await make_version(template, kind="blocks", source={"blocks": LETTER}, body="")
    text = await make_version(template, kind="text", body="<b>a</b>")
    place = f"/templates/{template.id}/versions"
    assert (await owner.get(f"{place}/{blocks.id}/rendered")).soup.select_one("h1").text == "Hello Ada"
    assert "<b>a</b>" in (await owner.get(f"{place}/{text.id}/rendered")).text


async def test_a_version_that_todays_rules_refuse_says_why(owner: Visitor, acme: Organization) -> None:
    template = await make_template(acme)
    version = await make_version(template, body="{{ a")
    place = f"/templates/{template.id}/versions/{version.id}"
    assert "unclosed tag" in (await owner.get(f"{place}/rendered")).text
    page = await owner.submit(await owner.get(place), f"{place}/restore")
    assert "unclosed tag" in page.notes[0]
    assert (await Template.of(acme).get()).body == "<p>Hello</p>"
