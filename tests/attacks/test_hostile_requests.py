"""Queries, paths, cookies, headers and forms that nobody meant: a refusal or an answer, never a fault of ours (S16, S28, S46, S47)."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import TypeVar
from urllib.parse import quote
from uuid import uuid4

import pytest
from quart import Quart

from tests.api.conftest import Api
from tests.attacks.conftest import make_ada
from tests.factories import make_account, make_one_of_each
from tests.pages.conftest import PASSWORD, Visitor
from tests.routes import Route, routes_of
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.sandbox.sandbox import store_mail
from webapp.models import Organization

QUERIES = [
    "page=0", "page=-1", "page=1e3", f"page={10**23}", f"page={10**9}", "page=%D9%A1%D9%A2", "page=", "page=+1", "page=0x1",
    "page=1&page=2", "page_size=101", "page_size=0", "page_size=-1", "page_size=abc", f"page_size={10**23}",
    f"limit={10**23}", "limit=-1", "after=%00", "before=%FF", "after=x&before=y", "status=%00", "status=%FF%FE", "q=%00",
    "q=%ED%A0%80", f"q={'x' * 5_000}", "segment_id=%00", "campaign_id='", "account_id=1%20OR%201=1", "view=%00", "next=%00",
    "next=%FF", "&&&", "=", "%", "%zz", "a[]=1&a[b]=2", "lang=%00", "state=%FF&code=%00&error=%0d%0aX:y",
]  # fmt: skip
PLACES = ["%00", "%FF", "%ED%A0%80", "..%2f..%2fetc%2fpasswd", "x" * 2_000, "%E2%80%AE", "-1", str(2**70), "null"]
JUNK = ["", "\xff", "x" * 4_000, "a.b", "=", ";", "{}", "é", "%00", "AAAA.AAAA", "bm8gc3BhY2U.x", "..", '"', "\\"]
VALUES = [
    "\0", "\ud800", "\u202e", "x" * 20_000, "{{ 7919 * 7919 }}", "-1", str(2**70), "1e309", "a\r\nb", "[]", "null",
]  # fmt: skip
FIELDS = (
    "name", "email", "password", "current_password", "new_password", "next", "theme", "role", "lifetime", "form_id",
    "smtp_host", "smtp_port", "smtp_username", "smtp_password", "smtp_security", "daily_mail_limit", "concurrency",
    "from_email", "from_name", "provider_type", "status", "organization", "timezone", "expires_at", "subject", "body", "sample", "to",
    "first_name", "last_name", "phone", "custom_fields", "title", "description", "segment_id", "template_id", "which",
    "account_id", "schedule_type", "scheduled_at", "recurrence_interval", "recurrence_unit", "contact_id", "tab", "sheet",
)  # fmt: skip
HEADERS = (
    "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Type", "If-Modified-Since", "If-None-Match", "If-Range",
    "Origin", "Range", "Referer", "User-Agent", "X-Forwarded-For", "X-Request-Id", "Idempotency-Key", "HX-Current-URL",
)  # fmt: skip
IN_HEADERS = [
    "", "\xff", "-1", "9" * 400, "http://[", "http://a/[", "//[", "bytes=9-1", "bytes=-", '"', "W/", "Mon, 99 Foo 99999999999 99:99:99",
    "*/*;q=nan", "*/*;q=1e400", "text/html;" * 500, "multipart/form-data", "multipart/form-data; boundary=", "a/b; charset=nope",
    "multipart/form-data; boundary=\xff", "x*=nope''%ff", "(" * 2_000, "::1%,[", "\\" * 500, '"' * 501,
]  # fmt: skip
UNASKED = ("/readyz", "/openapi.json")  # it needs a worker; it takes long and reads no query
ELSEWHERE = [
    "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "/\n/evil.example",
    "\t//evil.example", " //evil.example", "https:evil.example", "https:///evil.example", "javascript:alert(1)", "java\nscript:x",
    "//[", "http://[", "data:text/html,x", "//evil.example/%2e%2e", "/\u2028/evil.example", "home", "/" + "x" * 3_000, "/a\r\nSet-Cookie: b=c",
]  # fmt: skip
T = TypeVar("T")
GATES = ("Content-Type", "Idempotency-Key", "Origin", "Referer")  # a bad one is refused before the others are read


def some(values: Sequence[T], turn: int) -> Sequence[T]:
    """A tenth of the values, at least one; each turn begins at another value."""
    return values[turn % min(10, len(values)) :: 10]


@pytest.fixture
async def ids(acme: Organization) -> dict[str, str]:
    """One of everything, by the names that paths have for it."""
    made = await make_one_of_each(acme, await make_account(acme))
    key = (await issue_key(acme, NewKey(name="shop", role="sender"))).key
    mail = await store_mail(acme.id, "a@acme.example", ["b@acme.example"], b"Subject: x\r\n\r\nhi\r\n")
    own = {"row_id": made["mail_log_id"], "key_id": str(key.id), "mail_id": str(mail.id)}
    return defaultdict(lambda: str(uuid4()), made | own | {"number": "0", "noun": "emails"})


def asked(app: Quart, method: str, *, by_programs: bool) -> list[Route]:
    """The routes of a method; both addresses of the API have the same views."""
    return [
        route
        for route in routes_of(app)
        if route.method == method
        and route.is_api_path == by_programs
        and route.path not in UNASKED
        and not (route.path.startswith("/api/v1") and "compose" not in route.path)
    ]


async def test_no_query_makes_a_fault(app: Quart, api: Api, owner: Visitor, ids: dict[str, str]) -> None:
    for turn, route in enumerate(asked(app, "GET", by_programs=True)):
        for query in some(QUERIES, turn):
            response = await api.send("GET", f"{route.at(ids)}?{query}")
            assert response.status_code in (200, 400, 404, 422), (str(route), query)
    for turn, route in enumerate(asked(app, "GET", by_programs=False)):
        for query in some(QUERIES, turn):
            page = await owner.get(f"{route.at(ids)}?{query}", follow=False)
            assert page.status < 500, (str(route), query)


async def test_no_path_makes_a_fault(app: Quart, api: Api, owner: Visitor, ids: dict[str, str]) -> None:
    turns = count()
    for method in ("GET", "POST", "PATCH", "DELETE"):
        for route in asked(app, method, by_programs=True):
            for name in route.ids:
                for place in some(PLACES, next(turns)):
                    answer = await api.send(method, route.at(defaultdict(str, ids | {name: place})), json={})
                    assert answer.status_code == 404, (str(route), place)
    for route in asked(app, "GET", by_programs=False):
        for name in route.ids:
            for place in some(PLACES, next(turns)):
                page = await owner.get(route.at(defaultdict(str, ids | {name: place})), follow=False)
                assert page.status < 500, (str(route), place)


async def test_no_header_makes_a_fault(api: Api, owner: Visitor) -> None:
    form = {"csrf_token": (await owner.get("/accounts")).token, "theme": "dark"}
    together = [name for name in HEADERS if name not in GATES]
    for turn, gate in enumerate((None, *GATES)):
        for value in some(IN_HEADERS, turn):
            shift = IN_HEADERS.index(value)
            others = [(name, IN_HEADERS[(shift + place) % len(IN_HEADERS)]) for place, name in enumerate(together)]
            headers = {gate: value} if gate else dict(others)
            for path in ("/home", "/static/app.css", f"/sign-in?next={quote(value)}"):
                assert (await owner.get(path, headers=headers, follow=False)).status < 500, (headers, path)
            assert (await owner.post("/theme", form=form, headers=headers, follow=False)).status < 500, headers
            as_json = {"Content-Type": "application/json"} | headers
            answer = await api.send("POST", "/v1/segments", data=b'{"name": ""}', headers=as_json)
            assert answer.status_code in (400, 415), headers


async def test_no_part_of_an_upload_makes_a_fault(owner: Visitor) -> None:
    token = (await owner.get("/imports/new")).token
    for value in (*IN_HEADERS, *JUNK):
        head = f'Content-Disposition: form-data; name="file"; filename={value}\r\nContent-Type: {value}\r\n\r\n'
        parts = [f'Content-Disposition: form-data; name="csrf_token"\r\n\r\n{token}', f"{head}email\na@b.example"]
        body = "".join(f"--x\r\n{part}\r\n" for part in parts) + "--x--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        page = await owner.post("/imports", data=body.encode("latin-1"), headers=headers, follow=False)
        assert page.status < 500, value


async def test_no_cookie_makes_a_fault(app: Quart, owner: Visitor) -> None:
    session = f"session={owner.cookie('session')}"
    names = ("session", "device", "door", "flash", "theme", "fresh_key", "fresh_link", "google")
    for turn, name in enumerate(names):
        for value in some(JUNK, turn):
            browser = Visitor(app)
            rest = "" if name == "session" else f"; {session}"
            for path in ("/home", f"/api-keys/{uuid4()}/secret", "/accounts/google/callback?state=x&code=y"):
                headers = {"Cookie": f"{name}={value}{rest}".encode("latin-1", "ignore").decode("latin-1")}
                page = await browser.get(path, headers=headers, follow=False)
                assert page.status < 500, (name, value, path)


async def test_no_form_makes_a_fault(app: Quart, owner: Visitor, ids: dict[str, str]) -> None:
    token = (await owner.get("/accounts")).token
    ends = ("/sign-out", "/delete", "/revoke", "/empty", "/end-others", "/test-login")
    for turn, route in enumerate(asked(app, "POST", by_programs=False)):
        if route.path.endswith(ends):
            continue
        for value in some(VALUES, turn):
            form = {name: value.encode("utf-8", "surrogatepass") for name in FIELDS} | {"csrf_token": str(token)}
            page = await owner.post(route.at(ids), form=form, follow=False)
            assert page.status < 500, (str(route), value)
            assert b"62710561" not in page.data


async def test_no_way_leads_to_another_site(app: Quart, acme: Organization) -> None:
    person = await make_ada(acme)
    for target in ELSEWHERE:
        browser = Visitor(app)
        page = await browser.get("/sign-in", query_string={"next": target})
        assert page.soup.select_one("input[name=next]")["value"] == "/home", target
        path = target if target.startswith("/") and target.isprintable() else "/x"
        form, headers = {"csrf_token": page.token, "theme": "dark"}, {"Referer": f"https://evil.example{path}"}
        coloured = await browser.post("/theme", form=form, headers=headers, follow=False)
        assert coloured.response.headers["Location"] in ("/home", "/x"), target
        done = await browser.submit(page, email=person.email, password=PASSWORD, next=target, follow=False)
        assert done.response.headers["Location"] == "/home", target
        back = await browser.get("/sign-in", query_string={"next": target}, follow=False)
        assert back.response.headers["Location"] == "/home", target
        out = await browser.submit(await browser.get("/home"), "/sign-out", next=target, follow=False)
        assert out.response.headers["Location"] == "/home", target
