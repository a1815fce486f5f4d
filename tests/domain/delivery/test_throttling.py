"""A server that asks us to slow down: no attempt is counted, the account goes at half its rate, and others go on."""

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import PENDING, SENT

PATIENCE = 40.0  # seconds


@pytest.mark.parametrize(
    ("step", "reply"), [("MAIL", "421 4.3.2 closing"), ("DOT", "454 Throttling failure: Maximum sending rate exceeded")]
)
async def test_an_answer_to_slow_down_halves_the_account_and_costs_the_mail_nothing(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, step: str, reply: str
) -> None:
    smtp_server.reply(step, reply, close=reply.startswith("421"))
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)
    async with SmtpServer() as other:
        await make_mail(rival, await account_on(other, rival))
        async with working(settings):
            await eventually(Account.of(acme).filter(throttles__gt=0).exists, PATIENCE)
            await eventually(lambda: all_are(acme, PENDING), PATIENCE)
            await eventually(lambda: all_are(rival, SENT), PATIENCE)
    mail = await MailLog.of(acme).get(id=mail_id)
    assert (mail.attempts, mail.error) == (0, reply)
    assert (await AccountUsage.get(account_id=account.id)).used == 0
    found = await Account.get(id=account.id)
    assert (found.status, found.throttles, found.last_error, found.rests) == ("active", 1, reply, 0)
    assert 800 < (found.throttled_until - clock.now()).total_seconds() <= 900


async def test_after_a_moment_it_goes_on_over_half_its_connections(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("MAIL", "421 4.7.0 too many messages", close=True, times=1)
    smtp_server.delay("DOT", 0.05)
    account = await account_on(smtp_server, acme, concurrency=4)
    for number in range(30):
        await make_mail(acme, account, f"reader{number}@example.org")
    async with working(settings):
        await eventually(Account.of(acme).filter(throttles__gt=0).exists, PATIENCE)
        await Account.of(acme).filter(id=account.id).update(rest_until=clock.now())  # the moment is over
        await eventually(lambda: all_are(acme, SENT), PATIENCE)
    assert len(smtp_server.messages) == 30
    assert smtp_server.most_connections == 2
    found = await Account.get(id=account.id)
    assert (found.throttles, found.last_error) == (1, None)


async def test_a_pace_is_kept_over_all_connections_and_no_email_is_lost(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, concurrency=4, max_per_minute=60)
    for number in range(9):
        await make_mail(acme, account, f"reader{number}@example.org")
    async with SmtpServer() as other:
        await make_mail(rival, await account_on(other, rival))
        began = clock.elapsed()
        async with working(settings):
            await eventually(lambda: all_are(rival, SENT), PATIENCE)
            assert await MailLog.of(acme).filter(status=PENDING).exists()
            await eventually(lambda: all_are(acme, SENT), PATIENCE)
    assert clock.elapsed() - began > 2 * 60 / 55  # six go at once, and three after another
    assert len(smtp_server.messages) == 9
    assert (await AccountUsage.get(account_id=account.id)).used == 9
