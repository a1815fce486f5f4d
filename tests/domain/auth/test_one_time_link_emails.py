"""The worker mails what was asked for: once, whoever does it, and again where the server refuses it for now."""

import asyncio
import logging
from datetime import timedelta

import pytest

from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, redis_answers, working
from tests.faults.support.world import until
from tests.pages.conftest import make_person
from tests.support.instance_mail import links_to, mailing_by
from webapp import clock
from webapp.config import Settings
from webapp.domain.auth.one_time_links import (
    LinkRequest,
    Purpose,
    find_address,
    request_link,
    send_requested_links,
)
from webapp.domain.auth.sessions import Browser
from webapp.domain.throttle import SCRIPT, LinkThrottle
from webapp.models import OneTimeLink, Organization
from webapp.redis.embedded import embedded_redis
from webapp.redis.script import RedisScript

ADA = "ada@acme.example"


@pytest.fixture
async def settings(settings: Settings, smtp_server: SmtpServer) -> Settings:
    return mailing_by(smtp_server, settings)


@pytest.fixture
async def known(acme: Organization, rival: Organization) -> None:
    await make_person(acme, ADA)
    await make_person(rival, "rita@rival.example")


async def ask(settings: Settings, email: str = ADA) -> None:
    script = RedisScript(settings, SCRIPT, "nobody waits")
    await request_link(
        Purpose.RESET_REQUESTED, LinkRequest(email=email), Browser("192.0.2.7", ""), LinkThrottle(script, "links")
    )
    await script.close()


async def wait_over() -> None:
    """As if the time had come at which what waits is tried again."""
    await OneTimeLink.filter(purpose="ask_reset").update(expires_at=clock.now())


@pytest.mark.usefixtures("known")
async def test_a_worker_mails_at_once_what_is_asked_for(settings: Settings, smtp_server: SmtpServer) -> None:
    async with embedded_redis(settings), working(settings):
        await eventually(lambda: redis_answers(settings))
        await asyncio.sleep(0.5)
        await ask(settings)
        await until(lambda: smtp_server.recipients() == [ADA], 5)
    assert not await OneTimeLink.filter(purpose="ask_reset").exists()


@pytest.mark.usefixtures("known")
async def test_what_is_refused_for_now_is_tried_again_with_a_link_of_its_own(
    settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("MAIL", "451 4.3.0 later", times=1)
    await ask(settings)
    await send_requested_links()
    (first,) = await OneTimeLink.filter(purpose="reset")
    (waiting,) = await OneTimeLink.filter(purpose="ask_reset")
    assert timedelta(seconds=10) < waiting.expires_at - clock.now() <= timedelta(seconds=15)
    await send_requested_links()
    assert smtp_server.messages == []  # not yet
    await wait_over()
    await send_requested_links()
    (link,) = links_to(ADA, smtp_server.messages, settings.base_url)
    assert await find_address(Purpose.RESET, link.rpartition("/")[2]) == ADA
    (second,) = await OneTimeLink.all()
    assert second.token_hash != first.token_hash


@pytest.mark.usefixtures("known")
async def test_a_worker_that_dies_in_the_midst_of_it_loses_nothing(settings: Settings, smtp_server: SmtpServer) -> None:
    smtp_server.hang("DATA", times=1)
    await ask(settings)
    mailing = asyncio.create_task(send_requested_links())
    await until(lambda: "DATA" in smtp_server.verbs)
    mailing.cancel()
    await asyncio.gather(mailing, return_exceptions=True)
    await send_requested_links()
    assert smtp_server.messages == []  # another one may be at it still
    await wait_over()
    await send_requested_links()
    assert smtp_server.recipients() == [ADA]


@pytest.mark.usefixtures("known")
async def test_what_is_refused_for_good_or_waits_for_an_hour_is_given_up_and_no_link_is_logged(
    settings: Settings, smtp_server: SmtpServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    smtp_server.refuse(ADA)
    await ask(settings)
    await send_requested_links()
    assert await OneTimeLink.filter(purpose="ask_reset").count() == 0
    assert "given up: 550 5.1.1 no such user" in caplog.text
    smtp_server.heal()
    smtp_server.reply("MAIL", "451 4.3.0 later")
    await ask(settings)
    await OneTimeLink.filter(purpose="ask_reset").update(created_at=clock.now() - timedelta(minutes=56))
    await send_requested_links()
    assert await OneTimeLink.filter(purpose="ask_reset").count() == 0
    assert "given up: 451 4.3.0 later" in caplog.text
    assert "/reset/" not in caplog.text
