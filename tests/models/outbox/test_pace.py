"""The pace of an account: how many messages are due, and that several workers keep to it together."""

import asyncio
import random
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import make_account, make_mail, make_run
from tests.locks import held
from webapp import clock, db
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import SENDING, SENT
from webapp.models.outbox import claims
from webapp.models.outbox.due import due_accounts
from webapp.models.outbox.pace import HOUR, PACES, SPREAD, Pace
from webapp.models.outbox.settlements import Settlement, settle


@pytest.mark.parametrize(
    ("most", "wait", "due"),
    [(30, -1e9, 3), (30, 0.0, 1), (30, 0.001, 0), (30, -2.3, 2), (1, -1e9, 1), (9, -1e9, 1), (600, -60.0, 60)],
)
def test_a_tenth_of_a_minute_is_due_together_after_a_pause(most: int, wait: float, due: int) -> None:
    assert Pace.of(most).due(wait) == due


@given(st.integers(1, 1_000), st.lists(st.floats(0, 20), min_size=1, max_size=200))
def test_no_minute_has_more_messages_than_the_maximum(most: int, pauses: list[float]) -> None:
    pace, now, next_at = Pace.of(most), 0.0, float("-inf")
    claimed: list[tuple[float, int]] = []
    for pause in pauses:
        now += pause
        messages = pace.due(next_at - now)
        if messages:
            claimed.append((now, messages))
            next_at = now + pace.wait_after(messages, next_at - now)
    for began, _ in claimed:
        assert sum(count for at, count in claimed if began <= at < began + 60 + SPREAD - 1e-6) <= most


async def worker(account: Account) -> list[claims.Claimed]:
    return await claims.claim(account.id, messages=50, lease_seconds=60)


async def claim(account: Account) -> int:
    return len(await worker(account))


async def test_workers_share_one_pace_and_others_accounts_have_none(acme: Organization, rival: Organization) -> None:
    paced, free = await make_account(acme, max_per_minute=30), await make_account(rival)
    for number in range(20):
        await make_mail(acme, paced, f"a{number}@example.org", f"b{number}@example.org")
        await make_mail(rival, free, f"c{number}@example.org")
    for _ in range(3):
        await asyncio.gather(*(claim(account) for account in (paced, free) for _ in range(4)))
    assert await MailLog.of(acme).filter(status=SENDING).count() == 6  # 3 emails to 2 people each
    assert await MailLog.of(rival).filter(status=SENDING).count() == 20
    (due,) = await due_accounts()
    assert due.id == paced.id
    assert 0 < due.wait < 62 / 28
    await AccountUsage.filter(account_id=paced.id).update(next_message_at=clock.now() - timedelta(seconds=1))
    assert await claim(paced) == 2


@pytest.mark.parametrize("days", [-1, 1])
async def test_another_day_goes_on_at_the_same_pace(acme: Organization, rival: Organization, days: int) -> None:
    account, stranger = await make_account(acme, max_per_minute=30), await make_account(rival, max_per_minute=30)
    for number in range(9):
        await make_mail(acme, account, f"a{number}@example.org")
        await make_mail(rival, stranger, f"a{number}@example.org")
    assert await claim(account) == 3
    await AccountUsage.filter(account_id=account.id).update(day=clock.today(acme.timezone) + timedelta(days=days))
    assert await claim(account) == 0
    assert await AccountUsage.filter(account_id=account.id).count() == 2
    assert {due.id: due.wait > 0 for due in await due_accounts()} == {account.id: True, stranger.id: False}
    assert await claim(stranger) == 3


@pytest.mark.parametrize(("existing", "held_day"), [([-1], -1), ([0, 1], 1)])
async def test_a_claim_on_one_day_waits_for_one_on_another(
    acme: Organization, existing: list[int], held_day: int
) -> None:
    """At midnight, workers claim on both days."""
    account, today = await make_account(acme, max_per_minute=30), clock.today(acme.timezone)
    for number in range(9):
        await make_mail(acme, account, f"a{number}@example.org")
    for days in existing:
        await AccountUsage.create(account_id=account.id, day=today + timedelta(days=days))
    pace = f"UPDATE account_usage SET next_message_at = {db.dialect().later('30')} WHERE day = $1 RETURNING id"
    async with held(pace, today + timedelta(days=held_day)):
        claiming = asyncio.create_task(claim(account))
        await asyncio.sleep(0.2)
    assert await claiming == 0
    assert await claim(account) == 0


async def test_an_account_whose_pace_is_removed_waits_no_more(acme: Organization) -> None:
    account = await make_account(acme, max_per_minute=1)
    for number in range(5):
        await make_mail(acme, account, f"a{number}@example.org")
    assert await claim(account) == 1
    assert await claim(account) == 0
    await Account.filter(id=account.id).update(max_per_minute=None)
    assert await claim(account) == 4


async def skip(account: Account, seconds: float) -> None:
    """Lets time pass for the account's paces."""
    usage = await AccountUsage.get(account_id=account.id)
    for pace in PACES:
        at = getattr(usage, pace.next_at)
        setattr(usage, pace.next_at, at and at - timedelta(seconds=seconds))
    await usage.save()


@pytest.mark.parametrize(
    ("pace", "mails", "longest", "period", "most"),
    [
        ({"max_per_minute": 60}, 600, 9.0, 60.0, 60),
        ({"max_per_hour": 60}, 150, 900.0, HOUR, 60),
        ({"min_gap_seconds": 30}, 60, 90.0, 29.9, 1),
        ({"max_per_minute": 30, "max_per_hour": 100}, 120, 40.0, 60.0, 30),
    ],
)
async def test_two_workers_send_everything_and_never_too_much_in_any_period(
    acme: Organization, rival: Organization, pace: dict[str, Any], mails: int, longest: float, period: float, most: int
) -> None:
    account, stranger = await make_account(acme, daily_mail_limit=1_000, **pace), await make_account(rival)
    await make_run(acme, [account], mails - 1)
    await make_mail(acme, account)
    await make_mail(rival, stranger)
    chance, began, skipped = random.Random(49), clock.elapsed(), 0.0
    claimed: list[tuple[float, int]] = []
    while sum(count for _, count in claimed) < mails:
        rows = [row for rows in await asyncio.gather(*(worker(account) for _ in range(2))) for row in rows]
        claimed.append((clock.elapsed() - began + skipped, len(rows)))
        if rows:
            assert await settle([Settlement(row, SENT) for row in rows]) == {row.id for row in rows}
        seconds = chance.uniform(0.1, longest)
        await skip(account, seconds)
        skipped += seconds
    for first, _ in claimed:
        assert sum(count for at, count in claimed if first <= at < first + period) <= most
    assert await MailLog.of(acme).filter(status=SENT).count() == mails
    assert await claim(stranger) == 1
