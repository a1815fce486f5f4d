"""Rows of a compose: due before all else, never deferred, and final when their request says so."""

from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_account, make_mail
from webapp.models import Account, AccountUsage, MailEvent, MailLog, Organization
from webapp.models.mail_log import FAILED, PENDING, SENDING, SENT
from webapp.models.outbox import claims, emails, leases, settlements
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.insert import NewRow, add_rows
from webapp.models.outbox.settlements import Settlement

LEASE = 60.0


async def add(account: Account, rows: int = 1, seconds: float = 55.0) -> list[UUID]:
    due_at = await emails.compose_due_at(seconds)
    added = [
        NewRow(
            id=row_id,
            org_id=account.org_id,
            kind="compose",
            content_id=uuid7(),
            to_email="ann@example.org",
            recipient_type="to",
            message_id=f"<{row_id.hex}@acme.example>",
            account_id=account.id,
            due_at=due_at,
        )
        for row_id in (uuid7() for _ in range(rows))
    ]
    await add_rows(added)
    return [row.id for row in added]


async def claim(account: Account, messages: int = 10) -> list[Claimed]:
    return await claims.claim(account.id, messages=messages, lease_seconds=LEASE)


async def used(account: Account) -> int:
    return (await AccountUsage.get(account_id=account.id)).used


async def status_of(row_id: UUID) -> str:
    return (await MailLog.across_orgs().get(id=row_id)).status


async def test_they_are_claimed_before_what_waits_longer_and_know_when_they_expire(
    acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    (mail_id,) = await make_mail(acme, account)
    await add(await make_account(rival))
    ids = await add(account, 2)
    composed = await claim(account, messages=2)
    assert {row.id for row in composed} == set(ids)
    assert all(50 < (row.expires_in or 0) <= 55 for row in composed)
    (other,) = await claim(account)
    assert (other.id, other.expires_in) == (mail_id, None)


async def test_what_does_not_fit_into_the_day_fails_and_other_mail_is_deferred(acme: Organization) -> None:
    account = await make_account(acme, daily_mail_limit=2)
    (mail_id,) = await make_mail(acme, account)
    ids = await add(account, 3)
    claimed = {row.id for row in await claim(account)}
    assert len(claimed) == 2 == await used(account)
    assert claimed < set(ids)
    await claim(account)
    (left,) = set(ids) - claimed
    failed = await MailLog.one_of(acme, left)
    assert (failed.status, failed.error) == (FAILED, "the account's daily limit of 2 is reached")
    assert await status_of(mail_id) == "deferred"
    event = await MailEvent.of(acme).get(mail_log_id=left)
    assert (event.to_status, event.cause) == (FAILED, failed.error)


@pytest.mark.parametrize("has_lease", [True, False])
async def test_what_waits_is_withdrawn_and_what_is_sent_is_not(acme: Organization, *, has_lease: bool) -> None:
    account = await make_account(acme)
    ids = await add(account, 2)
    rows = await claim(account, messages=1) if has_lease else []
    await emails.withdraw(ids, "too late")
    final = await emails.final_outcomes(ids)
    assert final == dict.fromkeys(set(ids) - {row.id for row in rows}, "too late")
    if not rows:
        return
    assert await status_of(rows[0].id) == SENDING
    await emails.fail_in_flight(ids, "delivery unknown")
    assert (await emails.final_outcomes(ids))[rows[0].id] == "delivery unknown"
    assert await used(account) == 1
    assert await settlements.settle([Settlement(rows[0], SENT, code=250)]) == set()  # it comes too late
    assert await status_of(rows[0].id) == FAILED


async def test_those_of_a_dead_worker_fail(acme: Organization) -> None:
    account = await make_account(acme)
    (mail_id,) = await make_mail(acme, account)
    (row_id,) = await add(account)
    await claim(account)
    await leases.reclaim_all()
    assert (await status_of(mail_id), await status_of(row_id)) == (PENDING, FAILED)
    assert "may have been delivered" in ((await MailLog.one_of(acme, row_id)).error or "")
