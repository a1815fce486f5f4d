"""Response times reveal neither who has an account nor which ids exist (S1, S25); medians of alternating requests."""

import itertools
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from uuid import uuid4

import pytest

from tests.api.conftest import Api, serving
from tests.attacks.conftest import make_ada
from tests.factories import account_on, make_one_of_each
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, redis_answers, working
from tests.figures import Figures
from tests.pages.conftest import Visitor, make_person
from tests.support.instance_mail import mailing_by
from webapp.config import Settings
from webapp.config.mail import SignUp
from webapp.domain.auth.sessions import Browser, SignInThrottle, sign_in
from webapp.domain.throttle import SCRIPT
from webapp.errors import ValidationError
from webapp.models import Organization
from webapp.redis.embedded import embedded_redis
from webapp.redis.script import RedisScript

pytestmark = pytest.mark.soak

TRIES = 200
GAP_MS = 5
Ask = Callable[[], Awaitable[object]]


async def gap_ms(one: Ask, other: Ask) -> float:
    """How far apart the medians of two questions are that are asked in turn."""
    times: dict[Ask, list[float]] = {one: [], other: []}
    for number in range(2 * TRIES + 10):
        ask = (one, other)[number % 2]
        began = time.perf_counter()
        await ask()
        if number >= 10:  # the first ones make connections and read templates
            times[ask].append(time.perf_counter() - began)
    return abs(statistics.median(times[one]) - statistics.median(times[other])) * 1000


async def test_a_wrong_password_takes_as_long_as_an_unknown_person(
    acme: Organization, settings: Settings, figures: Figures
) -> None:
    await make_ada(acme)

    def trying(email: str) -> Ask:
        async def ask() -> None:
            # A new one, or the sixth try would be refused unread.
            throttle = SignInThrottle(RedisScript(settings, SCRIPT, "nobody waits"))
            with pytest.raises(ValidationError):
                await sign_in(email, "wrong", Browser("203.0.113.7", "tests"), throttle)

        return ask

    gap = await gap_ms(trying("ada@acme.example"), trying("nobody@acme.example"))
    figures("milliseconds between a known and an unknown person", gap, below=GAP_MS)


@pytest.mark.parametrize("place", ["/reset", "/sign-up"])
async def test_a_link_takes_as_long_to_ask_for_whoever_has_the_address(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures, place: str
) -> None:
    """The whole page, while a worker mails what is asked for."""
    known = [await make_person(acme, f"p{number}@acme.example") for number in range(TRIES + 10)]
    addresses = itertools.count()  # each try is another network's, or the eleventh would be refused

    def asking(browser: Visitor, token: str, emails: Iterator[str]) -> Ask:
        async def ask() -> None:
            number = next(addresses)
            client = {"client": (f"10.{number // 250}.{number % 250}.1", 50_000)}
            form = {"csrf_token": token, "email": next(emails)}
            page = await browser.post(place, form=form, scope_base=client, follow=False)
            assert page.response.headers["Location"] == f"{place}/sent"

        return ask

    settings = mailing_by(smtp_server, settings, SignUp.OPEN)
    async with embedded_redis(settings), serving(settings) as app, working(settings):
        await eventually(lambda: redis_answers(settings))
        browser = Visitor(app)
        token = (await browser.get(place)).token
        unknown = (f"nobody{number}@acme.example" for number in itertools.count())
        gap = await gap_ms(
            asking(browser, str(token), (user.email for user in known)), asking(browser, str(token), unknown)
        )
    assert {user.email for user in known} & set(smtp_server.recipients())
    figures(f"milliseconds between a known and an unknown address at {place}", gap, below=GAP_MS)


@pytest.mark.parametrize("noun", ["account", "contact", "segment", "template", "campaign", "email", "mail_log"])
async def test_a_strangers_id_takes_as_long_as_a_random_one(
    api: Api, rival: Organization, smtp_server: SmtpServer, figures: Figures, noun: str
) -> None:
    theirs = (await make_one_of_each(rival, await account_on(smtp_server, rival)))[f"{noun}_id"]

    def asking(make_id: Callable[[], str]) -> Ask:
        async def ask() -> None:
            response = await api.send("GET", f"/v1/{noun.replace('_', '-')}s/{make_id()}")
            assert response.status_code == 404

        return ask

    gap = await gap_ms(asking(lambda: theirs), asking(lambda: str(uuid4())))
    figures(f"milliseconds between a stranger's {noun} and none", gap, below=GAP_MS)
