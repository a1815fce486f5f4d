"""How an account obeys a server that asks it to slow down: fewer connections, then fewer turns, and back by steps."""

import asyncio
from datetime import timedelta

import pytest

from tests.factories import make_account, make_run
from webapp import clock
from webapp.models import Account, Organization
from webapp.models.outbox.due import due_accounts
from webapp.models.queries import account_health
from webapp.models.queries.account_health import MAX_HALVINGS, MAX_SLOTS, reduced_rate


@pytest.mark.parametrize(
    ("concurrency", "halved", "expected"),
    [(4, 0, (4, 1)), (4, 1, (2, 1)), (4, 3, (1, 2)), (4, 9, (1, MAX_SLOTS)), (64, MAX_HALVINGS, (1, 16))],
)
def test_a_halving_takes_half_the_connections_and_then_half_the_turns(
    concurrency: int, halved: int, expected: tuple[int, int]
) -> None:
    assert reduced_rate(concurrency, halved) == expected


async def allowed(account: Account) -> tuple[int, bool] | None:
    """Connections and whether a probe, of the account in what is due."""
    found = [due for due in await due_accounts() if due.id == account.id]
    return (found[0].concurrency, found[0].is_probe) if found else None


async def pass_minutes(account: Account, minutes: float) -> None:
    """Let so much time pass for the account's halvings."""
    found = await refresh(account)
    assert found.throttled_until is not None
    later = found.throttled_until - timedelta(minutes=minutes)
    await Account.filter(id=account.id).update(throttled_until=later, rest_until=None)


async def refresh(account: Account) -> Account:
    return await Account.across_orgs().get(id=account.id)


async def test_an_account_is_halved_rests_a_moment_and_recovers(acme: Organization, rival: Organization) -> None:
    account, stranger = await make_account(acme, concurrency=4), await make_account(rival, concurrency=4)
    for one in (account, stranger):
        await make_run(await one.org, [one], 1)
    await account_health.throttle(account, "421 slow down")
    found = await refresh(account)
    assert (found.throttles, found.last_error, found.status, found.rests) == (1, "421 slow down", "active", 0)
    assert found.rest_until is not None
    assert timedelta(seconds=5) < found.rest_until - clock.now() <= timedelta(seconds=10)
    assert (await allowed(account), await allowed(stranger)) == (None, (4, False))
    await pass_minutes(account, 1)
    assert await allowed(account) == (2, False)
    await account_health.throttle(account, "421 slower")
    assert (await refresh(account)).throttles == 2
    await pass_minutes(account, 14)
    assert await allowed(account) == (1, False)
    await pass_minutes(account, 2)
    assert await allowed(account) == (2, False)
    await pass_minutes(account, 15)
    assert await allowed(account) == (4, False)
    await account_health.throttle(account, "421 again")
    assert (await refresh(account)).throttles == 1


@pytest.mark.parametrize(("wait", "seconds"), [(0, 10), (120, 120), (90_000, 3600)])
async def test_a_server_that_says_how_long_is_left_alone_so_long_but_at_most_an_hour(
    acme: Organization, wait: float, seconds: int
) -> None:
    account = await make_account(acme)
    await account_health.throttle(account, "429 slow down", wait)
    found = await refresh(account)
    assert found.rest_until is not None
    assert timedelta(seconds=seconds - 5) < found.rest_until - clock.now() <= timedelta(seconds=seconds)


async def test_the_answers_to_what_is_under_way_are_one_halving(acme: Organization) -> None:
    account = await make_account(acme, concurrency=8)
    await asyncio.gather(*(account_health.throttle(account, "421 slow down") for _ in range(8)))
    assert (await refresh(account)).throttles == 1
