"""Error pages keep the navigation of who is signed in."""

from uuid import uuid4

from tests.factories import make_template
from tests.pages.conftest import Page, Visitor
from webapp.models import Organization


def places(page: Page) -> list[str]:
    return [link["href"] for link in page.soup.select("nav.nav a")]


async def test_what_is_absent_is_said_inside_the_frame(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    template = await make_template(acme, name="Spring")
    usual = places(await owner.get("/templates"))
    for path in ("/nothing", f"/templates/{uuid4()}", "/templates/nothing/here"):
        page = await owner.get(path)
        assert (page.status, page.title, places(page)) == (404, "Page not found", usual), path
        assert "ada@acme.example" in page.text
    theirs = await rival_owner.get(f"/templates/{template.id}")
    assert (theirs.status, bool(places(theirs))) == (404, True)
    assert "rita@rival.example" in theirs.text
    assert "Acme" not in theirs.text
    assert "Spring" not in theirs.text


async def test_what_a_role_may_not_is_said_inside_the_frame(viewer: Visitor) -> None:
    page = await viewer.get("/audit")
    assert (page.status, page.title) == (403, "No access")
    assert places(page) == places(await viewer.get("/home"))
    assert "/audit" not in places(page)
    assert "Ask an owner to change your role in Team." in page.text
