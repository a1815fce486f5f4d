"""Opens and clicks on pages: the settings, a campaign's choice, and a contact's."""

import pytest

from tests.factories import make_campaign, make_contact, make_segment, make_template
from tests.pages.conftest import Page, Visitor
from webapp.models import Account, AuditEntry, Campaign, Organization

HTML = '<p><a href="https://x.example">x</a> <a href="{{ unsubscribe_url }}">leave</a></p>'


@pytest.fixture
async def campaign(acme: Organization, account: Account) -> Campaign:
    segment = await make_segment(acme, await make_contact(acme, first_name="Ann"))
    return await make_campaign(acme, segment=segment, template=await make_template(acme, subject="Hi", body=HTML))


async def test_an_organization_switches_it_on_and_off(owner: Visitor, acme: Organization) -> None:
    page = await owner.get("/organization")
    assert not page.soup.select("#f-track_opens[checked], #f-track_clicks[checked]")
    fields = {"name": acme.name, "timezone": acme.timezone}
    await owner.submit(page, "/organization", **fields, track_clicks="1")
    await acme.refresh_from_db()
    assert (acme.track_opens, acme.track_clicks) == (False, True)
    entry = await AuditEntry.of(acme).order_by("-id").first()
    assert entry.details == {"track_clicks": [False, True]}


async def test_a_campaign_chooses_for_itself(owner: Visitor, acme: Organization, campaign: Campaign) -> None:
    place = f"/campaigns/{campaign.id}/content"
    page = await owner.get(place)
    assert page.soup.select_one("#f-tracking option").get_text() == "Default (off)"
    template_id = str(campaign.template_id)
    for chosen, kept, words in (
        ("opens_clicks", {"opens": True, "clicks": True}, "Opens and clicks"),
        ("clicks", {"opens": False, "clicks": True}, "Clicks"),
        ("off", {"opens": False, "clicks": False}, "Off"),
        ("", None, "Off"),
        ("nonsense", None, "Off"),
    ):
        review = await owner.submit(page, place, template_id=template_id, tracking=chosen)
        await campaign.refresh_from_db()
        assert campaign.tracking == kept
        assert counted(review) == words
        assert ("Turn on tracking" in review.text) == (words == "Off")
        link = review.soup.find(
            lambda tag: tag.name == "a" and tag.get_text() in ("Turn on tracking", "Change tracking")
        )
        selected = (await owner.get(link["href"].partition("#")[0])).soup.select_one("#f-tracking option[selected]")
        assert selected["value"] == ("opens_clicks" if words == "Off" else chosen)
        page = await owner.get(place)
        selected = page.soup.select_one("#f-tracking option[selected]")
        assert (selected and selected["value"]) == (chosen if kept is not None else (selected and ""))
    await Organization.filter(id=acme.id).update(track_opens=True)
    assert counted(await owner.get(f"/campaigns/{campaign.id}/review")) == "Opens"


def counted(page: Page) -> str:
    names = {name.get_text(): name for name in page.soup.select(".facts dt")}
    return names["Tracking"].find_next("dd").find("div").get_text()
