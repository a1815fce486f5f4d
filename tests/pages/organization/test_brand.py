"""The page of the brand."""

from tests.api.templates.test_kinds import LETTER
from tests.pages.conftest import Visitor
from webapp.domain.inputs import read_input
from webapp.domain.templates.inputs import NewTemplate
from webapp.domain.templates.templates import add_template
from webapp.models import Brand, Organization, Template

PAGE = "/organization/brand"


async def test_a_brand_is_set_on_its_page_and_shown_there(owner: Visitor, acme: Organization) -> None:
    await add_template(acme, read_input(NewTemplate, {"name": "x", "blocks": LETTER}, strict=True))
    page = await owner.submit(
        await owner.get(PAGE), PAGE, accent="#b45309", font="georgia", address="Acme\r\n1 Main St"
    )
    assert page.notes == ["Brand saved. Templates made of blocks use it now, or within a minute if there are many."]
    saved = await Brand.of(acme).get()
    assert (saved.accent, saved.font, saved.address, saved.text) == ("#b45309", "georgia", "Acme\n1 Main St", "#1f2328")
    assert "#b45309" in (await Template.of(acme).get()).body
    sample = await owner.get(f"{PAGE}/sample")
    assert "#b45309" in str(sample.soup)
    assert "1 Main St" in sample.text
    assert "{" not in sample.soup.body.text
    await owner.submit(await owner.get(PAGE), PAGE, address="")
    assert (await Brand.of(acme).get()).address is None
