"""Runs in the outbox: halted and resumed in short transactions, shared between accounts, never scanned whole."""

import asyncio
from collections import Counter
from datetime import timedelta
from uuid import UUID

import pytest

from tests.factories import make_account, make_contact, make_run, want_mail
from tests.fakes.worker import eventually
from webapp import clock, db
from webapp.domain.campaigns import run_rows, stop
from webapp.domain.delivery import recovery
from webapp.domain.delivery.account_breaker import Suspicions
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.domain.delivery.load_messages import load_messages
from webapp.domain.delivery.settle import settle
from webapp.models import Account, AccountUsage, CampaignRun, Contact, MailEvent, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, MailStatus
from webapp.models.outbox import claims, daily_quota, leases, settlements
from webapp.models.outbox.claims import Claimed, claim_rows
from webapp.models.outbox.runs import (
    count_rows,
    end_resume,
    finish_runs,
    halt_rows,
    halt_run,
    halted_with_waiting_rows,
    release_halted,
    resume_run,
)
from webapp.models.outbox.settlements import Settlement
from webapp.sending.outcomes import Halted

STOPPED = "stopped by ada@acme.example"


async def statuses(run: CampaignRun) -> Counter[str]:
    return Counter(await MailLog.across_orgs().filter(campaign_run_id=run.id).values_list("status", flat=True))


async def status_of(run: CampaignRun) -> str:
    return (await CampaignRun.across_orgs().get(id=run.id)).status


async def claim(account: Account, messages: int = 9) -> list[Claimed]:
    return await claims.claim(account.id, messages=messages, lease_seconds=60)


async def test_the_rows_of_each_run_are_counted_in_each_state(acme: Organization, rival: Organization) -> None:
    account = await make_account(acme)
    (mixed, rows), (plain, _), (empty, _) = [await make_run(acme, [account], count) for count in (8, 2, 0)]
    theirs, _ = await make_run(rival, [await make_account(rival)], 1)
    for row_id, status in zip(rows, MailStatus, strict=False):
        await MailLog.of(acme).filter(id=row_id).update(status=status)
    found = await count_rows([mixed.id, plain.id, empty.id])
    assert found == {mixed.id: dict.fromkeys(MailStatus, 1) | {PENDING: 3}, plain.id: {PENDING: 2}}
    assert await count_rows([theirs.id]) == {theirs.id: {PENDING: 1}}
    assert await count_rows([]) == {}


async def test_a_halted_run_is_claimed_by_nobody_although_its_rows_wait_still(acme: Organization) -> None:
    account = await make_account(acme)
    run, ids = await make_run(acme, [account], 3)
    await halt_run(run.id, STOPPED)
    assert await claim(account) == []
    async with db.write_transaction():  # a claim that has found the rows before the stop
        assert await claim_rows(ids, account.id, clock.today("UTC"), 60) == []
    assert await statuses(run) == {PENDING: 3}


async def test_what_waits_in_halted_runs_is_halted_from_time_to_time(acme: Organization) -> None:
    account = await make_account(acme)
    run, ids = await make_run(acme, [account], 3)
    under_way, _ = await make_run(acme, [account], 2)
    await MailLog.of(acme).filter(id=ids[0]).update(status=DEFERRED)
    await halt_run(run.id, STOPPED)
    await stop.finish_halts()
    assert (await statuses(run), await statuses(under_way)) == ({HALTED: 3}, {PENDING: 2})
    causes = {(event.from_status, event.to_status, event.cause) for event in await MailEvent.of(acme)}
    assert causes == {(PENDING, HALTED, "the run was stopped"), (DEFERRED, HALTED, "the run was stopped")}
    assert await halted_with_waiting_rows() == []


async def test_a_large_run_is_halted_and_resumed_batch_by_batch(acme: Organization) -> None:
    run, _ = await make_run(acme, [await make_account(acme)], 4_500)
    await halt_run(run.id, STOPPED)
    assert await halt_rows(run.id)
    assert await statuses(run) == {HALTED: 2_000, PENDING: 2_500}
    await stop.wait_until_no_row_in_flight(run)
    assert await statuses(run) == {HALTED: 4_500}
    contact = await make_contact(acme)
    await MailLog.of(acme).filter(to_email="reader7@example.org").update(contact_id=contact.id)
    await resume_run(run.id)
    await stop.finish_resumes()
    assert await statuses(run) == {HALTED: 4_499, PENDING: 1}
    assert await MailEvent.of(acme).count() == 4_501


@pytest.mark.postgres
async def test_a_row_that_somebody_moves_is_passed_over_by_a_halt(acme: Organization) -> None:
    run, ids = await make_run(acme, [await make_account(acme)], 3)
    is_held, may_end = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with db.write_transaction():
            await db.fetch("SELECT id FROM mail_logs WHERE id = $1 FOR UPDATE", ids[1])
            is_held.set()
            await may_end.wait()

    holding = asyncio.create_task(hold())
    await is_held.wait()
    await halt_run(run.id, STOPPED)
    await asyncio.wait_for(halt_rows(run.id), 30)
    assert await statuses(run) == {HALTED: 2, PENDING: 1}
    may_end.set()
    await holding


async def test_a_resumed_run_is_not_complete_before_its_rows_go_on(acme: Organization) -> None:
    run, _ = await make_run(acme, [await make_account(acme)], 3)
    await want_mail(acme, run)
    await halt_run(run.id, STOPPED)
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


@pytest.mark.postgres
async def test_a_row_that_comes_back_halted_after_the_resume_goes_on(acme: Organization) -> None:
    run, _ = await make_run(acme, [await make_account(acme)], 1)
    await want_mail(acme, run)
    account = await Account.of(acme).get()
    (row,) = await claim(account)
    is_locked, may_end = asyncio.Event(), asyncio.Event()

    async def hold_day() -> None:
        async with db.write_transaction():
            await daily_quota.block_claims(account.id)
            is_locked.set()
            await may_end.wait()

    holding = asyncio.create_task(hold_day())
    await is_locked.wait()
    await halt_run(run.id, STOPPED)
    settling = asyncio.create_task(settlements.settle([Settlement(row, PENDING, refund_quota=True, keep_history=True)]))
    await eventually(somebody_waits_for_a_lock)
    await resume_run(run.id)
    await stop.finish_resumes()
    may_end.set()
    await asyncio.gather(holding, settling)
    await stop.finish_resumes()
    assert (await status_of(run), await statuses(run)) == ("sending", {PENDING: 1})


async def somebody_waits_for_a_lock() -> bool:
    return bool(await db.fetch("SELECT 1 FROM pg_locks WHERE NOT granted"))


async def test_a_stop_in_the_middle_of_a_resume_wins(acme: Organization) -> None:
    run, _ = await make_run(acme, [await make_account(acme)], 3)
    await want_mail(acme, run)
    await halt_run(run.id, STOPPED)
    await stop.finish_halts()
    await resume_run(run.id)
    await halt_run(run.id, STOPPED)
    assert not await release_halted(run.id)
    await stop.finish_resumes()
    assert (await status_of(run), await statuses(run)) == ("halted", {HALTED: 3})


async def test_a_row_reclaimed_in_a_halted_run_is_any_accounts_after_the_resume(acme: Organization) -> None:
    dead, other = await make_account(acme), await make_account(acme)
    run, _ = await make_run(acme, [dead, other], 2)
    await want_mail(acme, run)
    (reclaimed, settled) = await claim(dead)
    await halt_run(run.id, STOPPED)
    await settlements.settle([Settlement(settled, PENDING, refund_quota=True, keep_history=True)])
    await leases.reclaim_all()
    rows = await MailLog.of(acme).filter(id__in=[reclaimed.id, settled.id])
    assert [(row.status, row.account_id) for row in rows] == [(HALTED, None)] * 2
    await MailLog.of(acme).filter(id=reclaimed.id).update(account_id=dead.id)  # as older versions left it
    await resume_run(run.id)
    await stop.finish_resumes()
    assert len(await claim(other)) == 2


async def test_what_happened_to_a_row_says_the_state_that_it_came_to(acme: Organization) -> None:
    account = await make_account(acme)
    run, _ = await make_run(acme, [account], 1)
    (held,) = await claim(account)
    await halt_run(run.id, STOPPED)
    await settlements.settle([Settlement(held, PENDING, error="no route", waits_for_account=True, delay=0.0)])
    (event,) = await MailEvent.of(acme)
    assert (event.from_status, event.to_status, event.cause) == (SENDING, HALTED, "no route")


async def test_a_row_whose_contact_had_left_stays_halted_although_they_came_back(acme: Organization) -> None:
    account = await make_account(acme)
    run, _ = await make_run(acme, [account], 3)
    await want_mail(acme, run)
    left, refused, _ = await claim(account)
    await Contact.of(acme).filter(id=left.contact_id).update(status="unsubscribed")
    (message,) = await load_messages(account, [left], CampaignContentCache())
    assert message.refusal is not None
    await settlements.settle((await settle(message, message.for_all(Halted(message.refusal)), Suspicions())).rows)
    await settlements.settle([Settlement(refused, PENDING, error="451 later", attempted=True)])
    await leases.reclaim_all()
    await Contact.of(acme).update(status="subscribed")
    await halt_run(run.id, STOPPED)
    await stop.finish_halts()
    await resume_run(run.id)
    await stop.finish_resumes()
    found = {row.id: row.status for row in await MailLog.of(acme)}
    assert (found.pop(left.id), set(found.values())) == (HALTED, {PENDING})


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


async def test_an_account_without_an_address_is_no_reason_to_wait(acme: Organization) -> None:
    full, lost = await make_account(acme, daily_mail_limit=1), await make_account(acme)
    run, _ = await make_run(acme, [full, lost], 3)
    await Account.filter(id=lost.id).update(from_email=None)
    assert len(await claim(full)) == 1
    await run_rows.defer_runs()
    assert await statuses(run) == {SENDING: 1, DEFERRED: 2}
    await (
        MailLog.of(acme)
        .filter(status=DEFERRED)
        .update(status=PENDING, next_attempt_at=clock.now() - timedelta(hours=73))
    )
    await full.delete()
    await recovery.fail_expired()
    assert await statuses(run) == {SENDING: 1, FAILED: 2}


@pytest.mark.parametrize(
    ("others", "status"),
    [
        pytest.param([{"status": "paused"}], PENDING, id="all are paused"),
        pytest.param([{"from_email": None}], PENDING, id="all that have an address are paused"),
        pytest.param([{"failing": 80}], FAILED, id="those that are not paused fail"),
        pytest.param([{"failing": 80}, {}], PENDING, id="one works"),
        pytest.param([{"failing": 10}], PENDING, id="one has not failed for long"),
    ],
)
async def test_rows_wait_for_a_paused_account_only_when_no_other_could_send_them(
    acme: Organization, others: list[dict[str, object]], status: str
) -> None:
    accounts = [await make_account(acme, status="paused")]
    for fields in others:
        hours = fields.pop("failing", None)
        since = clock.now() - timedelta(hours=float(str(hours))) if hours else None
        accounts.append(
            await make_account(acme, **{"status": "error" if hours else "active", **fields}, failing_since=since)
        )
    run, _ = await make_run(acme, accounts, 2)
    await MailLog.of(acme).update(next_attempt_at=clock.now() - timedelta(hours=73))
    await recovery.fail_expired()
    assert await statuses(run) == {status: 2}


async def test_a_unit_that_comes_back_lets_one_row_go_and_the_oldest(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=2)
    run, ids = await make_run(acme, [account], 6)
    assert len(await claim(account)) == 2
    await run_rows.defer_runs()
    await AccountUsage.filter(account_id=account.id).update(used=1)
    for _ in range(3):
        await run_rows.defer_runs()
    assert await statuses(run) == {SENDING: 2, PENDING: 1, DEFERRED: 3}
    (waiting,) = await MailLog.of(acme).filter(status=PENDING)
    held = await MailLog.of(acme).filter(status=SENDING).values_list("id", flat=True)
    assert waiting.id == min(set(ids) - set(held))
    assert await MailEvent.of(acme).count() == 4 + 1
