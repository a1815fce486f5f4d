"""One account's queue of messages, with connections that only pop what is next."""

import asyncio
from collections.abc import Callable, Iterable

import pytest

from tests.factories import make_account, make_mail, make_run
from webapp.domain.delivery.account_queue import AccountQueue
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.domain.delivery.load_messages import load_messages
from webapp.domain.delivery.message import Message
from webapp.models import Account, Organization
from webapp.models.outbox import claims


async def claim(account: Account, limit: int = 10) -> list[Message]:
    rows = await claims.claim(account.id, messages=limit, lease_seconds=60)
    return await load_messages(account, rows, CampaignContentCache())


async def release(messages: Iterable[Message]) -> None:
    raise AssertionError("nothing is in trouble")


def sending(sent: list[Message], gate: asyncio.Event | None = None) -> Callable[[AccountQueue], object]:
    """Connections that add each message to `sent` when it is in flight, which it is until the gate is open."""

    async def send(queue: AccountQueue) -> None:
        while (message := queue.pop()) is not None:
            sent.append(message)
            if gate is not None:
                await gate.wait()
            queue.record(is_healthy=True)

    return send


async def test_emails_go_before_what_a_campaign_has_waiting(acme: Organization, rival: Organization) -> None:
    account = await make_account(acme)
    sent, gate = list[Message](), asyncio.Event()
    _, of_run = await make_run(acme, [account], 4)
    queue = AccountQueue(1, sending(sent, gate), release)
    queue.add(await claim(account, 3))
    emails = [row_id for _ in range(3) for row_id in await make_mail(acme, account)]
    await make_mail(rival, await make_account(rival))
    queue.add(await claim(account, 2))
    queue.add(await claim(account))
    await asyncio.sleep(0)  # the first of all is in flight by now
    gate.set()
    await asyncio.gather(*queue.connections)
    assert [message.rows[0].id for message in sent] == [of_run[0], *emails, *of_run[1:]]


@pytest.mark.parametrize(("daily_quota", "held"), [(100, 8), (1_500, 12), (1_000_000, 16)])
def test_a_killed_worker_costs_no_more_of_a_quota_than_its_share_or_its_connections(
    daily_quota: int, held: int
) -> None:
    queue = AccountQueue(8, sending([]), release)
    assert queue.free_slots == 8  # before the quota is known
    queue.limit_prefetch(daily_quota)
    assert queue.free_slots == held


async def test_what_is_added_in_the_very_step_in_which_the_last_one_ends_is_sent(acme: Organization) -> None:
    account = await make_account(acme)
    await make_run(acme, [account], 2)
    sent = list[Message]()
    first, second = await claim(account)
    queue = AccountQueue(1, sending(sent), release)
    queue.add([first])
    asyncio.get_running_loop().call_soon(queue.add, [second])  # comes right after the connection has ended
    await asyncio.sleep(0.01)
    assert sent == [first, second]
    assert queue.size == 0
