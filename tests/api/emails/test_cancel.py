"""POST /v1/emails/{id}/cancel."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

from tests.api.conftest import Api
from tests.api.mails import send
from webapp import clock
from webapp.domain.emails.retry import retry_recipient
from webapp.models import Account, MailEvent, MailLog, Organization
from webapp.models.outbox import claims


async def cancel(api: Api, email_id: str) -> tuple[int, Any]:
    return await api.answer("POST", f"/v1/emails/{email_id}/cancel")


async def states() -> list[str]:
    return [row.status for row in await MailLog.all().order_by("id")]


async def test_waiting_rows_become_halted_and_the_email_is_shown(api: Api, account: Account) -> None:
    email_id = await send(
        api, cc="bob@example.org", scheduled_at=(clock.now() + timedelta(days=1)).isoformat(), tags=[]
    )
    await MailLog.filter(recipient_type="cc").update(status="deferred")
    status, body = await cancel(api, email_id)
    assert (status, list(body)) == (200, ["data"])
    assert (body["data"]["id"], body["data"]["status"]) == (email_id, "halted")
    assert [row["status"] for row in body["data"]["recipients"]] == ["halted", "halted"]
    assert body == (await api.get(f"/v1/emails/{email_id}"))[1]
    events = await MailEvent.all().order_by("id")
    assert [(str(one.from_status), one.to_status, one.cause) for one in events] == [
        ("pending", "halted", "canceled before it was sent"),
        ("deferred", "halted", "canceled before it was sent"),
    ]
    assert await claims.claim(account.id, messages=10, lease_seconds=60) == []


async def test_any_of_its_rows_names_the_email(api: Api, account: Account) -> None:
    await send(api, cc="bob@example.org")
    row = await MailLog.get(recipient_type="cc")
    assert (await cancel(api, str(row.id)))[0] == 200
    assert await states() == ["halted", "halted"]


async def test_once_sending_began_it_is_a_conflict(api: Api, account: Account) -> None:
    for former, reason in (
        ("sending pending", "it is already being sent"),
        ("pending sent", "it was already sent"),
        ("failed pending", "it has already failed"),
        ("deferred halted", "it was already canceled"),
    ):
        await MailLog.all().delete()
        email_id = await send(api, cc="bob@example.org")
        for row, state in zip(await MailLog.all().order_by("id"), former.split(), strict=True):
            await MailLog.filter(id=row.id).update(status=state)
        message = f"the email can no longer be canceled: {reason}"
        assert await cancel(api, email_id) == (409, {"error": "Conflict", "message": message})
        assert await states() == former.split()


async def test_an_email_that_was_retried_is_shown_and_cancelled_by_its_newest_rows(
    api: Api, acme: Organization, account: Account
) -> None:
    email_id = await send(api, cc="bob@example.org")
    await MailLog.filter(recipient_type="to").update(status="failed", error="451 mailbox full")
    retried = str(await retry_recipient(acme, await MailLog.get(recipient_type="to")))
    _, body = await api.get(f"/v1/emails/{email_id}")
    assert (body["data"]["status"], body["data"]["error"]) == ("pending", None)
    assert [(row["email"], row["status"]) for row in body["data"]["recipients"]] == [
        ("ada@example.org", "pending"),
        ("bob@example.org", "pending"),
    ]
    assert body["data"]["recipients"][0]["id"] == retried
    status, body = await cancel(api, email_id)
    assert (status, [row["status"] for row in body["data"]["recipients"]]) == (200, ["halted", "halted"])
    assert await states() == ["failed", "halted", "halted"]


async def test_the_row_decides_between_a_cancel_and_a_worker(api: Api, account: Account) -> None:
    ids = [await send(api, cc="bob@example.org", bcc="carol@example.org") for _ in range(20)]
    claimed: list[UUID] = []

    async def work() -> None:
        for _ in range(40):
            rows = await claims.claim(account.id, messages=1, lease_seconds=60)
            claimed.extend(row.id for row in rows)
            await asyncio.sleep(0)

    answers, _ = await asyncio.gather(asyncio.gather(*(cancel(api, one) for one in reversed(ids))), work())
    for email_id, (status, body) in zip(reversed(ids), answers, strict=True):
        found = {(row.status, row.id in claimed) for row in await MailLog.filter(email_id=email_id)}
        assert found == ({("halted", False)} if status == 200 else {("sending", True)}), body
