"""FailedKeyThrottle that nobody asked for: a fault of ours, a database that is away, a page that does not exist."""

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from quart import Quart

from tests.api.conftest import Api
from tests.api.mails import MAIL
from tests.factories import make_account
from webapp import db
from webapp.app import create_app
from webapp.config import Settings
from webapp.models import Email, Organization

LARGE = MAIL | {"html": "<p>" + "x" * 200_000}
BROWSER = {"Accept": "text/html,*/*;q=0.8"}


@pytest.fixture
def app(settings: Settings, database: str) -> Quart:
    """An app of the test's own, to which it adds a route."""
    return create_app(settings)


def add_broken_route(app: Quart, path: str) -> None:
    async def broken() -> str:
        raise LookupError("the secret is hunter2")

    app.add_url_rule(path, path, broken)


async def test_a_fault_of_ours_tells_nothing_and_is_logged_under_its_id(
    app: Quart, keyless: Api, caplog: pytest.LogCaptureFixture
) -> None:
    add_broken_route(app, "/v1/broken")
    response = await keyless.send("GET", "/v1/broken")
    assert response.status_code == 500
    assert json.loads(await response.get_data()) == {
        "error": "InternalServerError",
        "message": "something went wrong on our side",
    }
    (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert record.exc_info
    assert "hunter2" in str(record.exc_info[1])


async def test_a_browser_gets_a_page_with_the_request_id(app: Quart, keyless: Api) -> None:
    add_broken_route(app, "/broken")
    for path, status in (("/broken?x=%22&y", 500), ("/nothing/here", 404)):
        response = await keyless.send("GET", path, headers=BROWSER)
        page = (await response.get_data()).decode()
        assert (response.status_code, response.mimetype) == (status, "text/html")
        assert response.headers["X-Request-Id"] in page
        assert "hunter2" not in page
        assert "None" not in page
        assert 'href="/home"' in page
        assert ('href="/broken?x=%22&amp;y"' in page) == (status == 500)


@asynccontextmanager
async def a_database_that_cannot_commit(url: str) -> AsyncIterator[None]:
    """A full disk on SQLite, a server that has turned read-only on PostgreSQL."""
    if url.startswith("sqlite"):
        pages = (await db.fetch("PRAGMA page_count"))[0]["page_count"]
        await db.fetch(f"PRAGMA max_page_count = {pages}")
        yield
        await db.fetch("PRAGMA max_page_count = 1000000")
        return
    name = url.rpartition("/")[2]
    server = await asyncpg.connect(url.replace(f"/{name}", "/postgres"))
    end_sessions = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    try:
        await server.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        await server.execute(end_sessions)
        yield
    finally:
        await server.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
        await server.execute(end_sessions)
        await server.close()


async def test_a_mail_that_cannot_be_kept_is_not_accepted(api: Api, acme: Organization, database: str) -> None:
    await make_account(acme)
    async with a_database_that_cannot_commit(database):
        for _ in range(3):
            response = await api.send("POST", "/v1/emails", json=LARGE)
            assert response.status_code == 503
            assert response.headers["Retry-After"] == "1"
            assert json.loads(await response.get_data())["error"] == "ServiceUnavailable"
    answers = [(await api.send("POST", "/v1/emails", json=LARGE)).status_code for _ in range(12)]
    assert answers[-1] == 200  # a connection that the server ended fails once
    assert await Email.all().count() == answers.count(200)
