"""The monthly allowance of API requests: counted live in Redis, kept in the database, and held to its end."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api, serving
from tests.api.every_route.test_errors import a_database_that_cannot_commit
from tests.fakes.redis_server import RedisServer
from tests.fakes.worker import eventually
from tests.figures import Figures
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.db.errors import is_outage
from webapp.domain.api_requests.rate import WRITE_SECONDS
from webapp.domain.auth.owners import set_plan
from webapp.domain.roles import Role
from webapp.models import ApiRequest, Organization, OrgUsage
from webapp.models.usage import Metric, month_of

pytestmark = pytest.mark.usefixtures("started")

PLANS = {
    "free": {"api_requests_per_month": 5},
    "basic": {"api_requests_per_month": 5, "requests_per_second": 1, "burst": 2},
    "scale": {"api_requests_per_month": 100},
}


@pytest.fixture
def settings(settings: Settings, redis_server: RedisServer) -> Settings:
    """With a Redis, and plans that are quickly used up."""
    redis_server.wipe()
    return use_plans(settings, PLANS, redis_url=redis_server.url)


@pytest.fixture
async def acme(acme: Organization) -> Organization:
    """Our organization, which may ask five times a month."""
    return await set_plan(acme, "free")


@pytest.fixture
def no_redis(settings: Settings, redis_server: RedisServer) -> Iterator[None]:
    redis_server.stop()
    yield
    redis_server.start()


async def statuses(api: Api, times: int, path: str = "/v1/accounts") -> list[int]:
    """How requests one after the other were answered."""
    return [(await api.send("GET", path)).status_code for _ in range(times)]


async def used_by(org: Organization) -> int:
    """What the database says about this month."""
    row = await OrgUsage.of(org).get_or_none(metric=Metric.API_REQUESTS, period=month_of(clock.now()))
    return row.used if row else 0


async def use(org: Organization, used: int, month: str | None = None) -> None:
    """Let the database say so."""
    period = month or month_of(clock.now())
    await OrgUsage.create(org=org, metric=Metric.API_REQUESTS, period=period, used=used)


async def test_a_used_up_allowance_is_403_and_names_the_limit(api: Api) -> None:
    assert await statuses(api, 5) == [200] * 5
    assert await api.get("/v1/accounts") == (
        403,
        {
            "error": "PlanLimitExceeded",
            "message": "the free plan allows 5 API requests per month (api_requests_per_month), and 5 are used",
            "limit": "api_requests_per_month",
            "max": 5,
            "current": 5,
        },
    )


@pytest.mark.usefixtures("no_redis")
async def test_without_redis_the_database_holds_the_allowance(api: Api, acme: Organization) -> None:
    await use(acme, 2)
    assert await statuses(api, 4) == [200] * 3 + [403]


async def test_f21_of_many_requests_at_once_exactly_those_of_the_plan_are_answered_by_all_processes_together(
    api: Api, acme: Organization, rival: Organization, settings: Settings, figures: Figures
) -> None:
    await set_plan(acme, "scale")
    await use(acme, 60)
    async with serving(settings) as other:
        callers = [api, Api(other, api.key)] * 50
        responses = await asyncio.gather(*(caller.send("GET", "/v1/accounts") for caller in callers))
    answers = Counter(response.status_code for response in responses)
    figures(f"requests that were answered, where {Metric.API_REQUESTS} has 40 left", answers[200], exactly=40)
    assert answers == {200: 40, 403: 60}
    assert await OrgUsage.of(rival).count() == 0


@pytest.mark.parametrize(("plan", "refusal", "passed"), [("basic", 429, 2), ("free", 403, 5)])
async def test_429s_and_403s_are_logged_and_counted_too(
    settings: Settings, acme: Organization, rival: Organization, plan: str, refusal: int, passed: int
) -> None:
    await set_plan(acme, plan)
    async with serving(settings) as app:
        found = await statuses(await make_api(app, acme), 7)
    assert found[:passed] == [200] * passed
    assert refusal in found
    assert Counter(row.status for row in await ApiRequest.of(acme)) == Counter(found)
    assert (await used_by(acme), await ApiRequest.of(rival).count()) == (7, 0)


async def test_the_count_is_written_every_second_though_the_database_was_away(
    api: Api, acme: Organization, database: str
) -> None:
    async def is_written() -> bool:
        try:
            return await used_by(acme) == 3
        except Exception as error:
            if not is_outage(error):  # a connection that the server ended fails once
                raise
            return False

    await statuses(api, 3)
    async with a_database_that_cannot_commit(database):
        await asyncio.sleep(WRITE_SECONDS + 0.2)
    await eventually(is_written)


async def test_every_request_with_a_key_counts_and_is_logged_and_no_other(
    settings: Settings, acme: Organization, rival: Organization
) -> None:
    await set_plan(acme, "scale")
    async with serving(settings) as app:
        api, viewer = await make_api(app, acme), await make_api(app, acme, Role.VIEWER)
        await api.get("/v1/accounts")
        await api.get("/api/v1/accounts")
        await api.get(f"/v1/accounts/{uuid4()}")
        await api.post("/v1/accounts", {})
        await viewer.post("/v1/accounts", {})
        await api.get("/v1/nothing")
        for client in (Api(app, None), Api(app, "svc_live_wrong")):
            for path in ("/v1/accounts", "/v1/nothing"):
                await client.send("GET", path)
        for path in ("/v1", "/healthz"):
            await api.send("GET", path)
        await (await make_api(app, rival)).get("/v1/accounts")
    assert (await used_by(acme), await used_by(rival)) == (6, 1)
    assert await ApiRequest.of(acme).count() == await ApiRequest.all().count() - 1 == 6


async def test_the_rate_comes_before_the_allowance_and_that_before_the_role(
    viewer_api: Api, acme: Organization
) -> None:
    await use(acme, 5)
    assert (await viewer_api.post("/v1/accounts", {}))[1]["error"] == "PlanLimitExceeded"
    assert (await viewer_api.get("/v1/accounts/nonsense"))[0] == 403
    await set_plan(acme, "basic")
    answers = await statuses(await make_api(viewer_api.app, acme), 10)
    assert answers[:2] == [403] * 2
    assert 429 in answers  # at which of them depends on the seconds that pass


async def test_a_wiped_redis_goes_on_from_what_is_known(
    api: Api, settings: Settings, redis_server: RedisServer, acme: Organization
) -> None:
    assert await statuses(api, 2) == [200] * 2
    redis_server.wipe()  # before anything is written
    assert await statuses(api, 2) == [200] * 2
    await api.app.extensions["rate_limit"].write()
    redis_server.wipe()
    async with serving(settings) as other:
        assert await statuses(Api(other, api.key), 2) == [200, 403]


async def test_a_new_month_starts_at_nothing(settings: Settings, acme: Organization) -> None:
    last = month_of(clock.now().replace(day=1) - timedelta(days=1))
    await use(acme, 1000, last)
    async with serving(settings) as app:
        assert await statuses(await make_api(app, acme), 6) == [200] * 5 + [403]
    assert await used_by(acme) == 6
    assert (await OrgUsage.of(acme).get(period=last)).used == 1000


async def test_requests_on_an_unlimited_plan_count_when_a_smaller_one_follows(app: Quart, acme: Organization) -> None:
    await set_plan(acme, "enterprise")
    assert await statuses(await make_api(app, acme), 9) == [200] * 9
    await set_plan(acme, "free")
    status, body = await (await make_api(app, acme)).get("/v1/accounts")
    assert (status, body["max"], body["current"]) == (403, 5, 9)
