"""The outbox's statements, the same tests on both databases."""

import asyncio
from datetime import timedelta
from uuid import UUID

from tests.factories import make_account, make_mail, make_run
from webapp import clock
from webapp.models import Account, AccountUsage, CampaignRun, MailEvent, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT
from webapp.models.outbox import claims, daily_quota, failures, leases
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.due import due_accounts
from webapp.models.outbox.runs import run_epochs
from webapp.models.outbox.settlements import Settlement, settle

LEASE = 60.0


async def claim(account: Account, messages: int = 10, lease: float = LEASE) -> list[Claimed]:
    return await claims.claim(account.id, messages=messages, lease_seconds=lease)


async def row(row_id: UUID) -> MailLog:
    return await MailLog.across_orgs().get(id=row_id)


async def used(account: Account) -> int:
    usage = await AccountUsage.get_or_none(account_id=account.id, day=clock.today("UTC"))
    return usage.used if usage else 0


async def make_due_later(row_id: UUID, **ago: float) -> None:
    await MailLog.across_orgs().filter(id=row_id).update(next_attempt_at=clock.now() - timedelta(**ago))


async def test_a_claim_takes_all_rows_of_an_email_under_one_lease(acme: Organization) -> None:
    account = await make_account(acme)
    ids = await make_mail(acme, account, "ann@example.org", "bob@example.org", "cem@example.org")
    claimed = await claim(account, messages=1)
    assert [one.id for one in claimed] == ids
    assert len({one.token for one in claimed}) == 1
    assert {(await row(one)).status for one in ids} == {SENDING}
    assert await used(account) == 3


async def test_a_claimed_row_is_not_claimed_again(acme: Organization) -> None:
    account = await make_account(acme)
    await make_mail(acme, account)
    assert len(await claim(account)) == 1
    assert await claim(account) == []


async def test_a_mail_that_is_not_due_waits(acme: Organization) -> None:
    account = await make_account(acme)
    await make_mail(acme, account, due_at=clock.now() + timedelta(hours=1))
    assert await claim(account) == []
    assert await due_accounts() == []


async def test_the_oldest_mail_goes_first(acme: Organization) -> None:
    account = await make_account(acme)
    (newer,) = await make_mail(acme, account)
    (older,) = await make_mail(acme, account)
    await make_due_later(older, hours=1)
    assert [one.id for one in await claim(account, messages=1)] == [older]
    assert [one.id for one in await claim(account, messages=1)] == [newer]


async def test_a_strangers_account_claims_nothing_of_ours(acme: Organization, rival: Organization) -> None:
    ours, theirs = await make_account(acme), await make_account(rival)
    await make_mail(acme, ours)
    assert await claim(theirs) == []
    assert [due.id for due in await due_accounts()] == [ours.id]


async def test_a_paused_or_resting_account_is_not_due(acme: Organization) -> None:
    paused = await make_account(acme, status="paused")
    resting = await make_account(acme, rest_until=clock.now() + timedelta(minutes=1), rests=1)
    rested = await make_account(acme, rest_until=clock.now() - timedelta(minutes=1), rests=1)
    for account in (paused, resting, rested):
        await make_mail(acme, account)
    assert [(due.id, due.is_probe) for due in await due_accounts()] == [(rested.id, True)]
    assert await claim(paused) == []
    assert await claim(resting) == []


async def test_beyond_the_daily_limit_mails_are_deferred_to_the_next_day(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=2)
    mails = [(await make_mail(acme, account))[0] for _ in range(3)]
    assert len(await claim(account)) == 2
    last = await row(mails[-1])
    assert last.status == DEFERRED
    assert last.next_attempt_at == clock.next_day("UTC")
    assert (await MailEvent.across_orgs().get(mail_log_id=last.id)).to_status == DEFERRED


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


async def test_two_workers_never_pass_the_limit_together(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=2)
    for _ in range(3):
        await make_mail(acme, account, "a@example.org", "b@example.org", "c@example.org")
    for _ in range(6):
        await make_mail(acme, account)

    async def work() -> list[Claimed]:
        found = []
        for _ in range(20):
            found += await claim(account, messages=1)
            await asyncio.sleep(0)  # the other's turn: who finds the account locked comes back later
        return found

    taken = [one for batch in await asyncio.gather(work(), work()) for one in batch]
    assert len(taken) == 2
    assert await used(account) == 2
    statuses = await MailLog.of(acme).values_list("status", flat=True)
    assert sorted(statuses) == sorted([FAILED] * 9 + [SENDING] * 2 + [DEFERRED] * 4)


async def test_a_day_later_deferred_mails_go_ahead_of_newer_ones(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=1)
    (first,) = await make_mail(acme, account)
    (second,) = await make_mail(acme, account)
    await claim(account)
    await MailLog.of(acme).filter(id=second).update(next_attempt_at=clock.now() - timedelta(seconds=1))
    await AccountUsage.filter(account_id=account.id).update(used=0)
    (newer,) = await make_mail(acme, account)
    assert await daily_quota.release_deferred() == {account.id}
    assert [one.id for one in await claim(account, messages=1)] == [second]
    assert (await row(newer)).status == PENDING
    assert (await row(first)).status == SENDING


async def test_a_raised_limit_releases_the_accounts_deferred_mails_alone(acme: Organization) -> None:
    accounts = [await make_account(acme, daily_mail_limit=1) for _ in range(2)]
    for account in accounts:
        await make_mail(acme, account)
        await make_mail(acme, account)
        await claim(account)
    await daily_quota.release_deferred_of(accounts[0].id)
    waiting = {mail.account_id: mail.status for mail in await MailLog.of(acme).exclude(status=SENDING)}
    assert waiting == {accounts[0].id: PENDING, accounts[1].id: DEFERRED}


async def test_a_refused_row_fails_and_gives_its_unit_of_the_limit_back(acme: Organization) -> None:
    account = await make_account(acme)
    ids = await make_mail(acme, account, "ann@example.org", "gone@example.org")
    held = await claim(account)
    await settle(
        [
            Settlement(held[0], SENT, code=250),
            Settlement(held[1], FAILED, error="550 no such user", code=550, refund_quota=True),
        ]
    )
    assert [(await row(one)).status for one in ids] == [SENT, FAILED]
    assert (await row(ids[1])).error == "550 no such user"
    assert await used(account) == 1
    assert [event.cause for event in await MailEvent.of(acme)] == ["550 no such user"]


async def test_an_outcome_under_a_lost_lease_changes_nothing(acme: Organization) -> None:
    account = await make_account(acme)
    (mail_id,) = await make_mail(acme, account)
    (held,) = await claim(account, lease=0.01)
    await asyncio.sleep(0.05)
    assert (await leases.reclaim(0.0)).rows == 1
    assert await settle([Settlement(held, SENT)]) == set()
    assert (await row(mail_id)).status == PENDING


async def test_a_living_workers_rows_are_not_reclaimed(acme: Organization) -> None:
    account = await make_account(acme)
    await make_mail(acme, account)
    (held,) = await claim(account, lease=0.2)
    assert await leases.extend_leases([(held.id, held.token)], 60) == ({held.id}, set())
    await asyncio.sleep(0.3)
    assert (await leases.reclaim(0.0)).rows == 0


async def test_a_stranger_cannot_lengthen_a_lease(acme: Organization, rival: Organization) -> None:
    account, other = await make_account(acme), await make_account(rival)
    await make_mail(acme, account)
    await make_mail(rival, other)
    (held,), (theirs,) = await claim(account), await claim(other)
    assert await leases.extend_leases([(held.id, theirs.token)], 60) == (set(), {held.id})


async def test_a_reclaimed_row_keeps_its_message_id_and_counts_the_death(acme: Organization) -> None:
    account = await make_account(acme)
    (mail_id,) = await make_mail(acme, account)
    (held,) = await claim(account)
    reclaimed = await leases.reclaim_all()
    assert (reclaimed.rows, reclaimed.account_ids) == (1, {account.id})
    mail = await row(mail_id)
    assert (mail.status, mail.crashes, mail.message_id, mail.lease_token) == (PENDING, 1, held.message_id, None)


async def test_the_sixth_death_fails_the_row(acme: Organization) -> None:
    account = await make_account(acme)
    (mail_id,) = await make_mail(acme, account)
    for _ in range(6):
        assert len(await claim(account)) == 1
        await leases.reclaim_all()
    mail = await row(mail_id)
    assert (mail.status, mail.crashes) == (FAILED, 6)
    assert await claim(account) == []


async def test_accounts_pull_rows_of_their_runs_and_give_them_back_without_an_owner(acme: Organization) -> None:
    one, two = await make_account(acme), await make_account(acme)
    run, ids = await make_run(acme, [one, two], 6)
    mine, yours = await claim(one, messages=4), await claim(two, messages=4)
    assert (len(mine), len(yours)) == (4, 2)
    assert {held.id for held in mine + yours} == set(ids)
    assert {held.run_epoch for held in mine} == {run.epoch}
    await settle([Settlement(mine[0], PENDING, waits_for_account=True, refund_quota=True)])
    mail = await row(mine[0].id)
    assert (mail.status, mail.account_id) == (PENDING, None)
    assert mail.waiting_since is not None


async def test_mails_go_before_campaigns(acme: Organization) -> None:
    account = await make_account(acme)
    await make_run(acme, [account], 5)
    (mail_id,) = await make_mail(acme, account)
    assert [held.id for held in await claim(account, messages=1)] == [mail_id]


async def test_the_runs_of_an_account_take_turns(acme: Organization) -> None:
    account = await make_account(acme)
    runs = [(await make_run(acme, [account], 10))[0] for _ in range(2)]
    held = await claim(account, messages=10)
    assert {run.id: sum(one.campaign_run_id == run.id for one in held) for run in runs} == {run.id: 5 for run in runs}


async def test_a_stop_raises_the_epoch_that_workers_compare(acme: Organization) -> None:
    account = await make_account(acme)
    run, _ = await make_run(acme, [account], 2)
    held = await claim(account, messages=1)
    assert await run_epochs([run.id]) == {run.id: held[0].run_epoch}
    await CampaignRun.of(acme).filter(id=run.id).update(epoch=run.epoch + 1, status="halted")
    assert await run_epochs([run.id]) == {}
    await settle([Settlement(held[0], HALTED, error="stopped", refund_quota=True)])
    assert (await row(held[0].id)).status == HALTED
    assert await claim(account) == []


async def test_the_waiting_rows_of_an_account_that_goes_away_fail_with_the_reason(
    acme: Organization, rival: Organization
) -> None:
    account, other = await make_account(acme), await make_account(rival)
    (under_way,) = await make_mail(acme, account)
    await claim(account)
    (waiting,) = await make_mail(acme, account)
    (theirs,) = await make_mail(rival, other)
    await failures.fail_rows_of_account(account.id, "the account was deleted")
    assert ((await row(waiting)).status, (await row(waiting)).error) == (FAILED, "the account was deleted")
    assert [(await row(one)).status for one in (under_way, theirs)] == [SENDING, PENDING]


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


async def test_a_row_that_would_wait_is_halted_when_its_run_was_stopped(acme: Organization) -> None:
    account = await make_account(acme)
    run, _ = await make_run(acme, [account], 2)
    one, other = await claim(account)
    await CampaignRun.of(acme).filter(id=run.id).update(status="halted")
    await settle([Settlement(one, PENDING, attempted=True, delay=60.0, refund_quota=True)])
    await leases.reclaim_all()
    assert [(await row(held.id)).status for held in (one, other)] == [HALTED, HALTED]


async def test_a_row_that_comes_back_after_its_account_was_deleted_fails(
    acme: Organization, rival: Organization
) -> None:
    account, other = await make_account(acme), await make_account(rival)
    (under_way,) = await make_mail(acme, account)
    (theirs,) = await make_mail(rival, other)
    (held,) = await claim(account)
    await account.delete()
    await settle([Settlement(held, PENDING, error="451 later", attempted=True, delay=60.0, refund_quota=True)])
    await failures.fail_rows_of_deleted_accounts()
    assert ((await row(under_way)).status, (await row(under_way)).error) == (FAILED, "the account was deleted")
    assert (await row(theirs)).status == PENDING


async def test_mails_that_cannot_go_do_not_stand_in_the_way_of_one_that_can(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=2)
    for _ in range(5):
        await make_mail(acme, account, "a@example.org", "b@example.org", "c@example.org")
    (small,) = await make_mail(acme, account)
    assert [one.id for one in await claim(account, messages=1)] == [small]


async def test_a_clock_set_forward_does_not_take_a_workers_own_rows_from_it(acme: Organization) -> None:
    account = await make_account(acme)
    await make_mail(acme, account)
    (mine,) = await claim(account)
    await MailLog.of(acme).update(lease_until=clock.now() - timedelta(hours=1))
    assert (await leases.reclaim(0.0, leased={mine.id})).rows == 0
    assert (await leases.reclaim(0.0)).rows == 1


async def test_what_is_given_back_keeps_what_is_known_of_earlier_tries(acme: Organization) -> None:
    account = await make_account(acme)
    (mail_id,) = await make_mail(acme, account)
    (held,) = await claim(account)
    await settle(
        [Settlement(held, PENDING, error="450 later", code=450, waits_for_account=True, delay=0, refund_quota=True)]
    )
    before = await row(mail_id)
    (again,) = await claim(account)
    await settle([Settlement(again, PENDING, refund_quota=True, keep_history=True)])
    after = await row(mail_id)
    assert (after.error, after.response_code, after.waiting_since) == ("450 later", 450, before.waiting_since)
    assert await used(account) == 0


async def test_emails_taken_in_side_by_side_are_claimed_apart(acme: Organization) -> None:
    account = await make_account(acme)
    one = await make_mail(acme, account, "a@example.org", "b@example.org")
    other = await make_mail(acme, account, "c@example.org", "d@example.org")
    await MailLog.of(acme).filter(id=one[1]).update(email_id=other[0])  # ids that interleave, as from two processes
    await MailLog.of(acme).filter(id=other[1]).update(email_id=one[0])
    assert [held.email_id for held in await claim(account)] == [one[0], one[0], other[0], other[0]]
