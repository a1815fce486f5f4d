"""Readers choose on the page behind their link what they get; the page saves only what they changed."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import make_api
from tests.factories import make_account, make_campaign, make_contact, make_run
from tests.pages.conftest import Visitor
from webapp import clock
from webapp.domain.contacts.unsubscribe import token_for
from webapp.models import CampaignRun, Consent, Contact, Event, Organization, Topic, TopicChoice
from webapp.models.topic import topic_key


@pytest.fixture
async def contact(acme: Organization) -> Contact:
    return await make_contact(acme, "ann@example.org")


@pytest.fixture
def path(contact: Contact) -> str:
    return f"/unsubscribe/{token_for(contact.id, uuid4())}/preferences"


async def reloaded(contact: Contact) -> Contact:
    await contact.refresh_from_db()
    return contact


def is_ticked(page: Any, name: str) -> bool:
    return bool(page.soup.select_one(f"input[type=checkbox][name='{name}']").has_attr("checked"))


async def test_opening_the_page_changes_nothing_and_leaving_stays_one_press(
    stranger: Visitor, contact: Contact, path: str
) -> None:
    before = dict(await reloaded(contact))
    for method in ("GET", "HEAD", "GET"):
        page = await stranger.send(method, path, follow=False)
    assert (page.status, page.title) == (200, "Your preferences")
    assert dict(await reloaded(contact)) == before
    leave = path.removesuffix("/preferences")
    assert page.form(leave).get_text(strip=True) == "Unsubscribe"
    assert [button.get_text() for button in page.soup.select("button")] == [
        "Save",
        "Unsubscribe",
        "Email me my data",
        "Delete my data",
    ]
    assert [button.get_text() for button in page.soup.select("main button:not(.plain)")] == ["Save"]
    await stranger.submit(page, leave)
    assert (await reloaded(contact)).status == "unsubscribed"


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        ({"no_tracking": "1"}, {"do_not_track": True}),
        ({"language": "de"}, {"language": "de"}),
        ({"language": "xx"}, {}),
        ({"nothing": "1"}, {"status": "unsubscribed"}),
        ({"pause": "3"}, {}),
        ({"pause": "\0", "shown.email": "a", "email": "b@example.org", "shown.": "x"}, {}),
        ({"no_tracking": "1", "language": "ar"}, {"do_not_track": True, "language": "ar"}),
    ],
)
async def test_what_is_changed_is_saved(
    stranger: Visitor, contact: Contact, path: str, fields: dict[str, str], values: dict[str, Any]
) -> None:
    untouched = {name: getattr(contact, name) for name in ("email", "status", "do_not_track", "language")}
    page = await stranger.submit(await stranger.get(path), path, **fields)
    assert page.status == 200
    saved = await reloaded(contact)
    assert {name: getattr(saved, name) for name in untouched} == untouched | values
    assert saved.paused_until is None
    assert await Event.across_orgs().filter(type__startswith="contact.").count() == bool(values)


async def test_a_pause_is_chosen_in_weeks_and_ended(stranger: Visitor, contact: Contact, path: str) -> None:
    page = await stranger.get(path)
    for weeks in (2, 4, 12):
        page = await stranger.submit(page, path, pause=str(weeks))
        until = (await reloaded(contact)).paused_until
        assert until is not None
        assert abs(until - clock.now() - timedelta(weeks=weeks)) < timedelta(minutes=5)
    await Contact.filter(id=contact.id).update(paused_until=datetime(2099, 12, 24, 18, tzinfo=UTC))
    page = await stranger.get(path)
    assert "Paused until 24 December 2099" in page.text
    await stranger.submit(page, path, no_tracking="1")
    assert (await reloaded(contact)).paused_until == datetime(2099, 12, 24, 18, tzinfo=UTC)
    page = await stranger.submit(page, path, pause="0")
    assert (await reloaded(contact)).paused_until is None
    assert "No pause" in page.text
    await Contact.filter(id=contact.id).update(paused_until=clock.now() - timedelta(hours=1))
    assert "No pause" in (await stranger.get(path)).text


@pytest.mark.parametrize("timezone", ["Pacific/Kiritimati", "America/Los_Angeles"])
@pytest.mark.parametrize("until", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
async def test_a_pause_may_end_at_any_time(
    owner: Visitor, stranger: Visitor, acme: Organization, contact: Contact, path: str, until: str, timezone: str
) -> None:
    await Organization.filter(id=acme.id).update(timezone=timezone)
    api = await make_api(owner.app, acme)
    status, _ = await api.patch(f"/v1/contacts/{contact.id}", {"paused_until": until})
    pages = [await stranger.get(path), await owner.get(f"/contacts/{contact.id}")]
    assert (status, *(page.status for page in pages)) == (200, 200, 200)
    assert ("Paused until" in pages[0].text) == until.startswith("9999")


async def test_two_open_pages_keep_what_the_other_saved(stranger: Visitor, contact: Contact, path: str) -> None:
    first, second = await stranger.get(path), await stranger.get(path)
    await stranger.submit(first, path, no_tracking="1", language="fr", pause="4")
    await stranger.submit(second, path, nothing="1")
    saved = await reloaded(contact)
    assert (saved.do_not_track, saved.language, saved.status) == (True, "fr", "unsubscribed")
    assert saved.paused_until is not None


async def test_only_the_link_that_unsubscribed_brings_newsletters_back(
    stranger: Visitor, contact: Contact, path: str
) -> None:
    page = await stranger.submit(await stranger.get(path), path, nothing="1")
    assert is_ticked(page, "nothing")
    other = await stranger.get(f"/unsubscribe/{token_for(contact.id, uuid4())}/preferences")
    assert other.soup.select("[name=nothing]") == []
    forged = {"shown.nothing": "1", "nothing": ""}
    await stranger.post(other.path, form=forged)
    assert (await reloaded(contact)).status == "unsubscribed"
    await stranger.submit(page, path)
    assert (await reloaded(contact)).status == "subscribed"


async def test_a_link_changes_its_own_contact_alone(
    stranger: Visitor, acme: Organization, rival: Organization, contact: Contact, path: str
) -> None:
    others = [await make_contact(acme, "bob@example.org"), await make_contact(rival, "ann@example.org")]
    await stranger.submit(await stranger.get(path), path, no_tracking="1", nothing="1", language="de")
    for other in others:
        saved = await reloaded(other)
        assert (saved.do_not_track, saved.status, saved.language) == (False, "subscribed", None)


async def test_the_page_is_in_the_contacts_language_unless_another_is_asked_for(
    stranger: Visitor, contact: Contact, path: str
) -> None:
    stranger.headers["Accept-Language"] = "fr"
    assert (await stranger.get(path)).title == "Vos préférences"
    page = await stranger.submit(await stranger.get(f"{path}?l=nl"), language="de")
    assert (page.title, page.soup.html["lang"]) == ("Ihre Einstellungen", "de")
    assert (await stranger.get(f"{path}?l=nl")).title == "Uw voorkeuren"
    for tag, title in (("pt-BR", "As suas preferências"), ("fi", "Vos préférences")):
        await Contact.filter(id=contact.id).update(language=tag)
        page = await stranger.get(path)
        assert page.title == title
        await stranger.submit(page, page.path)
        assert (await reloaded(contact)).language == tag  # unchanged


async def test_the_page_of_a_deleted_contact_has_no_form(stranger: Visitor, contact: Contact, path: str) -> None:
    await contact.delete()
    page = await stranger.get(path)
    assert (page.status, page.title, page.soup.select("main form")) == (200, "You're unsubscribed", [])
    assert (await stranger.post(path, form={"shown.nothing": "", "nothing": "1"})).status == 200


async def test_the_page_is_small_and_hidden_from_search_engines(stranger: Visitor, path: str) -> None:
    page = await stranger.get(path)
    assert len(page.data) < 60_000
    assert page.soup.select_one("meta[name=robots]")["content"] == "noindex"
    assert page.soup.select("script") == []


async def make_topic(org: Organization, name: str, visibility: str, default: str = "opt_in") -> Topic:
    values = {"visibility": visibility, "default_subscription": default, "description": f"About {name}."}
    return await Topic.create(org=org, name=name, name_key=topic_key(name), **values)


async def subscriptions(contact: Contact) -> dict[str, str]:
    choices = await TopicChoice.across_orgs().filter(contact_id=contact.id).select_related("topic")
    return {choice.topic.name: choice.subscription for choice in choices}


async def test_topics_are_left_and_joined_by_their_boxes(
    stranger: Visitor, acme: Organization, rival: Organization, contact: Contact, path: str
) -> None:
    news = await make_topic(acme, "News <1>", "public")
    beta = await make_topic(acme, "Beta", "public", "opt_out")
    jobs = await make_topic(acme, "Jobs", "public", "opt_out")
    await make_topic(rival, "Theirs", "public")
    page = await stranger.get(path)
    names = {str(topic.id): topic.name for topic in (news, beta, jobs)}
    assert {str(id_): is_ticked(page, f"topic.{id_}") for id_ in names} == {
        str(news.id): True, str(beta.id): False, str(jobs.id): False
    }  # fmt: skip
    assert "About News <1>." in page.text
    assert "Theirs" not in page.text
    page = await stranger.submit(page, path, **{f"topic.{beta.id}": "1"})
    assert await subscriptions(contact) == {"News <1>": "opt_out", "Beta": "opt_in"}
    assert not is_ticked(page, f"topic.{news.id}")
    assert (await reloaded(contact)).status == "subscribed"
    consents = await Consent.of(acme).filter(contact_id=contact.id)
    assert {consent.topic_id for consent in consents} == {news.id, beta.id}
    assert {consent.kind for consent in consents} == {"person"}
    events = await Event.of(acme).filter(type="contact.topic_changed")
    assert {event.data["source"] for event in events} == {"person"}


async def test_two_open_pages_keep_each_others_topics(
    stranger: Visitor, owner: Visitor, acme: Organization, contact: Contact, path: str
) -> None:
    news, jobs = await make_topic(acme, "News", "public"), await make_topic(acme, "Jobs", "public")
    first, second = await stranger.get(path), await stranger.get(path)
    await stranger.submit(first, path, **{f"topic.{jobs.id}": "1"})
    await stranger.submit(second, path, **{f"topic.{news.id}": "1"})
    assert await subscriptions(contact) == {"News": "opt_out", "Jobs": "opt_out"}
    assert "opted out of a topic" in (await owner.get(f"/contacts/{contact.id}")).text


@pytest.mark.parametrize("opened_from", ["campaign", "email", "another"])
async def test_a_private_topic_is_shown_to_those_in_it_and_from_its_own_mail(
    stranger: Visitor, acme: Organization, contact: Contact, opened_from: str
) -> None:
    secret = await make_topic(acme, "Secret", "private", "opt_out")
    chosen = await make_topic(acme, "Chosen", "private", "opt_out")
    await TopicChoice.create(
        org=acme, topic=chosen, contact=contact, subscription="opt_out", source="api", changed_at=clock.now()
    )
    run, _ = await make_run(acme, [await make_account(acme)], 1)
    campaign = await make_campaign(acme)
    await CampaignRun.of(acme).filter(id=run.id).update(topic_id=secret.id, campaign_id=campaign.id)
    sent_id = {"campaign": run.id, "email": secret.id, "another": uuid4()}[opened_from]
    path = f"/unsubscribe/{token_for(contact.id, sent_id)}/preferences"
    page = await stranger.get(path)
    assert ("Secret" in page.text, "Chosen" in page.text) == (opened_from != "another", True)
    forged = {f"shown.topic.{secret.id}": "", f"topic.{secret.id}": "1"}
    await stranger.post(path, form=forged)
    assert (await subscriptions(contact)).get("Secret") == (None if opened_from == "another" else "opt_in")


@pytest.mark.parametrize("opened_from", ["campaign", "email", "another", "deleted"])
async def test_the_link_of_an_email_with_a_topic_leads_to_the_preferences(
    stranger: Visitor, acme: Organization, rival: Organization, contact: Contact, opened_from: str
) -> None:
    def headings(page: Any) -> list[tuple[str, str]]:
        return [(heading.name, heading.text) for heading in page.soup.select("h1, h2")][:2]

    news, deleted = await make_topic(acme, "News", "public"), await make_topic(acme, "Gone", "public")
    run, _ = await make_run(acme, [await make_account(acme)], 1)
    campaign = await make_campaign(acme)
    await CampaignRun.of(acme).filter(id=run.id).update(topic_id=news.id, campaign_id=campaign.id)
    theirs = await make_topic(rival, "Theirs", "public")
    sent_id = {"campaign": run.id, "email": news.id, "another": theirs.id, "deleted": deleted.id}[opened_from]
    await deleted.delete()
    path = f"/unsubscribe/{token_for(contact.id, sent_id)}"
    page = await stranger.get(path)
    if opened_from in ("campaign", "email"):
        assert (page.title, headings(page)) == (
            "Your preferences",
            [("h1", "Your preferences"), ("h2", "Unsubscribe?")],
        )
        assert [button.get_text() for button in page.soup.select("main button:not(.plain)")] == ["Save"]
        assert page.soup.select_one("legend").text == "What would you like to receive?"
    else:
        assert (page.title, headings(page)) == ("Unsubscribe?", [("h1", "Unsubscribe?"), ("h2", "Your preferences")])
    page = await stranger.submit(page, path)
    assert headings(page)[0] == ("h1", "You're unsubscribed")
    page = await stranger.submit(page, f"{path}/undo")
    assert headings(page)[1] == ("h2", "Your preferences")


async def test_a_topic_that_is_gone_or_another_organizations_is_ignored(
    stranger: Visitor, acme: Organization, rival: Organization, contact: Contact, path: str
) -> None:
    gone, theirs = await make_topic(acme, "Gone", "public"), await make_topic(rival, "Theirs", "public")
    page = await stranger.get(path)
    await gone.delete()
    forged = {f"shown.topic.{theirs.id}": "", f"topic.{theirs.id}": "1", "shown.topic.x": "1", "no_tracking": "1"}
    assert (await stranger.submit(page, path, **forged)).status == 200
    assert await subscriptions(contact) == {}
    assert (await reloaded(contact)).do_not_track


async def test_a_link_changes_choices_sixty_times_an_hour_and_still_leaves(
    stranger: Visitor, acme: Organization, contact: Contact, path: str
) -> None:
    form = {"shown.no_tracking": "", "no_tracking": "1"}, {"shown.no_tracking": "1", "no_tracking": ""}
    pages = [await stranger.post(path, form=form[number % 2], follow=False) for number in range(61)]
    assert [page.status for page in pages] == [303] * 60 + [429]
    assert pages[-1].response.headers["Retry-After"]
    assert "Too many changes within an hour." in pages[-1].text
    other = f"/unsubscribe/{token_for(contact.id, uuid4())}"
    assert (await stranger.post(f"{other}/undo")).status == 429
    assert (await stranger.post(other)).status == 200
    assert (await reloaded(contact)).status == "unsubscribed"
    assert await Consent.of(acme).count() == 61
