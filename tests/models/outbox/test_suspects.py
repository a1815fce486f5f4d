"""Mail that workers seem to die of goes alone: what is there when one dies would be taken for the cause as well."""

from uuid import UUID

import pytest

from tests.factories import make_account, make_mail, make_run
from webapp.models import Account, MailLog, Organization
from webapp.models.outbox import claims
from webapp.models.outbox.due import SUSPECT_CRASHES, ClaimCursors


@pytest.fixture(params=["emails", "run"])
async def waiting(request: pytest.FixtureRequest, acme: Organization) -> tuple[Account, list[UUID]]:
    """An account and four messages that wait for it, the oldest first."""
    account = await make_account(acme)
    if request.param == "run":
        return account, (await make_run(acme, [account], 4))[1]
    return account, [(await make_mail(acme, account))[0] for _ in range(4)]


async def suspect(row_id: UUID, crashes: int = SUSPECT_CRASHES) -> None:
    await MailLog.filter(id=row_id).update(crashes=crashes)


async def claimed(
    account: Account, cursors: ClaimCursors | None = None, messages: int = 10, *, takes_suspect: bool = True
) -> list[UUID]:
    rows = await claims.claim(
        account.id, messages=messages, lease_seconds=60, cursors=cursors, takes_suspect=takes_suspect
    )
    return [row.id for row in rows]


async def test_a_suspect_is_claimed_alone_and_passed_over_while_anything_else_is_in_flight(
    waiting: tuple[Account, list[UUID]], rival: Organization
) -> None:
    account, (first, second, third, fourth) = waiting
    stranger = await make_account(rival)
    theirs = [(await make_mail(rival, stranger))[0] for _ in range(2)]
    await suspect(second)
    cursors = ClaimCursors()
    assert await claimed(account, cursors) == [first]
    assert await claimed(account, cursors, messages=1, takes_suspect=False) == [third]
    assert await claimed(account, cursors) == [second]
    assert await claimed(account, cursors, takes_suspect=False) == [fourth]
    assert await claimed(stranger, cursors, takes_suspect=False) == theirs


async def test_mail_that_a_few_workers_died_with_by_chance_goes_with_the_others(
    waiting: tuple[Account, list[UUID]],
) -> None:
    account, ids = waiting
    await suspect(ids[1], SUSPECT_CRASHES - 1)
    assert await claimed(account) == ids
