"""Lists and an email on the screen of a phone: nothing is cut off, and no address is broken where it has room."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import watch
from tests.showcase.instance import Instance

LISTS = ("/contacts", "/emails", "/mail-logs", "/campaigns", "/imports", "/api-keys", "/team", "/audit", "/templates")
EMAIL = "/emails/<uuid:email_id>"
SHORT = 30  # letters: an address of so many fits beside a tick, on a line of its own
# How many lines each of the short addresses takes that a list shows.
LINES = f"""[...document.querySelectorAll('main td :not(:has(:not(wbr)), wbr, .sr)')]
    .filter((one) => one.textContent.includes('@') && one.textContent.length <= {SHORT} && one.checkVisibility())
    .map((one) => Math.round(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)))"""
WIDER = """[document.documentElement, ...document.querySelectorAll('.table-card')]
    .some((one) => one.scrollWidth > one.clientWidth)"""


@pytest.mark.parametrize("person", ["full", "viewer"])
def test_lists_fit_a_phone(browser: Browser, shown: Instance, person: str) -> None:
    context = browser.new_context(base_url=shown.base_url, viewport={"width": 390, "height": 844})
    shown.sign_in(context, person)
    page = context.new_page()
    problems, seen = watch(page), list[int]()
    emails = [stop.path for stop in shown.stops if stop.route == EMAIL]
    for path in (*LISTS, emails[0]):
        page.goto(path)
        assert not page.evaluate(WIDER), path
        lines = page.evaluate(LINES)
        assert set(lines) <= {1}, path
        seen += lines
    assert len(seen) > 50
    context.close()
    assert [one for one in problems if "status of 403" not in one] == []
