"""The worker against a real SMTP server, Redis absent from the start."""

from datetime import timedelta

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are
from webapp import clock
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import POLL_SECONDS
from webapp.domain.instance import workers
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import SENDING, SENT
from webapp.models.outbox.due import SUSPECT_CRASHES


@pytest.mark.parametrize("kind", ["few", "suspects"])
async def test_each_mail_that_goes_by_itself_is_followed_by_the_next_at_once(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, kind: str
) -> None:
    account = await account_on(smtp_server, acme, concurrency=1 if kind == "few" else 4, daily_mail_limit=200)
    for _ in range(6):
        await make_mail(acme, account)
    if kind == "suspects":
        await MailLog.of(acme).update(crashes=SUSPECT_CRASHES)
    await make_mail(rival, await account_on(smtp_server, rival))
    async with working(settings, is_woken=False):
        await eventually(lambda: all_are(rival, SENT))
        await eventually(lambda: all_are(acme, SENT), POLL_SECONDS)  # six of them would take five
    assert len(smtp_server.messages) == 7


async def test_suspects_of_two_accounts_are_not_in_flight_at_once_and_nothing_else_waits_for_them(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("DATA", 0.3)
    for org in (acme, rival):
        account = await account_on(smtp_server, org)
        (suspect,) = await make_mail(org, account)
        await MailLog.of(org).filter(id=suspect).update(crashes=SUSPECT_CRASHES)
        for _ in range(3):
            await make_mail(org, account)
    suspects = MailLog.across_orgs().filter(crashes=SUSPECT_CRASHES)
    at_once = set()

    async def is_all_sent() -> bool:
        at_once.add(await suspects.filter(status=SENDING).count())
        return await all_are(acme, SENT) and await all_are(rival, SENT)

    async with working(settings):
        await eventually(is_all_sent)
    assert max(at_once) == 1
    _, last = await suspects.order_by("sent_at")
    others = MailLog.across_orgs().filter(org_id=last.org_id).exclude(id=last.id)
    assert last.sent_at > max(await others.values_list("sent_at", flat=True))


async def test_a_worker_says_that_it_lives_and_signs_off(settings: Settings, database: str) -> None:
    assert not await workers.is_worker_alive()
    async with working(settings):
        await eventually(workers.is_worker_alive)
    assert not await workers.is_worker_alive()


async def test_the_periodic_table_is_fired_without_redis(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    await make_mail(acme, account)
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT))
        (other,) = await make_mail(acme, account, "bob@example.org")
        lost = {"status": SENDING, "lease_token": other, "lease_until": clock.now() - timedelta(seconds=1)}
        await MailLog.of(acme).filter(id=other).update(**lost)
        await eventually(lambda: all_are(acme, SENT))
    assert [row.crashes for row in await MailLog.of(acme).order_by("id")] == [0, 1]


async def test_a_broken_account_heals_when_its_probe_goes_through(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    ago = clock.now() - timedelta(minutes=11)
    account = await account_on(
        smtp_server, acme, status="error", last_error="535 no", rests=3, rest_until=ago, failing_since=ago
    )
    for _ in range(4):
        await make_mail(acme, account)
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT))
    found = await Account.one_of(acme, account.id)
    assert (found.status, found.last_error, found.rests, found.rest_until) == ("active", None, 0, None)
