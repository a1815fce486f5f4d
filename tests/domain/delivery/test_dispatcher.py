"""The worker against a real SMTP server, Redis absent from the start."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from tests.factories import account_on, make_account, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.support.messages import parsed
from webapp import clock
from webapp.config import Settings
from webapp.domain.accounts import credentials
from webapp.domain.delivery.dispatcher import POLL_SECONDS
from webapp.domain.instance import workers
from webapp.models import Account, AccountUsage, MailEvent, MailLog, Organization
from webapp.models.mail_log import FAILED, PENDING, SENDING, SENT
from webapp.models.outbox.due import SUSPECT_CRASHES


async def row(row_id: UUID) -> MailLog:
    return await MailLog.across_orgs().get(id=row_id)


async def all_are(org: Organization, *statuses: str) -> bool:
    found = await MailLog.of(org).values_list("status", flat=True)
    return all(status in statuses for status in found)


async def test_a_queued_mail_is_sent_to_every_recipient_as_one_message(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    ids = await make_mail(acme, account, "ann@example.org", "bob@example.org")
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT))
    (received,) = smtp_server.messages
    assert received.recipients == ["ann@example.org", "bob@example.org"]
    message = parsed(received.content)
    assert message["Subject"] == "Hello"
    assert message["Message-ID"] == f"<{ids[0].hex}@acme.example>"
    assert [(await row(one)).response_code for one in ids] == [250, 250]
    assert (await Account.one_of(acme, account.id)).last_used_at is not None


async def test_a_mail_that_comes_while_the_worker_idles_is_found_without_redis(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    async with working(settings, is_woken=False):
        await asyncio.sleep(0.3)
        await make_mail(acme, account)
        await eventually(lambda: all_are(acme, SENT))


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


async def test_a_refused_recipient_fails_and_the_others_are_sent(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse("gone@example.org", "550 5.1.1 no such user")
    account = await account_on(smtp_server, acme)
    sent, gone = await make_mail(acme, account, "ann@example.org", "gone@example.org")
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT, FAILED))
    assert (await row(sent)).status == SENT
    failed = await row(gone)
    assert (failed.status, failed.error, failed.response_code) == (FAILED, "550 5.1.1 no such user", 550)
    usage = await AccountUsage.get(account_id=account.id)
    assert usage.used == 1


@pytest.mark.parametrize("reply", ["450 4.2.0 greylisted", "451 4.3.0 later", "452 4.3.1 full"])
async def test_a_temporary_refusal_is_tried_again_after_a_minute(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, reply: str
) -> None:
    smtp_server.refuse("ann@example.org", reply)
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)
    began = clock.now()

    async def has_tried() -> bool:
        return (await row(mail_id)).attempts == 1

    async with working(settings):
        await eventually(has_tried)
    mail = await row(mail_id)
    assert (mail.status, mail.error) == (PENDING, reply)
    assert began + timedelta(seconds=47) < mail.next_attempt_at < clock.now() + timedelta(seconds=73)
    assert [(event.to_status, event.cause) for event in await MailEvent.of(acme)] == [(PENDING, reply)]
    assert (await AccountUsage.get(account_id=account.id)).used == 0


async def test_after_the_retry_the_mail_goes_with_the_same_message_id(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("rcpt", "451 4.3.0 later", times=1)
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)

    async def waits_again() -> bool:
        return (await row(mail_id)).attempts == 1

    async with working(settings):
        await eventually(waits_again)
        await MailLog.of(acme).update(next_attempt_at=clock.now() - timedelta(seconds=1))
        await eventually(lambda: all_are(acme, SENT))
    (received,) = smtp_server.messages
    assert f"<{mail_id.hex}@acme.example>".encode() in received.content


async def test_after_a_day_of_temporary_refusals_the_mail_fails(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse("ann@example.org", "451 4.3.0 later")
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)
    await MailLog.of(acme).update(attempts=9, first_tried_at=clock.now() - timedelta(hours=25))
    async with working(settings):
        await eventually(lambda: all_are(acme, FAILED))
    assert (await row(mail_id)).error == "451 4.3.0 later (gave up after 24 hours)"


async def test_a_refused_login_breaks_the_account_and_costs_the_mail_nothing(
    acme: Organization, settings: Settings
) -> None:
    async with SmtpServer(users={"acme": "right"}) as server:
        account = await make_account(acme, smtp_port=server.port, smtp_security="none", smtp_username="acme")
        account.smtp_password = credentials.seal_secret(account, "smtp_password", "wrong")
        await account.save()
        (mail_id,) = await make_mail(acme, account)

        async def is_broken() -> bool:
            return (await Account.one_of(acme, account.id)).status == "error"

        async with working(settings):
            await eventually(is_broken)
            await asyncio.sleep(0.5)
        assert sum(verb == "AUTH" for verb in server.verbs) == 1
        assert server.messages == []
    found = await Account.one_of(acme, account.id)
    assert found.last_error is not None
    assert "rejected the login" in found.last_error
    mail = await row(mail_id)
    assert (mail.status, mail.attempts) == (PENDING, 0)


async def test_a_server_that_is_away_lets_the_account_rest(acme: Organization, settings: Settings) -> None:
    async with SmtpServer() as server:
        port = server.port
    account = await make_account(acme, smtp_port=port, smtp_security="none")
    for _ in range(5):
        await make_mail(acme, account)
    began = clock.now()

    async def rests() -> bool:
        return (await Account.one_of(acme, account.id)).rests > 0

    async with working(settings):
        await eventually(rests)
        await asyncio.sleep(0.3)
    found = await Account.one_of(acme, account.id)
    assert (found.rests, found.status) == (1, "active")
    assert found.rest_until is not None
    assert began + timedelta(seconds=50) < found.rest_until < clock.now() + timedelta(seconds=61)
    assert await all_are(acme, PENDING)


async def test_a_strangers_broken_account_stops_nobody_else(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    async with SmtpServer() as gone:
        port = gone.port
    await make_mail(rival, await make_account(rival, smtp_port=port, smtp_security="none"))
    await make_mail(acme, await account_on(smtp_server, acme))
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT))
    assert await all_are(rival, PENDING)


async def test_no_answer_after_the_final_dot_is_unknown_and_tried_once_more(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.drop("dot")
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)

    async def is_unknown(times: int) -> bool:
        return (await row(mail_id)).unknowns == times

    async with working(settings):
        await eventually(lambda: is_unknown(1))
        mail = await row(mail_id)
        assert mail.status == PENDING
        assert mail.next_attempt_at - clock.now() > timedelta(minutes=23)
        await MailLog.of(acme).update(next_attempt_at=clock.now() - timedelta(seconds=1))
        await eventually(lambda: is_unknown(2))
    mail = await row(mail_id)
    assert mail.status == FAILED
    assert mail.error is not None
    assert mail.error.startswith("connection lost")
    assert (await AccountUsage.get(account_id=account.id)).used == 2


async def test_a_stop_lets_what_is_in_flight_end_and_releases_the_rest(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.delay("dot", 0.5)
    account = await account_on(smtp_server, acme, concurrency=2)
    for _ in range(40):
        await make_mail(acme, account)

    async def is_in_flight() -> bool:
        return len(smtp_server.messages) >= 1

    async with working(settings):
        await eventually(is_in_flight)
    statuses = await MailLog.of(acme).values_list("status", flat=True)
    assert SENDING not in statuses
    assert (
        statuses.count(SENT) == len(smtp_server.messages) <= 12
    )  # on a slow machine, of which 2 suffice on a fast one
    assert (await AccountUsage.get(account_id=account.id)).used == statuses.count(SENT)
    smtp_server.heal()
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT))
    assert len(smtp_server.messages) == 40


async def test_a_stop_cuts_a_server_that_hangs_after_the_dot_and_calls_it_unknown(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.hang("dot")
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)

    async def has_received() -> bool:
        return len(smtp_server.messages) == 1

    async with working(settings, grace=0.3):
        await eventually(has_received)
    mail = await row(mail_id)
    assert (mail.status, mail.unknowns) == (PENDING, 1)
    assert (await Account.one_of(acme, account.id)).status == "active"


async def test_a_worker_says_that_it_lives_and_signs_off(settings: Settings, database: str) -> None:
    assert not await workers.is_worker_alive()
    async with working(settings):
        await eventually(workers.is_worker_alive)
    assert not await workers.is_worker_alive()


async def test_the_periodic_table_is_fired_without_redis(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)
    async with working(settings):
        await eventually(lambda: all_are(acme, SENT))
        (other,) = await make_mail(acme, account, "bob@example.org")
        await (
            MailLog.of(acme)
            .filter(id=other)
            .update(status=SENDING, lease_token=other, lease_until=clock.now() - timedelta(seconds=1))
        )
        await eventually(lambda: all_are(acme, SENT))
    assert (await row(other)).crashes == 1
    assert (await row(mail_id)).crashes == 0


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


async def test_a_throttled_account_slows_down_and_the_mail_keeps_its_attempts(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("MAIL", "421 4.7.0 too many messages, slow down", close=True)
    account = await account_on(smtp_server, acme)
    (mail_id,) = await make_mail(acme, account)

    async def slows_down() -> bool:
        return (await Account.one_of(acme, account.id)).rest_until is not None

    async with working(settings):
        await eventually(slows_down)
    mail = await row(mail_id)
    assert (mail.status, mail.attempts) == (PENDING, 0)
    assert (await Account.one_of(acme, account.id)).status == "active"


async def test_an_account_whose_provider_says_full_is_done_for_the_day(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("MAIL", "550 5.4.5 Daily user sending limit exceeded")
    account = await account_on(smtp_server, acme, daily_mail_limit=7)
    (mail_id,) = await make_mail(acme, account)
    async with working(settings):
        await eventually(lambda: all_are(acme, "deferred"))
    mail = await row(mail_id)
    assert (mail.attempts, mail.next_attempt_at) == (0, clock.next_day("UTC"))
    day = await AccountUsage.get(account_id=account.id)
    assert (day.used, day.is_full) == (0, True)
