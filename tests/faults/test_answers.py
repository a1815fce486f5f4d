"""F12, F14, F29, F30: what servers answer, and what becomes of the mail and the account."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from tests.api.conftest import make_api
from tests.conftest import free_port
from tests.factories import (
    account_on,
    make_account,
    make_campaign,
    make_contact,
    make_mail,
    make_segment,
    make_template,
)
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from webapp import clock
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain import deferrals, logins
from webapp.models import Account, AccountUsage, Campaign, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, PENDING, SENDING, SENT

PATIENCE = 50.0  # seconds
FIRST_DELAY = (48, 72)  # seconds: a minute, give or take a fifth


async def reread(account: Account) -> Account:
    return await Account.across_orgs().get(id=account.id)


async def are_all(org: Organization, status: str) -> bool:
    return await MailLog.of(org).exclude(status=status).count() == 0


async def used(account: Account) -> int:
    return (await AccountUsage.get(account_id=account.id)).used


RETRIED, REFUSED = (450, 451, 452, 454), (501, 550, 552, 553, 554)


async def test_f12_each_code_is_tried_again_later_or_fails_the_mail_and_costs_nothing_of_the_days_limit(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    accounts: dict[int, Account] = {}
    for code in (421, *RETRIED, *REFUSED):  # each with an account of its own: one slows its account down
        smtp_server.refuse(f"r{code}@example.org", f"{code} no {code}")
        accounts[code] = await account_on(smtp_server, acme)
        await make_mail(acme, accounts[code], f"r{code}@example.org")
    await make_mail(rival, await account_on(smtp_server, rival))
    began = clock.now()

    async def are_settled() -> bool:
        waiting = MailLog.of(acme).filter(status__in=[PENDING, SENDING])
        tried = await waiting.filter(error__isnull=False).count()
        return tried == await waiting.count() == 1 + len(RETRIED) and await are_all(rival, SENT)

    async with working(settings):
        await eventually(are_settled, PATIENCE)
    rows = {int(row.to_email[1:4]): row for row in await MailLog.of(acme)}
    for code, row in rows.items():
        assert (row.error, row.response_code) == (f"{code} no {code}", code)
        assert await used(accounts[code]) == 0
        found = await reread(accounts[code])
        assert (found.status, found.rests, found.throttles) == ("active", 0, int(code == 421))
    for code in RETRIED:
        assert (rows[code].status, rows[code].attempts) == (PENDING, 1)
        assert rows[code].next_attempt_at >= began + timedelta(seconds=FIRST_DELAY[0])
        assert rows[code].next_attempt_at <= clock.now() + timedelta(seconds=FIRST_DELAY[1])
    assert (rows[421].status, rows[421].attempts) == (PENDING, 0)
    for code in REFUSED:
        assert (rows[code].status, rows[code].attempts) == (FAILED, 0)
        tries = [one for one in smtp_server.commands if one.line.startswith(f"RCPT TO:<r{code}@")]
        assert len(tries) == 1


async def check_greylisting(org: Organization, settings: Settings, server: SmtpServer, count: int) -> int:
    """Send to `count` recipients whom the server puts off for the first five minutes; the most tries that one took."""
    account = await account_on(server, org, daily_mail_limit=10 * count, concurrency=8)
    addresses = [f"reader{number}@example.org" for number in range(count)]
    for address in addresses:
        server.refuse(address, "450 4.7.1 greylisted, come back in five minutes")
        await make_mail(org, account, address)
    async with working(settings):
        for attempts, minutes in ((1, 1), (2, 5)):
            await eventually(lambda attempts=attempts: have_been_tried(org, attempts), PATIENCE + count / 10)
            rows = await MailLog.of(org)
            assert {row.status for row in rows} == {PENDING}
            latest = clock.now() + 1.2 * timedelta(minutes=minutes)
            assert max(row.next_attempt_at for row in rows) <= latest
            if attempts == 2:
                server.heal()  # five minutes have passed
            await MailLog.of(org).update(next_attempt_at=clock.now() - timedelta(seconds=1))
        await eventually(lambda: are_all(org, SENT), PATIENCE + count / 10)
    assert sorted(server.recipients()) == sorted(addresses)
    assert await used(account) == count
    return 1 + max(row.attempts for row in await MailLog.of(org))


async def have_been_tried(org: Organization, attempts: int) -> bool:
    return await MailLog.of(org).filter(status=PENDING, attempts=attempts).count() == await MailLog.of(org).count()


async def test_f14_greylisted_mail_arrives_within_four_tries(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    assert await check_greylisting(acme, settings, smtp_server, 25) <= 4


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_f14_500_greylisted_mails_arrive_within_four_tries(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    tries = await check_greylisting(acme, settings, smtp_server, 500)
    print(f"500 greylisted mails arrived after {tries} tries each")
    assert tries <= 4


async def check_wrong_password(org: Organization, settings: Settings, mails: int) -> None:
    """However much waits, a wrong password is tried once in ten minutes, and a new one sends it all."""
    async with SmtpServer(users={"acme": "right"}) as server:
        account = await account_on(server, org, smtp_username="acme", daily_mail_limit=2 * mails)
        account.smtp_password = logins.seal_secret(org.id, account.id, "smtp_password", "wrong")
        await account.save()
        for _ in range(mails):
            await make_mail(org, account)
        api = await make_api(create_app(settings), org)
        async with working(settings):
            await eventually(lambda: is_in_error(account), PATIENCE)
            await eventually(lambda: are_all(org, PENDING), PATIENCE)
            assert len(server.logins) <= 3
            assert await MailLog.of(org).exclude(attempts=0).count() == 0
            await api.patch(f"/v1/accounts/{account.id}", {"smtp_password": "right"})
            await eventually(lambda: are_all(org, SENT), PATIENCE + mails / 20)
        assert len(server.messages) == mails
        assert server.logins.count(("acme", "wrong")) <= 3


async def is_in_error(account: Account) -> bool:
    return (await reread(account)).status == "error"


async def test_f29_a_wrong_password_locks_nobody_out_and_a_new_one_sends_what_waited(
    acme: Organization, settings: Settings
) -> None:
    await check_wrong_password(acme, settings, 50)


@pytest.mark.soak
@pytest.mark.timeout(1800)
async def test_f29_10000_mails_wait_for_the_right_password(acme: Organization, settings: Settings) -> None:
    await check_wrong_password(acme, settings, 10_000)


async def send_campaign(org: Organization, settings: Settings, accounts: Sequence[Account], members: int) -> Campaign:
    """A campaign to new contacts, handed in over the API for these accounts."""
    contacts = [await make_contact(org) for _ in range(members)]
    template = await make_template(org)
    campaign = await make_campaign(org, segment=await make_segment(org, *contacts), template=template)
    api = await make_api(create_app(settings), org)
    body = {"sender_account_ids": [str(account.id) for account in accounts]}
    status, answer = await api.post(f"/v1/campaigns/{campaign.id}/send", body)
    assert (status, answer["contacts_messaged"]) == (200, members)
    return campaign


async def test_f30_the_other_accounts_of_a_run_finish_while_one_is_dead_and_it_says_why(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    dead = await make_account(acme, smtp_port=free_port(), smtp_security="none")
    well = [
        await account_on(smtp_server, acme, concurrency=2, from_email=f"a{number}@acme.example") for number in (1, 2)
    ]
    await send_campaign(acme, settings, [dead, *well], 40)
    async with working(settings):
        await eventually(lambda: are_all(acme, SENT), PATIENCE)
    assert {row.account_id for row in await MailLog.of(acme)} <= {one.id for one in well}
    assert len(set(smtp_server.recipients())) == len(smtp_server.messages) == 40
    api = await make_api(create_app(settings), acme)
    _, shown = await api.get(f"/v1/accounts/{dead.id}")
    assert "no connection to 127.0.0.1" in shown["data"]["last_error"]
    assert (await reread(dead)).rests > 0


async def test_an_account_whose_own_quota_is_used_up_is_full_and_a_run_waits_only_when_all_of_its_accounts_are(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    full_up = "550 5.4.5 Daily user sending limit exceeded"
    async with SmtpServer() as other:
        other.reply("MAIL", full_up)
        full = await account_on(other, acme, daily_mail_limit=50)
        well = await account_on(smtp_server, acme, daily_mail_limit=60)
        async with working(settings):
            await send_campaign(acme, settings, [full, well], 12)
            await eventually(lambda: are_all(acme, SENT), PATIENCE)
            assert {row.account_id for row in await MailLog.of(acme)} == {well.id}
            smtp_server.reply("MAIL", full_up)
            second = await send_campaign(acme, settings, [full, well], 5)

            async def are_deferred() -> bool:
                await deferrals.defer_runs()  # which is due every ten seconds
                return await MailLog.of(acme).filter(campaign_id=second.id).exclude(status=DEFERRED).count() == 0

            await eventually(are_deferred, PATIENCE)
        rows = await MailLog.of(acme).filter(campaign_id=second.id)
        assert {(row.attempts, row.next_attempt_at, row.account_id) for row in rows} == {
            (0, clock.next_day("UTC"), None)
        }
        assert (await used(full), await used(well)) == (50, 60)  # full, and no fuller by what came back
        assert {(await reread(one)).status for one in (full, well)} == {"active"}
