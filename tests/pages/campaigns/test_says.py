"""A campaign's own subject, sender and link parameters on its form, in its review and on its page."""

import pytest

from tests.factories import make_campaign, make_contact, make_segment, make_template
from tests.pages.conftest import Page, Visitor
from webapp.models import Account, Campaign, Organization, Segment

HTML = '<p>Hello, <a href="https://x.example">x</a> <a href="{{ unsubscribe_url }}">leave</a></p>'
TYPED = {
    "subject": "Own & {{ first_name }}",
    "preview_text": "Soon, {{ first_name }}",
    "from_name": "Acme Böoks",
    "from_email": "news@acme.example",
    "reply_to": "answers@other.example",
    "utm_source": "news",
    "utm_medium": "",
    "utm_campaign": "spring",
}


@pytest.fixture
async def segment(acme: Organization) -> Segment:
    return await make_segment(acme, *[await make_contact(acme, first_name="Ann") for _ in range(3)])


@pytest.fixture
async def campaign(acme: Organization, account: Account, segment: Segment) -> Campaign:
    template = await make_template(acme, subject="Template's", body=HTML)
    return await make_campaign(acme, segment=segment, template=template)


def is_open(page: Page) -> bool:
    return page.soup.select_one("details:has(#f-tracking)").has_attr("open")


async def test_it_is_typed_reviewed_and_cleared(owner: Visitor, campaign: Campaign, account: Account) -> None:
    place = f"/campaigns/{campaign.id}/content"
    page = await owner.get(place)
    shown = page.soup.select("#f-subject, #f-preview_text, #f-from_name, #f-reply_to")
    assert [bool(field.find_parent("details")) for field in shown] == [False] * 4
    page = await owner.submit(page, place, template_id=str(campaign.template_id), **TYPED)
    assert page.path == f"/campaigns/{campaign.id}/review"
    await campaign.refresh_from_db()
    assert campaign.utm == {"source": "news", "medium": None, "campaign": "spring"}
    facts = page.facts
    assert facts["Subject"] == "Own & Ann Soon, Ann Change the subject"
    assert facts["Template"] == "Welcome Change the template"
    assert facts["From"].startswith(f"Acme Böoks <news@acme.example> Sent by {account.name}")
    assert facts["Reply to"].startswith("answers@other.example")
    assert facts["Links"].startswith("utm_source=news utm_campaign=spring")
    frame = await owner.get(page.soup.select_one("iframe")["src"])
    assert b"https://x.example?utm_source=news" in frame.data
    facts = (await owner.get(f"/campaigns/{campaign.id}")).facts
    assert facts["From"] == "Acme Böoks <news@acme.example> replies to answers@other.example"
    assert facts["Subject"] == TYPED["subject"]
    assert facts["Template"] == "Welcome"
    page = await owner.get(place)
    assert is_open(page)
    for name, value in TYPED.items():
        assert page.soup.select_one(f"#f-{name}")["value"] == value
    cleared = dict.fromkeys(TYPED, "")
    await owner.submit(page, place, template_id=str(campaign.template_id), **cleared)
    await campaign.refresh_from_db()
    assert (campaign.subject, campaign.from_email, campaign.utm) == (None, None, None)
    assert "Reply to" not in (await owner.get(f"/campaigns/{campaign.id}/review")).facts


async def test_what_is_wrong_is_said_at_its_field_and_nothing_is_lost(owner: Visitor, campaign: Campaign) -> None:
    place = f"/campaigns/{campaign.id}/content"
    wrong = {"subject": "Hi {{ first_name", "from_email": "nobody", "utm_source": "x" * 201}
    page = await owner.submit(await owner.get(place), place, template_id=str(campaign.template_id), **TYPED | wrong)
    assert page.status == 422
    assert is_open(page)
    assert (page.error_at("subject") or "").startswith("The subject has an error at line 1")
    assert page.error_at("from_email") == "Enter a valid email address, like ada@example.org."
    assert page.error_at("utm_source") == "Enter at most 200 characters."
    for name, value in (TYPED | wrong).items():
        assert page.soup.select_one(f"#f-{name}")["value"] == value
    await campaign.refresh_from_db()
    assert campaign.subject is None


async def test_segments_are_left_out(owner: Visitor, acme: Organization, campaign: Campaign, segment: Segment) -> None:
    members = await segment.memberships().order_by("id").limit(2).prefetch_related("contact")
    customers = await make_segment(acme, *[one.contact for one in members], name="Customers")
    place = f"/campaigns/{campaign.id}/audience"
    page = await owner.get(place)
    page = await owner.submit(page, place, exclude_segment_ids=str(customers.id))
    await campaign.refresh_from_db()
    assert campaign.exclude_segment_ids == [str(customers.id)]
    page = await owner.get(f"/campaigns/{campaign.id}/review")
    assert "Readers: 1 contact Leaves out 2 members of Customers. Change" in page.facts["To"]
    page = await owner.get(place)
    assert page.soup.select_one(f"#x-{customers.id}").has_attr("checked")
    await owner.submit(page, place)
    await campaign.refresh_from_db()
    assert campaign.exclude_segment_ids == []
