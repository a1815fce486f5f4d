"""Webhooks on their pages: made, shown with their attempts, changed, disabled, replayed and deleted."""

import re
from uuid import uuid4

from tests.factories import make_account, make_contact, make_form, make_webhook, make_webhook_attempt
from tests.pages.conftest import Page, Visitor
from webapp.models import Event, Organization, Webhook, WebhookDelivery

SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")
URL = "https://example.com/hooks"


async def create(visitor: Visitor, **fields: str) -> Page:
    return await visitor.submit(await visitor.get("/webhooks/new"), **{"url": URL, "events": "*", **fields})


async def test_the_secret_is_shown_once_with_receivers_that_verify(owner: Visitor, acme: Organization) -> None:
    page = await create(owner)
    assert page.title == "Your signing secret"
    (secret,) = set(SECRET.findall(str(page.soup)))
    webhook = await Webhook.of(acme).get()
    assert (webhook.url, webhook.events) == (URL, ["*"])
    assert secret not in str(await Webhook.all().values())
    again = await owner.get(page.path)
    assert again.path == f"/webhooks/{webhook.id}"
    assert again.notes[0].startswith("Signing secrets are shown only once")
    assert (await owner.get("/audit")).rows[0][0] == f"Created webhook {URL} events All events"
    compile(page.soup.find(id="python-verify").get_text(), "sample", "exec")


async def test_a_form_that_cannot_be_saved_says_why_at_its_fields(owner: Visitor, acme: Organization) -> None:
    page = await create(owner, url="ftp://example.com")
    assert (page.status, page.error_at("url")) == (422, "URL must be a URL like https://example.com/path.")
    page = await create(owner, events="")
    assert page.error_at("events") == "Events must name an event type, or * for all."
    assert await Webhook.of(acme).count() == 0


async def test_the_page_says_what_waits_and_why_the_last_attempt_failed(owner: Visitor, acme: Organization) -> None:
    webhook = await make_webhook(acme, URL)
    event = await Event.create(org=acme, type="contact.created", data={})
    fields = {"event_id": event.id, "due_at": event.created_at}
    await WebhookDelivery.create(org=acme, webhook=webhook, **fields)
    await make_webhook_attempt(webhook, event.id, response_status=None, error="example.com did not answer", answer=None)
    await make_webhook_attempt(webhook, event.id, response_status=200, answer="ok")
    page = await owner.get(f"/webhooks/{webhook.id}")
    assert "1, the oldest since" in page.text
    assert page.soup.select_one("#state")["hx-get"] == f"/webhooks/{webhook.id}"
    assert "example.com did not answer" in page.text


async def test_the_page_shows_what_was_posted_and_replays_it(owner: Visitor, acme: Organization) -> None:
    webhook = await make_webhook(acme, URL)
    event = await Event.create(org=acme, type="contact.created", data={"email": "ada@example.org"})
    attempt = await make_webhook_attempt(webhook, event.id)
    await WebhookDelivery.create(
        org=acme, webhook=webhook, event_id=event.id, status="failed", attempts=1, due_at=event.created_at
    )
    place = f"/webhooks/{webhook.id}"
    page = await owner.get(place)
    assert "contact.created" in page.text
    details = await owner.get(f"{place}/attempts/{attempt.id}")
    assert '"email": "ada@example.org"' in details.text
    assert details.soup.find(id="response-body").get_text() == "no"
    page = await owner.submit(page, f"{place}/replay")
    assert page.notes == ["Failed events queued again."]
    delivery = await WebhookDelivery.get(webhook_id=webhook.id)
    assert (delivery.status, delivery.attempts) == ("pending", 0)
    await WebhookDelivery.filter(id=delivery.id).update(status="delivered")
    page = await owner.submit(await owner.get(place), f"{place}/events/{event.id}/replay")
    assert page.notes == ["Event queued again."]
    assert (await WebhookDelivery.get(webhook_id=webhook.id)).status == "pending"


async def test_a_webhook_is_changed_disabled_and_deleted(owner: Visitor, acme: Organization) -> None:
    place = f"/webhooks/{(await make_webhook(acme, URL)).id}"
    page = await owner.submit(await owner.get(f"{place}/edit"), url="https://example.com/others", events="email.sent")
    assert page.notes == ["Webhook saved."]
    assert "https://example.com/others" in page.text
    page = await owner.submit(page, f"{place}/status")
    assert page.notes == ["Webhook disabled. Nothing is posted to it until you enable it."]
    page = await owner.submit(page, f"{place}/status")
    assert page.notes == ["Webhook enabled. Events are posted to it again."]
    page = await owner.submit(page, f"{place}/test")
    assert page.notes == ["Test event queued. The attempt shows up below in a moment."]
    page = await owner.submit(await owner.get(f"{place}/rotate"))
    assert page.title == "Your signing secret"
    page = await owner.submit(await owner.get(f"{place}/delete"))
    assert page.notes == ["Webhook deleted."]
    assert await Webhook.of(acme).count() == 0


async def test_the_feed_says_what_happened_and_an_event_shows_its_data(owner: Visitor, acme: Organization) -> None:
    data = {"email": "ada@example.org", "first_name": "Ada"}
    event = await Event.create(org=acme, type="contact.unsubscribed", data=data)
    page = await owner.get("/events")
    (line,) = page.soup.select(".feed li")
    assert "ada@example.org unsubscribed" in " ".join(line.get_text(" ", strip=True).split())
    shown = await owner.get(f"/events/{event.id}")
    assert '"first_name": "Ada"' in shown.text


async def test_the_feed_links_to_what_still_exists_and_names_the_contact_of_a_topic(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    contact, account, form = (
        await make_contact(acme, "ada@example.org"),
        await make_account(acme),
        await make_form(acme),
    )
    theirs = await make_contact(rival, "rita@example.org")
    topic = {"subscription": "opt_out"}
    for fields in (
        {"type": "contact.topic_changed", "contact_id": contact.id, "data": topic},
        {"type": "contact.topic_changed", "contact_id": theirs.id, "data": topic},
        {"type": "contact.updated", "contact_id": uuid4(), "data": {"email": "bob@example.org"}},
        {"type": "account.error", "account_id": account.id, "data": {"name": "Main"}},
        {"type": "account.error", "account_id": uuid4(), "data": {"name": "Old"}},
        {"type": "form.submitted", "data": {"form_id": str(form.id), "form_name": "News"}},
        {"type": "form.submitted", "data": {"form_id": str(uuid4()), "form_name": "Past"}},
    ):
        await Event.create(org=acme, **fields)
    words = (await owner.get("/events")).soup.select(".feed-words")
    linked = {str(link["href"]): link.text for line in words if (link := line.find("a"))}
    assert linked == {
        f"/contacts/{contact.id}": "ada@example.org",
        f"/accounts/{account.id}": "Account “Main”",
        f"/forms/{form.id}": "Form “News”",
    }
    unlinked = [line.text for line in words if line.find("a") is None]
    assert unlinked == [
        "Form “Past” had a sign-up",
        "Account “Old” can't send",
        "bob@example.org was changed",
        "A deleted contact opted out of a topic",
    ]
