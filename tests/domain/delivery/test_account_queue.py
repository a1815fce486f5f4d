"""One account's queue of messages, with connections that only pop what is next."""

import asyncio
from collections.abc import Callable, Iterable

import pytest

from tests.factories import make_account, make_mail, make_run, want_mail
from tests.support.table import table
from webapp.domain.delivery.account_queue import IDLE_SECONDS, AccountQueue, Throughput, is_time_to_empty
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.domain.delivery.load_messages import claim_messages
from webapp.domain.delivery.message import Message
from webapp.models import Account, MailLog, Organization
from webapp.sending.smtp.transaction import Transaction


async def claim(account: Account, limit: int = 10) -> list[Message]:
    return await claim_messages(account.id, CampaignContentCache(), limit=limit, lease_seconds=60)


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


def anything(_: object) -> bool:
    return True


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


@table(("daily_quota", "held"), [(100, 8), (1_000, 8), (1_500, 12), (2_000, 16), (1_000_000, 16)])
def test_a_killed_worker_costs_no_more_of_a_quota_than_its_share_or_its_connections(
    daily_quota: int, held: int
) -> None:
    queue = AccountQueue(8, sending([]), release)
    assert queue.free_slots == 8  # before the quota is known
    queue.limit_prefetch(daily_quota)
    assert queue.free_slots == held


@table(
    ("busy_seconds", "is_emptying"),
    [(0, False), (59.9, False), (60.5, True), (61.5, False), (121.5, True), (122.5, False)],
)
def test_a_busy_queue_claims_nothing_for_a_second_of_each_minute(busy_seconds: float, *, is_emptying: bool) -> None:
    assert is_time_to_empty(busy_seconds) == is_emptying


async def test_nothing_is_claimed_beside_a_mail_that_workers_seem_to_die_of(acme: Organization) -> None:
    account, gate = await make_account(acme), asyncio.Event()
    (suspect,) = await make_mail(acme, account)
    await make_mail(acme, account)
    await MailLog.filter(id=suspect).update(crashes=3)
    queue = AccountQueue(8, sending([], gate), release)
    for is_suspect in (True, False):
        messages = await claim(account)
        assert [message.is_suspect for message in messages] == [is_suspect]
        queue.add(messages)
        await asyncio.sleep(0)  # it is in flight by now
        assert (queue.size, queue.free_slots) == (1, 0 if is_suspect else 7)
        gate.set()
        await asyncio.gather(*queue.connections)
        gate.clear()


class Pipelining:
    """Connections that begin the next message behind the one in flight wherever they may."""

    def __init__(self) -> None:
        self.sizes, self.prebuilt, self.sent = list[int](), list[int](), list[Message]()
        self.others, self.built = list[Message](), list[Transaction]()

    async def send(self, queue: AccountQueue) -> None:
        while (message := queue.pop()) is not None:
            while message is not None:
                self.built.append(await message.build())
                following = queue.pop_if(anything, anything)
                self.sizes.append(queue.size)
                if following is not None:
                    waiting = [one for one in self.others if one not in (message, following)]
                    self.prebuilt.append(sum(one.transaction is not None for one in waiting))
                self.sent.append(message)
                queue.record(is_healthy=True, is_next_pipelined=following is not None)
                message.transaction = None
                message = following


async def test_what_is_pipelined_counts_until_it_has_gone(acme: Organization) -> None:
    account = await make_account(acme)
    run, _ = await make_run(acme, [account], 3)
    await want_mail(acme, run)
    connections = Pipelining()
    queue = AccountQueue(1, connections.send, release)
    first, *others = await claim(account)
    queue.add([first])
    await asyncio.gather(*queue.connections)  # the account works
    queue.add(others)
    await asyncio.gather(*queue.connections)
    assert connections.sizes == [1, 2, 1]
    assert queue.size == 0


async def test_a_few_messages_are_built_together_and_each_is_sent_as_its_own(
    acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    run, ids = await make_run(acme, [account], 8)
    await want_mail(acme, run)
    await make_run(rival, [await make_account(rival)], 2)
    connections = Pipelining()
    first, *connections.others = await claim(account)
    queue = AccountQueue(3, connections.send, release)
    queue.add([first])
    await asyncio.gather(*queue.connections)  # the account works
    queue.add(connections.others)
    await asyncio.gather(*queue.connections)
    assert {message.rows[0].id for message in connections.sent} == set(ids)
    assert connections.prebuilt == [2, 1, 0, 2, 1, 0]  # of three connections
    for message, transaction in zip(connections.sent, connections.built, strict=True):
        assert transaction.envelope.recipients == (message.rows[0].to_email,)
        assert message.rows[0].message_id.encode() in transaction.message


async def test_it_goes_over_as_many_connections_as_are_allowed_by_now(acme: Organization) -> None:
    account = await make_account(acme)
    await make_run(acme, [account], 20)
    in_flight: list[asyncio.Future[None]] = []

    async def send(queue: AccountQueue) -> None:
        while queue.pop() is not None:
            in_flight.append(asyncio.get_running_loop().create_future())
            await in_flight[-1]
            queue.record(is_healthy=True)

    async def finish(count: int) -> None:
        for one in in_flight[:count]:
            one.set_result(None)
        del in_flight[:count]
        await asyncio.sleep(0.01)

    queue = AccountQueue(2, send, release)
    queue.add(await claim(account, 20))
    await asyncio.sleep(0.01)
    await finish(1)  # the first goes alone
    assert len(in_flight) == 2
    queue.set_concurrency(5)
    await asyncio.sleep(0.01)
    assert len(in_flight) == 5
    queue.set_concurrency(3)
    await finish(1)
    assert len(in_flight) == len(queue.connections) == 4  # one has ended, and no other began
    await finish(3)
    assert len(in_flight) == len(queue.connections) == 3
    while queue.size:
        await finish(len(in_flight))
        assert len(in_flight) <= 3


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


def test_the_throughput_of_a_queue_that_runs_dry_is_that_of_its_busy_moments() -> None:
    now = 1_000.0
    throughput = Throughput(now)
    for _ in range(3):
        for _ in range(50):  # it is empty after each two
            throughput.resume(now)
            for _ in range(2):
                now += 0.001
                throughput.record(now)
        assert throughput.rate == pytest.approx(1_000)
        now += 10.0
        assert throughput.idle_seconds(now) == 10.0


async def test_a_queue_is_kept_for_a_moment_after_its_last_message(acme: Organization, rival: Organization) -> None:
    account = await make_account(acme)
    await make_run(acme, [account], 1)
    await make_run(rival, [await make_account(rival)], 1)
    queue = AccountQueue(1, sending([]), release)
    assert queue.is_used
    queue.add(await claim(account))
    await asyncio.gather(*queue.connections)
    await asyncio.sleep(IDLE_SECONDS)
    assert not queue.is_used
