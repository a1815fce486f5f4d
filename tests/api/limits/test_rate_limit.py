"""The rate limit: a bucket of tokens for each organization, in Redis, and what every response says about it."""

import asyncio
import json
import logging
import time
from collections import Counter
from dataclasses import replace
from uuid import uuid4

import pytest
from quart import Response

from tests.api.conftest import Api, make_api
from tests.fakes.redis_server import RedisServer
from tests.fakes.worker import eventually
from tests.plans import use_plans
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.api_requests.rate import Bucket
from webapp.domain.auth.owners import set_plan
from webapp.domain.plans.plans import PLANS
from webapp.domain.roles import Action, Role
from webapp.http.auth.permissions import guarded
from webapp.models import Organization

pytestmark = pytest.mark.usefixtures("started")

HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
RATE = {
    "enterprise": {"requests_per_second": 1, "burst": 20},
    "basic": {"requests_per_second": 20, "burst": 1},
    "scale": {"requests_per_second": 1000, "burst": 1000},
}


@pytest.fixture
def settings(settings: Settings, redis_server: RedisServer) -> Settings:
    """With a Redis, and plans that are quickly used up: acme's allows 20 requests at once."""
    redis_server.wipe()
    return use_plans(settings, RATE, redis_url=redis_server.url)


def rate_in(response: Response) -> tuple[str | None, ...]:
    return tuple(response.headers.get(name) for name in HEADERS)


async def statuses(*clients: Api, times: int, path: str = "/v1/accounts") -> Counter[int]:
    """How many requests at once were answered how."""
    found = await asyncio.gather(*(client.send("GET", path) for client in clients for _ in range(times)))
    return Counter(response.status_code for response in found)


async def test_of_100_requests_at_once_to_all_processes_only_the_burst_passes(api: Api, settings: Settings) -> None:
    other, began = create_app(settings), time.monotonic()
    async with other.test_app():
        found = await statuses(api, Api(other, api.key), times=50)
    refilled = time.monotonic() - began + 1
    assert 20 <= found[200] <= 20 + refilled
    assert found[200] + found[429] == 100


async def test_a_request_too_many_is_told_how_long_to_wait(api: Api) -> None:
    response = await one_too_many(api)
    assert json.loads(await response.get_data()) == {
        "error": "RateLimitExceeded",
        "message": "the enterprise plan allows 1 requests per second, 20 at once",
    }
    assert response.headers["Retry-After"] == "1"
    limit, remaining, reset = rate_in(response)
    assert (limit, remaining) == ("20", "0")
    assert reset in ("19", "20")
    await eventually(lambda: is_refused(api))  # which the document says


async def one_too_many(
    api: Api, method: str = "GET", path: str = "/v1/accounts", data: bytes | None = None
) -> Response:
    """The first answer of many that is a refusal; on a slow machine the bucket fills meanwhile."""
    for _ in range(1_000):
        response = await api.send(method, path, data=data)
        if response.status_code == 429:
            return response
    raise AssertionError("no request was too many")


async def is_refused(api: Api) -> bool:
    return (await api.get("/v1/accounts"))[0] == 429


async def test_every_response_to_a_key_tells_what_is_left(acme: Organization, settings: Settings) -> None:
    app = create_app(settings)

    @app.get("/v1/broken")
    @guarded(Action.READ)
    async def broken() -> str:
        raise LookupError

    api, viewer_api = await make_api(app, acme), await make_api(app, acme, Role.VIEWER)
    asked = [
        (api, "HEAD", "/v1/accounts", 200),
        (api, "GET", "/v1/accounts?page=x", 400),
        (viewer_api, "DELETE", f"/v1/accounts/{uuid4()}", 403),
        (api, "GET", "/v1/broken", 500),
        (api, "GET", "/api/v1/accounts", 200),
        (api, "GET", "/v1/nothing", 404),
        (api, "PUT", "/v1/accounts", 405),
    ]
    async with app.test_app():
        began = time.monotonic()
        for number, (client, method, path, status) in enumerate(asked, 1):
            response = await client.send(method, path)
            limit, remaining, reset = rate_in(response)
            assert (response.status_code, limit) == (status, "20"), path
            assert 0 <= int(remaining or 0) - (20 - number) <= time.monotonic() - began, path
            assert 20 - int(remaining or 0) - int(reset or 0) in (0, 1), path


async def test_a_response_without_a_key_tells_nothing(keyless: Api) -> None:
    for path in ("/v1/accounts", "/v1", "/healthz", "/v1/nothing"):
        assert rate_in(await keyless.send("GET", path)) == (None, None, None), path


async def test_the_keys_of_an_organization_share_a_bucket_of_its_own(
    api: Api, viewer_api: Api, rival_api: Api, keyless: Api
) -> None:
    await statuses(keyless, times=30)  # which takes nothing from it
    began = time.monotonic()
    found = await statuses(api, viewer_api, times=15)
    assert 20 <= found[200] <= 21 + time.monotonic() - began
    assert await statuses(rival_api, times=20) == {200: 20}


async def test_the_rate_comes_before_role_path_and_body(viewer_api: Api) -> None:
    for method, path in (("PATCH", "/v1/accounts/nonsense"), ("POST", "/v1/accounts"), ("GET", "/v1/accounts?page=x")):
        await one_too_many(viewer_api, method, path, data=b"nonsense")


async def test_a_changed_plan_applies_within_a_second(api: Api, acme: Organization) -> None:
    await one_too_many(api)
    await set_plan(acme, "scale")
    await asyncio.sleep(1)
    assert await statuses(api, times=100) == {200: 100}
    assert (await api.send("GET", "/v1/accounts")).headers["RateLimit-Limit"] == "1000"
    await set_plan(acme, "enterprise")
    other, began = await make_api(api.app, acme), time.monotonic()
    found = await statuses(other, times=100)
    assert 20 <= found[200] <= 21 + time.monotonic() - began


async def is_limited(api: Api) -> bool:
    return (await api.send("GET", "/v1/accounts")).headers["RateLimit-Remaining"] != "20"


async def test_without_redis_requests_pass_the_log_says_so_and_one_that_is_back_limits_again(
    api: Api, redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    await statuses(api, times=21)
    redis_server.stop()
    try:
        for _ in range(3):
            assert await statuses(api, times=30) == {200: 30}
        response = await api.send("GET", "/v1/accounts")
        assert rate_in(response) == ("20", "20", "0")
    finally:
        redis_server.start()
    await eventually(lambda: is_limited(api))
    assert (await statuses(api, times=30))[429] >= 1
    warnings = [one for one in caplog.records if one.levelno == logging.WARNING and "no rate is limited" in one.message]
    assert len(warnings) == 1


async def test_no_request_waits_long_for_a_redis_that_hangs(api: Api, redis_server: RedisServer) -> None:
    await statuses(api, times=2)
    redis_server.freeze()
    try:
        for _ in range(2):
            began = time.monotonic()
            assert await statuses(api, times=10) == {200: 10}
            assert time.monotonic() - began < 2  # 0.1, and what ten requests take on a busy machine
    finally:
        redis_server.thaw()


@pytest.mark.parametrize(
    ("plan", "tokens", "remaining", "reset", "wait"),
    [("free", 20.0, "20", "0", 1), ("slow", 0.0, "0", "40", 2), ("slow", 3.7, "3", "33", 1)],
)
def test_what_is_said_about_a_bucket(plan: str, tokens: float, remaining: str, reset: str, wait: int) -> None:
    slow = replace(PLANS["free"], name="slow", requests_per_second=0.5)  # type: ignore[arg-type]  # a file's figures are whole; the arithmetic takes any
    bucket = Bucket({**PLANS, "slow": slow}[plan], tokens)
    assert (bucket.headers["RateLimit-Remaining"], bucket.headers["RateLimit-Reset"]) == (remaining, reset)
    assert bucket.refusal().retry_after == wait
