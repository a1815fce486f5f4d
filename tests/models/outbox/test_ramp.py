"""A limit of a day that grows with days of clean sending, and what campaigns leave of it."""

from datetime import timedelta

import pytest

from tests.factories import make_account, make_mail, make_run
from webapp import clock
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, PENDING, SENDING, SENT
from webapp.models.outbox import claims
from webapp.models.outbox.ramp import Ramp
from webapp.models.outbox.settlements import Settlement, settle
from webapp.models.queries import account_health

RAMP = {"start": 50, "step_percent": 20, "until": 200}


async def claim(account: Account) -> list[claims.Claimed]:
    return await claims.claim(account.id, messages=500, lease_seconds=60)


async def end_day(account: Account) -> None:
    """Lets a day pass for the account."""
    for usage in await AccountUsage.filter(account_id=account.id).order_by("day"):
        await AccountUsage.filter(id=usage.id).update(day=usage.day - timedelta(days=1))


async def test_a_ramp_grows_over_ten_days_up_to_its_end(acme: Organization, rival: Organization) -> None:
    account, stranger = await make_account(acme, ramp=RAMP), await make_account(rival)
    await make_run(acme, [account], 1_500)
    await make_run(rival, [stranger], 60)
    sent = []
    for _ in range(10):
        rows = await claim(account)
        await settle([Settlement(row, SENT) for row in rows])
        assert await claim(account) == []
        sent.append(len(rows))
        await end_day(account)
    assert sent == [50, 60, 72, 86, 103, 123, 147, 176, 200, 200]
    assert len(await claim(stranger)) == 60


@pytest.mark.parametrize(
    ("refused", "fails", "is_full", "second"),
    [(0, False, False, 60), (2, False, False, 60), (3, False, False, 50), (0, True, False, 50), (0, False, True, 50)],
)
async def test_a_ramp_stays_after_errors_and_over_five_percent_of_refusals(
    acme: Organization, *, refused: int, fails: bool, is_full: bool, second: int
) -> None:
    account = await make_account(acme, ramp=RAMP)
    await make_run(acme, [account], 200)
    rows = await claim(account)
    bad, good = rows[:refused], rows[refused:]
    refusals = [Settlement(row, FAILED, error="550 5.1.1 no", code=550, refund_quota=True) for row in bad]
    await settle([*refusals, *(Settlement(row, SENT) for row in good)])
    if fails:
        await account_health.mark_broken(account, "535 no")
        await account_health.mark_healthy(await Account.get(id=account.id))
    await AccountUsage.filter(account_id=account.id).update(is_full=is_full)
    await end_day(account)
    assert len(await claim(account)) == second


async def test_a_day_without_mail_and_with_a_temporary_refusal(acme: Organization) -> None:
    account = await make_account(acme, ramp=RAMP)
    await make_run(acme, [account], 1)
    (row,) = await claim(account)
    await settle([Settlement(row, PENDING, error="451 later", code=451, delay=0.0, refund_quota=True)])
    await end_day(account)
    (row,) = await claim(account)
    await settle([Settlement(row, SENT)])
    await make_run(acme, [account], 100)
    assert len(await claim(account)) == 49
    assert (await AccountUsage.filter(account_id=account.id).order_by("-day").first()).ramp_limit == 50  # type: ignore[union-attr]


def test_each_step_is_a_mail_at_least() -> None:
    assert Ramp(1, 1, 3).grown(1) == 2
    assert Ramp(1, 1_000, 3).grown(2) == 3


async def test_more_mail_than_the_ramp_allows_is_deferred(acme: Organization) -> None:
    account = await make_account(acme, ramp={"start": 1, "step_percent": 100, "until": 10})
    for number in range(3):
        await make_mail(acme, account, f"a{number}@example.org")
    assert len(await claim(account)) == 1
    assert await claim(account) == []
    assert await MailLog.of(acme).filter(status=DEFERRED).count() == 2


async def test_campaigns_leave_the_reserve_to_password_resets(acme: Organization, rival: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=100, reserve_for_transactional=50)
    stranger = await make_account(rival, daily_mail_limit=100)
    await make_run(acme, [account], 200)
    await make_run(rival, [stranger], 100)
    assert len(await claim(account)) == 50
    assert await claim(account) == []
    for number in range(60):
        await make_mail(acme, account, f"reset{number}@example.org")
    assert len(await claim(account)) == 50
    assert await claim(account) == []
    assert await MailLog.of(acme).filter(kind="campaign", status=PENDING).count() == 150
    assert await MailLog.of(acme).filter(kind="transactional", status=SENDING).count() == 50
    assert len(await claim(stranger)) == 100


def closed() -> dict[str, object]:
    """A window that opened and closed an hour ago."""
    at = clock.now() - timedelta(hours=2)
    day = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[at.weekday()]
    return {"days": [day], "from": f"{at:%H:%M}", "to": f"{at + timedelta(hours=1):%H:%M}", "timezone": "UTC"}


@pytest.mark.parametrize(("includes", "emails"), [(False, 1), (True, 0)])
async def test_a_closed_window_holds_campaigns_and_other_mail_if_told(
    acme: Organization, rival: Organization, *, includes: bool, emails: int
) -> None:
    window = closed() | {"includes_transactional": includes}
    account, stranger = await make_account(acme, send_window=window), await make_account(rival)
    await make_run(acme, [account], 5)
    await make_run(rival, [stranger], 5)
    assert await claim(account) == []
    await make_mail(acme, account)
    assert len(await claim(account)) == emails
    assert len(await claim(stranger)) == 5
    await Account.filter(id=account.id).update(send_window=None, campaigns_held_until=None)
    assert len(await claim(account)) == 6 - emails
