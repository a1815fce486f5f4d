"""F12, F14, F29, F30: what servers answer, and what becomes of the mail and the account."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import httpx2
import pytest

from tests.conftest import free_port
from tests.factories import account_on, make_account, make_campaign, make_mail, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants
from tests.faults.support.web import api_of
from tests.faults.support.world import all_are, queue_mails, until_sent
from tests.figures import Figures
from tests.support.audiences import make_audience
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns import run_rows
from webapp.models import Account, AccountUsage, Campaign, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, PENDING, SENDING, SENT

PATIENCE = 50.0  # seconds
FIRST_DELAY = (48, 72)  # seconds: a minute, give or take a fifth
GREYLISTED = timedelta(minutes=5)
MOST_TRIES = 4
LONG = [pytest.mark.soak, pytest.mark.timeout(900)]


async def refresh(account: Account) -> Account:
    return await Account.across_orgs().get(id=account.id)


async def used(account: Account) -> int:
    return (await AccountUsage.get(account_id=account.id)).used


RETRIED, REFUSED = (450, 451, 452, 454), (501, 550, 552, 553, 554)


async def test_f12_each_code_is_tried_again_later_or_fails_the_mail_and_costs_nothing_of_the_days_limit(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures
) -> None:
    accounts: dict[int, Account] = {}
    for code in (421, *RETRIED, *REFUSED):  # each with an account of its own: one is slowed down
        smtp_server.refuse(f"r{code}@example.org", f"{code} no {code}")
        accounts[code] = await account_on(smtp_server, acme)
        await make_mail(acme, accounts[code], f"r{code}@example.org")
    await make_mail(rival, await account_on(smtp_server, rival))
    began = clock.now()

    async def are_settled() -> bool:
        waiting = MailLog.of(acme).filter(status__in=[PENDING, SENDING])
        tried = await waiting.filter(error__isnull=False).count()
        return tried == await waiting.count() == 1 + len(RETRIED) and await all_are(rival, SENT)

    async with Fleet(settings) as fleet:
        await eventually(are_settled, PATIENCE)
        await fleet.end()
    rows = {int(row.to_email[1:4]): row for row in await MailLog.of(acme)}
    for code, row in rows.items():
        assert (row.error, row.response_code) == (f"{code} no {code}", code)
        found = await refresh(accounts[code])
        assert (found.status, found.rests, found.throttles) == ("active", 0, 0)
        assert (found.slowed_until is not None) == (code == 421)
        fate = (PENDING, int(code in RETRIED)) if code < 500 else (FAILED, 0)
        assert (row.status, row.attempts) == fate
    due = [rows[code].next_attempt_at for code in RETRIED]
    earliest, latest = FIRST_DELAY
    figures("seconds to the next try, and more since", (min(due) - began).total_seconds(), at_least=earliest)
    figures("seconds to the next try, and less until", (max(due) - clock.now()).total_seconds(), at_most=latest)
    tries = Counter(one.line[10:13] for one in smtp_server.commands if one.verb == "RCPT")
    figures("tries of what was refused for good", max(tries[str(code)] for code in REFUSED), exactly=1)
    costs = [await used(account) for account in accounts.values()]
    figures("units of the day's limit that refusals cost", sum(costs), exactly=0)
    assert await check_invariants(acme, rows=len(accounts)) == {PENDING: 1 + len(RETRIED), FAILED: len(REFUSED)}


@pytest.mark.parametrize("count", [10, pytest.param(500, marks=LONG)])
async def test_f14_mail_that_is_greylisted_for_five_minutes_arrives_within_four_tries(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures, count: int
) -> None:
    account = await account_on(smtp_server, acme, daily_mail_limit=10 * count, concurrency=8)
    addresses = [f"reader{number}@example.org" for number in range(count)]
    for address in addresses:
        smtp_server.refuse(address, "450 4.7.1 greylisted, come back in five minutes")
    await queue_mails(acme, account, count)
    waited = dict.fromkeys(addresses, timedelta())
    async with working(settings):
        for attempts in range(1, MOST_TRIES):
            await eventually(partial(have_been_tried, acme, attempts), PATIENCE + count / 10)
            waiting = await MailLog.of(acme).filter(status=PENDING)
            for row in waiting:
                waited[row.to_email] += row.next_attempt_at - clock.now()
            smtp_server.heal()
            for address in [address for address in addresses if waited[address] < GREYLISTED]:
                smtp_server.refuse(address, "450 4.7.1 greylisted, come back in five minutes")
            due = clock.now() - timedelta(seconds=1)
            await MailLog.of(acme).filter(status=PENDING).update(next_attempt_at=due)
        await until_sent(acme, PATIENCE + count / 10)
    assert sorted(smtp_server.recipients()) == sorted(addresses)
    assert await used(account) == count
    figures("tries that one took", 1 + max(row.attempts for row in await MailLog.of(acme)), at_most=MOST_TRIES)
    figures("mails that were sent", (await check_invariants(acme, smtp_server, rows=count))[SENT], exactly=count)


async def have_been_tried(org: Organization, attempts: int) -> bool:
    """Whether all that are not sent have been put off so often."""
    await asyncio.sleep(0.1)
    put_off = MailLog.of(org).filter(status=PENDING, attempts=attempts)
    return await put_off.count() + await MailLog.of(org).filter(status=SENT).count() == await MailLog.of(org).count()


@pytest.mark.parametrize("mails", [20, pytest.param(10_000, marks=LONG)])
async def test_f29_a_wrong_password_locks_nobody_out_and_a_new_one_sends_what_waited(
    acme: Organization, settings: Settings, figures: Figures, mails: int
) -> None:
    async with SmtpServer(users={"acme": "right"}) as server:
        account = await account_on(server, acme, smtp_username="acme", password="wrong", daily_mail_limit=2 * mails)
        await queue_mails(acme, account, mails)
        async with api_of(settings, acme) as api, Fleet(settings) as fleet:
            await eventually(Account.of(acme).filter(id=account.id, status="error").exists, PATIENCE)
            await eventually(lambda: all_are(acme, PENDING), PATIENCE)
            assert await MailLog.of(acme).exclude(attempts=0).count() == 0
            assert (await api.patch(f"/accounts/{account.id}", json={"smtp_password": "right"})).is_success
            await until_sent(acme, PATIENCE + mails / 20)
            await fleet.end()
        figures("sign-ins with the wrong password", server.logins.count(("acme", "wrong")), at_most=3)
        assert await check_invariants(acme, server, rows=mails) == {SENT: mails}
        assert len(server.messages) == mails


async def send_campaign(
    org: Organization, api: httpx2.AsyncClient, accounts: Sequence[Account], members: int
) -> Campaign:
    """A campaign to new contacts, handed in over the API for these accounts."""
    segment, _ = await make_audience(org, members)
    campaign = await make_campaign(org, segment=segment, template=await make_template(org))
    body = {"sender_account_ids": [str(account.id) for account in accounts]}
    answer = await api.post(f"/campaigns/{campaign.id}/send", json=body)
    assert (answer.status_code, answer.json()["contacts_messaged"]) == (200, members)
    return campaign


async def test_f30_the_other_accounts_of_a_run_finish_while_one_is_dead_and_it_says_why(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures
) -> None:
    dead = await make_account(acme, smtp_port=free_port(), smtp_security="none")
    well = [await account_on(smtp_server, acme, concurrency=2) for _ in range(2)]
    async with api_of(settings, acme) as api, Fleet(settings) as fleet:
        await send_campaign(acme, api, [dead, *well], 40)
        await until_sent(acme, PATIENCE)
        shown = (await api.get(f"/accounts/{dead.id}")).json()
        await fleet.end()
    assert {row.account_id for row in await MailLog.of(acme)} <= {one.id for one in well}
    assert len(set(smtp_server.recipients())) == 40
    figures("mails that waited for the dead account", 40 - len(smtp_server.messages), exactly=0)
    assert await check_invariants(acme, smtp_server, rows=40) == {SENT: 40}
    assert "could not connect to 127.0.0.1" in shown["data"]["last_error"]
    assert (await refresh(dead)).rests > 0


async def test_an_account_whose_own_quota_is_used_up_is_full_and_a_run_waits_only_when_all_of_its_accounts_are(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    full_up = "550 5.4.5 Daily user sending limit exceeded"
    async with SmtpServer() as other:
        other.reply("MAIL", full_up)
        full = await account_on(other, acme, daily_mail_limit=50)
        well = await account_on(smtp_server, acme, daily_mail_limit=60)
        async with api_of(settings, acme) as api, Fleet(settings):
            await send_campaign(acme, api, [full, well], 12)
            await until_sent(acme, PATIENCE)
            assert {row.account_id for row in await MailLog.of(acme)} == {well.id}
            smtp_server.reply("MAIL", full_up)
            second = await send_campaign(acme, api, [full, well], 5)

            async def are_deferred() -> bool:
                await run_rows.defer_runs()  # which is due every ten seconds
                return await MailLog.of(acme).filter(campaign_id=second.id).exclude(status=DEFERRED).count() == 0

            await eventually(are_deferred, PATIENCE)
        rows = await MailLog.of(acme).filter(campaign_id=second.id)
        waiting = {(row.attempts, row.next_attempt_at, row.account_id) for row in rows}
        assert waiting == {(0, clock.next_day("UTC"), None)}
        assert (await used(full), await used(well)) == (0, 12)  # what was accepted, however full they are
        for account in (full, well):
            found = await refresh(account)
            assert (found.status, found.last_error) == ("active", full_up)
