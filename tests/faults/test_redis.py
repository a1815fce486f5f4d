"""F7 to F9: Redis is emptied, gone, slow, and full; mail goes out all the same."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.factories import account_on
from tests.fakes.proxy import Proxy, Streams
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import queue_mails, until_received, until_sent
from tests.figures import Figures
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, Organization
from webapp.models.mail_log import SENT

MAILS = 200  # with a Redis in trouble, and as many with a sound one
PATIENCE = 60.0  # seconds
pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A Redis of the test's own, which is stopped and filled up."""
    with RedisServer() as server:
        yield server


def mail_of(account: Account, number: int) -> dict[str, Any]:
    return {
        "account_key": account.account_key,
        "from": "Acme <hello@acme.example>",
        "to": [f"reader{number}@example.org"],
        "subject": "Hello",
        "html": "<p>Hello</p>",
    }


@asynccontextmanager
async def posting(settings: Settings, org: Organization, account: Account) -> AsyncIterator["Poster"]:
    """A web process, and a program that posts mail to it."""
    settings = with_port(settings)
    async with web_running(settings), client_of(settings, await new_key(org)) as client:
        yield Poster(client, account)


class Poster:
    """Posts mail, and remembers how long each answer took."""

    def __init__(self, client: Any, account: Account) -> None:
        self._client, self._account = client, account
        self.posted = 0

    async def post(self, mails: int) -> float:
        """Post so many, each answered with a 2xx; the 95th percentile of their seconds."""
        seconds = []
        for _ in range(mails):
            began = clock.elapsed()
            answer = await self._client.post("/emails", json=mail_of(self._account, self.posted))
            seconds.append(clock.elapsed() - began)
            assert answer.is_success, answer.text
            self.posted += 1
        return sorted(seconds)[int(0.95 * len(seconds))]


@pytest.mark.parametrize("mails", [150, pytest.param(2_000, marks=pytest.mark.soak)])
async def test_f07_mail_goes_on_without_a_pause_when_redis_is_emptied(
    acme: Organization, settings: Settings, redis: RedisServer, figures: Figures, mails: int
) -> None:
    settings = replace(settings, redis_url=redis.url)
    async with SmtpServer() as server:
        server.delay("DOT", 0.02)
        account = await account_on(server, acme, daily_mail_limit=mails)
        await queue_mails(acme, account, mails)
        async with Fleet(settings) as fleet:
            await until_received(server, mails * 3 // 10, PATIENCE)
            redis.wipe()
            await until_sent(acme, PATIENCE)
            await fleet.end()
        assert await check_invariants(acme, server, rows=mails) == {SENT: mails}
        assert duplicates(server) == 0
        times = [mail.at for mail in server.messages]
    pause = max(later - earlier for earlier, later in itertools.pairwise(times))
    figures("seconds of the longest pause", pause, at_most=10)


@pytest.mark.parametrize(
    ("mails", "seconds"), [(20, 1), pytest.param(200, 60, marks=[pytest.mark.soak, pytest.mark.timeout(300)])]
)
async def test_f08_mail_is_taken_and_sent_while_redis_is_gone_and_the_worker_lives(
    acme: Organization, settings: Settings, redis: RedisServer, figures: Figures, mails: int, seconds: float
) -> None:
    settings = replace(settings, redis_url=redis.url)
    async with SmtpServer() as server, Fleet(settings) as fleet:
        account = await account_on(server, acme, daily_mail_limit=mails + 1)
        async with posting(settings, acme, account) as poster:
            await poster.post(1)
            await until_sent(acme, PATIENCE)
            redis.stop()
            gone_at = clock.elapsed()
            await poster.post(mails)
            await until_sent(acme, PATIENCE)
            figures("seconds until all were sent without Redis", clock.elapsed() - gone_at, at_most=60)
            await asyncio.sleep(max(0, gone_at + seconds - clock.elapsed()))
            redis.start()
        assert fleet.workers[0].returncode is None
        await fleet.end()
        assert await check_invariants(acme, server, rows=mails + 1) == {SENT: mails + 1}
        assert duplicates(server) == 0


@asynccontextmanager
async def late_redis(redis: RedisServer) -> AsyncIterator[str]:
    """The URL of a Redis each of whose answers comes two seconds late."""
    path = Path(redis.url.removeprefix("unix://"))

    async def dial() -> Streams:
        return await asyncio.open_unix_connection(path)

    async with Proxy(dial) as proxy:
        proxy.delay = 2.0
        yield f"redis://127.0.0.1:{proxy.port}"


async def check_not_slower(
    org: Organization, settings: Settings, redis_url: str, base_url: str, figures: Figures
) -> None:
    """Post with a Redis in trouble and with a sound one: no slower, and the last mail is sent soon."""
    async with SmtpServer() as server, Fleet(replace(settings, redis_url=redis_url)) as fleet:
        account = await account_on(server, org, daily_mail_limit=3 * MAILS)
        async with posting(replace(settings, redis_url=base_url), org, account) as poster:
            base = await poster.post(MAILS)
        await until_sent(org, PATIENCE)
        async with posting(replace(settings, redis_url=redis_url), org, account) as poster:
            p95 = await poster.post(MAILS)
            posted_at = clock.elapsed()
            await until_sent(org, PATIENCE)
            waited = clock.elapsed() - posted_at
        await fleet.end()
        assert await check_invariants(org, server, rows=2 * MAILS) == {SENT: 2 * MAILS}
    figures("seconds of a POST (p95) above those with a sound Redis", p95 - base, below=1)
    figures("seconds until the last was sent", waited, at_most=10)


@pytest.mark.soak
async def test_f09_a_slow_redis_makes_no_post_slow(
    acme: Organization, settings: Settings, redis: RedisServer, figures: Figures
) -> None:
    async with late_redis(redis) as url:
        await check_not_slower(acme, settings, url, redis.url, figures)


@pytest.mark.soak
async def test_f09_a_full_redis_refuses_no_mail(
    acme: Organization, settings: Settings, redis: RedisServer, figures: Figures
) -> None:
    with RedisServer("--maxmemory", "1", "--maxmemory-policy", "noeviction") as full:
        assert full.ask("SET", "a", "b").startswith("-OOM")
        await check_not_slower(acme, settings, full.url, redis.url, figures)
