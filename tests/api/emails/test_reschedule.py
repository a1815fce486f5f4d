"""PATCH /v1/emails/{id}."""

from datetime import timedelta

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.api.mails import send
from webapp import clock
from webapp.clock import timestamp
from webapp.models import Account, Event, MailLog, Organization
from webapp.models.event import EventType
from webapp.models.outbox import claims


def in_hours(hours: int) -> str:
    return timestamp(clock.now() + timedelta(hours=hours))


async def test_a_scheduled_email_is_moved_for_all_its_recipients(api: Api, rival_api: Api, account: Account) -> None:
    email_id = await send(api, cc="bob@example.org", scheduled_at=in_hours(1))
    later = in_hours(48)
    assert await rival_api.patch(f"/v1/emails/{email_id}", {"scheduled_at": later}) == (404, NOT_FOUND)
    status, body = await api.patch(f"/v1/emails/{email_id}", {"scheduled_at": later})
    assert (status, body["data"]["scheduled_at"], body["data"]["status"]) == (200, later, "pending")
    assert body == (await api.get(f"/v1/emails/{email_id}"))[1]
    assert {timestamp(row.next_attempt_at) for row in await MailLog.all()} == {later}
    assert await Event.filter(type=EventType.EMAIL_SCHEDULED).count() == 4
    await MailLog.all().update(next_attempt_at=clock.now())
    assert len(await claims.claim(account.id, messages=10, lease_seconds=60)) == 2


async def test_an_email_that_was_not_scheduled_stays(api: Api, account: Account) -> None:
    email_id = await send(api)
    status, body = await api.patch(f"/v1/emails/{email_id}", {"scheduled_at": in_hours(1)})
    assert (status, body["message"]) == (409, "the email can't be rescheduled: it was not scheduled")


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ({"status": "sending"}, "it is already being sent"),
        ({"status": "sent"}, "it was already sent"),
        ({"status": "halted"}, "it was already canceled"),
        ({"attempts": 1}, "its sending has begun"),
    ],
)
async def test_once_sending_began_it_is_a_conflict(
    api: Api, account: Account, state: dict[str, object], reason: str
) -> None:
    email_id = await send(api, scheduled_at=in_hours(1))
    await MailLog.all().update(**state)
    before = await MailLog.all().values()
    status, body = await api.patch(f"/v1/emails/{email_id}", {"scheduled_at": in_hours(2)})
    assert (status, body["message"]) == (409, f"the email can no longer be rescheduled: {reason}")
    assert await MailLog.all().values() == before


async def test_it_is_moved_by_words_in_the_organizations_timezone(
    api: Api, acme: Organization, account: Account
) -> None:
    await Organization.filter(id=acme.id).update(timezone="Asia/Tokyo")
    email_id = await send(api, scheduled_at=in_hours(1))
    status, body = await api.patch(f"/v1/emails/{email_id}", {"scheduled_at": "tomorrow at 9am"})
    day = clock.today("Asia/Tokyo")  # where 9 in the morning is midnight in UTC
    assert (status, body["data"]["scheduled_at"]) == (200, f"{day + timedelta(days=1)}T00:00:00.000Z")


@pytest.mark.parametrize("at", [None, "soon", "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"])
async def test_a_wrong_time_is_refused(api: Api, account: Account, at: str | None) -> None:
    email_id = await send(api, scheduled_at=in_hours(1))
    assert await api.refused("PATCH", f"/v1/emails/{email_id}", {"scheduled_at": at}) == "scheduled_at"
