"""Every page of a full and of an empty organization, and those of strangers, held to WCAG 2.2 AA by axe-core."""

import re
from collections import defaultdict

import pytest
from playwright.sync_api import Browser

from tests.browser.accessibility import Auditor
from tests.browser.conftest import watch
from tests.showcase.instance import Instance
from tests.showcase.tour import NOWHERE

ABSENT = re.compile(rf"{NOWHERE}$|/attachments/|/raw.eml$")  # what is nowhere, and files that a mail may not have
UNSURE = ("", "viewer")  # who meet pages that are not theirs


@pytest.mark.timeout(400)  # a hundred pages, on a busy machine
def test_no_page_has_a_violation(browser: Browser, shown: Instance) -> None:
    context = browser.new_context(base_url=shown.base_url, reduced_motion="reduce")
    auditor = Auditor(context)
    page = context.new_page()
    problems, wrong, opened = watch(page), defaultdict(list), 0
    for stop in list(shown.pages(alike=False)):
        context.clear_cookies()
        if stop.person:
            context.add_cookies([{"name": "session", "value": shown.sessions[stop.person], "url": shown.base_url}])
        answer = page.goto(stop.path, wait_until="domcontentloaded")
        assert answer
        assert answer.ok or ABSENT.search(stop.route) or stop.person in UNSURE, f"{stop.path} answers {answer.status}"
        for found in auditor.violations(page):
            wrong[found].append(f"{stop.route} ({stop.person or 'a stranger'})")
        opened += 1
    context.close()
    assert not wrong, "\n".join(f"{found}\n    at {', '.join(sorted(set(at)))}" for found, at in wrong.items())
    assert [problem for problem in problems if not re.search("status of 40[34]", problem)] == []
    assert opened > 60
