"""A campaign is made, reviewed, sent and watched to its end, in a browser."""

import re

from playwright.sync_api import Page, expect

READERS = 50


def test_a_campaign_is_made_reviewed_sent_and_watched_live(ada: Page) -> None:
    make_readers(ada)
    ada.goto("/campaigns")
    ada.get_by_role("link", name="Create campaign").click()
    ada.get_by_label("Title").fill("Spring news")
    ada.get_by_label("Segment").select_option(label=f"Spring readers ({READERS})")
    ada.get_by_role("button", name="Next: Content").click()

    ada.get_by_role("radio", name="Spring letter").check()
    expect(ada.locator("#look")).to_contain_text("Spring for slow+r0@example.org")
    expect(ada.frame_locator("#look iframe").get_by_text("The first leaves are out.")).to_be_visible()
    ada.get_by_role("button", name="Next: Review").click()

    ada.get_by_role("link", name="Change the senders").first.click()

    expect(ada.get_by_role("checkbox", name="Sandbox")).to_be_hidden()
    ada.get_by_role("radio", name="Selected accounts").check()
    ada.get_by_role("checkbox", name="Sandbox").check()
    ada.get_by_role("button", name="Save").click()
    ada.get_by_role("link", name="Change the schedule").first.click()
    expect(ada.get_by_label("Date and time")).to_be_hidden()
    ada.get_by_role("radio", name="Recurring").check()
    expect(ada.get_by_label("Date and time")).to_be_visible()
    expect(ada.get_by_text("For a recurring schedule")).to_be_visible()
    expect(ada.get_by_text("For new members")).to_be_hidden()
    ada.get_by_role("radio", name="Goes out once, at the time you choose").check()
    expect(ada.get_by_text("Time zone: Europe/Berlin.")).to_be_visible()
    expect(ada.get_by_text("For a recurring schedule")).to_be_hidden()
    ada.get_by_role("radio", name="Automatically to new members").check()
    expect(ada.get_by_text("For new members")).to_be_visible()
    expect(ada.get_by_label("Every", exact=True)).not_to_have_attribute("placeholder", re.compile(""))
    ada.get_by_role("radio", name="Send now").check()
    ada.get_by_role("button", name="Save").click()

    expect(ada.get_by_text("No unsubscribe link.")).to_be_visible()
    expect(ada.get_by_text("Estimated finish: today, about")).to_be_visible()
    streams: list[str] = []
    ada.on("request", lambda request: streams.append(request.url) if request.url.endswith("/events") else None)
    ada.get_by_role("button", name=f"Send to {READERS} contacts").click()
    expect(ada.get_by_role("status").filter(has_text=f"to {READERS} contacts.")).to_be_visible()

    numbers = ada.locator(".stride-head")
    expect(numbers).to_contain_text(f"{READERS} of {READERS}", timeout=30_000)
    expect(ada.get_by_role("link", name="Send to members who missed it")).to_be_visible()  # the page itself has gone on
    assert streams
    expect(ada.get_by_role("row").filter(has_text="Completed")).to_contain_text(str(READERS))
    ada.get_by_role("link", name="View all").click()
    expect(ada).to_have_url(re.compile(r"/mail-logs\?campaign_id=.+&campaign_run_id=.+"))


def make_readers(page: Page) -> None:
    """A segment with readers and a template, by the forms that its pages have."""
    page.goto("/segments/new")
    page.get_by_label("Name").fill("Spring readers")
    page.locator("main form button[type=submit]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Spring readers")
    add(page, page.url)
    page.goto("/templates/new")
    token = page.locator("main input[name=csrf_token]").first.input_value()
    letter = {"name": "Spring letter", "subject": "Spring for {{ email }}", "body": "<p>The first leaves are out.</p>"}
    assert page.request.post("/templates", form={"csrf_token": token, **letter}).ok


def add(page: Page, segment: str) -> None:
    page.goto(f"{segment}/add")
    token = page.locator("main input[name=csrf_token]").first.input_value()
    for number in range(READERS):
        box = f"slow+r{number}" if number % 5 == 0 else f"r{number}"  # so that there is something to watch
        form = {"csrf_token": token, "email": f"{box}@example.org"}
        assert page.request.post(f"{segment}/members", form=form).ok
