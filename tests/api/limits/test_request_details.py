"""Query, headers and bodies of each API request are stored beside its line in the log, without secrets."""

import json
from typing import Any

from tests.api.conftest import make_api, serving
from tests.api.limits.test_request_log import request_of
from webapp.config import Settings
from webapp.domain.api_requests.log import RawDetails, RequestLog
from webapp.domain.api_requests.masking import BODY_BYTES, BodyStart
from webapp.models import ApiRequest, ApiRequestDetails, Organization

HIDDEN = "[hidden]"
LENGTH = {"Content-Length": "9"}  # which a body of HTTP/1.1 has, and the test client leaves out
AN_ACCOUNT = {
    "account_key": "shop",
    "smtp_host": "127.0.0.1",
    "smtp_port": 99_999,
    "smtp_username": "ada",
    "smtp_password": "hunter2",
    "google_access_token": "hunter2",
    "nested": [{"deep": {"secret": "hunter2", "key": ["hunter2"]}}],
}


async def stored(org: Organization) -> list[ApiRequestDetails]:
    """Details of an organization's requests, oldest first, each of a request of its log."""
    details = await ApiRequestDetails.of(org).order_by("id")
    assert {row.id for row in details} <= {row.id for row in await ApiRequest.of(org)}
    return details


async def only(org: Organization) -> ApiRequestDetails:
    (row,) = await stored(org)
    return row


async def test_a_refused_request_is_stored_with_what_it_sent_and_got_and_no_secret(
    settings: Settings, acme: Organization, rival: Organization
) -> None:
    async with serving(settings) as app:
        api = await make_api(app, acme)
        headers = {"User-Agent": "shop/1.0", "Cookie": "session=hunter2", "X-Api-Key": "hunter2"}
        path = "/v1/accounts?page=2&token=hunter2"
        response = await api.send("POST", path, json=AN_ACCOUNT, headers=headers)
        answered = json.loads(await response.get_data())
    details = await only(acme)
    assert details.query == f"page=2&token={HIDDEN}"
    kept = dict(json.loads(details.headers))
    assert kept["User-Agent"] == "shop/1.0"
    assert kept["Content-Type"] == "application/json"
    assert {"Authorization", "Cookie", "X-Api-Key"}.isdisjoint(kept)
    assert json.loads(details.request_body or "") == AN_ACCOUNT | {
        "smtp_password": HIDDEN,
        "google_access_token": HIDDEN,
        "nested": [{"deep": {"secret": HIDDEN, "key": HIDDEN}}],
    }
    assert response.status_code == 400
    assert json.loads(details.response_body or "") == answered
    assert not details.request_body_is_cut
    assert not details.response_body_is_cut
    row = await ApiRequestDetails.filter(id=details.id).values()
    assert "hunter2" not in str(row)
    assert api.key not in str(row)
    assert await ApiRequestDetails.of(rival).count() == 0


FORM = {"form": {"password": "hunter2"}, "headers": LENGTH}
BODIES: list[tuple[str, str, dict[str, Any], str | None, str]] = [
    ("HEAD", "/v1/accounts", {}, "", ""),
    ("GET", "/v1/nothing", {}, "", '{"error":"Not found"'),
    ("PUT", "/v1/accounts", {"json": {"name": "x"}, "headers": LENGTH}, None, '{"error":"MethodNotAllowed"'),
    ("POST", "/v1/contacts", {"json": {"email": "nobody"}}, '{"email":"nobody"}', '{"error":"ValidationError"'),
    ("POST", "/v1/contacts", FORM, None, '{"error":"UnsupportedMediaType"'),
    ("POST", "/v1/contacts", {"headers": {"Content-Type": "application/json"}}, "", '{"error":"ValidationError"'),
]


async def test_each_body_is_stored_or_left_out(settings: Settings, acme: Organization) -> None:
    async with serving(settings) as app:
        api = await make_api(app, acme)
        for method, path, request, _, _ in BODIES:
            await api.send(method, path, **request)
    for details, (*asked, sent, got) in zip(await stored(acme), BODIES, strict=True):
        assert (details.request_body, bool(details.response_body)) == (sent, bool(got)), asked
        assert details.response_body is not None
        assert details.response_body.startswith(got), asked


EVIL = {
    "10 MB of secrets": json.dumps({"secret": ["hunter2" * 1_500_000]}).encode(),
    "invalid UTF-8": b'{"email": "\xff\xfe", "secret": "hunter2"}',
    "deep nesting": b'{"secret": "hunter2", "a": ' + b"[" * 500_000,
    "many members": json.dumps({f"secret{number}": "hunter2" for number in range(50_000)}).encode(),
    "NULs": json.dumps({"a": "\x00" * 9_000}).encode(),
    "a lone surrogate": b'{"secret": "hunter2", "a": "\\ud800"}',
}


async def test_evil_bodies_are_bounded_and_harmless(settings: Settings, acme: Organization) -> None:
    async with serving(settings) as app:
        api = await make_api(app, acme)
        for path in ("/v1/emails", "/v1/contacts"):
            for name, body in EVIL.items():
                answer = await api.send("POST", path, data=body, headers={"Content-Type": "application/json"})
                assert 400 <= answer.status_code < 500, name
    found = await stored(acme)
    assert len(found) == 2 * len(EVIL)
    for details in found:
        assert "hunter2" not in f"{details.request_body}{details.response_body}"
        assert len((details.request_body or "").encode()) < BODY_BYTES + 100
        assert "error" in json.loads(details.response_body or "")


def some_details(size: int) -> RawDetails:
    body = BodyStart(json.dumps("x" * (size - 2)).encode(), is_whole=True)
    return RawDetails(b"", [], body, BodyStart(b"", is_whole=True))


async def test_beyond_its_bound_of_memory_requests_are_logged_without_details(acme: Organization) -> None:
    log = RequestLog(detail_bytes=1_000)
    requests = [request_of(acme) for _ in range(6)]
    for request, size in zip(requests, (400, 700, 400, 400, 100, 100), strict=True):
        log.record(request, some_details(size))
    await log.write()
    assert await ApiRequest.of(acme).count() == 6
    assert {row.id for row in await stored(acme)} == {requests[number].id for number in (0, 2, 4, 5)}
    log.record(after := request_of(acme), some_details(1_000))  # there is room again
    await log.write()
    assert after.id in {row.id for row in await stored(acme)}
