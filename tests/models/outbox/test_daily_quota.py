"""The day of an account that its provider calls full."""

import asyncio

from tests.factories import make_account, make_mail
from tests.fakes.worker import eventually
from tests.locks import holding, somebody_waits
from webapp import clock, db
from webapp.domain.accounts import accounts
from webapp.domain.accounts.inputs import AccountChanges
from webapp.domain.campaigns.forecast import load_capacities
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import DEFERRED, PENDING, MailStatus
from webapp.models.outbox import daily_quota, settlements
from webapp.models.outbox.claims import Claimed, claim
from webapp.models.outbox.settlements import Settlement

LIMIT = 60


def back(rows: list[Claimed]) -> list[Settlement]:
    """Rows that come back unsent."""
    return [Settlement(row, MailStatus.PENDING, refund_quota=True, waits_for_account=True, delay=0.0) for row in rows]


async def usage(account: Account) -> tuple[int, bool]:
    found = await AccountUsage.get(account_id=account.id)
    return found.used, found.is_full


async def make_mails(org: Organization, account: Account, count: int) -> None:
    for _ in range(count):
        await make_mail(org, account)


async def test_a_full_day_counts_what_was_claimed_and_not_what_came_back(
    acme: Organization, rival: Organization
) -> None:
    account, other = await make_account(acme, daily_mail_limit=LIMIT), await make_account(rival)
    await make_mails(acme, account, 5)
    await make_mails(rival, other, 5)
    claimed = await claim(account.id, messages=5, lease_seconds=60.0)
    await claim(other.id, messages=5, lease_seconds=60.0)
    async with holding(lambda: settlements.settle(back(claimed[:2]))):
        filling = asyncio.create_task(daily_quota.exhaust(account.id))
        if not db.dialect().has_one_writer:
            await eventually(somebody_waits)
    await filling
    assert await usage(account) == (3, True)
    await settlements.settle(back(claimed[2:]))
    assert (await usage(account), await usage(other)) == ((0, True), (5, False))


async def test_nothing_is_claimed_on_a_full_day_and_it_has_nothing_left(
    acme: Organization, rival: Organization
) -> None:
    account, other = await make_account(acme, daily_mail_limit=LIMIT), await make_account(rival)
    await make_mails(acme, account, 3)
    await make_mails(rival, other, 3)
    assert len(await claim(account.id, messages=1, lease_seconds=60.0)) == 1
    await daily_quota.exhaust(account.id)
    assert await claim(account.id, messages=2, lease_seconds=60.0) == []
    assert len(await claim(other.id, messages=2, lease_seconds=60.0)) == 2
    assert await MailLog.of(acme).filter(status=DEFERRED, next_attempt_at=clock.next_day("UTC")).count() == 2
    today = await accounts.today_of(acme, account)
    assert (today.sent_today, today.remaining_today) == (1, 0)
    (capacity,) = await load_capacities(acme, [account], clock.now())
    assert (capacity.limit, capacity.used) == (LIMIT, LIMIT)


async def test_a_full_day_stays_full_in_another_timezone_and_ends_with_a_raised_limit(
    acme: Organization, rival: Organization
) -> None:
    account, other = await make_account(acme, daily_mail_limit=LIMIT), await make_account(rival)
    await make_mails(acme, account, 2)
    await make_mails(rival, other, 1)
    await daily_quota.lock_quota(account.id)
    await daily_quota.exhaust(account.id)
    async with db.write_transaction():
        await Organization.filter(id=acme.id).update(timezone="Asia/Tokyo")
        await daily_quota.rebase_days(acme.id, "UTC", "Asia/Tokyo")
    assert await claim(account.id, messages=2, lease_seconds=60.0) == []
    await accounts.change_account(account, AccountChanges(daily_mail_limit=LIMIT + 1))
    assert await MailLog.of(acme).filter(status=PENDING).count() == 2
    assert len(await claim(account.id, messages=2, lease_seconds=60.0)) == 2
    assert len(await claim(other.id, messages=2, lease_seconds=60.0)) == 1
