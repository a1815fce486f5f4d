"""Topics on pages: made, ordered, changed and deleted, and chosen on the page of a contact."""

from typing import Any

import pytest
from quart import Quart

from tests.factories import make_campaign, make_contact, make_form, make_topic
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from webapp.domain.roles import Role
from webapp.models import Campaign, Consent, Contact, Organization, Segment, Topic, TopicChoice

LIST = "/topics"
NEW = {"name": "Product news", "description": "Once a month."}


async def choices_of(contact: Contact) -> dict[str, str]:
    rows = await TopicChoice.filter(contact_id=contact.id).select_related("topic")
    return {row.topic.name: row.subscription for row in rows}


async def tick(visitor: Visitor, page: Page, contact: Contact, topics: list[Topic]) -> Page:
    """Sends the form of a contact's topics with these ones ticked."""
    path = f"/contacts/{contact.id}/topics"
    return await visitor.submit(page, path, **{f"topic-{topic.id}": "1" for topic in topics})


async def test_a_topic_is_made_changed_and_listed_in_order(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    page = await owner.get(LIST)
    assert "No topics yet" in page.text
    assert "takes people out of the campaign's topic only" in page.text
    page = await owner.submit(await owner.get(f"{LIST}/new"), LIST, **NEW, default_subscription="opt_out")
    assert page.notes == ["Topic “Product news” created."]
    await owner.submit(await owner.get(f"{LIST}/new"), LIST, name="Events", visibility="private")
    topic = await Topic.of(acme).get(name="Product news")
    assert (topic.default_subscription, topic.visibility, topic.position) == ("opt_out", "public", 0)
    place = f"{LIST}/{topic.id}"
    page = await owner.get(place)
    assert "Only those who opt in. This can't be changed" in page.text
    page = await owner.submit(page, place, name="News", description="", position="5")
    assert page.notes == ["Topic “News” saved."]
    expected = [["Events", "Everyone, until they opt out", "Private"], ["News", "Only those who opt in", "Public"]]
    assert [row[:3] for row in page.rows] == expected
    await topic.refresh_from_db()
    assert (topic.description, topic.default_subscription) == (None, "opt_out")
    assert (await rival_owner.get(LIST)).rows == []
    assert (await rival_owner.get(place)).status == 404


@pytest.mark.parametrize(
    ("sent", "field", "words"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"name": "EVENTS"}, "name", "The name is the name of another topic."),
        ({"position": "-1"}, "position", "Enter at least 0."),
        ({"position": "soon"}, "position", "Enter a whole number."),
        ({"default_subscription": ""}, "default_subscription", "This field is required."),
    ],
)
async def test_a_wrong_topic_is_shown_again_with_what_is_wrong(
    owner: Visitor, acme: Organization, sent: dict[str, str], field: str, words: str
) -> None:
    await make_topic(acme, name="Events")
    page = await owner.submit(await owner.get(f"{LIST}/new"), LIST, **NEW | sent)
    assert (page.status, page.error_at(field)) == (422, words)
    assert await Topic.all().count() == 1


async def test_a_contact_opts_in_to_topics_and_out_of_them_on_its_page(
    owner: Visitor, rival: Organization, acme: Organization
) -> None:
    contact = await make_contact(acme)
    place = f"/contacts/{contact.id}"
    assert "Topics" not in [heading.text for heading in (await owner.get(place)).soup.select("h2")]
    news, beta = (
        await make_topic(acme, name="News"),
        await make_topic(acme, name="Beta", default_subscription="opt_out"),
    )
    await make_topic(rival, name="Theirs")
    page = await owner.get(place)
    assert "Theirs" not in page.text
    assert page.rows[:2] == [
        ["Beta", "Not subscribed by default", "Not chosen yet"],
        ["News", "Subscribed by default", "Not chosen yet"],
    ]
    boxes = {box["name"]: box.has_attr("checked") for box in page.soup.select("input[type=checkbox]")}
    assert boxes == {f"topic-{beta.id}": False, f"topic-{news.id}": True}
    page = await tick(owner, page, contact, [beta])
    assert page.notes == [f"2 topics of {contact.email} changed."]
    assert await choices_of(contact) == {"News": "opt_out", "Beta": "opt_in"}
    assert {(row.kind, row.text) for row in await Consent.all()} == {
        ("api", "Opted out of “News”."),
        ("api", "Opted in to “Beta”."),
    }
    assert [row[1] for row in page.rows[:2]] == ["Team or program"] * 2
    assert (await tick(owner, page, contact, [beta])).notes == ["No topics changed."]


async def test_what_others_chose_since_the_page_was_opened_stays(owner: Visitor, acme: Organization) -> None:
    contact = await make_contact(acme)
    news, beta = await make_topic(acme, name="News"), await make_topic(acme, name="Beta")
    old = await owner.get(f"/contacts/{contact.id}")
    await tick(owner, await owner.get(f"/contacts/{contact.id}"), contact, [beta])
    await tick(owner, old, contact, [news])  # which was ticked
    assert await choices_of(contact) == {"News": "opt_out", "Beta": "opt_out"}


@pytest.mark.parametrize("name", ["shown-nonsense", "shown-", "topic-x", "shown-019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a10"])
async def test_a_form_that_names_no_topic_changes_nothing(owner: Visitor, acme: Organization, name: str) -> None:
    contact = await make_contact(acme)
    await make_topic(acme)
    page = await owner.send_form(f"/contacts/{contact.id}/topics", **{name: "opt_in"})
    assert page.path == f"/contacts/{contact.id}"
    assert await choices_of(contact) == {}


async def test_a_viewer_sees_topics_and_changes_none(app: Quart, acme: Organization) -> None:
    viewer = await visitor_for(app, acme, await make_person(acme, "vi@acme.example", Role.VIEWER))
    contact = await make_contact(acme)
    await make_topic(acme, name="News")
    assert (await viewer.get(LIST)).rows == [["News", "Everyone, until they opt out", "Private", "0", "0"]]
    page = await viewer.get(f"/contacts/{contact.id}")
    assert page.rows[0] == ["News Opted in", "Subscribed by default", "Not chosen yet"]
    assert page.soup.select("input[type=checkbox]") == []


async def test_a_deletion_says_what_uses_the_topic(owner: Visitor, acme: Organization, rival: Organization) -> None:
    topic, other = await make_topic(acme, name="News"), await make_topic(acme, name="Beta")
    contact = await make_contact(acme)
    await tick(owner, await owner.get(f"/contacts/{contact.id}"), contact, [other])
    await make_campaign(acme, title="Spring", topic_id=topic.id)
    await make_campaign(acme, title="Summer", topic_id=other.id)
    await make_form(acme, name="Footer", topic_ids=[str(topic.id)])
    tree = {"or": [{"field": "topic", "op": "opted_out", "value": str(topic.id)}]}
    await Segment.create(org=acme, name="Left", name_key="left", kind="dynamic", member_filter=tree)
    place = f"{LIST}/{topic.id}/delete"
    page = await owner.get(place)
    deleted = "The choice that a contact made about it is deleted too: 0 opted in, 1 opted out."
    words = (deleted, "1 campaign uses this topic", "Spring", "Footer", "Left", "will be empty")
    assert [word for word in words if word not in page.text] == []
    assert "Summer" not in page.text
    page = await owner.submit(page, place)
    assert page.notes == ["Topic “News” deleted."]
    assert [row[0] for row in page.rows] == ["Beta"]
    assert (await Campaign.get(title="Spring")).topic_id is None
    assert await choices_of(contact) == {}


async def test_a_segment_is_built_of_those_who_left_a_topic(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    topic, contact = await make_topic(acme, name="News"), await make_contact(acme, "ada@example.org")
    await make_topic(rival, name="Theirs")
    await make_contact(acme, "bob@example.org")
    await tick(owner, await owner.get(f"/contacts/{contact.id}"), contact, [])
    builder = "/segments/new/dynamic"
    page = await owner.submit(await owner.get(builder), builder, name="Left", add="topic", do="add")
    assert [option.text for option in page.soup.select("#f-op-0 option")] == ["is opted in to", "is opted out of"]
    assert "Theirs" not in page.text
    sent: dict[str, Any] = {"op-0": "opted_out", "value-0": str(topic.id)}
    page = await owner.submit(page, builder, **sent, do="save")
    assert "Is opted out of topic “News”" in page.text
    assert [row[0] for row in page.rows] == ["ada@example.org"]
    page = await owner.get(f"/contacts?field-0=topic&op-0=opted_in&value-0={topic.id}")
    assert "bob@example.org" in page.text
    assert "ada@example.org" not in page.text
