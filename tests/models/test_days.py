"""The day of an account that its provider calls full."""

import asyncio

from tests.factories import make_account, make_mail
from tests.fakes.worker import eventually
from tests.locks import holding, somebody_waits
from webapp import db
from webapp.models import Account, AccountUsage, Organization, outbox
from webapp.models.mail_log import MailStatus
from webapp.models.outbox import Claimed, Settlement

LIMIT = 60


def back(rows: list[Claimed]) -> list[Settlement]:
    """Rows that come back unsent."""
    return [Settlement(row, MailStatus.PENDING, gives_back=True, waits=True, delay=60.0) for row in rows]


async def used(account: Account) -> int:
    return (await AccountUsage.get(account_id=account.id)).used


async def test_a_day_is_full_and_no_fuller_whoever_gives_units_back_meanwhile(
    acme: Organization, rival: Organization
) -> None:
    account, other = await make_account(acme, daily_mail_limit=LIMIT), await make_account(rival)
    for org, its in ((acme, account), (rival, other)):
        for _ in range(5):
            await make_mail(org, its)
    claimed = await outbox.claim(account.id, messages=5, lease_seconds=60.0)
    await outbox.claim(other.id, messages=5, lease_seconds=60.0)
    async with holding(lambda: outbox.settle(back(claimed[:2]))):
        filling = asyncio.create_task(outbox.use_up(account.id))
        if db.dialect().for_update:
            await eventually(somebody_waits)
    await filling
    assert await used(account) == LIMIT + 3
    await outbox.settle(back(claimed[2:]))
    assert (await used(account), await used(other)) == (LIMIT, 5)
