"""The log of API requests: one row for each that came with a key, written in batches beside the requests."""

import logging
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network

import pytest
from uuid_utils.compat import uuid7

from tests.api.conftest import Api, make_api, serving
from tests.api.every_route.test_errors import a_database_that_cannot_commit
from tests.fakes.worker import eventually
from tests.queries import count_queries
from webapp import clock, config
from webapp.config import Settings
from webapp.db.errors import is_outage
from webapp.domain.api_requests.log import RequestLog
from webapp.domain.roles import Role
from webapp.models import ApiKey, ApiRequest, Organization
from webapp.models.api_request import NewRequest


async def logged(org: Organization) -> list[tuple[str, str, int]]:
    """The log of an organization in a few words, oldest first."""
    return [(row.method, row.path, row.status) for row in await ApiRequest.of(org).order_by("id")]


async def test_a_request_is_logged_with_who_what_when_and_how(settings: Settings, acme: Organization) -> None:
    asked_at = clock.now()
    async with serving(settings) as app:
        api = await make_api(app, acme)
        path = "/v1/accounts?page=1&secret=hunter2"
        await api.send("GET", path, headers={"X-Request-Id": "my-own-id-1"}, scope_base={"client": ("203.0.113.7", 1)})
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


async def test_what_came_without_a_key_is_not_logged(settings: Settings, database: str) -> None:
    async with serving(settings) as app:
        nobody = Api(app, None)
        for path in ("/v1/accounts", "/v1/nothing", "/v1", "/", "/healthz", "/openapi.json", "/home"):
            await nobody.send("GET", path)
        await Api(app, "svc_live_wrong").send("GET", "/v1/accounts")
    assert await ApiRequest.all().count() == 0


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


async def test_the_address_is_the_one_that_trusted_proxies_vouch_for(settings: Settings, acme: Organization) -> None:
    settings = replace(settings, trusted_proxies=(ip_network("10.0.0.0/8"),))
    config.configure(settings)
    async with serving(settings) as app:
        api = await make_api(app, acme)
        for client, forwarded in (("10.0.0.1", "203.0.113.9"), ("192.0.2.1", "203.0.113.9")):
            headers = {"X-Forwarded-For": forwarded}
            await api.send("GET", "/v1/accounts", headers=headers, scope_base={"client": (client, 1)})
    assert [row.address for row in await ApiRequest.of(acme).order_by("id")] == ["203.0.113.9", "192.0.2.1"]


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
