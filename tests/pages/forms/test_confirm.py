"""People confirm a sign-up by the link of an email, and become contacts then."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.factories import make_contact, make_form, make_segment, make_topic
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import ADA, Inbox, ask
from tests.plans import use_plans
from tests.support.topics import choose
from webapp import clock
from webapp.config import Settings
from webapp.domain import link_signing
from webapp.domain.forms.sign_up import expire_sign_ups
from webapp.domain.link_signing import ReaderPath
from webapp.models import (
    Account,
    BarredAddress,
    Consent,
    Contact,
    Event,
    Organization,
    PendingSignUp,
    Segment,
    SegmentContact,
    SignUpForm,
    TopicChoice,
)
from webapp.models.base.row import id_lower_bound

FIELD = {"key": "first_name", "label": "First name", "kind": "text", "required": False, "options": []}
CITY = {**FIELD, "key": "city", "label": "City"}


async def only_contact(org: Organization) -> Contact:
    (contact,) = await Contact.of(org)
    return contact


async def counts(form: SignUpForm) -> list[int]:
    await form.refresh_from_db()
    return [form.submitted, form.mailed, form.opened, form.confirmed, form.expired]


async def test_a_sign_up_becomes_a_contact_when_it_is_confirmed(
    stranger: Visitor, acme: Organization, rival: Organization, account: Account, inbox: Inbox
) -> None:
    segment, topic, other = await make_segment(acme), await make_topic(acme), await make_topic(acme)
    form = await make_form(
        acme,
        form_fields=[FIELD, CITY],
        consent_text="I want it.",
        segment_ids=[str(segment.id)],
        topic_ids=[str(topic.id), str(other.id)],
        language="pt-BR",
    )
    page = await ask(stranger, form, first_name="Ada", city="Rome", topics=[str(topic.id)])
    assert (page.status, page.data) == (202, b'{"ok":true}')
    link = await inbox.link()
    assert await Contact.across_orgs().count() == 0
    submitted = await Event.of(acme).get(type="form.submitted")
    assert submitted.data == {"form_id": str(form.id), "form_name": "Newsletter", "page_url": None}
    for method in ("HEAD", "GET", "GET"):
        page = await stranger.send(method, link, follow=False)
    assert page.title == "Confirme a sua inscrição"
    assert await counts(form) == [1, 1, 1, 0, 0]
    assert await Contact.across_orgs().count() == 0
    page = await stranger.submit(page, link)
    assert (page.status, page.title) == (200, "Inscrição confirmada")
    contact = await only_contact(acme)
    assert (contact.email, contact.first_name, contact.custom_fields) == (ADA, "Ada", {"city": "Rome"})  # type: ignore[attr-defined]
    assert (contact.status, contact.language) == ("subscribed", "pt-BR")
    assert [row.contact_id for row in await SegmentContact.filter(segment_id=segment.id)] == [contact.id]
    chosen = {row.topic_id: row.subscription for row in await TopicChoice.of(acme)}
    assert chosen == {topic.id: "opt_in", other.id: "opt_out"}
    consent = await Consent.of(acme).get(form_id=form.id)
    assert (consent.kind, consent.text, consent.form_version, consent.contact_id) == (
        "form",
        "I want it.",
        1,
        contact.id,
    )
    assert (consent.network or "").startswith("198.18.")
    assert {"contact.created", "contact.confirmed"} <= {event.type for event in await Event.of(acme)}
    assert await counts(form) == [1, 1, 1, 1, 0]
    assert await Contact.of(rival).count() == await Event.of(rival).count() == 0


async def test_confirming_twice_at_once_makes_one_contact(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    await ask(stranger, form)
    link = await inbox.link()
    pages = await asyncio.gather(*(stranger.post(link) for _ in range(3)))
    assert {page.title for page in pages} == {"You're in"}
    assert (await stranger.get(link)).title == "You're in"
    await only_contact(acme)
    assert await counts(form) == [1, 1, 1, 1, 0]
    assert await Event.of(acme).filter(type="contact.confirmed").count() == 1


@pytest.mark.parametrize(("number", "name"), [(0, "Ada"), (1, "Mallory")])
async def test_each_link_confirms_what_was_sent_with_it(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox, number: int, name: str
) -> None:
    topics = [await make_topic(acme), await make_topic(acme)]
    form = await make_form(acme, form_fields=[FIELD], topic_ids=[str(topic.id) for topic in topics])
    for topic, first_name in zip(topics, ("Ada", "Mallory"), strict=True):  # the second may be anybody
        await ask(stranger, form, first_name=first_name, topics=[str(topic.id)])
        await inbox.links()
        stranger.app.extensions.pop("sign_up_throttle")  # as if the limits of the address were over
    links = await inbox.links()
    assert (await stranger.post(links[number])).title == "You're in"
    assert (await stranger.post(links[1 - number])).title == "You're in"  # and changes nothing
    contact = await only_contact(acme)
    assert (contact.first_name, contact.email) == (name, ADA)  # type: ignore[attr-defined]
    chosen = {row.topic_id for row in await TopicChoice.of(acme).filter(subscription="opt_in")}
    assert chosen == {topics[number].id}
    assert await Consent.of(acme).filter(form_id=form.id).count() == 1


async def test_a_link_lives_a_week_although_the_address_signs_up_again(
    stranger: Visitor, form: SignUpForm, inbox: Inbox
) -> None:
    await ask(stranger, form)
    (row,) = await PendingSignUp.across_orgs()
    ((submission_id, submission),) = row.values.items()
    old = UUID(int=id_lower_bound(clock.now() - timedelta(days=7)).int | UUID(submission_id).int & (1 << 80) - 1)
    await PendingSignUp.across_orgs().update(values={str(old): submission})
    stranger.app.extensions.pop("sign_up_throttle")
    await ask(stranger, form)
    assert (await stranger.post(await inbox.link())).title == "You're in"
    expired = f"/f/confirm/{link_signing.sign_ids(ReaderPath.CONFIRM, row.id, old)}"
    await PendingSignUp.across_orgs().update(values={str(old): submission}, confirmed_at=None)
    assert (await stranger.post(expired)).status == 404


@pytest.mark.parametrize("is_deleted", [True, False])
async def test_a_used_link_of_someone_who_left_changes_nothing(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox, *, is_deleted: bool
) -> None:
    await ask(stranger, form)
    link = await inbox.link()
    await stranger.post(link)
    rows = Contact.of(acme)
    await (rows.delete() if is_deleted else rows.update(status="unsubscribed"))
    for act in (stranger.post, stranger.get):
        assert (await act(link)).title == "You have left since"
    assert await Contact.of(acme).filter(status="subscribed").count() == 0


async def test_confirming_resubscribes_and_fills_empty_fields_only(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox
) -> None:
    form = await make_form(acme, form_fields=[FIELD, CITY])
    contact = await make_contact(acme, ADA, status="unsubscribed", first_name="Augusta", unsubscribed_at=clock.now())
    await ask(stranger, form, "Ada@example.org", first_name="Ada", city="Rome")
    link = await inbox.link("Ada@example.org")
    await contact.refresh_from_db()
    assert contact.status == "unsubscribed"
    await stranger.post(link)
    await contact.refresh_from_db()
    assert (contact.status, contact.email, contact.unsubscribed_at) == ("subscribed", ADA, None)
    assert (contact.first_name, contact.custom_fields) == ("Augusta", {"city": "Rome"})  # type: ignore[attr-defined]
    assert {"contact.subscribed", "contact.confirmed"} <= {event.type for event in await Event.of(acme)}


async def test_saying_this_was_not_me_bars_the_address(
    stranger: Visitor, acme: Organization, rival: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    await ask(stranger, form)
    link = await inbox.link()
    page = await stranger.get(link)
    page = await stranger.submit(page, f"{link}/wrong")
    assert page.title == "You won't hear from us"
    for act in (stranger.post, stranger.get):
        assert (await act(link)).status == 404
    stranger.app.extensions.pop("sign_up_throttle")  # as if the limits of the address were over
    await ask(stranger, await make_form(acme))
    assert len(await inbox.links()) == 1
    assert await Contact.across_orgs().count() == 0
    (barred,) = await BarredAddress.across_orgs()
    assert barred.org_id == acme.id
    assert ADA not in str(dict(barred))
    await BarredAddress.across_orgs().update(expires_at=clock.now())
    await expire_sign_ups()
    assert not await BarredAddress.across_orgs().exists()


async def expired(form: SignUpForm, link: str) -> str:
    await PendingSignUp.across_orgs().update(expires_at=clock.now() - timedelta(seconds=1))
    return link


async def deleted(form: SignUpForm, link: str) -> str:
    await form.delete()
    return link


async def cut(form: SignUpForm, link: str) -> str:
    return link[:-1]


async def of_another(form: SignUpForm, link: str) -> str:
    """Signed, but for another page."""
    (row,) = await PendingSignUp.across_orgs()
    return f"/f/confirm/{link_signing.sign_ids(ReaderPath.PREFERENCES, row.id, row.form_id)}"


async def of_stranger(form: SignUpForm, link: str) -> str:
    (row,) = await PendingSignUp.across_orgs()
    return f"/f/confirm/{link_signing.sign_ids(ReaderPath.CONFIRM, row.id, row.org_id)}"


@pytest.mark.parametrize("spoil", [expired, deleted, cut, of_another, of_stranger])
async def test_a_link_that_does_not_work_says_so(stranger: Visitor, form: SignUpForm, inbox: Inbox, spoil: Any) -> None:
    await ask(stranger, form)
    link = await spoil(form, await inbox.link())
    for path in (link, f"{link}/wrong"):
        page = await stranger.post(path)
        assert (page.status, page.title) == (404, "This link doesn't work")
    assert await Contact.across_orgs().count() == 0


async def test_a_form_that_closed_since_still_confirms_without_what_is_gone(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox
) -> None:
    segment = await make_segment(acme)
    form = await make_form(acme, segment_ids=[str(segment.id)], redirect_after_confirm="https://acme.example/in")
    await ask(stranger, form)
    link = await inbox.link()
    form.is_open = False
    await form.save()
    await Segment.of(acme).delete()
    page = await stranger.post(link, follow=False)
    assert (page.status, page.response.headers["Location"]) == (303, "https://acme.example/in")
    await only_contact(acme)


async def test_a_full_plan_keeps_the_link_for_later(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox, settings: Settings
) -> None:
    await ask(stranger, form)
    link = await inbox.link()
    use_plans(settings, {"enterprise": {"max_contacts": 0}})
    page = await stranger.post(link)
    assert (page.status, page.title) == (503, "Please try again")
    assert await Contact.of(acme).count() == 0
    use_plans(settings, {"enterprise": {"max_contacts": 1}})
    assert (await stranger.post(link)).title == "You're in"


async def test_sign_ups_expire_after_a_week(stranger: Visitor, form: SignUpForm, inbox: Inbox) -> None:
    for email in (ADA, "bob@example.org"):
        await ask(stranger, form, email)
    await stranger.post(await inbox.link())
    await expire_sign_ups()
    assert await PendingSignUp.across_orgs().count() == 2
    await PendingSignUp.across_orgs().update(expires_at=clock.now())
    await expire_sign_ups()
    assert await counts(form) == [2, 2, 0, 1, 1]
    assert await PendingSignUp.across_orgs().count() == 0


async def test_a_form_can_confirm_by_the_click_alone(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox
) -> None:
    form = await make_form(acme, confirm_by="click")
    await ask(stranger, form)
    link = await inbox.link()
    page = await stranger.get(link)
    assert "script-src 'self'" in page.response.headers["Content-Security-Policy"]
    (script,) = page.soup.select("script")
    assert str(script["src"]).startswith("/static/confirm.js")
    page = await stranger.submit(page, link)
    assert page.title == "You're in"
    assert not page.soup.select("script")


async def test_a_contact_has_the_words_that_the_person_agreed_to(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox
) -> None:
    form = await make_form(acme, consent_text="One email a month.")
    await ask(stranger, form)
    link = await inbox.link()
    await SignUpForm.filter(id=form.id).update(consent_text="Daily, and for our partners, too.", version=2)
    await stranger.post(link)
    consent = await Consent.of(acme).get(form_id=form.id)
    assert (consent.text, consent.form_version) == ("One email a month.", 1)


@pytest.mark.parametrize(("subscription", "mails"), [("opt_out", 1), ("opt_in", 0)])
async def test_without_confirmations_nobody_brings_a_left_topic_back(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox, subscription: str, mails: int
) -> None:
    segment, topic, contact = await make_segment(acme), await make_topic(acme), await make_contact(acme, ADA)
    form = await make_form(acme, double_opt_in=False, topic_ids=[str(topic.id)], segment_ids=[str(segment.id)])
    await choose(topic, contact, subscription=subscription)
    await ask(stranger, form)
    links = await inbox.links()
    assert [choice.subscription for choice in await TopicChoice.of(acme)] == [subscription]
    assert len(links) == mails
    for link in links:
        await stranger.post(link)
    assert [choice.subscription for choice in await TopicChoice.of(acme)] == ["opt_in"]
    assert await SegmentContact.filter(segment_id=segment.id).count() == 1
