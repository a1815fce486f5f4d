"""A campaign that was sent once mails nobody again by accident."""

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.pages.campaigns.test_wizard import findings
from tests.pages.conftest import Visitor
from webapp import clock
from webapp.domain.campaigns.runs import finish_runs
from webapp.domain.campaigns.scheduler import run_due_schedules
from webapp.models import Campaign, Content, MailLog, Organization, Segment, SegmentContact, Template


@pytest.fixture
async def campaign(owner: Visitor, acme: Organization) -> Campaign:
    """Sent to two members by the dashboard; the mail of one failed."""
    await make_account(acme)
    members = [await make_contact(acme, f"{name}@example.org") for name in ("ada", "bob")]
    segment = await make_segment(acme, *members)
    campaign = await make_campaign(acme, title="November", segment=segment, template=await make_template(acme))
    page = await owner.submit(await owner.get(f"/campaigns/{campaign.id}/send"), f"/campaigns/{campaign.id}/send")
    assert page.notes == ["Sending “November” to 2 contacts."]
    await MailLog.of(acme).filter(to_email="ada@example.org").update(status="sent")
    await MailLog.of(acme).filter(to_email="bob@example.org").update(status="failed")
    await finish_runs()
    return campaign


async def mailed(org: Organization) -> list[str]:
    return [row.to_email for row in await MailLog.of(org).order_by("id")]


async def test_the_page_of_a_sent_campaign_offers_the_members_who_missed_it(
    owner: Visitor, acme: Organization, campaign: Campaign
) -> None:
    place = f"/campaigns/{campaign.id}"
    page = await owner.get(place)
    assert "Review and send" not in page.text
    edit = next(link["href"] for link in page.soup.select("a.button") if link.text == "Edit and send again")
    title = {"title": campaign.title, "segment_id": str(campaign.segment_id)}
    assert (await owner.submit(await owner.get(edit), edit, **title)).path == f"{place}/content"
    assert "Send to members who missed it" in page.text
    review = await owner.get(f"{place}/review")
    assert "Send to 1 member who missed it" in review.text
    page = await owner.submit(await owner.get(f"{place}/send"), f"{place}/send")
    assert page.notes == ["Sending “November” to 1 contact."]
    assert await mailed(acme) == ["ada@example.org", "bob@example.org", "bob@example.org"]


async def test_preview_and_test_show_a_member_who_missed_it(
    owner: Visitor, acme: Organization, rival: Organization, campaign: Campaign
) -> None:
    await make_contact(rival, "eve@example.org")
    await Template.of(acme).update(subject="For {{ email }}", body="<p>Dear {{ email }}</p>")
    place = f"/campaigns/{campaign.id}"
    for query, shown in (("", "bob@example.org"), ("?audience=all", "ada@example.org")):
        review = await owner.get(f"{place}/review{query}")
        assert review.facts["Subject"].startswith(f"For {shown}")
        frame = await owner.get(review.soup.select_one("iframe.mail-frame")["src"])
        assert f"Dear {shown}" in frame.text
        page = await owner.submit(review, f"{place}/test", to="me@acme.example")
        assert page.notes == ["Test sent to me@acme.example."]
        content = await Content.of(acme).order_by("-id").first()
        assert content.subject == f"[Test] For {shown}"


async def test_nobody_new_is_told(owner: Visitor, acme: Organization, campaign: Campaign) -> None:
    await MailLog.of(acme).update(status="sent")
    shown = await owner.get(f"/campaigns/{campaign.id}")
    assert "missed it" not in shown.text
    assert "Review and send" not in shown.text
    review = await owner.get(f"/campaigns/{campaign.id}/review")
    assert "Everyone in this segment has already received this campaign." in findings(review)
    assert "Excluded: 2 already in this campaign." in review.text
    assert "Send to everyone again" in review.text
    assert not review.soup.select(f'a[href^="/campaigns/{campaign.id}/send?"]')
    joined = await make_contact(acme, "eve@example.org")
    await SegmentContact.create(org=acme, segment_id=campaign.segment_id, contact=joined)
    assert "Send to members who missed it" in (await owner.get(f"/campaigns/{campaign.id}")).text


async def test_a_campaign_that_was_sent_once_is_called_sent(
    owner: Visitor, acme: Organization, campaign: Campaign
) -> None:
    page = await owner.get(f"/campaigns/{campaign.id}")
    assert [head.text for head in page.soup.select(".section-head h2")] == ["Results", "History"]
    assert [row[1] for row in page.rows] == ["Sent"]
    assert "Completed" not in page.text
    details = await owner.get(page.soup.find("a", string="Details")["href"])
    assert (details.title.partition(" of ")[0], details.facts["Status"]) == ("Results", "Sent")
    await Campaign.of(acme).update(schedule_type="recurring", status="scheduled")
    page = await owner.get(f"/campaigns/{campaign.id}")
    assert [head.text for head in page.soup.select(".section-head h2")] == ["Latest run", "Runs"]


async def test_all_get_it_again_only_after_a_warning_and_the_number_typed(
    owner: Visitor, acme: Organization, campaign: Campaign
) -> None:
    joined = await make_contact(acme, "eve@example.org")
    await SegmentContact.create(org=acme, segment_id=campaign.segment_id, contact=joined)
    await Segment.add_to_counts([campaign.segment_id], 1)
    place = f"/campaigns/{campaign.id}"
    review = await owner.get(f"{place}/review?audience=all")
    assert "Already sent: 1 of these 3 contacts already received this campaign, most recently on" in findings(review)
    assert "Send again to 3 contacts" in review.text
    page = await owner.get(f"{place}/send?audience=all")
    for typed in ("", "2", "yes"):
        page = await owner.submit(page, f"{place}/send", confirm=typed)
        assert (page.status, page.error_at("confirm")) == (422, "Enter 3 to send this campaign again.")
        assert page.title == "Send “November” again to 3 contacts?"
    assert len(await mailed(acme)) == 2
    page = await owner.submit(page, f"{place}/send", confirm="3")
    assert page.notes == ["Sending “November” to 3 contacts."]
    assert (await mailed(acme))[2:] == ["ada@example.org", "bob@example.org", "eve@example.org"]


async def test_members_of_before_are_the_reason_why_new_members_are_none(owner: Visitor, acme: Organization) -> None:
    await make_account(acme)
    members = [await make_contact(acme, f"{name}@example.org") for name in ("ada", "bob", "cy")]
    segment = await make_segment(acme, *members)
    later = {"schedule_type": "recurring_new_contacts", "segment": segment, "template": await make_template(acme)}
    campaign = await make_campaign(acme, **later)
    page = await owner.get(f"/campaigns/{campaign.id}/review")
    assert "Excluded: 3 in the segment before this campaign was created." in page.text
    for email, status in (("dee@example.org", "subscribed"), ("eve@example.org", "unsubscribed")):
        await SegmentContact.join(segment, [(await make_contact(acme, email, status=status)).id])
    page = await owner.get(f"/campaigns/{campaign.id}/review")
    assert "Excluded: 3 in the segment before this campaign was created; 1 unsubscribed or bounced." in page.text


async def test_members_who_join_during_a_pause_get_the_campaign_after_it(owner: Visitor, acme: Organization) -> None:
    await make_account(acme)
    segment, due = await make_segment(acme), {"anchor_at": clock.now(), "next_run_at": clock.now()}
    later = {"schedule_type": "recurring_new_contacts", "segment": segment, "template": await make_template(acme)}
    campaign = await make_campaign(acme, **later, **due, status="scheduled")
    place = f"/campaigns/{campaign.id}"
    assert (await owner.get(place)).facts["Status"] == "Active"
    page = await owner.submit(await owner.get(place), f"{place}/stop")
    assert page.notes[0].endswith("Those who join in the meantime get it then.")
    await SegmentContact.join(segment, [(await make_contact(acme, "dee@example.org")).id])
    await run_due_schedules()
    assert await mailed(acme) == []
    asked = await owner.get(f"{place}/resume")
    assert "Its schedule continues: to new members, within 5 minutes." in asked.text
    assert "Next send" not in asked.text
    await owner.submit(asked, f"{place}/resume")
    await Campaign.filter(id=campaign.id).update(next_run_at=clock.now())
    await run_due_schedules()
    assert await mailed(acme) == ["dee@example.org"]
