"""The pages of letters on a first visit: light, from this server alone, and without a violation that axe finds."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Request

from tests.browser.accessibility import Auditor
from tests.browser.conftest import watch
from tests.tools.showcase.instance import Instance

FIRST_VISIT = 200_000  # bytes as they are sent, heads and bodies
PLACES = (
    *(f"/templates/new?kind={kind}" for kind in ("blocks", "html", "mjml", "text")),
    "/templates/new?starter=newsletter",
    "/templates",
    "/media",
    "/organization/brand",
)
SAVED = ("/templates/<uuid:template_id>", "/templates/<uuid:template_id>/versions/<uuid:version_id>")


@pytest.mark.timeout(300)
def test_a_first_visit_is_light_and_stays_on_this_server(browser: Browser, shown: Instance) -> None:
    saved = [stop.path for stop in shown.stops if stop.route in SAVED and stop.person == "full"]
    assert len(saved) >= 5
    for path in (*PLACES, *saved):
        context = browser.new_context(base_url=shown.base_url, reduced_motion="reduce")
        auditor, page = Auditor(context), context.new_page()
        shown.sign_in(context, "full")
        problems, requests = watch(page), list[Request]()
        page.on("requestfinished", lambda request, seen=requests: seen.append(request))
        page.goto(path, wait_until="networkidle")
        hosts = {urlsplit(request.url).netloc for request in requests if not request.url.startswith("data:")}
        assert hosts == {urlsplit(shown.base_url).netloc}, path
        weight = sum(sum(sizes_of(request)) for request in requests if not request.url.startswith("data:"))
        assert 10_000 < weight < FIRST_VISIT, path
        assert auditor.violations(page) == [], path
        assert problems == [], path
        context.close()


def sizes_of(request: Request) -> tuple[int, int]:
    """The bytes of an answer's head and body."""
    sizes = request.sizes()
    return sizes["responseHeadersSize"], sizes["responseBodySize"]
