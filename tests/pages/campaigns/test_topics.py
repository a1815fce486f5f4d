"""The topic of a campaign on its form, in its review, on its page and in its report."""

from datetime import timedelta

import pytest

from tests.factories import make_campaign, make_contact, make_segment, make_template, make_topic
from tests.fakes.worker import eventually
from tests.pages.conftest import Page, Visitor
from tests.support.topics import choose
from webapp import clock
from webapp.models import Account, Campaign, Contact, Organization, Segment, Topic

HTML = '<p>Hello <a href="{{ unsubscribe_url }}">leave</a></p>'


@pytest.fixture
async def topic(acme: Organization) -> Topic:
    return await make_topic(acme, name="Product news & <more>")


@pytest.fixture
async def campaign(acme: Organization, account: Account, topic: Topic) -> Campaign:
    """For four members, of whom one is paused and one left the topic."""
    contacts = [await make_contact(acme) for _ in range(4)]
    await choose(topic, contacts[0], subscription="opt_out")
    await Contact.filter(id=contacts[1].id).update(paused_until=clock.now() + timedelta(days=1))
    segment, template = await make_segment(acme, *contacts), await make_template(acme, body=HTML)
    return await make_campaign(acme, segment=segment, template=template)


def options_of(page: Page) -> list[str]:
    return [option.get_text(strip=True) for option in page.soup.select("#f-topic_id option")]


async def test_a_topic_is_chosen_by_how_many_get_it_and_shown_everywhere(
    owner: Visitor, acme: Organization, rival: Organization, campaign: Campaign, topic: Topic
) -> None:
    theirs = await make_topic(rival, name="Theirs")
    place = f"/campaigns/{campaign.id}"

    async def is_counted() -> bool:
        return options_of(await owner.get(f"{place}/audience")) == ["No topic", "Product news & <more>: 2 of 3"]

    await eventually(is_counted)
    page = await owner.get(f"{place}/audience")
    assert "Topic" not in (await owner.get(f"{place}/review")).facts
    refused = await owner.submit(page, f"{place}/audience", topic_id=str(theirs.id))
    assert refused.status == 422
    assert "Theirs" not in refused.text
    page = await owner.submit(page, f"{place}/audience", topic_id=str(topic.id))
    await campaign.refresh_from_db()
    assert campaign.topic_id == topic.id
    review = await owner.get(f"{place}/review")
    assert review.facts["Topic"].startswith("Product news & <more>")
    assert "Readers: 2 contacts" in review.facts["To"]
    assert "Excluded: 1 paused; 1 opted out of Product news & <more>." in review.facts["To"]
    assert (await owner.get(place)).facts["Topic"] == "Product news & <more>"
    await owner.submit(await owner.get(f"{place}/send"), f"{place}/send")
    assert "2 members skipped: 1 paused, 1 opted out of the topic." in (await owner.get(place)).text
    assert "1 paused, 1 opted out of the topic" in (await owner.get(f"{place}/report")).text
    page = await owner.submit(await owner.get(f"{place}/audience"), f"{place}/audience", topic_id="")
    await campaign.refresh_from_db()
    assert campaign.topic_id is None


async def test_a_change_of_the_segment_counts_anew_and_keeps_the_topic(
    owner: Visitor, acme: Organization, rival: Organization, campaign: Campaign, topic: Topic
) -> None:
    other, theirs = await make_segment(acme, await make_contact(acme), name="Other"), await make_segment(rival)

    async def page_of(segment: Segment) -> Page:
        page = await owner.get(f"/campaigns/new?segment_id={segment.id}&topic_id={topic.id}")
        assert page.soup.select_one("#f-topic_id option[selected]")["value"] == str(topic.id)
        return page

    async def is_counted() -> bool:
        return options_of(await page_of(other))[1] == "Product news & <more>: 1 of 1"

    await eventually(is_counted)  # pages do not wait for a slow count
    assert options_of(await page_of(theirs))[1] == "Product news & <more>"


async def test_there_is_nothing_to_choose_without_topics(owner: Visitor, acme: Organization) -> None:
    await make_segment(acme)
    page = await owner.get("/campaigns/new")
    assert page.soup.select("#f-topic_id, [hx-target='#topics']") == []


@pytest.mark.parametrize(
    ("schedule_type", "times"),
    [("manual", "once."), ("recurring_new_contacts", "once."), ("recurring", "once per send.")],
)
async def test_the_audience_says_how_often_and_what_the_button_of_mail_apps_does(
    owner: Visitor, campaign: Campaign, schedule_type: str, times: str
) -> None:
    await Campaign.filter(id=campaign.id).update(schedule_type=schedule_type)
    text = (await owner.get(f"/campaigns/{campaign.id}/audience")).text
    assert f"Every subscribed member gets the email {times}" in text
    assert "The unsubscribe button of mail apps takes people out of this topic only." in text
