"""Every page of a full and of an empty organization, and those of strangers, held to WCAG 2.2 AA by axe-core."""

import re
from collections import defaultdict
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import Auditor
from tests.browser.conftest import give_password, watch
from tests.tools.showcase.instance import Instance
from tests.tools.showcase.tour import NOWHERE, Stop
from tests.tools.showcase.words import PASSWORD
from webapp import clock
from webapp.domain.auth.totp import STEP_SECONDS, code_at

ABSENT = re.compile(rf"{NOWHERE}$|/attachments/|/raw.eml$")  # what is nowhere, and files that a mail may not have
UNSURE = ("", "viewer")  # who meet pages that are not theirs
PARTS = 4  # one test of all pages would outlast the time of a test on a busy machine


@pytest.fixture(scope="module")
def stops(shown: Instance) -> list[Stop]:
    """The pages that differ in what they are built of."""
    stops = list(shown.pages(alike=False))
    assert len(stops) > 100
    return stops


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_has_a_violation(browser: Browser, shown: Instance, stops: list[Stop], part: int) -> None:
    context = browser.new_context(base_url=shown.base_url, reduced_motion="reduce")
    auditor = Auditor(context)
    page = context.new_page()
    problems, wrong, person = watch(page), defaultdict(list), ""
    for stop in stops[part::PARTS]:
        is_new = stop.person != person
        if is_new:
            person = stop.person
            page.goto("about:blank")  # the open page would ask on without a session
            shown.sign_in(context, person)
        # Pages for readers have no scripts, which would wait for the styles.
        answer = page.goto(stop.path, wait_until="domcontentloaded" if person else "load")
        assert answer
        assert answer.ok or ABSENT.search(stop.route) or stop.person in UNSURE, f"{stop.path} answers {answer.status}"
        for found in auditor.violations(page, knows_navigation=bool(person) and not is_new):
            wrong[found].append(f"{stop.route} ({stop.person or 'a stranger'})")
    context.close()
    assert not wrong, "\n".join(f"{found}\n    at {', '.join(sorted(set(at)))}" for found, at in wrong.items())
    assert [problem for problem in problems if not re.search("status of 40[34]", problem)] == []


def test_a_report_prints_as_a_document(visit: Callable[..., Page], shown: Instance) -> None:
    page = visit("viewer", color_scheme="dark")
    page.goto(next(stop.path for stop in shown.stops if "/report?run=" in stop.path))
    expect(page.get_by_role("link", name="Download CSV")).to_be_visible()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 900})  # A4 without its margins
    expect(page.locator(".side, .top, .page-head .button, .crumb").locator("visible=true")).to_have_count(0)
    expect(page.locator("section:has(#providers) td").first).to_have_css("display", "table-cell")  # no list of cards
    colours = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.documentElement).backgroundColor]"
    )
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 680


def test_what_is_shown_once_has_no_violation(visit: Callable[..., Page]) -> None:
    page = visit("admin", reduced_motion="reduce")
    auditor = Auditor(page.context)
    page.goto("/api-keys/new")
    page.get_by_label("Name").fill("Looked at")
    page.get_by_text("Limit what it may send, and from where").click()
    page.get_by_label("Shop shop@northwind.example").check()
    page.get_by_label("From addresses").fill("shop@northwind.example")
    audit(auditor, page, "Create API key")
    page.get_by_role("button", name="Create key").click()
    audit(auditor, page, "Your new API key")
    page.goto("/team/invitations/new")
    page.get_by_label("Email").fill("looked-at@example.org")
    page.get_by_role("button", name="Invite").click()
    audit(auditor, page, "Invitation link")


def test_the_second_step_of_signing_in_has_no_violation(visit: Callable[..., Page]) -> None:
    page = visit("sender", reduced_motion="reduce")
    auditor = Auditor(page.context)
    page.goto("/security/two-step")
    secret = page.locator(".secret code").inner_text().replace(" ", "")
    confirm(page, code_at(secret, int(clock.now().timestamp()) // STEP_SECONDS), "Enable")
    audit(auditor, page, "Your recovery codes")
    first, *_ = page.locator("#recovery-codes").inner_text().split()
    page.goto("/security/two-step/codes")
    confirm(page, first, "Create new codes")
    audit(auditor, page, "Your recovery codes")
    second, *_ = page.locator("#recovery-codes").inner_text().split()
    page.get_by_role("button", name="Sign out").first.click()
    give_password(page, "dilara@northwind.example", PASSWORD)
    expect(page.get_by_label("Code")).to_be_visible()
    audit(auditor, page, page.get_by_role("heading", level=1).inner_text())
    page.get_by_label("Code").fill(second)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Dashboard")


def test_choosing_attachments_of_a_campaign_has_no_violation(visit: Callable[..., Page], shown: Instance) -> None:
    page = visit("editor", reduced_motion="reduce")
    auditor = Auditor(page.context)
    page.goto("/media")
    page.locator("#f-file").set_input_files({
        "name": "terms.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\n1 0 obj\nendobj\n%%EOF\n"
    })  # fmt: skip
    page.get_by_role("button", name="Upload").last.click()
    expect(page.get_by_text("terms.pdf").first).to_be_visible()
    step = next(stop.path for stop in shown.stops if re.search(r"/campaigns/[0-9a-f-]+/content$", stop.path))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(step)
        page.get_by_label("terms.pdf").check()
        assert auditor.violations(page) == []


def confirm(page: Page, code: str, button: str) -> None:
    page.get_by_label("Authentication code").fill(code)
    page.get_by_label("Your password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name=button).click()


def audit(auditor: Auditor, page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    assert auditor.violations(page) == []
