"""A reader signs up by a form's page in a real browser, and confirms by the link of the email."""

import re
import time
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.accessibility import Auditor
from tests.browser.conftest import PHONE, Service, beside_the_browser, in_acme, in_database, watch
from tests.factories import account_on, make_form, make_topic
from tests.fakes.smtp_server import SmtpServer
from tests.support.instance_mail import body_of, read
from webapp import clock
from webapp.domain.forms.inputs import PROOF
from webapp.models import Organization, PendingSignUp

ADA, KEY = "ada@example.org", "aFormInTheBrowser12345"
NO_ROBOT = "Object.defineProperty(navigator, 'webdriver', {get: () => false})"
CITY = {"key": "city", "label": "City", "kind": "choice", "required": True, "options": ["Rome", "Berlin"]}
NAME = {"key": "first_name", "label": "First name", "kind": "text", "required": False, "options": []}


@pytest.fixture
def open_relay() -> Iterator[SmtpServer]:
    """A server without a login."""
    server = SmtpServer()
    with beside_the_browser(server):
        yield server


def link_to(relay: SmtpServer, base_url: str) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for mail in relay.messages:
            if mail.recipients == [ADA]:
                link = re.search(rf"{re.escape(base_url)}/f/confirm/\S+", body_of(read(mail)))
                assert link
                return link[0]
        time.sleep(0.2)
    raise AssertionError("no confirmation arrived")


def test_a_reader_signs_up_and_confirms(browser: Browser, claimed: Service, open_relay: SmtpServer) -> None:
    async def make(org: Organization) -> None:
        account = await account_on(open_relay, org, from_email="hello@acme.example")
        topic = await make_topic(org, name="Product news", description="What is new, once a month.")
        about = {"form_fields": [NAME, CITY], "consent_text": "I want it.", "topic_ids": [str(topic.id)]}
        await make_form(org, key=KEY, account=account, confirm_by="click", **about)

    in_acme(claimed, make)
    context = browser.new_context(base_url=claimed.base_url, viewport=PHONE)
    auditor, page = Auditor(context), context.new_page()
    problems = watch(page)
    page.goto(f"/f/{KEY}")
    assert auditor.violations(page) == []
    page.get_by_label("Email address").fill(ADA)
    page.get_by_label("City").select_option("Rome")
    page.get_by_label("Product news").check()
    page.wait_for_timeout(2_100)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your inbox")
    link = link_to(open_relay, claimed.base_url)
    page.goto(link)  # as a program that drives a browser, which confirms nothing
    expect(page.get_by_role("button", name="Confirm")).to_be_visible()
    assert auditor.violations(page) == []
    page.add_init_script(NO_ROBOT)
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("You're in")
    assert problems == []
    context.close()


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_a_reader_signs_up_by_a_flooded_form(
    browser: Browser, claimed: Service, open_relay: SmtpServer, *, has_script: bool
) -> None:
    key, email = f"aFloodedFormInABrowse{has_script:d}", f"flooded{has_script:d}@example.org"

    async def make(org: Organization) -> None:
        account = await account_on(open_relay, org, from_email="hello@acme.example")
        await make_form(org, key=key, account=account, closed_until=clock.now() + timedelta(hours=1))

    async def is_saved() -> None:
        assert await PendingSignUp.across_orgs().filter(email=email).exists()

    in_acme(claimed, make)
    context = browser.new_context(base_url=claimed.base_url, java_script_enabled=has_script)
    page = context.new_page()
    problems, solvers = watch(page), list[Route]()

    def delay(solver: Route) -> None:
        solvers.append(solver)

    page.route("**/pbkdf2.js*", delay)
    page.goto(f"/f/{key}")
    page.get_by_label("Email address").fill(email)
    page.wait_for_timeout(2_100)
    with page.expect_request(lambda request: request.method == "POST") as posted:
        page.get_by_role("button", name="Sign up").click()
        if has_script:
            expect(page.locator("[aria-busy=true]")).to_be_visible()
        for route in solvers:
            route.continue_()
    assert bool(parse_qs(posted.value.post_data or "").get(PROOF)) is has_script
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your inbox")
    in_database(claimed, is_saved)
    assert problems == []
    context.close()
