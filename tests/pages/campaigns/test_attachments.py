"""Attachments on a campaign's form, in its review, on its page and beside its emails."""

import pytest

from tests.factories import make_campaign, make_contact, make_media, make_segment, make_template
from tests.pages.conftest import Visitor
from tests.support.pictures import pdf
from webapp.domain.campaigns.inputs import NewSend
from webapp.domain.campaigns.runs import count_send
from webapp.domain.campaigns.send import send_campaign
from webapp.domain.media.media import add_media
from webapp.models import Account, Campaign, MailLog, Media, Organization


@pytest.fixture
async def campaign(acme: Organization, account: Account) -> Campaign:
    segment = await make_segment(acme, await make_contact(acme))
    template = await make_template(acme, subject="News", body="<p>Hello {{ unsubscribe_url }}</p>")
    return await make_campaign(acme, segment=segment, template=template, title="May")


@pytest.fixture
async def terms(acme: Organization) -> Media:
    media, _ = await add_media(acme, "terms.pdf", pdf(2_000), takes_pdf=True)
    return media


async def test_pdfs_are_chosen_reviewed_and_removed(
    owner: Visitor, viewer: Visitor, campaign: Campaign, terms: Media, acme: Organization, rival: Organization
) -> None:
    await make_media(acme, name="logo.png")
    await make_media(rival, name="theirs.pdf", type="application/pdf", width=0, height=0)
    place = f"/campaigns/{campaign.id}/content"
    page = await owner.get(place)
    assert [one.get_text() for one in page.soup.select("#attachments .pick b")] == ["terms.pdf"]
    page = await owner.send_form(place, template_id=campaign.template_id, media_ids=[terms.id])
    assert page.path == f"/campaigns/{campaign.id}/review"
    assert page.facts["Attached"].startswith("terms.pdf 2 kB")
    assert "The attachments add 0.1 MB to each email, 0.1 MB in total for 1 recipient." in page.text
    for visitor in (owner, viewer):
        assert (await visitor.get(f"/campaigns/{campaign.id}")).facts["Attached"] == "terms.pdf"
    page = await owner.get(place)
    assert page.soup.select_one(f"#m-{terms.id}").has_attr("checked")
    await owner.send_form(place, template_id=campaign.template_id)
    await campaign.refresh_from_db()
    assert campaign.media_ids == []


async def test_a_fault_is_beside_the_choice_which_stays(
    owner: Visitor, campaign: Campaign, terms: Media, acme: Organization
) -> None:
    large = await make_media(acme, type="application/pdf", width=0, height=0, bytes=5 * 1024 * 1024, name="big.pdf")
    place, chosen = f"/campaigns/{campaign.id}/content", [str(terms.id), str(large.id)]
    page = await owner.send_form(place, template_id=campaign.template_id, media_ids=chosen)
    assert (page.status, page.error_at("media_ids")) == (422, "The attachments must be at most 5 MB in total.")
    assert {box["value"] for box in page.soup.select("#attachments [checked]")} == set(chosen)


async def test_the_library_names_the_campaign_before_a_file_is_deleted(
    owner: Visitor, campaign: Campaign, terms: Media
) -> None:
    await Campaign.filter(id=campaign.id).update(media_ids=[str(terms.id)])
    page = await owner.get(f"/media/{terms.id}/delete")
    assert [one.get_text() for one in page.soup.select(".confirm li")] == ["Campaign May"]


async def test_an_email_of_the_run_lists_its_files_for_the_organization_alone(
    viewer: Visitor, rival_owner: Visitor, campaign: Campaign, terms: Media, acme: Organization
) -> None:
    await Campaign.filter(id=campaign.id).update(media_ids=[str(terms.id)])
    await campaign.refresh_from_db()
    send, audience = await count_send(acme, NewSend(), campaign)
    await send_campaign(acme, campaign, send, audience)
    row = await MailLog.of(acme).get()
    place = f"/mail-logs/{row.id}"
    page = await viewer.get(f"{place}?view=attachments")
    assert [one.get_text().split() for one in page.soup.select("ul.files li > span")] == [
        ["terms.pdf", "application/pdf,", "2", "kB"]
    ]
    assert (await viewer.get(f"{place}/attachments/0")).data == pdf(2_000)
    for path in (place, f"{place}/attachments/0", f"{place}/raw.eml"):
        assert (await rival_owner.get(path)).status == 404
    assert (await viewer.get(f"{place}/attachments/1")).status == 404
