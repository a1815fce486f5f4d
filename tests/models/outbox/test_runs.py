"""Runs in the outbox: complete when their rows say so, shared fairly by the accounts, given up with their accounts."""

from collections import Counter
from datetime import timedelta
from uuid import UUID

import pytest

from tests.factories import make_account, make_run, want_mail
from webapp import clock
from webapp.domain.campaigns import stop
from webapp.domain.delivery import recovery
from webapp.models import Account, CampaignRun, MailLog, Organization
from webapp.models.mail_log import FAILED, HALTED, PENDING
from webapp.models.outbox import claims
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.runs import end_resume, finish_runs, halt_runs, resume_run

STOPPED = "stopped by ada@acme.example"


async def statuses(run: CampaignRun) -> Counter[str]:
    return Counter(await MailLog.across_orgs().filter(campaign_run_id=run.id).values_list("status", flat=True))


async def status_of(run: CampaignRun) -> str:
    return (await CampaignRun.across_orgs().get(id=run.id)).status


async def claim(account: Account, messages: int = 9) -> list[Claimed]:
    return await claims.claim(account.id, messages=messages, lease_seconds=60)


async def test_a_resumed_run_is_not_complete_before_its_rows_go_on(acme: Organization) -> None:
    run, _ = await make_run(acme, [await make_account(acme)], 3)
    await want_mail(acme, run)
    await halt_runs(STOPPED, id=run.id)
    await stop.finish_halts()
    await resume_run(run.id)
    await end_resume(run.id)  # of somebody who found the rows locked
    await finish_runs()
    assert (await status_of(run), await statuses(run)) == ("sending", {HALTED: 3})
    await stop.finish_resumes()
    await finish_runs()
    assert (await status_of(run), await statuses(run)) == ("sending", {PENDING: 3})
    await MailLog.of(acme).update(status=FAILED)
    await finish_runs()
    assert await status_of(run) == "completed"


async def test_a_canceled_run_is_not_complete_before_its_rows_fail_and_none_of_them_waits(acme: Organization) -> None:
    account = await make_account(acme)
    run, _ = await make_run(acme, [account], 3)
    await want_mail(acme, run)
    await halt_runs(STOPPED, id=run.id)
    await stop.finish_halts()
    await resume_run(run.id, given_up="canceled by ada@acme.example")
    await stop.finish_resumes()
    assert await claim(account) == []
    await finish_runs()
    assert (await status_of(run), await statuses(run)) == ("sending", {HALTED: 3})
    await stop.finish_given_up()
    await finish_runs()
    assert (await status_of(run), await statuses(run)) == ("completed", {FAILED: 3})


async def test_all_runs_of_an_account_get_their_turn_however_few_a_claim_takes(acme: Organization) -> None:
    account = await make_account(acme)
    runs = [(await make_run(acme, [account], 30))[0] for _ in range(6)]
    taken = Counter[UUID | None]()
    for _ in range(25):
        taken.update(row.campaign_run_id for row in await claim(account, messages=2))
    assert (taken.total(), set(taken)) == (50, {run.id for run in runs})


async def test_what_one_run_has_no_use_for_the_others_get(acme: Organization) -> None:
    account = await make_account(acme)
    sizes = (1, 20, 2, 0)
    runs = [(await make_run(acme, [account], size))[0] for size in sizes]
    taken = Counter(row.campaign_run_id for row in await claim(account, messages=10))
    assert [taken[run.id] for run in runs] == [1, 7, 2, 0]


def failing(hours: int) -> dict[str, object]:
    return {"status": "error", "failing_since": clock.now() - timedelta(hours=hours)}


@pytest.mark.parametrize(
    ("others", "status"),
    [
        pytest.param([{"status": "paused"}], PENDING, id="all are paused"),
        pytest.param([{"from_email": None}], PENDING, id="all that have an address are paused"),
        pytest.param([failing(80)], FAILED, id="those that are not paused fail"),
        pytest.param([failing(80), {}], PENDING, id="one works"),
        pytest.param([failing(10)], PENDING, id="one has not failed for long"),
    ],
)
async def test_rows_wait_for_a_paused_account_only_when_no_other_could_send_them(
    acme: Organization, others: list[dict[str, object]], status: str
) -> None:
    accounts = [await make_account(acme, **fields) for fields in ({"status": "paused"}, *others)]
    run, _ = await make_run(acme, accounts, 2)
    await MailLog.of(acme).update(next_attempt_at=clock.now() - timedelta(hours=73))
    await recovery.fail_expired()
    assert await statuses(run) == {status: 2}
