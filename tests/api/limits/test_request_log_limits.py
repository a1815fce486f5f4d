"""Requests that a limit refused are counted towards the allowance and logged like all others."""

from collections import Counter

import pytest

from tests.api.conftest import make_api, serving
from tests.fakes.redis_server import RedisServer
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.models import ApiRequest, Organization, OrgUsage
from webapp.models.usage import Metric, month_of


@pytest.fixture
def settings(settings: Settings, redis_server: RedisServer) -> Settings:
    """With a Redis; `basic` allows two requests at once, `free` four a month."""
    redis_server.wipe()
    plans = {"basic": {"requests_per_second": 1, "burst": 2}, "free": {"api_requests_per_month": 4}}
    return use_plans(settings, plans, redis_url=redis_server.url)


@pytest.mark.parametrize(("plan", "refusal", "passed"), [("basic", 429, 2), ("free", 403, 4)])
async def test_429s_and_403s_are_logged_and_counted_too(
    settings: Settings, acme: Organization, rival: Organization, plan: str, refusal: int, passed: int
) -> None:
    await set_plan(acme, plan)
    async with serving(settings) as app:
        api = await make_api(app, acme)
        found = [(await api.send("GET", "/v1/accounts")).status_code for _ in range(7)]
    assert found[:passed] == [200] * passed
    assert refusal in found
    assert Counter(row.status for row in await ApiRequest.of(acme)) == Counter(found)
    usage = await OrgUsage.of(acme).get(metric=Metric.API_REQUESTS, period=month_of(clock.now()))
    assert usage.used == 7
    assert await ApiRequest.of(rival).count() == await OrgUsage.of(rival).count() == 0
