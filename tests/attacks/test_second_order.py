"""Ids that were ours when they were kept, and are another organization's when a worker comes to use them (S8)."""

from uuid import UUID

import pytest

from tests.factories import make_account, make_mail, make_run
from webapp.domain.delivery.recovery import fail_expired
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import FAILED, PENDING
from webapp.models.outbox import claims
from webapp.models.outbox.due import due_accounts

DELETED = {FAILED: "the account was deleted", PENDING: None}


@pytest.fixture
async def theirs(rival: Organization) -> Account:
    return await make_account(rival)


async def claim(account: Account) -> list[UUID]:
    return [row.id for row in await claims.claim(account.id, messages=10, lease_seconds=60)]


async def check_rows(org: Organization, status: str) -> None:
    rows = await MailLog.of(org).all()
    assert rows
    assert {(row.status, row.error) for row in rows} == {(status, DELETED[status])}


async def test_an_account_sends_no_mail_of_another_organization(
    acme: Organization, rival: Organization, theirs: Account
) -> None:
    await make_mail(acme, await make_account(acme), "ann@example.org", "bob@example.org")
    await MailLog.of(acme).update(account_id=theirs.id)
    (own,) = await make_mail(rival, theirs)
    assert await claim(theirs) == [own]
    await check_rows(acme, PENDING)
    assert [usage.used for usage in await AccountUsage.filter(account_id=theirs.id)] == [1]
    await fail_expired()
    await check_rows(acme, FAILED)


async def test_an_account_that_moves_to_another_organization_takes_no_mail_along(
    acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    await make_mail(acme, account)
    await Account.filter(id=account.id).update(org_id=rival.id)
    assert await claim(account) == []
    await fail_expired()
    await check_rows(acme, FAILED)


async def test_an_account_pulls_no_rows_of_another_organizations_run(
    acme: Organization, rival: Organization, theirs: Account
) -> None:
    ours = await make_account(acme)
    _, ids = await make_run(acme, [theirs, ours], 3)
    assert [due.id for due in await due_accounts()] == [ours.id]
    assert await claim(theirs) == []
    await fail_expired()
    await check_rows(acme, PENDING)
    assert sorted(await claim(ours)) == sorted(ids)


async def test_a_run_of_strangers_accounts_alone_fails_instead_of_waiting_for_ever(
    acme: Organization, rival: Organization, theirs: Account
) -> None:
    await make_run(acme, [theirs], 2)
    await fail_expired()
    assert {(row.status, row.error) for row in await MailLog.of(acme).all()} == {
        (FAILED, "every account of this run was deleted")
    }
