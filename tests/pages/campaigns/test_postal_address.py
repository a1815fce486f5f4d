"""The review of a campaign asks for the sender's postal address."""

from tests.factories import make_campaign, make_contact, make_segment, make_template
from tests.pages.campaigns.test_wizard import findings
from tests.pages.conftest import Visitor
from tests.pages.test_blocks import EDITOR, content_of
from webapp.models import Account, Brand, Organization, Template

WARNING = "No postal address. Many countries require yours in marketing emails."


async def make_review(org: Organization, template: Template) -> str:
    segment = await make_segment(org, await make_contact(org))
    return f"/campaigns/{(await make_campaign(org, segment=segment, template=template)).id}/review"


async def save_brand(visitor: Visitor, address: str) -> None:
    await visitor.submit(await visitor.get("/organization/brand"), "/organization/brand", address=address)


async def test_the_footer_shows_the_address_of_the_brand(
    owner: Visitor, rival_owner: Visitor, acme: Organization, account: Account
) -> None:
    form = content_of((await owner.get("/templates/new?starter=newsletter")).soup.select_one("#editor"))
    await owner.post(EDITOR, form=form)
    review = await make_review(acme, await Template.of(acme).get())
    await save_brand(rival_owner, "9 Other Street")
    page = await owner.get(review)
    assert f"{WARNING} Add it in Brand" in findings(page)
    assert page.soup.select_one('.findings a[href="/organization/brand#f-address"]')
    await save_brand(owner, "Acme Ltd.\n1 Elm Road")
    assert WARNING not in findings(await owner.get(review))


async def test_an_address_in_ones_own_html_is_found(owner: Visitor, acme: Organization, account: Account) -> None:
    template = await make_template(acme, body="<p>Hello</p>")
    review = await make_review(acme, template)
    await save_brand(owner, "Acme Ltd.\n1 Elm Road")
    assert f"{WARNING} Edit the template" in findings(await owner.get(review))
    await Template.of(acme).update(body="<p>Hello</p><p>Acme Ltd., 1 Elm Road</p>")
    assert WARNING not in findings(await owner.get(review))


async def test_a_footer_may_have_an_address_of_its_own(owner: Visitor, acme: Organization, account: Account) -> None:
    form = content_of((await owner.get("/templates/new?starter=newsletter")).soup.select_one("#editor"))
    (name,) = [name for name in form if name.endswith("].address")]
    await owner.post(EDITOR, form=form | {name: "2 Oak Road"})
    review = await make_review(acme, await Template.of(acme).get())
    assert await Brand.of(acme).count() == 0
    assert WARNING not in findings(await owner.get(review))
