"""Counting what a plan limits, in the transaction that makes it."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.factories import make_account, make_contact, make_mail
from tests.plans import use_plans
from webapp import db
from webapp.config import Settings
from webapp.domain.auth.owners import check_plans, set_plan
from webapp.domain.plans import limits
from webapp.domain.plans.limits import start_of_month
from webapp.errors import PlanLimitExceeded
from webapp.models import MailLog, Organization, OrgUsage
from webapp.models.usage import Metric, month_of


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """With plans of three of everything."""
    return use_plans(settings, {"free": dict.fromkeys([*Metric], 3)})


@pytest.fixture
async def acme(acme: Organization) -> Organization:
    return await set_plan(acme, "free")


async def add_contacts(org: Organization, count: int = 1) -> None:
    async with db.write_transaction():
        await limits.consume(org, Metric.CONTACTS, count)
        for _ in range(count):
            await make_contact(org)


async def counted(org: Organization, metric: Metric = Metric.CONTACTS) -> int | None:
    """What the counter says; None where there is none."""
    row = await OrgUsage.of(org).get_or_none(metric=metric)
    return row.used if row else None


@pytest.mark.parametrize(
    ("at", "month", "start"),
    [
        (datetime(2027, 1, 1, 1, tzinfo=timezone(timedelta(hours=2))), "2026-12", datetime(2026, 12, 1, tzinfo=UTC)),
        (datetime(2026, 12, 31, 20, tzinfo=timezone(timedelta(hours=-5))), "2027-01", datetime(2027, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_month_is_one_of_utc(at: datetime, month: str, start: datetime) -> None:
    assert (month_of(at), start_of_month(at)) == (month, start)


async def test_what_is_not_made_after_all_is_not_counted(acme: Organization) -> None:
    await add_contacts(acme)
    with suppress(LookupError):
        async with db.write_transaction():
            await limits.consume(acme, Metric.CONTACTS)
            raise LookupError
    assert await counted(acme) == 1


async def test_the_plan_is_the_one_of_this_moment_not_of_the_row_at_hand(acme: Organization) -> None:
    stale = await Organization.get(id=acme.id)
    await set_plan(acme, "enterprise")
    await add_contacts(stale, 5)
    await set_plan(acme, "free")
    with pytest.raises(PlanLimitExceeded, match="5 are used"):
        await add_contacts(stale)


async def test_mail_of_a_time_without_a_quota_counts_when_there_is_one_again(
    acme: Organization, settings: Settings
) -> None:
    account = await make_account(acme)

    async def send(count: int) -> None:
        async with db.write_transaction():
            await limits.consume(acme, Metric.EMAILS, count)
        await make_mail(acme, account, *(f"{count}-{number}@example.org" for number in range(count)))

    await send(3)
    await MailLog.of(acme).delete()
    await check_plans()
    assert await counted(acme, Metric.EMAILS) == 3  # what is pruned stays used
    use_plans(settings, {"free": {"monthly_email_quota": None}})
    await send(9)
    use_plans(settings, {"free": {"monthly_email_quota": 10}})
    await check_plans()
    with pytest.raises(PlanLimitExceeded, match="9 are used"):
        await send(2)
