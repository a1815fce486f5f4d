"""What only the statements of the outbox show, the same tests on both databases."""

import asyncio
from datetime import timedelta
from uuid import UUID

from tests.factories import make_account, make_mail, make_run
from webapp import clock
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, PENDING
from webapp.models.outbox import claims, failures, leases
from webapp.models.outbox.claims import Claimed


async def claim(account: Account, messages: int = 10, lease: float = 60) -> list[Claimed]:
    return await claims.claim(account.id, messages=messages, lease_seconds=lease)


async def row(row_id: UUID) -> MailLog:
    return await MailLog.across_orgs().get(id=row_id)


async def test_the_next_day_begins_in_the_organizations_timezone(acme: Organization) -> None:
    acme.timezone = "Pacific/Kiritimati"  # UTC+14
    await acme.save()
    account = await make_account(acme, daily_mail_limit=1)
    for _ in range(2):
        mails = await make_mail(acme, account)
    await claim(account)
    assert (await row(mails[0])).next_attempt_at == clock.next_day("Pacific/Kiritimati")


async def test_a_mail_to_more_people_than_are_left_waits_whole_and_a_smaller_one_goes(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=3)
    first = await make_mail(acme, account, "a@example.org", "b@example.org")
    big = await make_mail(acme, account, "c@example.org", "d@example.org")
    small = await make_mail(acme, account, "e@example.org")
    assert {one.id for one in await claim(account)} == {*first, *small}
    assert {(await row(one)).status for one in big} == {DEFERRED}


async def test_a_living_workers_rows_are_not_reclaimed(acme: Organization) -> None:
    account = await make_account(acme)
    await make_mail(acme, account)
    (held,) = await claim(account, lease=0.2)
    assert await leases.extend_leases([(held.id, held.token)], 60) == ({held.id}, set())
    await asyncio.sleep(0.3)
    assert await leases.reclaim(0.0) == []


async def test_mails_go_before_campaigns(acme: Organization) -> None:
    account = await make_account(acme)
    await make_run(acme, [account], 5)
    (mail_id,) = await make_mail(acme, account)
    assert [held.id for held in await claim(account, messages=1)] == [mail_id]


async def test_after_three_days_on_a_dead_account_waiting_mail_fails_with_its_reason(acme: Organization) -> None:
    long_ago = clock.now() - timedelta(hours=73)
    dead = await make_account(acme, status="error", last_error="535 no", failing_since=long_ago)
    new_trouble = await make_account(acme, status="error", last_error="535 no", failing_since=clock.now())
    (old,) = await make_mail(acme, dead, due_at=long_ago)
    (young,) = await make_mail(acme, dead)
    (patient,) = await make_mail(acme, new_trouble, due_at=long_ago)
    await failures.fail_expired(72 * 3600)
    assert ((await row(old)).status, (await row(old)).error) == (FAILED, "gave up waiting for the account: 535 no")
    assert [(await row(one)).status for one in (young, patient)] == [PENDING, PENDING]


async def test_emails_taken_in_side_by_side_are_claimed_apart(acme: Organization) -> None:
    account = await make_account(acme)
    one = await make_mail(acme, account, "a@example.org", "b@example.org")
    other = await make_mail(acme, account, "c@example.org", "d@example.org")
    await MailLog.of(acme).filter(id=one[1]).update(email_id=other[0])  # ids that interleave, as from two processes
    await MailLog.of(acme).filter(id=other[1]).update(email_id=one[0])
    assert [held.email_id for held in await claim(account)] == [one[0], one[0], other[0], other[0]]


async def test_a_clock_set_forward_does_not_take_a_workers_own_rows_from_it(acme: Organization) -> None:
    account = await make_account(acme)
    await make_mail(acme, account)
    (mine,) = await claim(account)
    await MailLog.of(acme).update(lease_until=clock.now() - timedelta(hours=1))
    assert await leases.reclaim(0.0, leased={mine.id}) == []
    assert len(await leases.reclaim(0.0)) == 1
