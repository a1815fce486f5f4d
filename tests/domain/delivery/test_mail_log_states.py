"""The contract's "Mail log states", row by row: what a worker and an SMTP server make of a mail."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from jobs.periodic import periodic_work
from tests.api.conftest import Api
from tests.factories import account_on, make_account, make_contact, make_mail, make_run
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import working
from tests.faults.support.world import until_row
from webapp import clock, config
from webapp.config import Settings
from webapp.domain.campaigns import run_rows, stop
from webapp.domain.delivery import recovery
from webapp.models import Account, AccountUsage, CampaignRun, Contact, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENT
from webapp.models.outbox import runs

MINUTE = timedelta(minutes=1)


async def row(row_id: UUID) -> MailLog:
    return await MailLog.across_orgs().get(id=row_id)


async def make_due(row_id: UUID) -> None:
    await MailLog.across_orgs().filter(id=row_id).update(next_attempt_at=clock.now() - timedelta(seconds=1))


async def test_an_accepted_mail_is_sent_with_its_time_and_the_servers_words(
    acme: Organization, rival: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("DOT", "250 2.0.0 Ok: queued as 4F1")
    (mail_id,) = await make_mail(acme, account)
    (theirs,) = await make_mail(rival, await make_account(rival, status="paused"))
    async with working(settings):
        await until_row(mail_id, SENT)
    mail = await row(mail_id)
    assert (mail.smtp_message_id, mail.response_code, mail.error) == ("2.0.0 Ok: queued as 4F1", 250, None)
    assert mail.created_at <= mail.sent_at <= clock.now()
    assert (await row(theirs)).status == PENDING


@pytest.mark.parametrize("step", ["RCPT", "DOT"])
async def test_a_refusal_for_good_fails_the_mail_with_the_servers_words_and_code(
    acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer, step: str
) -> None:
    smtp_server.reply(step, "554 5.7.1 we want none of it")
    (mail_id,) = await make_mail(acme, account)
    async with working(settings):
        await until_row(mail_id, FAILED)
    mail = await row(mail_id)
    assert (mail.error, mail.response_code, mail.attempts) == ("554 5.7.1 we want none of it", 554, 0)
    assert mail.sent_at is None


@pytest.mark.parametrize("step", ["MAIL", "DOT"])
async def test_a_temporary_refusal_at_any_step_waits_and_counts_an_attempt(
    acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer, step: str
) -> None:
    smtp_server.reply(step, "451 4.3.0 later")
    (mail_id,) = await make_mail(acme, account)
    async with working(settings):
        await until_row(mail_id, PENDING, attempts=1)
    mail = await row(mail_id)
    assert (mail.error, mail.response_code) == ("451 4.3.0 later", 451)
    assert 0.7 * MINUTE < mail.next_attempt_at - clock.now() < 1.3 * MINUTE
    assert (await AccountUsage.get(account_id=account.id)).used == 0


async def test_a_day_after_the_first_try_it_fails_or_when_the_operator_says(
    acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("RCPT", "451 4.3.0 later")
    (mail_id,) = await make_mail(acme, account)
    await MailLog.of(acme).update(attempts=4, first_tried_at=clock.now() - timedelta(hours=6))
    for hours, status, error in (
        (settings.retry_hours, PENDING, "451 4.3.0 later"),
        (6, FAILED, "451 4.3.0 later (gave up after 6 hours)"),
    ):
        config.configure(replace(settings, retry_hours=hours))
        await make_due(mail_id)
        async with working(settings):
            await until_row(mail_id, status, attempts__gt=4)
        assert (await row(mail_id)).error == error


async def test_an_error_has_a_thousand_characters_at_most_with_code_and_reason(
    acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("RCPT", f"451 4.3.0 {'x' * 2_000}")
    (mail_id,) = await make_mail(acme, account)
    await MailLog.of(acme).update(first_tried_at=clock.now() - timedelta(hours=25))
    async with working(settings):
        await until_row(mail_id, FAILED)
    error = (await row(mail_id)).error or ""
    assert (len(error), error[:9], error[-26:]) == (1_000, "451 4.3.0", "x (gave up after 24 hours)")


async def test_what_waits_for_its_next_try_keeps_the_last_error_for_all_to_see(
    acme: Organization, account: Account, settings: Settings, smtp_server: SmtpServer, api: Api
) -> None:
    smtp_server.reply("RCPT", "451 4.3.0 first", times=1)
    smtp_server.reply("RCPT", "452 4.3.1 second", times=1)
    (mail_id,) = await make_mail(acme, account)
    for attempts, error, code in ((1, "451 4.3.0 first", 451), (2, "452 4.3.1 second", 452)):
        async with working(settings):
            await until_row(mail_id, PENDING, attempts=attempts)
        _, shown = await api.get(f"/v1/mail-logs/{mail_id}")
        assert [shown["data"][name] for name in ("status", "error", "response_code")] == ["pending", error, code]
        await make_due(mail_id)
    async with working(settings):
        await until_row(mail_id, SENT)
    assert (await api.get("/v1/mail-logs"))[1]["meta"]["total"] == 1  # retries stay in the row
    mail = await row(mail_id)
    assert (mail.attempts, mail.error) == (2, None)


async def test_deferred_mail_goes_the_next_day_before_what_came_later(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, daily_mail_limit=1, concurrency=1)
    (first,) = await make_mail(acme, account, "first@example.org")
    (second,) = await make_mail(acme, account, "second@example.org")
    async with working(settings):
        await until_row(second, DEFERRED)
        await until_row(first, SENT)
    assert (await row(second)).next_attempt_at == clock.next_day("UTC")
    await make_mail(acme, account, "newer@example.org")
    await make_due(second)  # the next day has begun
    await AccountUsage.filter(account_id=account.id).update(day=clock.today("UTC") - timedelta(days=1))
    await recovery.release_deferred()
    async with working(settings):
        await until_row(second, SENT)
    assert smtp_server.recipients() == ["first@example.org", "second@example.org"]


async def test_a_raised_limit_lets_deferred_mail_of_emails_and_runs_go_within_ten_seconds(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, api: Api
) -> None:
    account = await account_on(smtp_server, acme, daily_mail_limit=1)
    _, (run_row,) = await make_run(acme, [account], 1)
    ids = [(await make_mail(acme, account, address))[0] for address in ("ann@example.org", "bob@example.org")]
    async with working(settings):
        await until_row(ids[0], SENT)
        await until_row(ids[1], DEFERRED)
        await run_rows.defer_runs()
        assert (await row(run_row)).status == DEFERRED
        assert (await api.patch(f"/v1/accounts/{account.id}", {"daily_mail_limit": 3}))[0] == 200
        assert (await row(ids[1])).status != DEFERRED
        await run_rows.defer_runs()
        assert (await row(run_row)).status != DEFERRED
        await until_row(ids[1], SENT)
    periods = {piece.run: piece.seconds for piece in periodic_work(settings, recovery.kill_idle_transactions)}
    assert periods[run_rows.defer_runs] <= 10


@pytest.mark.parametrize("status", [PENDING, DEFERRED])
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"status": "unsubscribed"}, "the contact unsubscribed before the email was sent"),
        ({"bounced_at": clock.now()}, "the contact's address turned out not to exist before the email was sent"),
        ({}, "the contact was deleted before the email was sent"),
    ],
    ids=["unsubscribed", "bounced", "deleted"],
)
async def test_who_left_while_the_mail_waited_is_not_mailed_and_resume_leaves_the_row(
    acme: Organization, account: Account, settings: Settings, status: str, changes: dict[str, Any], error: str
) -> None:
    contact = await make_contact(acme, "leaver@example.org")
    run, (row_id,) = await make_run(acme, [account], 1)
    await MailLog.of(acme).filter(id=row_id).update(contact_id=contact.id, to_email=contact.email, status=status)
    if changes:
        await Contact.of(acme).update(**changes)
    else:
        await contact.delete()
    await recovery.release_deferred()
    async with working(settings):
        await until_row(row_id, HALTED, error=error)
    await Contact.of(acme).update(status="subscribed", bounced_at=None)
    await CampaignRun.of(acme).filter(id=run.id).update(status="halted")
    await runs.resume_run(run.id)
    await stop.finish_resumes()
    assert (await row(row_id)).status == HALTED


async def test_nothing_but_a_resume_lets_a_halted_row_go(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, api: Api
) -> None:
    account = await account_on(smtp_server, acme, daily_mail_limit=1)
    run, ids = await make_run(acme, [account], 3)
    for row_id in ids:
        contact = await make_contact(acme, f"{row_id.hex}@example.org")
        await MailLog.of(acme).filter(id=row_id).update(contact_id=contact.id)
    (cancelled,) = await make_mail(acme, account)
    assert (await api.post(f"/v1/emails/{cancelled}/cancel"))[0] == 200
    await runs.halt_runs("stopped by ada@acme.example", id=run.id)
    await stop.finish_halts()
    await MailLog.of(acme).update(next_attempt_at=clock.now() - timedelta(days=1))
    await api.patch(f"/v1/accounts/{account.id}", {"daily_mail_limit": 100})
    (witness,) = await make_mail(acme, account, "witness@example.org")
    async with working(settings):
        await until_row(witness, SENT)
        for work in (recovery.release_deferred, run_rows.defer_runs, recovery.fail_expired, stop.finish_resumes):
            await work()
        await recovery.reclaim(0.0)
        assert {(await row(row_id)).status for row_id in (*ids, cancelled)} == {HALTED}
        await runs.resume_run(run.id)
        await stop.finish_resumes()
        for row_id in ids:
            await until_row(row_id, SENT)
    assert (await row(cancelled)).status == HALTED
    assert len(smtp_server.messages) == 4
