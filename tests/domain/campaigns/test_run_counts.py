"""The counts of runs that have come to rest: kept, so that nobody reads their rows again."""

from collections.abc import Mapping
from datetime import timedelta

from tests.domain.instance.test_retention import make_rows
from tests.factories import make_account, make_run
from tests.queries import look_ups
from webapp.domain.campaigns import runs
from webapp.domain.campaigns.run_progress import progress_of
from webapp.models import CampaignRun, MailLog, Organization
from webapp.models.campaign_run import RunStatus
from webapp.models.mail_log import FAILED, HALTED, SENDING, SENT, MailStatus
from webapp.models.outbox.runs import end_resume, finish_runs, resume_run, save_counts

NOTHING = dict.fromkeys(MailStatus, 0)


async def make_ended(org: Organization, *statuses: MailStatus, status: str = RunStatus.COMPLETED) -> CampaignRun:
    """A run whose rows have come to these states, ten days ago."""
    run, _ = await make_run(org, [await make_account(org)], 0)
    await make_rows(org, timedelta(days=10), statuses, campaign_run_id=run.id)
    run.status = status
    await run.save()
    return run


async def counts_of(run: CampaignRun) -> Mapping[str, int]:
    """What a page shows of the run; the total is the sum of its states."""
    (progress,) = await progress_of([await CampaignRun.get(id=run.id)])
    counts = progress.counts
    assert progress.total == sum(counts.values()) + run.expected
    return counts


async def is_kept(run: CampaignRun) -> bool:
    return (await CampaignRun.get(id=run.id)).ended_counts is not None


async def test_the_rows_of_a_run_at_rest_are_counted_once(acme: Organization, rival: Organization) -> None:
    ours, theirs = await make_ended(acme, SENT, SENT, FAILED, HALTED), await make_ended(rival, SENT)
    wanted = NOTHING | {SENT: 2, FAILED: 1, HALTED: 1}
    assert await counts_of(ours) == wanted
    await runs.keep_counts()
    with look_ups() as sent:
        assert await counts_of(ours) == wanted
        assert await counts_of(theirs) == NOTHING | {SENT: 1}
        await runs.keep_counts()
    assert not [statement for statement, _ in sent if "COUNT" in statement]


async def test_a_run_of_which_something_waits_is_counted_each_time(acme: Organization) -> None:
    stopped = await make_ended(acme, SENT, SENDING, status=RunStatus.HALTED)
    under_way = await make_ended(acme, SENT, status="sending")
    for run in (stopped, under_way):
        await save_counts(run.id)  # who found it before it went on
        assert not await is_kept(run)
    await MailLog.of_run(stopped.id).filter(status=SENDING).update(status=FAILED)
    for _ in range(2):
        assert await counts_of(stopped) == NOTHING | {SENT: 1, FAILED: 1}
        await runs.keep_counts()
    assert await is_kept(stopped)


async def test_a_run_that_is_resumed_is_counted_again(acme: Organization, rival: Organization) -> None:
    ours, theirs = [await make_ended(org, SENT, HALTED, HALTED, status="halted") for org in (acme, rival)]
    await runs.keep_counts()
    await resume_run(ours.id)
    assert (await is_kept(ours), await is_kept(theirs)) == (False, True)
    await MailLog.of_run(ours.id).filter(status=HALTED).update(status=SENT)
    assert await counts_of(ours) == NOTHING | {SENT: 3}
    await end_resume(ours.id)
    await finish_runs()
    await runs.keep_counts()
    assert await counts_of(ours) == NOTHING | {SENT: 3}
    assert await is_kept(ours)
    assert await counts_of(theirs) == NOTHING | {SENT: 1, HALTED: 2}
