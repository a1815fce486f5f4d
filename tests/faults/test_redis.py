"""F7 to F9: Redis is emptied, gone, slow, and full; mail goes out all the same."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.api.mails import MAIL
from tests.factories import account_on
from tests.fakes.proxy import Proxy, Streams
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.web import api_of
from tests.faults.support.world import queue_mails, until_received, until_sent
from tests.figures import Figures
from webapp import clock
from webapp.config import Settings
from webapp.models import Organization
from webapp.models.mail_log import SENT

MAILS = 200  # with a Redis in trouble, and as many with a sound one
PATIENCE = 60.0  # seconds
pytestmark = pytest.mark.timeout(180)


async def post(settings: Settings, org: Organization, mails: int) -> float:
    """Hands in so many over a web process, each answered with a 2xx; the 95th percentile of their seconds."""
    seconds = []
    async with api_of(settings, org) as client:
        for number in range(mails):
            began = clock.elapsed()
            answer = await client.post("/emails", json=MAIL | {"to": [f"reader{number}@example.org"]})
            seconds.append(clock.elapsed() - began)
            assert answer.is_success, answer.text
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
        await account_on(server, acme, daily_mail_limit=mails + 1)
        await post(settings, acme, 1)
        await until_sent(acme, PATIENCE)
        redis.stop()
        gone_at = clock.elapsed()
        await post(settings, acme, mails)
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


@contextmanager
def full_redis() -> Iterator[str]:
    with RedisServer("--maxmemory", "1", "--maxmemory-policy", "noeviction") as full:
        assert full.ask("SET", "a", "b").startswith("-OOM")
        yield full.url


@pytest.mark.soak
@pytest.mark.parametrize("trouble", ["slow", "full"])
async def test_f09_a_redis_in_trouble_makes_no_post_slow_and_refuses_no_mail(
    acme: Organization, settings: Settings, redis: RedisServer, figures: Figures, trouble: str
) -> None:
    async with AsyncExitStack() as stack:
        if trouble == "slow":
            url = await stack.enter_async_context(late_redis(redis))
        else:
            url = stack.enter_context(full_redis())
        sound, troubled = replace(settings, redis_url=redis.url), replace(settings, redis_url=url)
        server = await stack.enter_async_context(SmtpServer())
        fleet = await stack.enter_async_context(Fleet(troubled))
        await account_on(server, acme, daily_mail_limit=3 * MAILS)
        base = await post(sound, acme, MAILS)
        await until_sent(acme, PATIENCE)
        p95 = await post(troubled, acme, MAILS)
        posted_at = clock.elapsed()
        await until_sent(acme, PATIENCE)
        waited = clock.elapsed() - posted_at
        await fleet.end()
        assert await check_invariants(acme, server, rows=2 * MAILS) == {SENT: 2 * MAILS}
    figures("seconds of a POST (p95) above those with a sound Redis", p95 - base, below=1)
    figures("seconds until the last was sent", waited, at_most=10)
