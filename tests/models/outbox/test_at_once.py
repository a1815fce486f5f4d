"""Rows that come into the outbox claimed or failed, because the request that makes them sends them."""

import asyncio
from uuid import UUID

from uuid_utils.compat import uuid7

from tests.factories import make_account, make_mail
from webapp import clock, db
from webapp.models import Account, AccountUsage, MailEvent, MailLog, Organization, outbox
from webapp.models.mail_log import FAILED, PENDING, SENDING
from webapp.models.outbox import Claimed, NewRow

LEASE = 60.0


def new_row(account: Account) -> NewRow:
    row_id = uuid7()
    return NewRow(
        id=row_id,
        org_id=account.org_id,
        kind="compose",
        content_id=uuid7(),
        to_email="ann@example.org",
        recipient_type="to",
        message_id=f"<{row_id.hex}@acme.example>",
        account_id=account.id,
    )


async def take_in(account: Account, rows: list[NewRow], lease: float = LEASE) -> list[Claimed]:
    """Insert what fits into the account's day as claimed, the rest as failed."""
    async with db.write_transaction():
        quota = await outbox.lock_quota(account.id, wait=True)
        assert quota is not None
        free = quota.limit - quota.used
        claimed = await outbox.add_claimed(account.id, quota, rows[:free], lease_seconds=lease)
        await outbox.add_failed(rows[free:], "no room")
    return claimed


async def used(account: Account) -> int:
    return (await AccountUsage.get(account_id=account.id)).used


async def status_of(row_id: UUID) -> str:
    return (await MailLog.across_orgs().get(id=row_id)).status


async def test_rows_come_in_claimed_and_counted(acme: Organization) -> None:
    account = await make_account(acme)
    rows = [new_row(account) for _ in range(3)]
    claimed = await take_in(account, rows)
    assert [one.id for one in claimed] == [row.id for row in rows]
    assert await used(account) == 3
    for mail in await MailLog.of(acme):
        assert (mail.status, mail.cap_day) == (SENDING, clock.today("UTC"))
        assert mail.lease_until is not None
    assert await outbox.due_accounts() == []


async def test_rows_that_come_in_failed_say_why_and_count_nothing(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=2)
    rows = [new_row(account) for _ in range(3)]
    assert len(await take_in(account, rows)) == 2
    assert await used(account) == 2
    failed = await MailLog.one_of(acme, rows[2].id)
    assert (failed.status, failed.error) == (FAILED, "no room")
    (event,) = await MailEvent.of(acme)
    assert (event.mail_log_id, event.to_status, event.cause) == (failed.id, FAILED, "no room")


async def test_whoever_takes_rows_in_waits_for_the_accounts_day(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=5)
    for _ in range(3):
        await make_mail(acme, account)
    found = await asyncio.gather(
        *(take_in(account, [new_row(account)]) for _ in range(4)),
        outbox.claim(account.id, messages=1, lease_seconds=LEASE),
        *(take_in(account, [new_row(account)]) for _ in range(4)),
    )
    assert sum(len(claimed) for claimed in found) == await used(account) == 5


async def test_a_paused_account_has_no_day_to_wait_for(acme: Organization) -> None:
    account = await make_account(acme, status="paused")
    async with db.write_transaction():
        assert await outbox.lock_quota(account.id, wait=True) is None


async def test_a_worker_that_starts_leaves_a_living_web_process_its_rows(acme: Organization) -> None:
    account = await make_account(acme)
    (mail_id,) = await make_mail(acme, account)
    await outbox.claim(account.id, messages=1, lease_seconds=LEASE)
    (living,) = await take_in(account, [new_row(account)])
    (dead,) = await take_in(account, [new_row(account)], lease=-1.0)
    await outbox.reclaim_all()
    assert [await status_of(one) for one in (mail_id, living.id, dead.id)] == [PENDING, SENDING, FAILED]


async def test_the_rows_of_a_dead_web_process_fail_when_its_lease_has_run_out(acme: Organization) -> None:
    account = await make_account(acme)
    (living,) = await take_in(account, [new_row(account)])
    (dead,) = await take_in(account, [new_row(account)], lease=-1.0)
    assert (await outbox.reclaim(0.0)).rows == 1
    assert [await status_of(one) for one in (living.id, dead.id)] == [SENDING, FAILED]
    assert "unknown" in ((await MailLog.one_of(acme, dead.id)).error or "")
