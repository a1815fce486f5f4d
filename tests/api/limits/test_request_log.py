"""The log of API requests: a row for each that came with a key, its details beside it, all written in batches."""

import json
import logging
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from uuid_utils.compat import uuid7

from tests.api.conftest import make_api, serving
from tests.api.every_route.test_errors import a_database_that_cannot_commit
from tests.fakes.worker import eventually
from tests.queries import count_queries
from webapp import clock, config
from webapp.config import Settings
from webapp.db.errors import is_outage
from webapp.domain.api_requests.log import RawDetails, RequestLog
from webapp.domain.api_requests.masking import BODY_BYTES, BodyStart
from webapp.domain.roles import Role
from webapp.models import ApiKey, ApiRequest, ApiRequestDetails, Organization
from webapp.models.api_request import NewRequest


async def logged(org: Organization) -> list[tuple[str, str, int]]:
    """The log of an organization in a few words, oldest first."""
    return [(row.method, row.path, row.status) for row in await ApiRequest.of(org).order_by("id")]


async def test_a_request_is_logged_with_who_what_when_and_how(settings: Settings, acme: Organization) -> None:
    settings, asked_at = replace(settings, trusted_proxies=(ip_network("10.0.0.0/8"),)), clock.now()
    config.configure(settings)
    async with serving(settings) as app:
        api = await make_api(app, acme)
        path = "/v1/accounts?page=1"
        headers = {"X-Request-Id": "my-own-id-1", "X-Forwarded-For": "203.0.113.7"}
        await api.send("GET", path, headers=headers, scope_base={"client": ("10.0.0.1", 1)})
        assert await ApiRequest.all().count() == 0  # not in the path of the request
    (row,) = await ApiRequest.of(acme)
    assert (row.method, row.path, row.status) == ("GET", "/v1/accounts", 200)
    assert row.key_id == (await ApiKey.get()).id
    assert (row.address, row.request_id) == ("203.0.113.7", "my-own-id-1")
    assert asked_at <= row.created_at <= asked_at + timedelta(seconds=5)
    assert 0 <= row.duration_ms < 5000


async def test_how_a_request_ended_is_what_its_caller_saw(
    settings: Settings, acme: Organization, rival: Organization
) -> None:
    async with serving(settings) as app:
        await (await make_api(app, rival)).get("/v1/emails")
        api, viewer = await make_api(app, acme), await make_api(app, acme, Role.VIEWER)
        seen = [
            (method, path.partition("?")[0], (await client.send(method, path)).status_code)
            for client, method, path in (
                (api, "HEAD", "/v1/accounts"),
                (api, "GET", "/v1/accounts?page=x"),
                (viewer, "POST", "/v1/accounts"),
                (api, "GET", "/api/v1/mail-logs"),
                (api, "GET", "/v1/nothing"),
                (api, "PUT", "/v1/accounts"),
            )
        ]
    assert [status for _, _, status in seen] == [200, 400, 403, 200, 404, 405]
    assert await logged(acme) == seen
    assert await logged(rival) == [("GET", "/v1/emails", 200)]


async def test_a_path_is_kept_printable_and_short(settings: Settings, acme: Organization) -> None:
    paths = {
        "/v1/accounts/a%0Ab": "/v1/accounts/a%0Ab",
        "/v1/accounts/%00%1B[31m": "/v1/accounts/%00%1B%5B31m",
        "/v1/accounts/%ff": "/v1/accounts/%EF%BF%BD",
        "/v1/accounts/" + "%C3%A4" * 200: ("/v1/accounts/" + "%C3%A4" * 200)[:500],
    }
    async with serving(settings) as app:
        api = await make_api(app, acme)
        for path in paths:
            await api.send("GET", path)
    assert await logged(acme) == [("GET", kept, 404) for kept in paths.values()]


async def test_the_log_is_written_every_second_in_batches(settings: Settings, acme: Organization) -> None:
    async def is_written() -> bool:
        return await ApiRequest.of(acme).count() == 30

    async with serving(settings) as app:
        api = await make_api(app, acme)
        for _ in range(30):
            await api.send("GET", "/v1/accounts")
        with count_queries() as queries:
            await eventually(is_written)
    assert len([query for query in queries if "INSERT INTO api_requests" in query]) <= 2


def request_of(org: Organization, path: str = "/v1/accounts") -> NewRequest:
    return NewRequest(uuid7(), clock.now(), org.id, uuid7(), "GET", path, 200, 1, "192.0.2.1", "0" * 32)


async def test_what_cannot_be_written_is_written_later(
    acme: Organization, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    log = RequestLog()
    for _ in range(1200):
        log.record(request_of(acme, "/v1/accounts/" + "x" * 200))
    async with a_database_that_cannot_commit(database):
        await log.write()
        await log.write()
    await eventually(lambda: is_all_written(log, acme, 1200))
    assert len([one for one in caplog.records if "the request log waits" in one.message]) == 1


async def is_all_written(log: RequestLog, org: Organization, count: int) -> bool:
    try:
        await log.write()
        return await ApiRequest.of(org).count() == count
    except Exception as error:
        if not is_outage(error):  # a connection that the server ended fails once
            raise
        return False


async def test_what_there_is_no_room_for_is_dropped_and_said_so(
    acme: Organization, caplog: pytest.LogCaptureFixture
) -> None:
    log = RequestLog(buffer_size=3)
    for _ in range(9):
        log.record(request_of(acme))
    await log.write()
    assert await ApiRequest.of(acme).count() == 3
    (record,) = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert "no more are logged" in record.message


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


async def details_of(org: Organization) -> list[ApiRequestDetails]:
    """Details of an organization's requests, oldest first, each of a request of its log."""
    details = await ApiRequestDetails.of(org).order_by("id")
    assert {row.id for row in details} <= {row.id for row in await ApiRequest.of(org)}
    return details


async def only(org: Organization) -> ApiRequestDetails:
    (row,) = await details_of(org)
    return row


async def test_a_secret_in_a_query_is_hidden(settings: Settings, acme: Organization) -> None:
    async with serving(settings) as app:
        api = await make_api(app, acme)
        assert (await api.get("/v1/accounts?page=2&token=hunter2"))[0] == 400
    assert (await only(acme)).query == f"page=2&token={HIDDEN}"


async def test_a_refused_request_is_stored_with_what_it_sent_and_got_and_no_secret(
    settings: Settings, acme: Organization, rival: Organization
) -> None:
    async with serving(settings) as app:
        api = await make_api(app, acme)
        headers = {"User-Agent": "shop/1.0", "Cookie": "session=hunter2", "X-Api-Key": "hunter2"}
        response = await api.send("POST", "/v1/accounts", json=AN_ACCOUNT, headers=headers)
        answered = json.loads(await response.get_data())
    details = await only(acme)
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
    for details, (*asked, sent, got) in zip(await details_of(acme), BODIES, strict=True):
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
    found = await details_of(acme)
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
    assert {row.id for row in await details_of(acme)} == {requests[number].id for number in (0, 2, 4, 5)}
    log.record(after := request_of(acme), some_details(1_000))  # there is room again
    await log.write()
    assert after.id in {row.id for row in await details_of(acme)}
