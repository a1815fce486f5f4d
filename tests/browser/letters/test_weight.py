"""The pages of letters on a first visit: light, and from this server alone."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request

from tests.tools.showcase.instance import Instance

FIRST_VISIT = 200_000  # bytes as they are sent, heads and bodies


@pytest.mark.parametrize("path", ["/templates/new?starter=newsletter", "/templates/new?kind=mjml", "/media", "saved"])
def test_a_first_visit_is_light_and_stays_on_this_server(
    visit: Callable[..., Page], shown: Instance, path: str
) -> None:
    if path == "saved":
        path = next(stop.path for stop in shown.stops if stop.route == "/templates/<uuid:template_id>")
    page, hosts, weights = visit("full"), set[str](), list[int]()

    def weigh(request: Request) -> None:
        if not request.url.startswith("data:"):
            hosts.add(urlsplit(request.url).netloc)
            sizes = request.sizes()
            weights.append(sizes["responseHeadersSize"] + sizes["responseBodySize"])

    page.on("requestfinished", weigh)
    page.goto(path, wait_until="networkidle")
    assert hosts == {urlsplit(shown.base_url).netloc}
    assert 10_000 < sum(weights) < FIRST_VISIT
