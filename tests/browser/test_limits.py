"""What people may not do: they read why, and what to do about it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watch
from tests.tools.showcase.instance import Instance


class Shown:
    """Browsers of the showcase's people."""

    def __init__(self, browser: Browser, instance: Instance) -> None:
        self._browser, self._instance, self._problems = browser, instance, list[list[str]]()

    def page(self, person: str) -> Page:
        """A page of a browser in which somebody is signed in."""
        context = self._browser.new_context(base_url=self._instance.base_url)
        self._instance.sign_in(context, person)
        page = context.new_page()
        self._problems.append(watch(page))
        return page

    def close(self) -> list[str]:
        """End them all; returns what went wrong, refusals by the server left out."""
        for context in self._browser.contexts:
            context.close()
        return [one for problems in self._problems for one in problems if "status of 403" not in one]


@pytest.fixture
def people(browser: Browser, shown: Instance) -> Iterator[Shown]:
    found = Shown(browser, shown)
    yield found
    assert found.close() == []


def test_a_limit_of_the_plan_says_what_to_do(people: Shown) -> None:
    page = people.page("limited")
    page.goto("/templates/new")
    page.get_by_label("Name").fill("One too many")
    page.get_by_label("Body").fill("<p>Hello</p>")
    page.get_by_role("button", name="Save", exact=True).click()
    refusal = page.get_by_role("alert").filter(has_text="plan")
    expect(refusal).to_contain_text("The free plan allows 10 templates, and 10 are used.")
    expect(refusal).to_contain_text("ask your administrator for a larger plan")
    expect(page.get_by_label("Name")).to_have_value("One too many")
    expect(page.get_by_label("Body")).to_have_value("<p>Hello</p>")
    page.get_by_role("link", name="Usage").click()
    templates = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Templates"))
    expect(templates).to_contain_text("10 of 10")
    expect(templates).to_contain_text("Limit reached.")


def test_an_admin_issues_a_key_and_a_viewer_is_refused(people: Shown) -> None:
    admin = people.page("admin")
    admin.goto("/api-keys")
    admin.get_by_role("link", name="Create API key").click()
    admin.get_by_label("Name").fill("Shop of the admin")
    admin.get_by_role("button", name="Create key").click()
    expect(admin.locator("#secret")).to_contain_text("svc_live_")
    viewer = people.page("viewer")
    viewer.goto("/api-keys")
    expect(viewer.get_by_role("row").filter(has_text="Shop of the admin")).to_be_visible()
    expect(viewer.get_by_role("link", name="Create API key")).to_have_count(0)
    expect(viewer.get_by_text("for the Admin role")).to_be_visible()
    answer = viewer.goto("/api-keys/new")
    assert answer
    assert answer.status == 403
    expect(viewer.locator("main")).to_contain_text("need the admin role (yours is viewer)")
    viewer.get_by_role("link", name="Go to dashboard").click()
    expect(viewer.get_by_role("heading", level=1)).to_have_text("Dashboard")
