"""GET /v1/metrics from days whose counts are saved: always what counting every row answers."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import copy_row, make_account, make_campaign, make_run, make_template
from tests.plans import use_plans
from webapp import clock
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.domain.instance import retention
from webapp.domain.key_checks import KEY_SECONDS
from webapp.domain.metrics import save_past_days
from webapp.domain.tracking.judging import judge_hits
from webapp.models import Account, Email, MailHit, MailLog, Organization, OutcomeDay, OutcomeGroup
from webapp.models.base.row import id_lower_bound
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENT

ZONE = "America/New_York"
GROUPS = ("", "day", "account", "template", "tag", "day,tag", "account,template", "template,tag")
STATES: tuple[dict[str, Any], ...] = (
    {"status": SENT},
    {"status": SENT},
    {"status": FAILED, "error": "550 no"},
    {"status": FAILED, "error": "suppressed: bounce on 2026-11-26"},
    {"status": PENDING, "next_attempt_at": datetime(2199, 1, 1, tzinfo=ZoneInfo("UTC"))},
    {"status": HALTED},
)


@pytest.fixture
async def mails(api: Api, rival_api: Api, acme: Organization, rival: Organization, account: Account) -> list[UUID]:
    """Emails of six days around midnight in ZONE, of two accounts, two templates, two tags and a campaign."""
    await Organization.filter(id=acme.id).update(timezone=ZONE)
    other, template, random_ = await make_account(acme, name="Other"), await make_template(acme), random.Random(7)
    shop, trial = {"name": "kind", "value": "shop"}, {"name": "trial", "value": "yes"}
    sources = [
        await send(api, tags=[shop, trial]),
        await send(api, tags=[shop], account_key=other.account_key),
        await send(api, html=None, template={"id": str(template.id)}),
    ]
    campaign = await make_campaign(acme, template=template)
    _, (of_run,) = await make_run(acme, [account], 1)
    await MailLog.filter(id=of_run).update(campaign_id=campaign.id)
    await make_account(rival)
    await send(rival_api)
    ids = []
    for source in [*sources, of_run]:
        row = await MailLog.get(id=source)
        copies = [_id_at(ago, hour, random_) for ago in range(1, 7) for hour in (0, 4, 23)]
        await copy_row(row, copies)
        if row.email_id is not None:
            await copy_row(await Email.get(id=row.email_id), copies)
            for copy in copies:
                await MailLog.filter(id=copy).update(email_id=copy)
        ids += copies
    for number, row_id in enumerate(ids):
        await MailLog.filter(id=row_id).update(**STATES[number % len(STATES)])
        if number % len(STATES) == 0:
            for ago, hour, link_id in ((1, 3, None), (1, 4, None), (2, 5, UUID(int=9))):
                await _hit(acme, row_id, _id_at(ago, hour, random_), link_id)
    return ids


def _id_at(ago: int, hour: int, random_: random.Random) -> UUID:
    day = clock.today(ZONE) - timedelta(days=ago)
    at = datetime(day.year, day.month, day.day, hour, 59, tzinfo=ZoneInfo(ZONE))
    return UUID(int=id_lower_bound(at).int + random_.randrange(2**60))


async def _hit(org: Organization, row_id: UUID, hit_id: UUID, link_id: UUID | None, **others: Any) -> None:
    about = {"mail_log_id": row_id, "link_id": link_id, "verdict": "person", "agent": "", "network": ""} | others
    await MailHit.create(org=org, id=hit_id, **about)


async def answers(api: Api) -> dict[str, Any]:
    """The numbers by every grouping, each row by its groups, which have no order when they are equally large."""
    counted = {}
    for group_by in GROUPS:
        status, body = await api.get("/v1/metrics" + (f"?group_by={group_by}" if group_by else ""))
        assert status == 200
        counted[group_by] = sorted(body["data"], key=str)
    return counted


async def counted_from_rows(api: Api, acme: Organization) -> dict[str, Any]:
    """What is answered without anything saved; what is gone stays."""
    await OutcomeDay.of(acme).delete()
    await OutcomeGroup.of(acme).filter(is_gone=False).delete()
    return await answers(api)


async def nothing(api: Api, acme: Organization, mails: list[UUID]) -> None:
    """No change."""


async def send_late(api: Api, acme: Organization, mails: list[UUID]) -> None:
    waiting = MailLog.of(acme).filter(id__in=mails, status__in=[PENDING, HALTED])
    sent = await waiting.order_by("id").limit(5).values_list("id", flat=True)
    await MailLog.filter(id__in=sent).update(status=SENT)


async def report(api: Api, acme: Organization, mails: list[UUID]) -> None:
    sent = await MailLog.of(acme).filter(id__in=mails, status=SENT).order_by("id").values_list("id", flat=True)
    await MailLog.filter(id=sent[0]).update(bounced_at=clock.now())
    await MailLog.filter(id=sent[-1]).update(complained_at=clock.now(), bounced_at=clock.now())


async def judge_late(api: Api, acme: Organization, mails: list[UUID]) -> None:
    hit_id = _id_at(3, 12, random.Random(8))
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    await _hit(acme, mails[0], hit_id, None, verdict=None, agent=agent)
    await MailHit.filter(id=hit_id).update(created_at=clock.now() - timedelta(days=3))
    await judge_hits()
    assert (await MailHit.get(id=hit_id)).verdict == "person"


async def move(api: Api, acme: Organization, mails: list[UUID]) -> None:
    await Organization.filter(id=acme.id).update(timezone="Asia/Kathmandu")
    await asyncio.sleep(KEY_SECONDS + 0.1)  # the key's organization is read again


CHANGES = (nothing, send_late, report, judge_late, move)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
async def test_saved_days_answer_what_their_rows_do(
    api: Api,
    rival_api: Api,
    acme: Organization,
    mails: list[UUID],
    change: Callable[[Api, Organization, list[UUID]], Awaitable[None]],
) -> None:
    of_rows, of_rival = await answers(api), await answers(rival_api)
    assert await save_past_days()
    assert await OutcomeDay.of(acme).count() == 6
    assert await answers(api) == of_rows
    await change(api, acme, mails)
    before_saving = await answers(api)
    await save_past_days()
    after_saving = await answers(api)
    assert before_saving == after_saving == await counted_from_rows(api, acme)
    assert (after_saving == of_rows) is (change is nothing)
    assert await answers(rival_api) == of_rival


async def test_saved_days_are_read_instead_of_their_rows(api: Api, acme: Organization, mails: list[UUID]) -> None:
    await save_past_days()
    before = await answers(api)
    sent = await MailLog.of(acme).filter(id__in=mails, status=SENT, bounced_at=None).values_list("id", flat=True)
    await MailLog.filter(id__in=sent).delete()  # which nothing but retention does
    assert await answers(api) == before
    await OutcomeDay.of(acme).update(waiting=None)
    assert await answers(api) != before


@pytest.mark.parametrize("are_saved", [True, False])
async def test_numbers_stay_when_retention_deletes_emails(
    api: Api, rival_api: Api, acme: Organization, mails: list[UUID], settings: Settings, *, are_saved: bool
) -> None:
    await report(api, acme, mails)
    await MailLog.of(acme).filter(status=SENT).update(sent_at=clock.now() - timedelta(days=5))
    await MailLog.of(acme).filter(status=FAILED).update(next_attempt_at=clock.now() - timedelta(days=5))
    before, of_rival = await answers(api), await answers(rival_api)
    if are_saved:
        await save_past_days()
    await set_plan(acme, "free")
    use_plans(settings, {"free": {"kept_rows": None, "kept_days": 3}})
    rows = await MailLog.of(acme).count()
    assert await retention.prune()
    assert 0 < await MailLog.of(acme).count() < rows
    assert await answers(api) == before
    await save_past_days()
    assert await answers(api) == before == await counted_from_rows(api, acme)
    use_plans(settings, {"free": {"kept_rows": 0, "kept_days": 3}})
    assert await retention.prune()
    assert await MailLog.of(acme).filter(status__in=[SENT, FAILED]).count() == 0
    assert await answers(api) == before
    await save_past_days()
    assert await answers(api) == before
    assert await answers(rival_api) == of_rival


async def test_the_day_that_is_not_over_is_not_saved(api: Api, acme: Organization, account: Account) -> None:
    await send(api)
    await save_past_days()
    assert await OutcomeDay.of(acme).count() == 0
    today = str(clock.today(acme.timezone))
    _, body = await api.get("/v1/metrics?group_by=day")
    assert [row["day"] for row in body["data"] if row["accepted"]] == [today]


async def test_mail_that_is_deferred_for_days_is_counted_where_it_was_accepted(
    api: Api, acme: Organization, mails: list[UUID]
) -> None:
    await MailLog.of(acme).filter(id__in=mails, status=PENDING).update(status=DEFERRED)
    await save_past_days()
    before = await answers(api)
    assert await MailLog.of(acme).filter(status=DEFERRED).update(status=FAILED, error="gave up")
    after = await answers(api)
    ((was,), (now,)) = before[""], after[""]
    assert now == was | {"failed": was["failed"] + sum(number % len(STATES) == 4 for number in range(len(mails)))}
    await save_past_days()
    assert await answers(api) == after
