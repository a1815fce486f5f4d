"""Requests that another site makes through a signed-in browser, and what it can read (S29, S32)."""

from collections import defaultdict
from typing import Any
from uuid import uuid4

from quart import Quart

from tests.api.conftest import Api
from tests.api.every_route.test_matrix import everything_of
from tests.pages.conftest import Visitor, make_person, visitor_for
from tests.routes import Route, routes_of
from tests.support.path_ids import make_path_ids
from webapp.domain.audit.audit import AuditAction
from webapp.models import ApiKey, AuditEntry, Organization

ELSEWHERE = "https://evil.example"
# The link is the permission, and mail programs send the form (RFC 8058); sign-up forms stand on other sites.
WITHOUT_TOKEN = ("/unsubscribe/", "/data/", "/erase/", "/f/")


def pages_of(app: Quart, method: str) -> list[Route]:
    """The pages that are asked for in this way, with and without a sign-in."""
    return [route for route in routes_of(app) if route.method == method and not route.is_api_path]


async def test_no_page_takes_a_form_that_is_not_its_own(
    app: Quart, owner: Visitor, acme: Organization, rival: Organization
) -> None:
    stranger = await visitor_for(app, rival, await make_person(rival, "rita@rival.example"))
    ours, theirs = [(await visitor.get("/accounts")).token for visitor in (owner, stranger)]
    before = await everything_of(acme, rival)
    routes = [route for route in pages_of(app, "POST") if not route.path.startswith(WITHOUT_TOKEN)]
    assert len(routes) >= 10
    for turn, route in enumerate(routes):
        path = route.at(defaultdict(lambda: str(uuid4())))  # whoever is let through finds nothing there
        as_text = {"Content-Type": "text/plain", "X-CSRF-Token": ours}
        attempts: list[dict[str, Any]] = [
            {"form": {"csrf_token": theirs}},
            {"data": f"csrf_token={ours}", "headers": as_text},
            {"data": f"csrf_token={ours}", "headers": as_text | {"Content-Type": "application/json"}},
            {"data": b"", "headers": {"X-CSRF-Token": ours}},
            {"form": {"csrf_token": ours}, "headers": {"Sec-Fetch-Site": "cross-site"}},
            {"form": {"csrf_token": ours}, "headers": {"Sec-Fetch-Site": "same-site"}},
            {"form": {"csrf_token": ours}, "headers": {"Origin": ELSEWHERE}},
            {"form": {"csrf_token": ours}, "headers": {"Origin": "null"}},
        ]
        for attempt in ({"form": {"name": "x"}}, attempts[turn % len(attempts)]):  # all of them, over a few routes
            page = await owner.post(path, follow=False, **attempt)
            assert page.status == 403, (str(route), attempt)
    assert await everything_of(acme, rival) == before


async def test_opening_every_page_changes_nothing(app: Quart, owner: Visitor, acme: Organization) -> None:
    ids = await make_path_ids(acme) | {"token": "none", "key": "none", "noun": "emails", "number": "0"}
    ids |= {"filename": "app.css", "hash_": "0" * 64, "name": "logo.png"}
    before, opened = await everything_of(acme), 0
    for turn, route in enumerate(pages_of(app, "GET")):
        for method in ("GET", "HEAD") if turn % 5 == 0 else ("GET",):
            page = await owner.send(method, route.at(ids), follow=False)
            opened += page.status == 200
    assert opened >= 20
    assert (await ApiKey.of(acme).get()).revoked_at is None
    assert await AuditEntry.of(acme).filter(action=AuditAction.EXPORTED).delete() > 0  # that a file was taken is noted
    assert await everything_of(acme) == before


async def test_no_other_site_reads_an_answer(api: Api) -> None:
    asks = {"Origin": ELSEWHERE, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x"}
    for path in ("/", "/v1", "/v1/accounts", "/api/v1/mail-logs", "/openapi.json", "/healthz", "/home"):
        for method in ("GET", "OPTIONS", "POST"):
            headers = (await api.send(method, path, headers=asks)).headers
            assert not [name for name, _ in headers.items() if name.lower().startswith("access-control")], path
