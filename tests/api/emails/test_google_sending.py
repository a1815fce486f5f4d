"""Google accounts from the request to Google and back, by a worker or within a compose."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import send
from tests.fakes.google_server import GoogleServer, google_for
from tests.fakes.worker import dispatching, eventually, working
from tests.faults.support.world import until
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import DEFERRED, PENDING, SENT

USER = "ada@gmail.example"
COMPOSE = {"subject": "Hi", "body": "Hi", "recipients": {"emails": ["a@x.example"]}}


@pytest.fixture
async def google(
    settings: Settings, acme: Organization, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[GoogleServer]:
    """Google; whatever a test does, no token and no client secret is in a log or in what the database shows."""
    async with google_for(settings) as google:
        yield google
        texts = [caplog.text, *(str(row) for row in await Account.all().values())]
        texts += [f"{row.error}" for row in await MailLog.all()]
        assert not any(secret in text for secret in google.secrets for text in texts)


async def connect(api: Api, google: GoogleServer, **fields: Any) -> dict[str, Any]:
    """An account as the API makes it; its answer shows no token."""
    access, refresh = google.sign_in(USER)
    body = {
        "name": "Google",
        "provider_type": "google",
        "google_email": USER,
        "google_access_token": access,
        "google_refresh_token": refresh,
    }
    account = await api.create("/v1/accounts", body | fields)
    assert not any(secret in json.dumps(account) for secret in google.secrets)
    return account


async def all_are(status: str) -> bool:
    return {row.status for row in await MailLog.all()} == {status}


async def account_of(made: dict[str, Any]) -> Account:
    return await Account.get(id=made["id"])


async def delivered(settings: Settings, status: str) -> list[MailLog]:
    """The rows after a worker has brought them all to this state."""
    async with working(settings):
        await eventually(lambda: all_are(status))
    return await MailLog.all().order_by("id")


async def test_a_mail_goes_by_google_to_everyone_and_bcc_shows_nowhere(
    api: Api, google: GoogleServer, settings: Settings
) -> None:
    account = await connect(api, google)
    to = {"to": ["Ann <ann@example.org>", "bob@example.org"], "cc": "carl@example.org", "bcc": "eve@x.example"}
    mail_id = await send(api, **to, **{"from": "Ada <ada@gmail.example>"})
    rows = await delivered(settings, SENT)
    (sent,) = google.messages
    assert sent.user == USER
    assert sent.recipients == ["ann@example.org", "bob@example.org", "carl@example.org", "eve@x.example"]
    assert (sent.message["From"], sent.message["To"]) == (
        "Ada <ada@gmail.example>",
        "Ann <ann@example.org>, bob@example.org",
    )
    assert "eve@x.example" not in sent.delivered.as_string()
    assert {(row.smtp_message_id, row.response_code, row.account_id) for row in rows} == {
        (sent.id, 200, (await account_of(account)).id)
    }
    assert (await AccountUsage.get()).used == 4
    assert google.requests == {"send": 1}
    _, answer = await api.get(f"/v1/emails/{mail_id}")
    assert answer["data"]["status"] == "sent"


async def test_a_token_that_has_ended_is_renewed_once_for_all(
    api: Api, google: GoogleServer, settings: Settings
) -> None:
    made = await connect(api, google)
    before = await account_of(made)
    google.expire()
    for _ in range(6):
        await send(api)
    await delivered(settings, SENT)
    assert (len(google.messages), google.requests["token"]) == (6, 1)
    after = await account_of(made)
    assert after.google_token_expires_at is not None
    assert timedelta(minutes=58) < after.google_token_expires_at - clock.now() < timedelta(minutes=60)
    assert (after.updated_at, after.status, after.last_error) == (before.updated_at, "active", None)


async def test_an_ended_sign_in_breaks_the_account_and_new_tokens_mend_it(
    api: Api, google: GoogleServer, settings: Settings
) -> None:
    made = await connect(api, google)
    google.revoke()
    await send(api)
    async with working(settings):
        await eventually(MailLog.filter(error__isnull=False).exists)
    row = await MailLog.get()
    words = "Google access for this account has ended (invalid_grant: Token has been expired or revoked.): reconnect it"
    assert (row.error, row.attempts) == (words, 0)
    _, answer = await api.get(f"/v1/accounts/{made['id']}")
    assert (answer["data"]["status"], answer["data"]["last_error"]) == ("error", words)
    assert (await AccountUsage.get()).used == 0
    access, refresh = google.sign_in(USER)
    change = {"google_access_token": access, "google_refresh_token": refresh}
    _, answer = await api.patch(f"/v1/accounts/{made['id']}", change)
    assert (answer["data"]["status"], answer["data"]["last_error"]) == ("active", None)
    await delivered(settings, SENT)
    assert google.messages[0].recipients == ["ada@example.org"]


async def test_a_failed_precondition_breaks_the_account_only_when_it_lasts(
    api: Api, google: GoogleServer, settings: Settings
) -> None:
    made = await connect(api, google)
    google.fail("send", 400, "failedPrecondition", "Mail service not enabled")
    await send(api)
    seen = []
    for requests in range(1, 5):

        async def has_answered(requests: int = requests) -> bool:
            account = await account_of(made)
            return google.requests["send"] == requests and (account.rests == requests or account.status == "error")

        async with working(settings):
            await eventually(has_answered)
        seen.append((await account_of(made)).status)
        await Account.filter(id=made["id"]).update(rest_until=clock.now())
    assert seen == ["active"] * 3 + ["error"]
    row = await MailLog.get()
    assert (row.status, row.attempts) == (PENDING, 0)


async def test_a_used_up_day_defers(api: Api, google: GoogleServer, settings: Settings) -> None:
    google.fail("send", 403, "dailyLimitExceeded", "Daily Limit Exceeded")
    await connect(api, google)
    await send(api)
    await send(api)
    rows = await delivered(settings, DEFERRED)
    assert all(row.next_attempt_at > clock.now() for row in rows)
    assert google.requests["send"] <= 2
    day = await AccountUsage.get()
    assert (day.used, day.is_full) == (0, True)


async def test_a_worker_that_stops_while_google_is_silent_sends_nothing_twice(
    api: Api, google: GoogleServer, settings: Settings
) -> None:
    google.hang("send")
    await connect(api, google)
    await send(api)
    async with working(settings, grace=0.2):
        await until(lambda: google.requests["send"] == 1)
    row = await MailLog.get()
    assert (row.status, row.unknowns, row.error) == (PENDING, 1, "the worker is shutting down")
    assert row.next_attempt_at > clock.now() + timedelta(minutes=20)
    assert (await AccountUsage.get()).used == 1


async def test_a_compose_goes_by_google(api: Api, google: GoogleServer, settings: Settings) -> None:
    made = await connect(api, google)
    async with api.app.test_app(), dispatching(settings, grace=0.3):
        status, answer = await api.post("/api/v1/compose", COMPOSE | {"account_key": made["account_key"]})
    assert (status, answer) == (200, {"ok": True, "sent": 1, "failed": []})
    assert (await MailLog.get()).smtp_message_id == google.messages[0].id
