"""The progress of a run, as those see it who watch."""

import asyncio
from datetime import datetime

from tests.factories import make_account, make_run
from tests.fakes.worker import eventually
from webapp import clock
from webapp.domain.campaigns.run_progress import LEAST_SECONDS, ProgressCache
from webapp.models import Account, AccountUsage, MailLog, Organization


async def test_a_raised_limit_moves_the_end_at_once(acme: Organization, rival: Organization) -> None:
    watch, runs = ProgressCache(), []
    for org in (acme, rival):
        account = await make_account(org, daily_mail_limit=5)
        run, rows = await make_run(org, [account], 10)
        await AccountUsage.create(account_id=account.id, day=clock.today(org.timezone), used=5)
        await watch.latest(org, run)
        await MailLog.of(org).filter(id__in=rows[:5]).update(status="sent")
        await MailLog.of(org).filter(id__in=rows[5:]).update(status="deferred")
        runs.append((org, run))

    async def ends() -> list[datetime]:
        found = [await watch.latest(org, run) for org, run in runs]
        assert all(one.per_second for one in found)
        return [one.ends_at for one in found if one.ends_at]

    await asyncio.sleep(LEAST_SECONDS + 0.1)
    before = await ends()
    await Account.of(acme).update(daily_mail_limit=5_000)
    await MailLog.of(acme).filter(status="deferred").update(status="pending")

    async def has_moved() -> bool:
        return (await ends())[0] < before[0]

    await eventually(has_moved)
    assert (await ends())[1] == before[1]
