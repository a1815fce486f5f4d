"""What holds the event loop for long is named in the log."""

import asyncio
import logging
import time

import pytest
from quart import Quart

from tests.api.conftest import make_api
from tests.faults.support.world import until
from webapp.app import create_app
from webapp.config import Settings
from webapp.loop_monitor import BLOCKED_SECONDS, monitored_loop, name_work
from webapp.models import Organization

LOGGER = "webapp.loop_monitor"


async def until_told(caplog: pytest.LogCaptureFixture) -> str:
    await until(lambda: caplog.records, 10)
    return caplog.messages[0]


async def test_who_holds_the_loop_is_named_with_what_it_did(caplog: pytest.LogCaptureFixture) -> None:
    async def hold() -> None:
        name_work("mail 1")
        time.sleep(2 * BLOCKED_SECONDS)  # noqa: ASYNC251 - what must not be done

    blocked = list[float]()
    with caplog.at_level(logging.WARNING, LOGGER), monitored_loop(blocked.append):
        await asyncio.create_task(hold())
        told = await until_told(caplog)
    assert blocked[0] > BLOCKED_SECONDS
    assert told.startswith("the event loop was held for 0.")
    assert told.endswith("s by mail 1")
    assert "in hold" in caplog.records[0].__dict__["stack"]


async def test_a_request_that_holds_the_loop_is_named_by_its_route(
    settings: Settings, database: str, acme: Organization, caplog: pytest.LogCaptureFixture
) -> None:
    app: Quart = create_app(settings)

    @app.get("/v1/slow/<name>")
    async def slow(name: str) -> str:
        time.sleep(2 * BLOCKED_SECONDS)  # noqa: ASYNC251 - what must not be done
        return name

    api = await make_api(app, acme)
    with caplog.at_level(logging.WARNING, LOGGER), monitored_loop(list[float]().append):
        await api.send("GET", "/v1/slow/secret")
        assert (await until_told(caplog)).endswith("s by GET /v1/slow/<name>")
