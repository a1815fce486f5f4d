"""Microsoft accounts from the request to Graph and back, by a worker or within a compose."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import MAIL, send
from tests.fakes.google_server import CLIENT_ID, CLIENT_SECRET, GoogleServer, google_for
from tests.fakes.graph_api import APP_SCOPE, GRAPH_SCOPE
from tests.fakes.worker import dispatching, eventually, working
from tests.faults.support.world import queue_mails, until
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, PENDING, SENT
from webapp.sending.graph import ADVICE
from webapp.sending.oauth import AADSTS_WORDS

USER = "ada@acme.example"
COMPOSE = {"subject": "Hi", "body": "Hi", "recipients": {"emails": ["a@x.example"]}}
BIG = {"filename": "big.bin", "content": "eHh4" * 600_000}  # 1.8 MB, and 2.4 MB in an email


@pytest.fixture
async def microsoft(
    settings: Settings, acme: Organization, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[GoogleServer]:
    """Microsoft; whatever a test does, no token and no client secret is in a log or in what the database shows."""
    async with google_for(settings, rotates=True) as microsoft:
        yield microsoft
        texts = [caplog.text, *(str(row) for row in await Account.all().values())]
        texts += [f"{row.error}" for row in await MailLog.all()]
        assert not any(secret in text for secret in microsoft.secrets for text in texts)


async def connect(api: Api, microsoft: GoogleServer, **fields: Any) -> dict[str, Any]:
    """An account as the API makes it; its answer shows no token."""
    microsoft.graph.aliases[USER].add(MAIL["from"])
    access, refresh = microsoft.sign_in(USER, GRAPH_SCOPE)
    tokens = {"oauth_access_token": access, "oauth_refresh_token": refresh}
    body = {"name": "Graph", "provider_type": "microsoft", "microsoft_email": USER, **tokens}
    account = await api.create("/v1/accounts", body | fields)
    assert not any(secret in json.dumps(account) for secret in microsoft.secrets)
    return account


async def are(status: str, number: int) -> bool:
    return await MailLog.filter(status=status).count() == await MailLog.all().count() == number


async def delivered(settings: Settings, status: str, number: int = 1) -> list[MailLog]:
    """The rows after a worker has brought them all to this state."""
    async with working(settings):
        await eventually(lambda: are(status, number))
    return await MailLog.all().order_by("id")


async def after_a_try(settings: Settings) -> MailLog:
    """The only row after a worker has tried it and left it waiting."""
    async with working(settings):
        await eventually(MailLog.filter(status=PENDING, error__isnull=False).exists)
    return await MailLog.get()


async def test_a_mail_goes_by_graph_to_everyone_and_a_reply_names_what_it_answers(
    api: Api, microsoft: GoogleServer, settings: Settings
) -> None:
    account = await connect(api, microsoft)
    to = {"to": ["Ann <ann@example.org>", "bob@example.org"], "cc": "carl@example.org", "bcc": "eve@x.example"}
    await send(api, **to, headers={"In-Reply-To": "<1@example.org>"}, **{"from": f"Ada <{USER}>"})
    rows = await delivered(settings, SENT, 4)
    (sent,) = microsoft.graph.messages
    assert (sent.user, microsoft.requests) == (USER, {"graph": 1})
    assert sent.recipients == ["ann@example.org", "bob@example.org", "carl@example.org", "eve@x.example"]
    assert sent.message["In-Reply-To"] == "<1@example.org>"
    assert "eve@x.example" not in sent.delivered.as_string()
    assert {(str(row.account_id), row.response_code) for row in rows} == {(account["id"], 202)}
    assert (await AccountUsage.get()).used == 4


async def test_tokens_that_end_while_mail_goes_out_are_renewed_once_and_nothing_is_lost(
    api: Api, acme: Organization, microsoft: GoogleServer, settings: Settings
) -> None:
    made = await connect(api, microsoft)
    await queue_mails(acme, await Account.get(id=made["id"]), 100)
    async with working(settings):
        await until(lambda: len(microsoft.graph.messages) > 5)
        microsoft.expire()
        await eventually(lambda: are(SENT, 100))
    received = [address for message in microsoft.graph.messages for address in message.recipients]
    assert sorted(received) == sorted(f"reader{n}@example.org" for n in range(100))
    assert microsoft.requests["token"] == 1


async def test_an_account_with_a_client_of_its_own_renews_with_it(
    api: Api, microsoft: GoogleServer, settings: Settings
) -> None:
    url = microsoft.settings.token_url
    client = {"oauth_token_url": url, "oauth_client_id": CLIENT_ID, "oauth_client_secret": CLIENT_SECRET}
    await connect(api, microsoft, oauth_provider="custom", **client)
    microsoft.expire()
    await send(api)
    await delivered(settings, SENT)
    assert microsoft.requests["token"] == 1


async def test_an_app_sends_from_a_shared_mailbox_and_signs_in_again_by_itself(
    api: Api, microsoft: GoogleServer, settings: Settings
) -> None:
    microsoft.app_mailbox = USER
    microsoft.graph.aliases[USER].add(MAIL["from"])
    url = microsoft.settings.token_url
    client = {"oauth_token_url": url, "oauth_client_id": CLIENT_ID, "oauth_client_secret": CLIENT_SECRET}
    app = {"oauth_provider": "custom", "oauth_grant": "client_credentials", **client}
    body = {"name": "Shared", "provider_type": "microsoft", "microsoft_email": USER, **app}
    made = await api.create("/v1/accounts", body)
    assert (made["oauth_scope"], made["has_oauth_token"]) == (APP_SCOPE, False)
    await send(api)
    await delivered(settings, SENT)
    microsoft.expire()
    await send(api)
    await delivered(settings, SENT, 2)
    assert [message.path for message in microsoft.graph.messages] == [f"/v1.0/users/{USER}/sendMail"] * 2
    assert microsoft.requests["token"] == 2


async def test_a_server_that_asks_for_two_minutes_gets_them(
    api: Api, microsoft: GoogleServer, settings: Settings
) -> None:
    made = await connect(api, microsoft)
    microsoft.fail("graph", 429, "ApplicationThrottled", "Application is over its limit.", retry_after=120)
    await send(api)
    row = await after_a_try(settings)
    account = await Account.get(id=made["id"])
    assert (row.attempts, row.unknowns, (await AccountUsage.get()).used) == (0, 0, 0)
    assert (account.status, account.throttles) == ("active", 1)
    assert account.rest_until is not None
    assert timedelta(seconds=60) < account.rest_until - clock.now() <= timedelta(seconds=120)
    assert account.last_error == "429 ApplicationThrottled: Application is over its limit."
    assert microsoft.requests["graph"] == 1


@pytest.mark.parametrize("trouble", ["200", "504", "drop"])
async def test_an_outcome_in_doubt_is_tried_once_more_after_half_an_hour_and_then_never_again(
    api: Api, microsoft: GoogleServer, settings: Settings, trouble: str
) -> None:
    await connect(api, microsoft)
    if trouble == "drop":
        microsoft.drop("graph")
    else:
        microsoft.fail("graph", int(trouble), "UnknownError" if trouble == "504" else "")
    await send(api)
    row = await after_a_try(settings)
    assert row.unknowns == 1
    assert row.next_attempt_at > clock.now() + timedelta(minutes=25)
    assert (await AccountUsage.get()).used == 1
    await MailLog.filter(id=row.id).update(next_attempt_at=clock.now())
    (row,) = await delivered(settings, FAILED)
    assert microsoft.requests["graph"] == 2
    assert (row.error or "").startswith("may have been delivered: ")
    if trouble == "200":
        assert row.error == "may have been delivered: Microsoft Graph answered 200, and only 202 is an acceptance"


async def test_a_worker_that_stops_while_graph_is_silent_sends_nothing_twice(
    api: Api, microsoft: GoogleServer, settings: Settings
) -> None:
    microsoft.hang("graph", times=1)
    await connect(api, microsoft)
    await send(api)
    async with working(settings, grace=0.2):
        await until(lambda: microsoft.requests["graph"] == 1)
    row = await MailLog.get()
    assert (row.status, row.unknowns, row.error) == (PENDING, 1, "the worker is shutting down")
    async with working(settings):
        await asyncio.sleep(1)
    assert microsoft.requests["graph"] == 1


async def test_what_graph_would_drop_fails_in_words(api: Api, microsoft: GoogleServer, settings: Settings) -> None:
    await connect(api, microsoft)
    await send(api, attachments=[BIG])
    (row,) = await delivered(settings, FAILED)
    assert "but Microsoft Graph accepts at most 2,097,152" in (row.error or "")
    assert (microsoft.requests["graph"], (await AccountUsage.get()).used) == (0, 0)


async def test_a_used_up_day_defers(api: Api, microsoft: GoogleServer, settings: Settings) -> None:
    microsoft.fail("graph", 429, "ErrorExceededMessageLimit", "Cannot send mail.")
    await connect(api, microsoft)
    await send(api)
    await delivered(settings, DEFERRED)
    day = await AccountUsage.get()
    assert (day.used, day.is_full) == (0, True)


@pytest.mark.parametrize(
    ("place", "status", "code", "message", "words"),
    [
        (
            "token",
            401,
            "invalid_client",
            "AADSTS7000222: The provided client secret keys are expired.",
            f"{AADSTS_WORDS['7000222']} (AADSTS7000222)",
        ),
        (
            "graph",
            403,
            "ErrorMessageSubmissionBlocked",
            "Cannot send mail.",
            f"403 ErrorMessageSubmissionBlocked: Cannot send mail. ({ADVICE['ErrorMessageSubmissionBlocked']})",
        ),
    ],
)
async def test_an_account_that_needs_a_person_says_so_and_its_mail_waits(
    api: Api, microsoft: GoogleServer, settings: Settings, place: str, status: int, code: str, message: str, words: str
) -> None:
    made = await connect(api, microsoft)
    if place == "token":
        microsoft.expire()
    microsoft.fail(place, status, code, message, times=1)
    await send(api)
    async with working(settings):
        await eventually(Account.filter(id=made["id"], status="error").exists)
    path = f"/v1/accounts/{made['id']}"
    assert (await api.get(path))[1]["data"]["last_error"] == words
    assert (await MailLog.get()).status == PENDING

    access, refresh = microsoft.sign_in(USER, GRAPH_SCOPE)
    await api.patch(path, {"oauth_access_token": access, "oauth_refresh_token": refresh})
    await delivered(settings, SENT)


async def test_another_from_address_fails_alone_and_the_account_goes_on(
    api: Api, microsoft: GoogleServer, settings: Settings
) -> None:
    made = await connect(api, microsoft)
    await send(api, account_key=made["account_key"], **{"from": "shop@acme.example"})
    (row,) = await delivered(settings, FAILED)
    assert (row.error or "").startswith("403 ErrorSendAsDenied: ")
    assert (row.bounce, (await Account.get(id=made["id"])).status) == (None, "active")


async def test_a_compose_goes_by_graph(api: Api, microsoft: GoogleServer, settings: Settings) -> None:
    made = await connect(api, microsoft)
    async with api.app.test_app(), dispatching(settings, grace=0.3):
        status, answer = await api.post("/api/v1/compose", COMPOSE | {"account_key": made["account_key"]})
    assert (status, answer) == (200, {"ok": True, "sent": 1, "failed": []})
    assert len(microsoft.graph.messages) == 1
