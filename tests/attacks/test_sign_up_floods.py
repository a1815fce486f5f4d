"""Bots that fill in a form from many networks: few emails go out, and other organizations notice nothing."""

import asyncio
import statistics
import time
from collections import Counter
from itertools import count

import httpx2
import pytest

from tests.factories import account_on, make_form
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.processes import kill, start
from tests.faults.support.web import answers, client_of, new_key, with_port
from tests.figures import Figures
from webapp.config import Settings
from webapp.models import Organization, PendingSignUp, ReaderMail, SignUpForm

POSTS, NETWORKS, CALLERS = 10_000, 1_000, 16
PER_NETWORK = 3  # an hour, for scripts, which have no time stamp
CALM_SECONDS = 5.0


class Times:
    """Seconds that answers took, by their status."""

    def __init__(self) -> None:
        self.statuses, self.seconds = Counter[int](), list[float]()

    def add(self, status: int, began: float) -> None:
        self.statuses[status] += 1
        self.seconds.append(time.monotonic() - began)

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.seconds, n=20)[-1]


async def post(client: httpx2.AsyncClient, form: SignUpForm, numbers: "count[int]", times: Times) -> None:
    """Half of the posts name addresses of their own, the others one address."""
    while (number := next(numbers)) < POSTS:
        email = f"bot{number}@example.org" if number % 2 else "victim@example.org"
        network = number // 2 % NETWORKS
        headers = {
            "X-Forwarded-For": f"10.{network >> 8}.{network & 255}.{number % 250}",
            "Origin": "https://shop.example",
        }
        began = time.monotonic()
        answer = await client.post(f"/f/{form.key}", json={"email": email}, headers=headers)
        times.add(answer.status_code, began)


async def read(client: httpx2.AsyncClient, times: Times, until: asyncio.Event) -> None:
    while not until.is_set():
        began = time.monotonic()
        times.add((await client.get("/contacts")).status_code, began)
        await asyncio.sleep(0.02)


async def read_for(client: httpx2.AsyncClient, seconds: float) -> Times:
    times, until = Times(), asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, until.set)
    await read(client, times, until)
    return times


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(600)
async def test_ten_thousand_posts_mail_few_and_leave_other_organizations_quick(
    on_redis: Settings,
    acme: Organization,
    rival: Organization,
    smtp_server: SmtpServer,
    figures: Figures,
) -> None:
    await account_on(smtp_server, acme, from_email="hello@acme.example")
    form = await make_form(acme, allowed_origins=["https://shop.example"])
    settings = with_port(on_redis)
    process = await start(settings, "web", PENNYPOST_TRUSTED_PROXIES="127.0.0.0/8")
    try:
        await eventually(lambda: answers(settings), 30.0)
        async with (
            client_of(settings, await new_key(rival)) as program,
            httpx2.AsyncClient(base_url=settings.base_url, timeout=60) as bots,
        ):
            calm, posts, beside, over = await read_for(program, CALM_SECONDS), Times(), Times(), asyncio.Event()
            reader, numbers = asyncio.create_task(read(program, beside, over)), count()
            await asyncio.gather(*(post(bots, form, numbers, posts) for _ in range(CALLERS)))
            over.set()
            await reader
    finally:
        await kill(process)
    assert posts.statuses == {202: POSTS}
    assert set(calm.statuses) == set(beside.statuses) == {200}
    figures("mails that wait", await ReaderMail.of(acme).count(), at_most=PER_NETWORK * NETWORKS)
    figures("mails to the one address", await ReaderMail.of(acme).filter(email="victim@example.org").count(), exactly=1)
    figures("sign-ups saved", await PendingSignUp.of(acme).count(), at_most=PER_NETWORK * NETWORKS)
    figures("p95 of a sign-up, s", posts.p95, at_most=1.0)
    figures("p95 of another organization's request in peace, s", calm.p95, at_most=1.0)
    figures("p95 of another organization's request, s", beside.p95, at_most=1.0)
