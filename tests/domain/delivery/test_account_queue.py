"""One account's line of messages."""

import asyncio
from collections.abc import Iterable

import pytest

from tests.factories import make_account, make_mail, make_run, want_mail
from webapp.domain.delivery.account_queue import KEPT_SECONDS, Lane, Onward, Turn
from webapp.domain.delivery.campaign_content import Contents
from webapp.domain.delivery.deliver import Message
from webapp.domain.delivery.load_messages import claim_messages
from webapp.models import Account, MailLog, Organization
from webapp.sending.outcomes import Delivered, Outcome


async def claim(account: Account, limit: int = 10) -> list[Message]:
    return await claim_messages(account.id, Contents(), limit=limit, lease_seconds=60)


async def test_emails_go_before_what_a_campaign_has_in_line(acme: Organization, rival: Organization) -> None:
    account = await make_account(acme)
    sent, gate = [], asyncio.Event()

    async def send(turn: Turn) -> bool:
        sent.append(turn.message.rows[0].id)
        await gate.wait()
        return True

    async def give_back(messages: Iterable[Message]) -> None:
        raise AssertionError("nothing is in trouble")

    _, of_run = await make_run(acme, [account], 4)
    lane = Lane(1, send, give_back)
    lane.add(await claim(account, 3))
    emails = [row_id for _ in range(3) for row_id in await make_mail(acme, account)]
    await make_mail(rival, await make_account(rival))
    lane.add(await claim(account, 2))
    lane.add(await claim(account))
    await asyncio.sleep(0)  # the first of all is under way by now
    gate.set()
    await asyncio.gather(*lane.tasks)
    assert sent == [of_run[0], *emails, *of_run[1:]]


@pytest.mark.parametrize(("daily_limit", "held"), [(100, 8), (1_000, 8), (1_500, 12), (2_000, 16), (1_000_000, 16)])
def test_a_killed_worker_costs_no_more_of_a_limit_than_its_share_or_its_connections(
    daily_limit: int, held: int
) -> None:
    async def never(_: object) -> bool:
        raise AssertionError("nothing is sent")

    async def give_back(_: Iterable[Message]) -> None:
        raise AssertionError("nothing goes back")

    lane = Lane(8, never, give_back)
    assert lane.room == 8  # before the limit is known
    lane.bound(daily_limit)
    assert lane.room == held


async def made(message: Message) -> None:
    """Make the first message of a content, which compiles it."""
    assert message.maker is not None
    await message.maker.make(message.rows)


async def test_nothing_is_claimed_beside_a_mail_that_workers_seem_to_die_of(acme: Organization) -> None:
    account, gate = await make_account(acme), asyncio.Event()
    (suspect,) = await make_mail(acme, account)
    await make_mail(acme, account)
    await MailLog.filter(id=suspect).update(crashes=3)

    async def send(_: Turn) -> bool:
        await gate.wait()
        return True

    async def give_back(_: Iterable[Message]) -> None:
        raise AssertionError("nothing goes back")

    lane = Lane(8, send, give_back)
    for is_suspect in (True, False):
        messages = await claim(account)
        assert [message.is_suspect for message in messages] == [is_suspect]
        lane.add(messages)
        await asyncio.sleep(0)  # it is under way by now
        assert (lane.size, lane.room) == (1, 0 if is_suspect else 7)
        gate.set()
        await asyncio.gather(*lane.tasks)
        gate.clear()


async def test_what_is_offered_counts_as_held_until_it_has_gone(acme: Organization) -> None:
    account = await make_account(acme)
    run, _ = await make_run(acme, [account], 3)
    await want_mail(acme, run)
    sizes = []

    async def conclude(turn: Turn, outcomes: dict[str, Outcome]) -> bool:
        assert [*outcomes.values()] == [Delivered(250, "ok")]
        sizes.append(lane.size)
        return turn.is_well

    async def send(turn: Turn) -> bool:
        while turn.following(lambda _envelope, _data: True) is not None:
            sizes.append(lane.size)
            await turn.concluded({turn.message.rows[0].to_email: Delivered(250, "ok")})
        sizes.append(lane.size)
        return True

    async def give_back(messages: Iterable[Message]) -> None:
        raise AssertionError("nothing is in trouble")

    lane = Lane(1, send, give_back, Onward(lambda _turn, _message: True, conclude))
    first, *others = await claim(account)
    await made(first)
    lane.add([first])
    await asyncio.gather(*lane.tasks)  # the account works
    lane.add(others)
    await asyncio.gather(*lane.tasks)
    assert sizes == [1, 2, 2, 1]
    assert lane.size == 0


async def test_a_few_messages_are_made_together_and_each_is_offered_as_its_own(
    acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    run, ids = await make_run(acme, [account], 8)
    await want_mail(acme, run)
    await make_run(rival, [await make_account(rival)], 2)
    first, *others = await claim(account)
    made_ahead, offered = [], []

    async def conclude(turn: Turn, outcomes: dict[str, Outcome]) -> bool:
        assert [*outcomes.values()] == [Delivered(250, "ok")]
        return turn.is_well

    async def send(turn: Turn) -> bool:
        while (made := turn.following(lambda _envelope, _data: True)) is not None:
            made_ahead.append(sum(message.made is not None for message in others))
            await turn.concluded({turn.message.rows[0].to_email: Delivered(250, "ok")})
            envelope, data = made
            assert envelope.recipients == (turn.message.rows[0].to_email,)
            assert turn.message.rows[0].message_id.encode() in data
            offered.append(turn.message.rows[0].id)
        return True

    async def give_back(messages: Iterable[Message]) -> None:
        raise AssertionError("nothing is in trouble")

    lane = Lane(3, send, give_back, Onward(lambda _turn, _message: True, conclude))
    await made(first)
    lane.add([first])
    await asyncio.gather(*lane.tasks)  # the account works
    lane.add(others)
    await asyncio.gather(*lane.tasks)
    assert {first.rows[0].id, others[0].rows[0].id, *offered} == set(ids)
    assert made_ahead == [2, 1, 0, 2, 1, 0]  # of three connections: what is offered is kept no longer


async def test_it_goes_over_as_many_connections_as_are_allowed_by_now(acme: Organization) -> None:
    account = await make_account(acme)
    await make_run(acme, [account], 20)
    under_way: list[asyncio.Future[bool]] = []

    async def send(_: Turn) -> bool:
        under_way.append(asyncio.get_running_loop().create_future())
        return await under_way[-1]

    async def give_back(messages: Iterable[Message]) -> None:
        raise AssertionError("nothing is in trouble")

    async def finish(count: int) -> None:
        for one in under_way[:count]:
            one.set_result(True)
        del under_way[:count]
        await asyncio.sleep(0.01)

    lane = Lane(2, send, give_back)
    lane.add(await claim(account, 20))
    await asyncio.sleep(0.01)
    await finish(1)  # the first goes alone
    assert len(under_way) == 2
    lane.allow(5)
    await asyncio.sleep(0.01)
    assert len(under_way) == 5
    lane.allow(3)
    await finish(1)
    assert len(under_way) == len(lane.tasks) == 4  # one has ended, and no other began
    await finish(3)
    assert len(under_way) == len(lane.tasks) == 3
    while lane.size:
        await finish(len(under_way))
        assert len(under_way) <= 3


async def test_what_is_added_in_the_very_step_in_which_the_last_one_ends_is_sent(acme: Organization) -> None:
    account = await make_account(acme)
    await make_run(acme, [account], 2)
    sent = []

    async def send(turn: Turn) -> bool:
        sent.append(turn.message)
        return True

    async def give_back(messages: Iterable[Message]) -> None:
        raise AssertionError("nothing is in trouble")

    first, second = await claim(account)
    lane = Lane(1, send, give_back)
    lane.add([first])
    asyncio.get_running_loop().call_soon(lane.add, [second])  # comes right after the task has ended
    await asyncio.sleep(0.01)
    assert sent == [first, second]
    assert lane.size == 0


async def test_a_lane_that_ran_dry_knows_its_pace_for_a_moment(acme: Organization, rival: Organization) -> None:
    account = await make_account(acme, concurrency=2, daily_mail_limit=10_000)
    await make_run(acme, [account], 300)
    await make_run(rival, [await make_account(rival)], 1)

    async def send(_: Turn) -> bool:
        await asyncio.sleep(0.001)
        return True

    async def give_back(messages: Iterable[Message]) -> None:
        raise AssertionError("nothing is in trouble")

    lane = Lane(2, send, give_back)
    lane.bound(account.daily_mail_limit)
    messages = await claim(account, 300)  # many times longer under way than a pace is taken over
    for first in range(0, len(messages), 2):
        assert lane.is_used
        lane.add(messages[first : first + 2])
        while lane.tasks:
            await asyncio.wait(lane.tasks)
    assert lane.room > 2 * 2  # as fast as it is, two for each connection are gone in no time
    await asyncio.sleep(KEPT_SECONDS)
    assert not lane.is_used
