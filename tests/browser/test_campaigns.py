"""A campaign is made, reviewed, sent and read, in a browser."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Service, in_acme
from tests.factories import make_campaign, make_contact, make_segment, make_template, make_topic
from webapp.domain.accounts.accounts import sandbox_account
from webapp.models import Organization

BODY = (
    '<!doctype html><html lang="en"><head><title>Letter</title></head><body><h1>Dear {{ first_name }}</h1>'
    '<p><a href="%s/reference" target="_blank">Read more</a> <a href="{{ browser_url }}">View in browser</a> '
    '<a href="{{ unsubscribe_url }}">Leave</a></p></body></html>'
)
SECTION = "Tracking and UTM parameters"


async def make_spring(org: Organization) -> None:
    """A segment and a template."""
    await make_segment(org, await make_contact(org, "ann@spring.example"), name="Spring readers")
    words = {"subject": "Spring for {{ email }}", "body": "<p>The first leaves are out.</p>", "variables": ["email"]}
    await make_template(org, name="Spring letter", **words)


async def make_topic_of_planters(org: Organization) -> None:
    await make_segment(org, await make_contact(org, "gil@plants.example"), name="Planters")
    await make_topic(org, name="Gardening")


def test_topics_count_the_members_of_the_chosen_segment(ada: Page, claimed: Service) -> None:
    in_acme(claimed, make_topic_of_planters)
    ada.goto("/campaigns/new")
    topic = ada.get_by_label("Topic (optional)")
    topic.select_option(label="Gardening")
    ada.get_by_label("Segment").select_option(label="Planters (1)")
    expect(topic.locator("option:checked")).to_have_text("Gardening: 1 of 1")


def test_the_steps_above_the_form_save_it_and_enter_goes_to_the_next_one(ada: Page, claimed: Service) -> None:
    async def prepare(org: Organization) -> None:
        await make_segment(org, await make_contact(org, "ivy@buds.example"), name="Buds")
        await make_template(org, name="Bud letter", subject="Buds", body="<p>They open.</p>")

    in_acme(claimed, prepare)
    ada.goto("/campaigns/new")
    ada.get_by_label("Title").fill("Steps")
    ada.get_by_label("Segment").select_option(label="Buds (1)")
    ada.get_by_label("Title").press("Enter")
    steps, subject = ada.get_by_role("navigation", name="Steps"), ada.get_by_label("Subject", exact=True)
    ada.get_by_role("radio", name="Bud letter").check()
    subject.fill("Twigs")
    steps.get_by_role("button", name="Audience").click()
    expect(ada.get_by_label("Title")).to_have_value("Steps")
    steps.get_by_role("button", name="Content").click()
    expect(subject).to_have_value("Twigs")
    subject.fill("Leaves")
    subject.press("Enter")
    expect(ada.get_by_role("heading", name="Pre-send checks")).to_be_visible()
    expect(ada.locator("#review")).to_contain_text("Leaves")


def test_each_step_shows_what_is_chosen_and_hides_what_it_leaves_out(ada: Page, claimed: Service) -> None:
    in_acme(claimed, make_spring)
    ada.goto("/campaigns")
    ada.get_by_role("link", name="Create campaign").click()
    ada.get_by_label("Title").fill("Spring news")
    ada.get_by_label("Segment").select_option(label="Spring readers (1)")
    ada.get_by_role("button", name="Next: Content").click()
    ada.get_by_role("radio", name="Spring letter").check()
    expect(ada.locator("#look")).to_contain_text("Spring for ann@spring.example")
    for typed, shown in (
        ("Green for {{ email }}", "Green for ann@spring.example"),
        ("Green {{", "unclosed tag"),
        ("", "Spring"),
    ):
        ada.get_by_label("Subject", exact=True).fill(typed)
        expect(ada.locator("#look")).to_contain_text(shown)
    expect(ada.frame_locator("#look iframe").get_by_text("The first leaves are out.")).to_be_visible()
    ada.get_by_role("button", name="Next: Review").click()
    ada.get_by_role("link", name="Change the accounts").first.click()
    expect(ada.get_by_role("checkbox", name="Sandbox")).to_be_hidden()
    ada.get_by_role("radio", name="Selected accounts").check()
    ada.get_by_role("checkbox", name="Sandbox").check()
    ada.get_by_role("button", name="Save").click()
    ada.get_by_role("link", name="Change the schedule").first.click()
    expect(ada.get_by_label("Date and time")).to_be_hidden()
    ada.get_by_role("radio", name="Recurring").check()
    expect(ada.get_by_label("First send (optional)")).to_be_visible()
    expect(ada.get_by_text("If empty, the campaign first goes out one interval from now.")).to_be_visible()
    number, unit = ada.get_by_label("Repeat every", exact=True), ada.get_by_label("Unit", exact=True)
    expect(number).to_have_value("1")
    expect(unit).to_have_value("week")
    for amount, words in (("2", "weeks"), ("1", "week")):
        number.fill(amount)
        expect(unit.locator("option:checked")).to_have_text(words)
    expect(ada.get_by_text("within 5 minutes of joining")).to_be_hidden()
    for width in (1440, 390):
        ada.set_viewport_size({"width": width, "height": 900})
        left, right = (shown.evaluate("field => field.getBoundingClientRect().toJSON()") for shown in (number, unit))
        assert (left["top"], left["bottom"]) == (right["top"], right["bottom"])
        assert left["right"] < right["left"]
    ada.get_by_role("radio", name="Goes out once, at the time you choose").check()
    expect(ada.get_by_text("Time zone: Europe/Berlin.")).to_be_visible()
    expect(ada.get_by_text("The first send of a recurring campaign")).to_be_hidden()
    ada.get_by_role("radio", name="Automatically to new members").check()
    expect(ada.get_by_text("within 5 minutes of joining")).to_be_visible()
    expect(ada.get_by_label("Collect new members and send every", exact=True)).to_have_value("")
    expect(number).to_be_hidden()
    ada.get_by_role("radio", name="Send now").check()
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("No unsubscribe link.")).to_be_visible()


async def make_own(org: Organization, base_url: str) -> None:
    """Segments with a member in common, and a template."""
    readers = [await make_contact(org, f"own{number}@example.org", first_name=f"N{number}") for number in range(3)]
    await make_segment(org, *readers, name="Own readers")
    await make_segment(org, readers[0], name="Own customers")
    tags = ["first_name", "browser_url", "unsubscribe_url"]
    await make_template(org, name="Own letter", subject="The template's", body=BODY % base_url, variables=tags)


def test_a_campaign_is_sent_as_it_says_and_viewed_in_the_browser(ada: Page, claimed: Service) -> None:
    in_acme(claimed, lambda org: make_own(org, claimed.base_url))
    ada.goto("/campaigns/new")
    ada.get_by_label("Title").fill("Own words")
    ada.get_by_label("Segment", exact=True).select_option(label="Own readers (3)")
    expect(ada.get_by_label("Own customers (1)")).to_be_hidden()
    ada.get_by_text("Exclude segments").click()
    ada.get_by_label("Own customers (1)").check()
    ada.get_by_role("button", name="Next: Content").click()
    ada.get_by_role("radio", name="Own letter").check()
    expect(ada.get_by_label("Subject", exact=True)).to_have_attribute("placeholder", "The template's")
    expect(ada.get_by_label("Source")).to_be_hidden()
    ada.get_by_text(SECTION).click()
    ada.get_by_label("Subject", exact=True).fill("Own words for {{ first_name }}")
    ada.get_by_label("Preview text").fill("Soon to come")
    ada.get_by_label("From name").fill("Acme Letters")
    ada.get_by_label("From address").fill("letters@nobody.example")
    ada.get_by_label("Source").fill("news")
    ada.get_by_role("button", name="Next: Review").click()
    expect(ada.get_by_text(re.compile("domain of an account that can send: .*@pennypost.example"))).to_be_visible()
    expect(ada.get_by_label("From address")).to_be_focused()
    expect(ada.get_by_label("Subject", exact=True)).to_have_value("Own words for {{ first_name }}")
    ada.get_by_label("From address").fill("letters@pennypost.example")  # the sandbox has its domain
    ada.get_by_role("button", name="Next: Review").click()
    expect(ada.get_by_text("Leaves out 1 member of Own customers.")).to_be_visible()
    ada.get_by_role("link", name="Change the accounts").first.click()
    ada.get_by_role("radio", name="Selected accounts").check()
    ada.get_by_role("checkbox", name="Sandbox").check()
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_text("Acme Letters <letters@pennypost.example>")).to_be_visible()
    ada.get_by_role("link", name="Send to 2 contacts").click()
    ada.get_by_role("dialog").get_by_role("button", name="Send now").click()
    expect(ada.locator(".stride-head")).to_contain_text("2 of 2", timeout=30_000)
    expect(ada.get_by_text("Leaves out the members of Own customers.")).to_be_visible()

    ada.get_by_role("link", name="View a sent email").click()
    expect(ada.get_by_role("heading", level=1)).to_contain_text("Own words for N")
    document = ada.request.get(f"{urlsplit(ada.url).path}/rendered").text()
    found = re.search(r'href="([^"]+/view/[^"]+)"', document)
    assert found
    ada.context.clear_cookies()  # as its recipient, who has no session
    ada.goto(found[1])
    expect(ada.get_by_role("heading", name=re.compile("^Dear N"))).to_be_visible()
    expect(ada.get_by_text("Soon to come")).to_be_hidden()
    with ada.context.expect_page() as opened:
        ada.get_by_role("link", name="Read more").click()
    expect(opened.value).to_have_url(re.compile(r"/reference\?utm_source=news$"))
    expect(opened.value.get_by_role("heading", level=1)).to_be_visible()  # with its styles and scripts: no sandbox
    ada.get_by_role("link", name="Leave").click()
    expect(ada.get_by_role("heading", name="Unsubscribe?")).to_be_visible()


def test_an_open_is_tried_in_the_test_inbox(ada: Page, claimed: Service) -> None:
    async def make_draft(org: Organization) -> None:
        segment = await make_segment(org, await make_contact(org, "opener@tried.example"), name="Tried readers")
        template = await make_template(org, subject="Tried opens", body="<p>Hello</p>")
        sender = {"sender_account_ids": [str((await sandbox_account(org)).id)]}  # others may have been added
        tracked = {"title": "Tried opens", "tracking": {"opens": True}}
        await make_campaign(org, segment=segment, template=template, **tracked, **sender)

    in_acme(claimed, make_draft)
    ada.goto("/campaigns?q=Tried")
    ada.get_by_role("link", name="Tried opens").click()
    campaign = ada.url
    ada.get_by_role("link", name="Review and send").first.click()
    ada.get_by_role("link", name="Send to 1 contact").click()
    ada.get_by_role("dialog").get_by_role("button", name="Send now").click()
    expect(ada.locator(".stride-head")).to_contain_text("1 of 1", timeout=30_000)
    ada.goto("/sandbox?q=Tried")
    ada.get_by_role("link", name="Tried opens").click()
    with ada.expect_response(re.compile("/o/")) as pixel:
        ada.get_by_role("link", name="Load images").click()
    assert pixel.value.ok
    expect(ada.get_by_text("Images are loaded, which counts as an open")).to_be_visible()
    for _ in range(40):
        ada.goto(f"{campaign}/report")
        if ada.get_by_text("at most 1 so far").count():
            break
        ada.wait_for_timeout(500)
    expect(ada.get_by_text("at most 1 so far")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_a_long_title_takes_two_lines_of_the_list(ada: Page, claimed: Service, width: int) -> None:
    title = " ".join(["Interminable"] * 15)
    in_acme(claimed, lambda org: make_campaign(org, title=title))
    ada.set_viewport_size({"width": width, "height": 900})
    ada.goto("/campaigns?q=Interminable")
    link = ada.get_by_role("link", name=title).first
    expect(link).to_have_attribute("title", title)
    assert link.evaluate("(one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)") < 2.5


def test_a_phone_shows_what_is_wrong_at_the_other_end_of_a_form(ada: Page, claimed: Service) -> None:
    async def make_draft(org: Organization) -> None:
        await make_template(org, name="Harbor letter")
        await make_campaign(org, title="Harbor news")

    in_acme(claimed, make_draft)
    ada.set_viewport_size(PHONE)
    ada.goto("/campaigns")
    ada.get_by_role("link", name="Harbor news").click()
    ada.goto(f"{ada.url}/content")
    ada.evaluate("scrollTo(0, document.body.scrollHeight)")
    ada.get_by_role("button", name="Next: Review").click()
    error, first = ada.locator(".error"), ada.locator("[name=template_id]").first
    expect(error).to_have_text("Select a template.")
    expect(first).to_be_focused()
    bottom = ada.locator(".top").evaluate("head => head.getBoundingClientRect().bottom")
    for part in (error, first):
        expect(part).to_be_in_viewport()
        ada.wait_for_function(
            "([part, top]) => part.getBoundingClientRect().top >= top", arg=[part.element_handle(), bottom]
        )
