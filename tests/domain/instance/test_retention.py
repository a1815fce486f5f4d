"""Retention: what a plan keeps no longer goes, what is not final or still needed stays, and every count stays right."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.factories import (
    make_account,
    make_api_request,
    make_campaign,
    make_contact,
    make_org,
    make_request_details,
    make_run,
)
from tests.plans import use_plans
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.domain.campaigns.campaigns import delete_campaign
from webapp.domain.emails.retry import retry_recipient
from webapp.domain.instance import retention
from webapp.domain.plans import limits
from webapp.domain.plans.limits import start_of_month
from webapp.models import (
    Account,
    ApiRequest,
    ApiRequestDetails,
    Attachment,
    AuditEntry,
    CampaignContact,
    CampaignRun,
    Content,
    Email,
    MailEvent,
    MailLog,
    Organization,
    OrgUsage,
    SandboxMail,
)
from webapp.models.base.row import FIRST_ID, id_lower_bound, time_of_id
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENDING, SENT
from webapp.models.outbox import retention as pruning
from webapp.models.outbox import runs
from webapp.models.outbox.insert import NewRow, add_rows
from webapp.models.usage import Metric, count_rows

FREE_DAYS = 3
LONG_AGO = timedelta(days=10)
AN_ENTRY = {"actor": "ada", "action": "key.issued", "target": "shop", "address": "::1"}


def aged(ago: timedelta) -> UUID:
    """An id that was made so long ago."""
    return UUID(int=id_lower_bound(clock.now() - ago).int | uuid7().int & (1 << 80) - 1)


@pytest.fixture
async def account(free: Organization) -> Account:
    return await make_account(free)


async def make_rows(
    org: Organization, ago: timedelta, statuses: Sequence[str] = (SENT,), **fields: Any
) -> tuple[UUID, ...]:
    """Rows that were made so long ago and have come to these states then; an email of one recipient each by default."""
    then = clock.now() - ago
    content = await Content.create(org=org, subject="Old", html="<p>Old</p>", text=None)
    ids = tuple(sorted(aged(ago) for _ in statuses))
    kind = "campaign" if "campaign_run_id" in fields else fields.pop("kind", "compose")
    values = {"kind": kind, "content_id": content.id, "recipient_type": "to", "due_at": then, **fields}
    async with db.write_transaction():
        await add_rows([
            NewRow(
                id=row_id, org_id=org.id, to_email="ann@example.org", message_id=f"<{row_id.hex}@x>",
                **values | ({"contact_id": uuid7()} if kind == "campaign" else {}),
            )
            for row_id in ids
        ])  # fmt: skip
    for row_id, status in zip(ids, statuses, strict=True):
        sent_at = then if status == SENT else None
        await MailLog.of(org).filter(id=row_id).update(status=status, sent_at=sent_at)
    return ids


async def make_old_email(
    org: Organization, account: Account, ago: timedelta, statuses: Sequence[str] = (SENT,)
) -> UUID:
    """An email with a file, an event for each row, and a recipient for each status, handed in so long ago."""
    ids = await make_rows(org, ago, statuses, kind="transactional", account_id=account.id)
    content = await MailLog.of(org).get(id=ids[0])
    email = await Email.create(
        id=ids[0], org=org, account_id=account.id, content_id=content.content_id, message_id="<x@x>", sender="a@b.example",
        addresses={"to": ["ann@example.org"], "cc": [], "bcc": [], "reply_to": []}, headers={}, tags=[], variables={},
    )  # fmt: skip
    await Attachment.create(
        org=org, email=email, position=0, filename="a", content_type="text/plain", size=1, data=b"a"
    )
    await MailLog.of(org).filter(id__in=ids).update(email_id=email.id)
    for row_id in ids:
        await MailEvent.create(org=org, mail_log_id=row_id, from_status=SENDING, to_status=FAILED, cause="no")
    return email.id


async def left(org: Organization) -> tuple[int, int, int, int, int]:
    """Rows, events, emails, files and contents."""
    rows, events, emails, files, contents = [
        await model.of(org).count() for model in (MailLog, MailEvent, Email, Attachment, Content)
    ]
    return rows, events, emails, files, contents


async def prune_all() -> None:
    assert await retention.prune()


async def test_mail_older_than_the_plans_days_goes_with_all_that_only_it_needed(
    free: Organization, rival: Organization, account: Account
) -> None:
    await make_old_email(free, account, timedelta(days=FREE_DAYS, minutes=1), (SENT, FAILED, HALTED))
    await make_rows(free, timedelta(days=FREE_DAYS, minutes=1), (SENT, FAILED), kind="compose")
    kept = await make_old_email(free, account, timedelta(days=FREE_DAYS, minutes=-1), (SENT, FAILED))
    await make_old_email(rival, await make_account(rival), timedelta(days=300), (SENT,))  # on the largest plan
    await prune_all()
    assert [row.email_id for row in await MailLog.of(free)] == [kept, kept]
    assert await left(free) == (2, 2, 1, 1, 1)
    assert await left(rival) == (1, 1, 1, 1, 1)


async def test_the_largest_plan_keeps_a_year(acme: Organization) -> None:
    await make_rows(acme, timedelta(days=365, minutes=1))
    (kept,) = await make_rows(acme, timedelta(days=365, minutes=-1))
    await prune_all()
    assert [row.id for row in await MailLog.of(acme)] == [kept]


async def test_what_waits_is_being_sent_or_can_be_resumed_stays_however_old_it_is(
    free: Organization, account: Account
) -> None:
    for status in (PENDING, SENDING, DEFERRED):
        await make_rows(free, LONG_AGO, (status,), kind="transactional")
        await make_old_email(free, account, LONG_AGO, (SENT, status))
    campaign = await make_campaign(free, status="halted")
    run, _ = await make_run(free, [account], 0)
    await CampaignRun.of(free).filter(id=run.id).update(campaign_id=campaign.id, status="halted")
    await make_rows(free, LONG_AGO, (HALTED, HALTED, SENT), campaign_run_id=run.id, campaign_id=campaign.id)
    before = await left(free)
    await prune_all()
    assert await left(free) == (before[0] - 1, *before[1:])  # the sent row of the run
    assert await runs.count_rows([run.id]) == {run.id: {HALTED: 2}}
    await campaign.delete()  # now nobody can resume it
    await prune_all()
    assert await runs.count_rows([run.id]) == {}
    assert not await Content.of(free).filter(id=run.content_id).exists()


@pytest.mark.parametrize(
    ("status", "days"),
    [
        (SENT, {"sent_at": 1}),
        (FAILED, {"next_attempt_at": 1}),
        (FAILED, {"next_attempt_at": 9, "cap_day": 1}),
        (HALTED, {"next_attempt_at": -1}),
    ],
)
async def test_the_days_count_from_the_end_of_a_mail_that_waited_long(
    free: Organization, account: Account, status: str, days: dict[str, int]
) -> None:
    await make_old_email(free, account, LONG_AGO)
    times: dict[str, Any] = {name: clock.now() - timedelta(days=ago) for name, ago in days.items()}
    if "cap_day" in times:
        times["cap_day"] = times["cap_day"].date()
    await MailLog.of(free).update(**{"status": status, "sent_at": None, **times})
    await prune_all()
    assert await Email.of(free).exists()


async def test_beyond_the_plans_rows_the_newest_are_kept_and_an_email_whole(
    free: Organization, account: Account, settings: Settings
) -> None:
    use_plans(settings, {"free": {"kept_rows": 5}})
    await make_rows(free, timedelta(hours=9))
    await make_old_email(free, account, timedelta(hours=8), (SENT, SENT))
    cut = await make_old_email(free, account, timedelta(hours=7), (SENT, SENT, SENT))
    composed = await make_rows(free, timedelta(hours=6), (SENT, FAILED, SENT), kind="compose")
    (waiting,) = await make_rows(free, timedelta(hours=10), (PENDING,), kind="transactional")
    await prune_all()
    found = await MailLog.of(free).order_by("id")
    assert [row.id for row in found if row.email_id is None] == [waiting, *composed]
    assert [row.email_id for row in found if row.email_id] == [cut] * 3
    assert await Content.of(free).count() == 3


async def test_the_request_log_goes_by_the_days_and_sandbox_mail_with_the_rows_of_its_time(
    free: Organization, rival: Organization, settings: Settings
) -> None:
    use_plans(settings, {"free": {"kept_rows": 1}})
    for org in (free, rival):
        for hours in (73, 71):
            await make_api_request(org, id=aged(timedelta(hours=hours)))
        for hours in (73, 5, 1):
            await SandboxMail.create(
                id=aged(timedelta(hours=hours)), org=org, mail_from="a", rcpt_tos=["b"], subject="s", size=1, data=b"d"
            )
    await make_rows(free, timedelta(hours=2))
    await prune_all()
    assert [time_of_id(row.id) > clock.now() - timedelta(hours=72) for row in await ApiRequest.of(free)] == [True]
    assert [time_of_id(row.id) > clock.now() - timedelta(hours=2) for row in await SandboxMail.of(free)] == [True]
    assert (await ApiRequest.of(rival).count(), await SandboxMail.of(rival).count()) == (2, 3)


@pytest.mark.parametrize(("plan_days", "kept"), [(3, 3), (365, 7)])
async def test_headers_and_bodies_of_requests_go_after_seven_days_and_the_requests_with_the_plan(
    free: Organization, rival: Organization, settings: Settings, plan_days: int, kept: int
) -> None:
    use_plans(settings, {"free": {"kept_days": plan_days}, "enterprise": {"kept_days": plan_days}})
    minute = timedelta(minutes=1)
    ages = [timedelta(days=kept) + minute, timedelta(days=kept) - minute, timedelta(days=plan_days) - minute]
    for org in (free, rival):
        for ago in ages:
            request = await make_api_request(org, id=aged(ago))
            await make_request_details(org, request, request_body='{"a": 1}')
    await prune_all()
    for org in (free, rival):
        logged, details = [{row.id for row in await model.of(org)} for model in (ApiRequest, ApiRequestDetails)]
        assert len(logged) == sum(ago < timedelta(days=plan_days) for ago in ages)
        assert len(details) == sum(ago < timedelta(days=kept) for ago in ages)
        assert details <= logged


@pytest.mark.parametrize(("plan_days", "kept"), [(3, 365), (400, 400)])
async def test_the_audit_log_is_kept_for_a_year_or_as_long_as_the_plan_says(
    free: Organization, rival: Organization, settings: Settings, plan_days: int, kept: int
) -> None:
    use_plans(settings, {"free": {"kept_rows": 0, "kept_days": plan_days}, "enterprise": {"kept_days": 500}})
    for org in (free, rival):
        ages = [timedelta(days=kept, seconds=number + 60) for number in range(pruning.ROWS_AT_ONCE + 5)]
        ages += [timedelta(days=kept) - timedelta(seconds=60), timedelta()]
        await AuditEntry.bulk_create([AuditEntry(id=aged(ago), org=org, **AN_ENTRY) for ago in ages])
    await prune_all()
    assert retention.audit_days(free) == kept
    assert [time_of_id(row.id) > clock.now() - timedelta(days=kept) for row in await AuditEntry.of(free)] == [True] * 2
    assert await AuditEntry.of(rival).count() == pruning.ROWS_AT_ONCE + 7


async def test_the_counts_of_a_run_stay_while_its_rows_go(
    free: Organization, account: Account, settings: Settings
) -> None:
    api = await make_api(app_of(settings), free)
    campaign = await make_campaign(free, status="sending")
    run, _ = await make_run(free, [account], 0)
    await CampaignRun.of(free).filter(id=run.id).update(campaign_id=campaign.id)
    of_run = {"campaign_run_id": run.id, "campaign_id": campaign.id}
    await make_rows(free, timedelta(days=6), (SENT, SENT, FAILED, PENDING), **of_run)
    await make_rows(free, timedelta(days=4), (SENT, FAILED), **of_run)
    await make_rows(free, timedelta(days=1), (SENT, DEFERRED), **of_run)
    path = f"/v1/campaigns/{campaign.id}/runs/{run.id}"
    before = await shown(api, path)
    assert before == {"total": 8, "pending": 1, "sending": 0, "sent": 4, "failed": 2, "deferred": 1, "halted": 0}
    await prune_all()
    assert await runs.count_rows([run.id]) == {run.id: {PENDING: 1, SENT: 1, DEFERRED: 1}}
    assert await shown(api, path) == before
    await MailLog.of(free).filter(status=PENDING).update(status=SENT, sent_at=clock.now() - timedelta(days=5))
    await MailLog.of(free).filter(status=DEFERRED).update(status=FAILED)
    done = before | {"pending": 0, "sent": 5, "deferred": 0, "failed": 3}
    assert await shown(api, path) == done
    for _ in range(2):  # a second time there is nothing to count
        await prune_all()
        assert await shown(api, path) == done
    assert await MailLog.of(free).count() == 2
    assert await Content.of(free).filter(id=run.content_id).exists()  # what is left shows it
    use_plans(settings, {"free": {"kept_rows": 0}})
    await CampaignRun.of(free).filter(id=run.id).update(status="completed")
    await prune_all()
    assert await shown(api, path) == done
    assert not await Content.of(free).filter(id=run.content_id).exists()


async def shown(api: Api, path: str) -> dict[str, int]:
    _, body = await api.get(path)
    names = ("total", "pending", "sending", "sent", "failed", "deferred", "halted")
    return {name: body["data"][name] for name in names}


async def counted(org: Organization) -> int:
    async with db.write_transaction():
        await limits.consume(org, Metric.EMAILS, 0)
    return (await OrgUsage.of(org).get(metric=Metric.EMAILS)).used


async def test_the_months_mail_counts_although_it_is_gone_whenever_the_quota_begins_to_count(
    acme: Organization, settings: Settings
) -> None:
    use_plans(settings, {"enterprise": {"kept_rows": 1}})
    account, sandbox = await make_account(acme), await make_account(acme, is_sandbox=True)
    since = clock.now() - start_of_month(clock.now())
    await make_rows(acme, since + timedelta(hours=1), (SENT,) * 7)
    now = timedelta()
    await make_rows(acme, now, (SENT,) * 3, account_id=account.id)
    await make_rows(acme, now, (SENT,) * 4, account_id=sandbox.id)
    begun_before = id_lower_bound(start_of_month(clock.now()) - timedelta(milliseconds=1))  # a run over midnight
    await make_rows(acme, now, (SENT,) * 6, account_id=account.id, campaign_run_id=begun_before)
    await make_old_email(acme, account, now, (SENT, FAILED))
    assert await count_rows(acme.id, Metric.EMAILS, start_of_month(clock.now())) == 5  # before anything is pruned
    await prune_all()
    assert await MailLog.of(acme).count() == 2  # the email is kept whole
    await set_plan(acme, "free")
    assert await counted(acme) == 5
    await set_plan(acme, "enterprise")
    await make_rows(acme, now, (SENT,) * 5, account_id=account.id)
    await prune_all()
    await set_plan(acme, "free")
    assert await counted(acme) == 10
    await prune_all()
    assert await counted(acme) == 10


async def test_a_broken_organization_stops_nobody_elses(free: Organization) -> None:
    broken = [await make_org("No plan", plan="gone"), await make_org("No zone", plan="free", timezone="Nowhere/Land")]
    for org in (free, *broken):
        await make_rows(org, LONG_AGO)
    assert not await retention.prune()
    assert [await MailLog.of(org).count() for org in (free, *broken)] == [0, 1, 1]


async def test_failed_rows_stay_while_a_retry_makes_its_own_of_them(free: Organization, account: Account) -> None:
    run, _ = await make_run(free, [account], 0)
    retry, _ = await make_run(free, [account], 0)
    await CampaignRun.of(free).filter(id=run.id).update(status="completed")
    await CampaignRun.of(free).filter(id=retry.id).update(retried_run_id=run.id, materialised=False)
    await make_rows(free, LONG_AGO, (FAILED, SENT), campaign_run_id=run.id)
    await prune_all()
    assert await runs.count_rows([run.id]) == {run.id: {FAILED: 1}}
    await CampaignRun.of(free).filter(id=retry.id).update(materialised=True)
    await prune_all()
    assert await runs.count_rows([run.id]) == {}


async def test_an_email_that_is_retried_after_it_was_found_stays(
    free: Organization, rival: Organization, account: Account
) -> None:
    emails, bounds = pruning.Emails(), await retention._bounds_of(free)
    retried, other = [await make_old_email(free, account, LONG_AGO, (FAILED,)) for _ in range(2)]
    theirs = await make_old_email(rival, await make_account(rival), LONG_AGO, (FAILED,))
    found = await emails.find(bounds, FIRST_ID)
    assert {UUID(str(row["id"])) for row in found} == {retried, other}
    await retry_recipient(free, await MailLog.of(free).get(id=retried))
    async with db.write_transaction():
        await emails.delete(bounds, [*found, {"id": theirs, "content_id": uuid7()}])
    assert [row.status for row in await MailLog.of(free).order_by("id")] == [FAILED, PENDING]
    assert await left(free) == (2, 1, 1, 1, 1)
    assert (await Email.of(free).get()).id == retried
    assert await Email.of(rival).filter(id=theirs).exists()


async def test_the_ledger_outlives_the_rows_and_goes_with_its_campaign(
    free: Organization, rival: Organization, account: Account
) -> None:
    campaign, theirs = await make_campaign(free), await make_campaign(rival)
    members = [await make_contact(free) for _ in range(3)]
    run, _ = await make_run(free, [account], 0)
    await CampaignRun.of(free).filter(id=run.id).update(campaign_id=campaign.id, status="completed")
    await make_rows(free, LONG_AGO, (SENT,) * 3, campaign_run_id=run.id, campaign_id=campaign.id)
    for member in members:
        for org, one in ((free, campaign), (rival, theirs)):
            await CampaignContact.create(id=aged(LONG_AGO), org=org, campaign_id=one.id, contact_id=member.id)
    await prune_all()
    assert (await MailLog.of(free).count(), await CampaignContact.of(free).count()) == (0, 3)
    await delete_campaign(free, campaign)
    await prune_all()
    assert (await CampaignContact.of(free).count(), await CampaignContact.of(rival).count()) == (0, 3)
