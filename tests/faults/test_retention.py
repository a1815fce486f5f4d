"""F33: much old mail is pruned while new mail is sent."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.factories import account_on, make_account, make_campaign, make_mail, make_org, make_run
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import working
from tests.faults.support.world import until_received
from tests.figures import Figures
from webapp import clock, db
from webapp.config import Settings
from webapp.db import dialects
from webapp.domain.instance import retention
from webapp.models import Account, AccountUsage, CampaignRun, MailLog, Organization
from webapp.models.base.row import id_lower_bound
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT
from webapp.models.outbox import claims
from webapp.models.outbox.settlements import Settlement, settle

PATIENCE = 50.0  # seconds
COLUMNS = {"id": "uuid", "run": "uuid", "status": "text"}
AT_ONCE = 10_000


async def make_old_rows(org: Organization, run_id: UUID | None, statuses: dict[str, int]) -> None:
    """So many rows in each status, ten days old, of a run or of composes."""
    oldest = id_lower_bound(clock.now() - timedelta(days=10)).int
    rows = [
        {"id": UUID(int=oldest + (number << 64) + uuid7().int % (1 << 62)), "run": run_id, "status": status}
        for number, status in enumerate(status for status, count in statuses.items() for _ in range(count))
    ]
    sql = db.dialect()
    for start in range(0, len(rows), AT_ONCE):
        await db.fetch(
            f"""INSERT INTO mail_logs (id, org_id, kind, content_id, campaign_run_id, contact_id, to_email, recipient_type,
                message_id, variables, status, attempts, crashes, unknowns, created_at, next_attempt_at, sent_at)
                SELECT id, $2, CASE WHEN run IS NULL THEN 'compose' ELSE 'campaign' END, $2, run, id, 'ann@example.org',
                'to', '<x@x>', '{{}}', status, 0, 0, 0, {sql.now}, {sql.later("-864000")},
                CASE WHEN status = 'sent' THEN {sql.later("-864000")} END
                FROM {sql.records("$1", COLUMNS)}""",
            dialects.json_records(rows[start : start + AT_ONCE]),
            org.id,
        )


async def prune_all() -> None:
    for _ in range(1_000):
        if await retention.prune():
            return
    raise AssertionError("there is always something left to prune")


@contextlib.asynccontextmanager
async def claims_measured(account: Account) -> AsyncIterator[list[float]]:
    """How many seconds a claim for the account takes, tried again and again in the block beside the worker's own."""
    seconds: list[float] = []

    async def measure() -> None:
        while True:
            began = clock.elapsed()
            rows = await claims.claim(account.id, messages=1, lease_seconds=60)
            seconds.append(clock.elapsed() - began)
            if rows:
                await settle([Settlement(row, PENDING, refund_quota=True, keep_history=True) for row in rows])
            await asyncio.sleep(0.02)

    task = asyncio.create_task(measure())
    try:
        yield seconds
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize(
    ("old", "mails", "most_ms"),
    [(2_000, 40, 10_000), pytest.param(500_000, 2_000, 100, marks=[pytest.mark.soak, pytest.mark.timeout(900)])],
)
async def test_f33_pruning_beside_sending_removes_only_final_rows_and_delays_no_claim(
    database: str, settings: Settings, figures: Figures, old: int, mails: int, most_ms: int
) -> None:
    org = await make_org("Free", plan="free")
    rival = await make_org("Rival")
    await make_old_rows(rival, None, {SENT: 10, FAILED: 10})
    async with SmtpServer() as server:
        account = await account_on(server, org, daily_mail_limit=10 * mails)
        resumable, _ = await make_run(org, [account], 0)
        campaign = await make_campaign(org, status="halted")
        await CampaignRun.of(org).filter(id=resumable.id).update(status="halted", campaign_id=campaign.id)
        done, _ = await make_run(org, [account], 0)
        await CampaignRun.of(org).filter(id=done.id).update(status="completed")
        await make_old_rows(org, resumable.id, {HALTED: 100, SENT: 50})
        await make_old_rows(org, done.id, {SENT: old // 2, FAILED: old // 10, HALTED: 10})
        away = await make_account(org, status="paused")  # whose rows wait
        await make_old_rows(org, None, {SENT: old - old // 2 - old // 10})
        waiting = [row_id for _ in range(20) for row_id in await make_mail(org, away)]
        await MailLog.of(org).filter(id__in=waiting[:10]).update(status=DEFERRED, next_attempt_at=clock.next_day("UTC"))
        for number in range(mails // 5):
            await make_mail(org, account, f"early{number}@example.org")
        async with working(settings), claims_measured(account) as usual:
            await until_received(server, mails // 5, PATIENCE + mails / 20)
        for number in range(mails - mails // 5):
            await make_mail(org, account, f"reader{number}@example.org")
        async with working(settings), claims_measured(account) as seconds:
            await asyncio.gather(prune_all(), until_received(server, mails, PATIENCE + mails / 20))
        assert len(server.messages) == mails
    statuses = {
        status: await MailLog.of(org).filter(status=status).count() for status in (PENDING, DEFERRED, HALTED, SENT)
    }
    assert statuses == {PENDING: 10, DEFERRED: 10, HALTED: 100, SENT: mails}
    assert await MailLog.of(org).filter(status__in=[FAILED, SENDING]).count() == 0
    frozen = (await CampaignRun.of(org).get(id=done.id)).frozen_counts
    assert frozen == {SENT: old // 2, FAILED: old // 10, HALTED: 10}
    assert (await AccountUsage.get(account_id=account.id)).used == mails
    assert await MailLog.of(rival).count() == 20
    figures("ms of a claim (p95) without pruning", percentile_95(usual) * 1000, below=most_ms)
    figures("ms of a claim (p95) beside pruning", percentile_95(seconds) * 1000, below=most_ms)


def percentile_95(seconds: list[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.95)]
