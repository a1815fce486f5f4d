"""Somebody who writes letters, with JavaScript and without."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Service, sign_in, watch


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def writer(request: pytest.FixtureRequest, browser: Browser, claimed: Service) -> Iterator[Page]:
    """Ada's browser, signed in."""
    context = browser.new_context(base_url=claimed.base_url, java_script_enabled=request.param)
    page = context.new_page()
    problems = watch(page)
    sign_in(page)
    yield page
    context.close()
    assert problems == []
