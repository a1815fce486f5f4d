"""Claims continue behind the last row claimed: quickly whatever stays in the index, and no row is left behind."""

import random
from collections import Counter
from collections.abc import Sequence
from uuid import UUID

import pytest

from tests.factories import make_account, make_mail, make_run
from tests.faults.support.world import queue_mails
from tests.locks import held
from webapp import db
from webapp.models import Account, Organization
from webapp.models.mail_log import PENDING, SENT
from webapp.models.outbox import claims
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.due import ClaimCursors, due_accounts
from webapp.models.outbox.settlements import Settlement, settle

ROWS, AT_ONCE = 600, 50
FEW = 3 * AT_ONCE  # steps in the index that a claim and the query before it may read


async def claim(account: Account, messages: int, cursors: ClaimCursors) -> list[Claimed]:
    return await claims.claim(account.id, messages=messages, lease_seconds=60, cursors=cursors, takes_suspect=False)


async def come_back(rows: Sequence[Claimed]) -> None:
    if rows:
        await settle([Settlement(row, PENDING, refund_quota=True, keep_history=True) for row in rows])


async def steps_of_claim(account: Account, cursors: ClaimCursors) -> int:
    """The entries of the indexes of due rows that are read."""
    async with db.write_transaction():
        before = await _steps_so_far()
        assert [due.id for due in await due_accounts(cursors)] == [account.id]
        assert len(await claim(account, AT_ONCE, cursors)) == AT_ONCE
        return await _steps_so_far() - before


async def _steps_so_far() -> int:
    (read,) = await db.fetch(
        """SELECT sum(pg_stat_get_xact_tuples_returned(name::regclass))::int AS steps
           FROM unnest(ARRAY['mail_logs_due_run', 'mail_logs_due_account']) AS name"""
    )
    steps: int = read["steps"]
    return steps


@pytest.mark.postgres
@pytest.mark.usefixtures("unanalysed")
@pytest.mark.parametrize("kind", ["emails", "run"])
async def test_what_was_claimed_is_not_walked_over_again_while_a_transaction_is_open(
    acme: Organization, kind: str
) -> None:
    account = await make_account(acme, daily_mail_limit=ROWS)
    await (make_run(acme, [account], ROWS) if kind == "run" else queue_mails(acme, account, ROWS))
    cursors = ClaimCursors()
    async with held("SELECT pg_current_xact_id()"):
        steps = [await steps_of_claim(account, cursors) for _ in range(ROWS // AT_ONCE - 2)]
        assert max(steps) <= FEW, steps
        assert await steps_of_claim(account, ClaimCursors()) > ROWS - 2 * AT_ONCE  # as it would be without


async def test_what_came_back_is_found_when_nothing_else_is_left(acme: Organization, rival: Organization) -> None:
    account, cursors = await make_account(acme), ClaimCursors()
    await make_run(rival, [await make_account(rival)], 2)
    _, of_run = await make_run(acme, [account], 4)
    (email,) = await make_mail(acme, account)
    *others, first = await claim(account, 3, cursors)  # as they were made
    assert [row.id for row in (*others, first)] == [*of_run[:2], email]
    await come_back(others)
    assert [row.id for row in await claim(account, 2, cursors)] == of_run[2:]
    assert account.id in {due.id for due in await due_accounts(cursors)}
    assert [row.id for row in await claim(account, 2, cursors)] == of_run[:2]
    await come_back([first])
    assert account.id in {due.id for due in await due_accounts(cursors)}
    assert [row.id for row in await claim(account, 1, cursors)] == [email]
    assert account.id not in {due.id for due in await due_accounts(cursors)}


async def test_a_cursor_is_valid_for_a_while_only(acme: Organization) -> None:
    account = await make_account(acme)
    for cursors, next_row in ((ClaimCursors(), 1), (ClaimCursors(max_age=0), 0)):
        _, ids = await make_run(acme, [account], 2)
        rows = await claim(account, 1, cursors)
        await come_back(rows)
        assert [row.id for row in await claim(account, 1, cursors)] == [ids[next_row]]
        await claim(account, 9, cursors)


async def test_two_processes_claim_each_row_once_whatever_comes_back(acme: Organization, rival: Organization) -> None:
    account, stranger, chance = await make_account(acme), await make_account(rival), random.Random(7)
    _, of_first = await make_run(acme, [account], 40)
    _, of_second = await make_run(acme, [account], 25)
    wanted = {*of_first, *of_second, *await queue_mails(acme, account, 30)}
    await make_run(rival, [stranger], 5)
    processes = [ClaimCursors(), ClaimCursors()]
    times: Counter[UUID] = Counter()
    while rows := await claim(account, chance.randint(1, 12), chance.choice(processes)):
        back = [row for row in rows if chance.random() < 0.3]
        gone = [row for row in rows if row not in back]
        await come_back(back)
        if gone:
            await settle([Settlement(row, SENT) for row in gone])
        times.update(row.id for row in gone)
    assert times == Counter(wanted)
